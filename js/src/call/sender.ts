/** Sends the requests of one call within its limits, and records every step. */

import { Failed, type Reply, type Transport, after, reasonOf } from "../transport.js";
import type { Decision } from "../policy.js";
import { repr } from "../visible.js";
import { CallFailed, ConnectionFailed, type Failing, LimitExceeded, RateLimited } from "./errors.js";
import type { Limiter } from "./limiter.js";
import type { CallOptions } from "./options.js";
import { HttpRequest, type Operation, type Step } from "./request.js";
import { saidBy } from "./words.js";
import { type WebSocketClass, exchanged, socketUrl } from "./websocket.js";

/** The largest number of requests of one call, with the actions before it, its polls and its recoveries. */
const MOST_REQUESTS = 200;
/** Seconds for one request and its answer. */
const REQUEST = 20;
const DAY = 86_400;

type Credentials = { readonly [name: string]: string };

/** The seconds of a `Retry-After` (RFC 9110 section 10.2.3), at most a day; undefined if it is not valid. */
export function secondsOf(value: string, at: number): number | undefined {
  const text = value.trim();
  if (/^[0-9]+$/.test(text)) return Math.min(Number(text.slice(0, 9)), DAY);
  const date = /^[A-Z][a-z]+, /.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(date) ? undefined : Math.min(Math.max(date / 1000 - at, 0), DAY);
}

/** The time of a call. It stands still while a person is asked. */
export class Deadline {
  private ends: number;

  constructor(
    readonly seconds: number,
    private readonly signal: AbortSignal | undefined,
  ) {
    this.ends = performance.now() + seconds * 1000;
  }

  /** Seconds that are left. */
  get left(): number {
    return (this.ends - performance.now()) / 1000;
  }

  /** Throws if the time is over, or if the caller has ended the call. */
  check(): void {
    if (this.left <= 0 || this.signal?.aborted) throw this.over();
  }

  /** Why the call ends early. */
  private over(): unknown {
    return this.signal?.aborted ? this.signal.reason : new LimitExceeded(`the call takes longer than ${this.seconds} s (timeout)`);
  }

  /** A signal that ends after so many seconds at most, or with the call. */
  within(seconds: number): AbortSignal {
    const late = after(Math.max(0, Math.min(seconds, this.left)));
    return this.signal === undefined ? late : AbortSignal.any([late, this.signal]);
  }

  /** Waits for something of the caller. */
  async of<T>(work: T | Promise<T>): Promise<T> {
    if (!(work instanceof Promise)) return work;
    const signal = this.within(Infinity);
    let end = () => {};
    const late = new Promise<never>((_, failed) => {
      end = () => failed(this.over());
      if (signal.aborted) end();
      else signal.addEventListener("abort", end, { once: true });
    });
    try {
      return await Promise.race([work, late]);
    } catch (problem) {
      // The work can end for the same reason first.
      this.check();
      throw problem;
    } finally {
      signal.removeEventListener("abort", end);
    }
  }

  async sleep(seconds: number): Promise<void> {
    await this.of(new Promise<void>((done) => setTimeout(done, seconds * 1000)));
  }

  /** Waits for a person. */
  async paused<T>(ask: () => T | Promise<T>): Promise<T> {
    const begun = performance.now();
    try {
      return await ask();
    } finally {
      this.ends += performance.now() - begun;
    }
  }
}

export class Sender {
  readonly steps: Step[] = [];
  /** The last answer. */
  last: Reply | undefined;

  constructor(
    readonly transport: Transport,
    private readonly options: CallOptions,
    readonly deadline: Deadline,
    private readonly limiter: Limiter,
    /** URLs whose hosts may have private addresses. */
    readonly named: readonly string[],
  ) {}

  /** Whether anything was sent, except requests for descriptions. */
  get hasSent(): boolean {
    return this.steps.some(({ kind }) => kind !== "document");
  }

  /** Waits for the rate limits, and sends a request. */
  async send(request: HttpRequest, decision: Decision, capability: string, kind = "call", credentials: Credentials = {}, before = 0): Promise<Reply> {
    const { method, url, body } = request;
    const reply = await this.sent(request, decision, capability, kind, before, async (signal, limit) => {
      const headers = new Map<string, string>([["User-Agent", this.options.agent], ...request.headers, ...Object.entries(credentials)]);
      const answer = await this.transport({ url, headers: [...headers], limit, cuts: false, signal, named: this.named, method, content: body, keepsErrors: true });
      return [answer, answer.status];
    });
    this.last = reply;
    if (reply.status === 429) {
      const [, value] = reply.headers.find(([name]) => name.toLowerCase() === "retry-after") ?? [];
      const seconds = value === undefined ? undefined : secondsOf(value, Date.now() / 1000);
      if (seconds !== undefined) this.limiter.hold(decision, seconds);
    }
    return reply;
  }

  /** Does the same for a message over a WebSocket. Returns the first message of the server. `isChecked`: whether addresses are checked here. */
  message(kind: WebSocketClass, isChecked: boolean, operation: Operation, decision: Decision, capability: string, credentials: Credentials): Promise<Uint8Array> {
    return this.sent(operation, decision, capability, "call", 0, async (signal, limit) => {
      const url = socketUrl(operation.url);
      // The handshake is a GET.
      const signature = await this.options.identity?.sign({ method: "GET", url: url.replace(/^ws/, "http") });
      const headers = { "User-Agent": this.options.agent, ...credentials, ...signature };
      const needsHeaders = signature !== undefined || Object.keys(credentials).length > 0;
      return [await exchanged(kind, url, operation, { headers, needsHeaders, limit, signal, named: this.named, isChecked }), undefined];
    });
  }

  private async sent<T>(request: HttpRequest | Operation, decision: Decision, capability: string, kind: string, before: number, work: (signal: AbortSignal, limit: number) => Promise<[T, number | undefined]>): Promise<T> {
    if (this.steps.length >= MOST_REQUESTS) throw new LimitExceeded(`${repr(capability)} needs more than ${MOST_REQUESTS} requests`, decision);
    const waited = before + (await this.room(decision, capability, kind));
    this.deadline.check();
    const record = async (status: number | undefined) => {
      const step = { kind, capability, request, status, waited };
      this.steps.push(step);
      await this.deadline.of(this.options.progress?.(step));
    };
    let [answer, status]: [T?, number?] = [];
    try {
      [answer, status] = await work(this.deadline.within(REQUEST), this.options.maxResponse ?? 16 << 20);
    } catch (problem) {
      if (!(problem instanceof Failed)) throw problem;
      await record(undefined);
      this.deadline.check();
      if (problem.why === "too-large") throw new LimitExceeded(`the answer to ${repr(capability)} is larger than maxResponse`, decision);
      throw new ConnectionFailed(`${request.url}: ${reasonOf(problem)}`, decision);
    }
    await record(status);
    return answer;
  }

  /** Waits until the rate limits permit a request, and counts it. A poll waits as long as the call may take, so that the job is not lost. */
  private async room(decision: Decision, capability: string, kind: string): Promise<number> {
    const begun = performance.now();
    const waited = () => (performance.now() - begun) / 1000;
    const most = kind === "poll" ? this.deadline.left : this.longest;
    for (;;) {
      const seconds = this.limiter.take(decision, kind);
      if (seconds <= 0) return waited();
      if (waited() + seconds > most) throw noRoom(decision, capability, most, seconds);
      await this.deadline.sleep(seconds);
    }
  }

  /** Throws a RateLimited if the rate limits permit no call in time, as far as that is known before it. */
  checkRoom(decision: Decision, capability: string): void {
    const seconds = this.limiter.wait(decision);
    if (seconds > this.longest) throw noRoom(decision, capability, this.longest, seconds);
  }

  private get longest(): number {
    return this.options.maxWait ?? REQUEST;
  }

  /** Waits before a request is sent again. Throws a RateLimited at once if the wait is longer than the call may take. */
  async pause(seconds: number, decision: Decision, capability: string): Promise<number> {
    if (seconds > this.deadline.left) throw new RateLimited(`${repr(capability)} has to wait ${seconds} s before it can go on, longer than timeout`, decision, seconds);
    await this.deadline.sleep(seconds);
    return seconds;
  }

  /** The error for a server that answers with an error. The message repeats what the server says about it. */
  failure(message: string, decision: Decision | undefined, reply: Reply | undefined, more: Failing = {}): CallFailed {
    const said = reply === undefined || reply.status >= 400 ? saidBy(reply?.body ?? new Uint8Array()) : "";
    return new CallFailed(said ? `${message}; the server says: ${said}` : message, decision, { status: reply?.status, body: reply?.body, ...more });
  }
}

/** The error for a call that the rate limits do not permit in time. */
function noRoom(decision: Decision, name: string, most: number, seconds: number): RateLimited {
  const until = seconds === Infinity ? "they never allow it" : `the next call is allowed in ${Math.ceil(seconds)} s`;
  return new RateLimited(`the rate limits leave no room for ${repr(name)} in ${most} s: ${until}`, decision, seconds);
}
