/** What the clients of other protocols have in common: requests that follow from answers. */

import type { Reply } from "../transport.js";
import type { HttpRequest } from "./request.js";

export type Members = { readonly [name: string]: unknown };

/** A request that follows. */
export interface Asking {
  readonly request: HttpRequest;
  /** `call`, `poll`, or `handshake`: what the protocol needs before the call. */
  readonly kind: "call" | "poll" | "handshake";
}

/** What follows from an answer: a request, the result of the call with its data, or why there is none. */
export type Turn =
  | Asking
  | { readonly result: Members; readonly data: unknown }
  | { readonly failed: string; readonly failure: string; readonly result?: Members }
  | { readonly missing: string };

/** The client of one call. */
export interface Talk {
  begin(): Asking;
  /** What follows from an answer that has no meaning for the core, such as that of a server without this revision of the protocol. */
  early?(reply: Reply): Asking | undefined;
  /** What follows from an answer with which a request has succeeded. */
  turn(reply: Reply): Turn;
  /** The last request, whose answer does not matter. */
  end?(): HttpRequest | undefined;
}

/** The value of a header in an answer. */
export const headerOf = ({ headers }: Reply, wanted: string): string | undefined => headers.find(([name]) => name.toLowerCase() === wanted)?.[1];

export const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** A body as JSON; undefined if it is not JSON. */
export function jsonOf(body: Uint8Array | string): unknown {
  try {
    return JSON.parse(typeof body === "string" ? body : new TextDecoder().decode(body)) as unknown;
  } catch {
    return undefined;
  }
}
