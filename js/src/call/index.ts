/** Calls the capabilities that the documents of a site declare. */

import { isObject, maybe, text } from "../arguments.js";
import { Document } from "../document.js";
import { wellFormed } from "../engine.js";
import { parsed } from "../policy.js";
import { Site } from "../site.js";
import { type Args, type CallOptions, checked } from "./options.js";
import type { Answer, Planned } from "./request.js";
import { type Place, run } from "./runner.js";

/** A site, or its documents. */
export type Where = Site | Document | Iterable<Document>;

/** @internal Where a call takes place. */
export function placeOf(where: unknown, origin: string | undefined): Place {
  if (where instanceof Site) return where._place;
  const all = parsed(where);
  if (!all.every((each) => each instanceof Document)) throw new TypeError("where must be a Site, a Document or a list of them");
  const from = maybe(origin, "origin");
  return { documents: all, unread: [], origin: from, robots: undefined, sessions: new Map(), allowPrivate: false, fetch: undefined, missed: "" };
}

/**
 * Calls a capability of a site, after the actions that it requires, or with `dryRun` plans the request.
 *
 * Rejects with a `CallError`: `PolicyDenied` if a document denies the call, `CallRefused` if the arguments make no valid call, `ConfirmationRefused`,
 * `CredentialsNeeded`, `RateLimited`, `ConnectionFailed`, `LimitExceeded`, `CallFailed` if the server answers with an error, `PaymentRequired` if it answers
 * with payment terms, `ClientNeeded` for a protocol without a client, such as gRPC; with a TypeError for invalid options.
 */
export function call(where: Where, capability: string, args: Args | undefined, options: CallOptions & { readonly dryRun: true }): Promise<Planned>;
export function call(where: Where, capability: string, args: Args | undefined, options: CallOptions & { readonly dryRun?: false | undefined }): Promise<Answer>;
export function call(where: Where, capability: string, args: Args | undefined, options: CallOptions): Promise<Answer | Planned>;
export async function call(where: Where, capability: string, args: Args | undefined, given: CallOptions): Promise<Answer | Planned> {
  const options = checked(given);
  if (args !== undefined && !isObject(args)) throw new TypeError("args must be an object");
  return run(placeOf(where, options.origin), wellFormed(text(capability, "capability"), "\0"), { ...args }, options);
}
