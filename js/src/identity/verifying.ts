/** Verification of requests: the core's rules, the key, the cryptography, and whether the signature is new. */

import { isObject, options } from "../arguments.js";
import { now as clock, signatures, split, time } from "../engine.js";
import { Directory } from "./directory.js";
import { base64url } from "../base64.js";
import { type JwkSet, fits } from "./keys.js";
import { type Message, argumentsOf, octets, pairs } from "./message.js";
import type { Memory } from "./replays.js";

/** Whether a request is signed by an agent whose key is known. Without `valid`, all other members say what the request claims, and prove nothing. */
export interface Verdict {
  readonly valid: boolean;
  /** `valid`, or an id of a closed list, such as `expired` or `unknown-key`. */
  readonly reason: string;
  /** The reason in a sentence. */
  readonly message: string;
  /** The thumbprint of the key that the signature names. */
  readonly keyId?: string | undefined;
  /** The URL of the keys that the signature covers. It says who signed only if the key came from there: use `identity`. */
  readonly directory?: string | undefined;
  /** When the signature was made and when it expires, in seconds since 1970. */
  readonly created?: number | undefined;
  readonly expires?: number | undefined;
  readonly nonce?: string | undefined;
  /** Who signed, for rules and rate limits: the URL of the directory that has the key, or the thumbprint of a key in a JWK Set. Only if `valid`. */
  readonly identity?: string | undefined;
}

/** The options of `verify`. */
export interface VerifyOptions {
  /** A JWK Set with the keys that you accept, or a `Directory`, which fetches the keys from the URL that the request names. */
  readonly keys: JwkSet | Directory;
  /** The time in seconds since 1970. Default: the clock. */
  readonly now?: number | undefined;
  /** For how many seconds a signature may be valid. Default: any number. */
  readonly longest?: number | undefined;
  /** By how many seconds the clock of an agent may be ahead. Default 10. */
  readonly skew?: number | undefined;
  /** Remembers signatures, and refuses those that were used before. Default: none does. */
  readonly replays?: Memory | undefined;
}

interface Claim {
  readonly key_id: string;
  readonly algorithm: string | null;
  readonly created: number;
  readonly expires: number;
  readonly nonce: string | null;
  readonly agent: { readonly url: string; readonly identifier: string; readonly kind: string } | null;
  /** The length of the signature, which stands in front of its base. */
  readonly signature: number;
}

type Refused = { readonly refused: string };
type Found = { readonly algorithm: string; readonly is_example: boolean; readonly jwk: { readonly [member: string]: string } };

/** How many signatures of agents are tried, with the answer that there is none. */
const MOST = 5;

let meanings: { readonly [reason: string]: string } | undefined;

/** Every reason of a verdict, and what it means. */
export const reasons = (): { readonly [reason: string]: string } => (meanings ??= signatures().json<{ readonly [reason: string]: string }>("identity_reasons", undefined));

/**
 * Verifies the signature of a request (Web Bot Auth, RFC 9421).
 *
 * The authority of the URL must be the name of your site, not what `Host` says: else a signature for another site is valid for yours. Never rejects
 * for what a request or a directory contains: every doubt is a verdict that is not valid. Of several signatures, at most four, the first valid one counts.
 */
export async function verify(message: Message, given: VerifyOptions): Promise<Verdict> {
  const { keys, now = clock(), longest, skew = 10, replays } = options(given);
  if (!(keys instanceof Directory) && !isObject(keys)) throw new TypeError("keys must be a JWK Set or a Directory");
  const at = Math.max(0, Math.floor(now));
  const limit = longest === undefined ? [false] : [true, ...time(longest)];
  let first: Verdict | undefined;
  const refused = (reason: string): Verdict => ({ valid: false, reason, message: reasons()[reason]! });
  let request;
  try {
    request = argumentsOf(message.method ?? "GET", message.url, pairs(message.headers));
  } catch {
    return refused("malformed-request");
  }
  for (let index = 0; index < MOST; index++) {
    const [answer] = signatures().answer("identity_claim", undefined, ...request, index, ...time(at), ...time(skew), ...limit);
    const [read, behind] = split<Claim | Refused | null>(answer);
    if (read === null) break;
    const verdict = "refused" in read ? refused(read.refused) : await checked(read, behind, keys, at, replays);
    if (verdict.valid) return verdict;
    first ??= verdict;
  }
  return first!;
}

/** Verifies a claim. */
async function checked(claim: Claim, behind: Uint8Array, keys: JwkSet | Directory, at: number, replays: Memory | undefined): Promise<Verdict> {
  const [signature, base] = [behind.subarray(0, claim.signature), behind.subarray(claim.signature)];
  const found = keys instanceof Directory ? await keyOfAgent(claim, keys, at) : keyIn(JSON.stringify(keys), claim, at);
  let reason: string;
  if ("refused" in found) reason = found.refused;
  else if (found.is_example && keys instanceof Directory && !keys.examples) reason = "key-of-examples";
  else {
    reason = await fits(found.jwk, found.algorithm, signature, base);
    // What was signed, not the signature: of one text, there can be several signatures.
    if (reason === "valid" && replays !== undefined) reason = await replays.take(claim.key_id, await digest(claim.key_id, base), claim.expires, at);
  }
  const valid = reason === "valid";
  const identity = keys instanceof Directory ? claim.agent?.identifier : claim.key_id;
  return {
    ...{ valid, reason, message: reasons()[reason]!, keyId: claim.key_id, directory: claim.agent?.identifier },
    ...{ created: claim.created, expires: claim.expires, nonce: claim.nonce ?? undefined, identity: valid ? identity : undefined },
  };
}

async function digest(keyId: string, base: Uint8Array): Promise<string> {
  const whole = new Uint8Array([...octets(`${keyId}\n`), ...base]);
  return base64url(new Uint8Array(await crypto.subtle.digest("SHA-256", whole)));
}

function keyIn(directory: Uint8Array | string, claim: Claim, at: number): Found | Refused {
  return signatures().json("identity_key", undefined, directory, octets(claim.key_id), claim.algorithm ?? "", ...time(at));
}

/** Finds the key in the directory that the signature covers: never in another one, whose owner could sign in the name of this one. */
async function keyOfAgent(claim: Claim, keys: Directory, at: number): Promise<Found | Refused> {
  const { agent } = claim;
  if (agent === null) return { refused: "agent-missing" };
  if (agent.kind === "other") return { refused: "unsupported-agent-type" };
  const isCard = agent.kind === "cimd";
  const kept = await keys._at(agent.url, isCard);
  if ("refused" in kept) return kept;
  const found = keyIn(kept.body, claim, at);
  if (!("refused" in found) || found.refused !== "unknown-key") return found;
  // The agent may have a new key.
  const newer = await keys._at(agent.url, isCard, true);
  return "refused" in newer || newer.body === kept.body ? found : keyIn(newer.body, claim, at);
}
