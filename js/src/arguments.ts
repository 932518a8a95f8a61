/** Validates arguments. Everything is read before the module is called: a getter or a proxy may call the package again. */

import { type Source, NONE, encoded, wellFormed } from "./engine.js";

/** A document: text, or bytes, which are copied. */
export type Data = string | ArrayBuffer | SharedArrayBuffer | ArrayBufferView;

/** Limits of reading. */
export interface Limits {
  /** The largest document, in bytes. Default 1 MiB. */
  readonly document?: number | undefined;
  /** The deepest nesting. Default 64, at most 256. */
  readonly depth?: number | undefined;
  /** The longest line of a text, in bytes. Default 64 KiB. */
  readonly line?: number | undefined;
  /** How much of a robots.txt is read, in bytes. Default 500 KiB. */
  readonly robots?: number | undefined;
}

const LIMITS = ["document", "depth", "line", "robots"] as const;
const DEFAULTS = { document: 1 << 20, robots: 500 << 10 };

function kind(value: unknown): string {
  return value === null ? "null" : typeof value;
}

/** Whether a value is an object with members. */
export const isObject = (value: unknown): value is { readonly [name: string]: unknown } => typeof value === "object" && value !== null && !Array.isArray(value);

/** The options of a call: an object, or nothing. */
export function options<T extends object>(value: T | undefined): Partial<T> {
  if (value === undefined || value === null) return {};
  if (typeof value !== "object") throw new TypeError(`options must be an object, not ${kind(value)}`);
  return value;
}

/** A text that may be absent. */
export function maybe(value: unknown, name: string): string | undefined {
  return value === undefined || value === null ? undefined : text(value, name);
}

/** A text. */
export function text(value: unknown, name: string): string {
  if (typeof value !== "string") throw new TypeError(`${name} must be a string, not ${kind(value)}`);
  return value;
}

/** A text of a request. Lone surrogates become a character that is in no URL and no name, so that nothing is allowed that is sent differently. */
export function word(value: unknown, name: string): string {
  return wellFormed(text(value, name), "\0");
}

/** The same, which may be absent. */
export function maybeWord(value: unknown, name: string): string | undefined {
  return value === undefined || value === null ? undefined : word(value, name);
}

/** Texts in any iterable but a text. */
export function words(value: unknown, name: string): string[] {
  if (value === undefined || value === null) return [];
  if (typeof value === "string" || typeof (value as Iterable<unknown>)[Symbol.iterator] !== "function") {
    throw new TypeError(`${name} must be a list of strings, not ${kind(value)}`);
  }
  return Array.from(value as Iterable<unknown>, (each, at) => word(each, `${name}[${at}]`));
}

/** Whether a text can be sent as a User-Agent: ASCII characters, not only blanks. */
export const isUserAgent = (text: string): boolean => /^[ -~]*[!-~][ -~]*$/.test(text);

/** Throws a TypeError if a time limit is none. */
export function checkTimeout(timeout: unknown): asserts timeout is number {
  if (typeof timeout !== "number" || !(timeout > 0)) throw new TypeError("timeout must be a number of seconds, more than 0");
}

/** Reads a built-in property, whatever a subclass or the caller has put over it. */
function own(prototype: object, name: string): (value: unknown) => unknown {
  const { get } = Object.getOwnPropertyDescriptor(prototype, name) as { get(): unknown };
  return (value) => get.call(value);
}

type Part = (value: unknown) => unknown;
const parts = (prototype: object): [Part, Part, Part] => [
  own(prototype, "buffer"),
  own(prototype, "byteOffset"),
  own(prototype, "byteLength"),
];
const TYPED = parts(Object.getPrototypeOf(Uint8Array.prototype));
const DATA = parts(DataView.prototype);
const BUFFERS = [ArrayBuffer, globalThis.SharedArrayBuffer].filter((one) => one !== undefined);
const LENGTHS = BUFFERS.map((one) => own(one.prototype, "byteLength"));

/** Whether a built-in property can be read, which shows what a value is. */
function has(part: Part, value: unknown): boolean {
  try {
    part(value);
    return true;
  } catch {
    return false;
  }
}

/** A document as text, or as a copy of its bytes. */
export function data(value: unknown, name = "data"): Uint8Array | string {
  if (typeof value === "string") return isPlain(value) ? value : encoded(value);
  const wrong = new TypeError(`${name} must be a string or bytes (Uint8Array, ArrayBuffer), not ${kind(value)}`);
  if (typeof value !== "object" || value === null) throw wrong;
  if (ArrayBuffer.isView(value)) {
    const [buffer, offset, length] = has(DATA[0], value) ? DATA : TYPED;
    return copied(buffer(value) as ArrayBuffer, offset(value) as number, length(value) as number);
  }
  if (!LENGTHS.some((length) => has(length, value))) throw wrong;
  return copied(value as ArrayBuffer, 0, undefined);
}

/** Whether a text can be written as it is. */
function isPlain(value: string): boolean {
  return wellFormed(value, "?") === value;
}

/** Copies bytes. Throws a TypeError if the buffer is detached. */
function copied(buffer: ArrayBuffer | SharedArrayBuffer, offset: number, length: number | undefined): Uint8Array {
  const view = new Uint8Array(buffer, offset, length);
  const copy = new Uint8Array(view.length);
  copy.set(view);
  return copy;
}

/** Four limits as numbers. */
export function limits(value: unknown): number[] {
  if (value === undefined || value === null) return LIMITS.map(() => NONE);
  if (typeof value !== "object") throw new TypeError(`limits must be an object, not ${kind(value)}`);
  return LIMITS.map((name) => {
    const limit = (value as Limits)[name];
    if (limit === undefined || limit === null) return NONE;
    if (!Number.isSafeInteger(limit) || limit < 0) throw new TypeError(`limits.${name} must be a whole number of bytes, not ${String(limit)}`);
    return Math.min(limit, NONE - 1);
  });
}

/** A document with the options of `parse`. Of a document far over the limit, only as much is kept as the core needs to say so. */
export function source(
  document: unknown,
  format: number,
  given: { url?: unknown; contentType?: unknown; limits?: unknown },
): { source: Source; whole: Uint8Array | string } {
  const { url, contentType, limits: limit } = given;
  const hint = (value: unknown, name: string) => {
    const found = maybe(value, name);
    return found === undefined ? undefined : wellFormed(found, "\ufffd");
  };
  const read = { url: hint(url, "url"), contentType: hint(contentType, "contentType"), limits: limits(limit), format };
  const whole = data(document);
  const or = (at: number, value: number) => (read.limits[at] === undefined || read.limits[at] === NONE ? value : read.limits[at]);
  const most = Math.max(or(0, DEFAULTS.document), or(3, DEFAULTS.robots)) + 4;
  return { source: { ...read, data: whole.length > most ? beginning(whole, most) : whole }, whole };
}

function beginning(whole: Uint8Array | string, most: number): Uint8Array | string {
  if (typeof whole !== "string") return whole.subarray(0, most);
  const cut = whole.slice(0, most);
  return isPlain(cut) ? cut : cut.slice(0, -1) + " ";
}
