/** Enforces the rate limits of the documents. */

import { engine, wellFormed } from "../engine.js";
import type { AppliedLimit, Decision } from "../policy.js";

const now = (): number => performance.now() / 1000;

const windowOf = (limit: AppliedLimit): number => (limit.milliseconds === undefined ? 60 : limit.milliseconds / 1000);
const keyOf = ({ scope, capability, requests, milliseconds }: AppliedLimit): string =>
  JSON.stringify([scope, capability, requests, milliseconds || 60_000]);

/**
 * Counts calls in sliding windows, one for each limit. A limit of a capability has a window of its own.
 *
 * A limit whose window cannot be read counts calls per minute. A limit of zero requests allows no call. Use one limiter for each site and agent.
 */
export class Limiter {
  private readonly times = new Map<string, { window: number; times: number[] }>();
  private held = new Map<string | undefined, number>();

  /** Blocks calls of the capability for some seconds, because the server has sent `Retry-After`. */
  hold(decision: Decision, seconds: number, at = now()): void {
    this.held = new Map([...this.held].filter(([, end]) => end > at));
    this.held.set(decision.capability, Math.max(this.held.get(decision.capability) ?? at, at + seconds));
  }

  /**
   * Counts one call for every limit that applies to it, if all limits permit it.
   *
   * `hold` does not delay a `retry` or a `poll`, which have waited already. A `poll` or `handshake` does not count for the limits of its capability. Returns 0 if
   * the call was counted; otherwise the seconds until the limits permit it, Infinity if they never do.
   */
  take(decision: Decision, kind = "call", at = now()): number {
    const isQuiet = kind === "poll" || kind === "handshake";
    const limits = (decision.rate_limits ?? []).filter((limit) => !(isQuiet && limit.capability !== undefined));
    let seconds = this.longest(limits, at);
    if (kind !== "retry" && kind !== "poll") seconds = Math.max(seconds, (this.held.get(decision.capability) ?? at) - at);
    if (seconds > 0) return seconds;
    // Equal limits of several documents, such as an agents.txt and its agents.json, are one limit.
    for (const [key, limit] of new Map(limits.map((each) => [keyOf(each), each]))) {
      const counted = this.times.get(key) ?? { window: windowOf(limit), times: [] };
      counted.times.push(at);
      this.times.set(key, counted);
    }
    return 0;
  }

  /** The seconds until the limits permit a call, Infinity if they never do; counts nothing. */
  wait(decision: Decision, at = now()): number {
    return Math.max(this.longest(decision.rate_limits ?? [], at), (this.held.get(decision.capability) ?? at) - at, 0);
  }

  /** Whether the limiter still counts a call, or waits because of `hold`. */
  isUsed(at = now()): boolean {
    const counts = [...this.times.values()].some(({ window, times }) => times.length > 0 && times.at(-1)! > at - window);
    return counts || [...this.held.values()].some((end) => end > at);
  }

  private longest(limits: readonly AppliedLimit[], at: number): number {
    return Math.max(0, ...limits.map((limit) => this.one(limit, at)));
  }

  private one(limit: AppliedLimit, at: number): number {
    if (limit.requests === 0) return Infinity;
    const times = this.times.get(keyOf(limit))?.times;
    if (times === undefined) return 0;
    const window = windowOf(limit);
    const old = times.findIndex((each) => each > at - window);
    times.splice(0, old < 0 ? times.length : old);
    return times.length < limit.requests ? 0 : times[times.length - limit.requests]! + window - at;
  }
}

/** The number of limiters at which those that remember nothing are removed. */
const FIRST_SWEEP = 1000;
let sweepAt = FIRST_SWEEP;
let all = new Map<string, Limiter>();

/** The limiter that all calls of an agent to a site share, whatever the version of the agent. One that counts requests or waits is never removed. */
export function sharedLimiter(site: string, agent: string): Limiter {
  const key = JSON.stringify([site, engine().json<string>("agent_name", undefined, wellFormed(agent, "\0")).toLowerCase()]);
  const known = all.get(key);
  if (known !== undefined) return known;
  if (all.size >= sweepAt) {
    all = new Map([...all].filter(([, limiter]) => limiter.isUsed()));
    // Not before the number has doubled, so that each call takes constant time on average.
    sweepAt = Math.max(FIRST_SWEEP, 2 * all.size);
  }
  const made = new Limiter();
  all.set(key, made);
  return made;
}
