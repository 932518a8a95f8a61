/** Requests as the core reads them: octets. */

import { type Argument, encoded } from "../engine.js";

/** The fields of a request: an object, `Headers`, or pairs of names and values. */
export type Fields = { readonly [name: string]: string } | Iterable<readonly [string, string]>;

/** A request: one of `fetch`, or its method (default: GET), its whole URL and its fields. */
export type Message = globalThis.Request | { readonly method?: string | undefined; readonly url: string; readonly headers?: Fields | undefined };

/** The octets of a text of HTTP. Other characters become bytes of UTF-8, which the core refuses. */
export function octets(text: string): Uint8Array {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 255) return encoded(text);
  return Uint8Array.from(text, (each) => each.charCodeAt(0));
}

/** The fields as pairs. Throws a TypeError if they are none. */
export function pairs(fields: Fields | undefined): [string, string][] {
  const wrong = () => new TypeError("headers must be an object, Headers, or pairs of texts");
  if (fields === undefined) return [];
  if (typeof fields !== "object" || fields === null) throw wrong();
  const all = Symbol.iterator in fields ? [...(fields as Iterable<readonly [string, string]>)] : Object.entries(fields);
  return all.map((pair) => {
    if (!Array.isArray(pair) || pair.length !== 2 || pair.some((each) => typeof each !== "string")) throw wrong();
    return [pair[0]!, pair[1]!];
  });
}

/** A request as arguments of the module. */
export function argumentsOf(method: string, url: string, fields: readonly (readonly [string, string])[]): Argument[] {
  return [octets(method), octets(url), fields.length, ...fields.flatMap((pair) => pair.map(octets))];
}
