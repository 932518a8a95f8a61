/** Gets tokens for the documents that a site gives only to those who have one. */

import { decide } from "../policy.js";
import type { Reply, Transport } from "../transport.js";
import { challengeOf } from "./authorizing.js";
import { CallError } from "./errors.js";
import type { Caller, OAuth2 } from "./oauth.js";

/** What a discovery tells about itself. */
export interface Unlocking {
  readonly agent: string;
  readonly origin: string;
  /** URLs whose hosts may have private addresses. */
  readonly named: readonly string[];
  /** A signal that ends after so many seconds, or with the discovery. */
  within(seconds: number): AbortSignal;
  /** Receives why there is no token for a URL. */
  refused(url: string, why: string): void;
}

/** A transport that sends a request again with the token that the answer asks for, if its resource names who issues it. */
export function unlocking(send: Transport, oauth: OAuth2, { agent, origin, named, within, refused }: Unlocking): Transport {
  const maySend: Caller["maySend"] = (url, approved) => decide([], { agent, origin, approved, url, method: "POST" }).credentials === "allowed";
  const caller: Caller = { agent, origin, site: origin, named, maySend, send, within };
  let isRefused = false;
  const tokenFor = async (url: string, reply: Reply): Promise<string | undefined> => {
    const challenge = challengeOf(reply);
    if (challenge?.resourceMetadata === undefined) return undefined;
    const decision = decide([], { agent, url, method: "GET", origin });
    // A refusal is the last one, because each of them can be the question of a person.
    if (isRefused || decision.credentials !== "allowed") return undefined;
    try {
      return await (oauth.knows(url) ? oauth.tokenFor(url, decision, caller) : oauth.authorize(challenge, url, decision, caller));
    } catch (problem) {
      if (!(problem instanceof CallError)) throw problem;
      isRefused = true;
      refused(url, problem.message);
      return undefined;
    }
  };
  let last: Promise<unknown> = Promise.resolve();
  return async (sent) => {
    const reply = await send(sent);
    if (challengeOf(reply) === undefined) return reply;
    // One at a time, so that nobody is asked twice.
    const made = last.then(() => tokenFor(sent.url, reply));
    last = made.catch(() => {});
    const token = await made;
    if (token === undefined) return reply;
    const again = await send({ ...sent, headers: [...sent.headers, ["Authorization", `Bearer ${token}`]], signal: within(20) });
    if (again.status === 401) oauth.reject(token);
    return again;
  };
}
