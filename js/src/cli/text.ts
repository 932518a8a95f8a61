/** Text for people: without secrets, control characters and invisible characters; and JSON as Python writes it. */

import { parse } from "../document.js";
import { HIDDEN } from "../hidden.js";
import type { Value } from "../json.js";
import { type Keys, keyWords, within } from "../visible.js";
import { COMBINING, WIDE } from "./generated.js";

export { decoded as decode } from "../engine.js";
export { Numeral, type Value, dumps, float, read } from "../json.js";
export { Keys, beginning, cut, masked, repr, visible } from "../visible.js";

/** The bytes of a document with `*` for every byte of a secret; offsets do not change. */
export function starred(data: Uint8Array, format: string | undefined): Uint8Array {
  const spans = keyWords(data);
  if (format !== undefined) {
    try {
      const most = 2 ** 32 - 1;
      const found = parse(data, { format, limits: { document: most, robots: most } }).check();
      for (const { code, offset, end } of found) if (code === "credential-in-document") spans.push([offset, end]);
    } catch {
      // It cannot be read, so nothing of it is known.
    }
  }
  if (spans.length === 0) return data;
  const kept = data.slice();
  for (const [start, end] of spans) {
    for (let at = start; at < Math.min(end, kept.length); at++) if (kept[at] !== 10 && kept[at] !== 13) kept[at] = 42;
  }
  return kept;
}

/** The offset at which the line of an offset begins. */
export function lineStart(data: Uint8Array, offset: number): number {
  let at = Math.min(offset, data.length);
  while (at > 0 && data[at - 1] !== 10 && data[at - 1] !== 13) at--;
  return at;
}

/** The start of a text without its last line, of which a part may be missing. */
export const wholeLines = (start: Uint8Array): Uint8Array => start.subarray(0, lineStart(start, start.length));

/** The number of terminal columns of a text. */
export function cells(text: string): number {
  let count = 0;
  for (const c of text) {
    const code = c.codePointAt(0)!;
    count += 1 + (within(WIDE, code) ? 1 : 0) - (within(COMBINING, code) ? 1 : 0);
  }
  return count;
}

/** The number of characters, which may be two units each. */
export const count = (text: string): number => [...text].length;

const COLOURS = { bold: 1, dim: 2, red: 31, yellow: 33, blue: 34, green: 32 };

export type Style = (text: string, ...styles: (keyof typeof COLOURS)[]) => string;

/** Colours for a stream: only on a terminal, and only if `NO_COLOR` is not set. */
export function style(stream: { isTTY?: boolean } = process.stdout): Style {
  const on = stream.isTTY === true && !process.env.NO_COLOR;
  return (text, ...styles) => (on && text ? `\x1b[${styles.map((each) => COLOURS[each]).join(";")}m${text}\x1b[0m` : text);
}

export const COLOUR = { error: "red", warning: "yellow", info: "blue" } as const;

/** A number as `%g` writes it. */
export function general(value: number): string {
  if (value === 0) return "0";
  const [digits = "", exponent = "0"] = value.toExponential(5).split("e");
  const power = Number(exponent);
  const trimmed = (text: string) => (text.includes(".") ? text.replace(/\.?0+$/, "") : text);
  if (power < -4 || power >= 6) return `${trimmed(digits)}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
  return trimmed(value.toFixed(Math.max(0, 5 - power)));
}

/** JSON without characters that control a terminal. */
export function printable(json: string): string {
  const units = (c: string) => [...Array(c.length).keys()].map((at) => `\\u${c.charCodeAt(at).toString(16).padStart(4, "0")}`).join("");
  return [...json].map((c) => (c !== "\n" && within(HIDDEN, c.codePointAt(0)!) ? units(c) : c)).join("");
}

/** Values with secrets masked in every text. */
export function withoutSecrets(value: Value, keys: Keys): Value {
  if (typeof value === "string") return keys.masked(value);
  if (Array.isArray(value)) return value.map((each) => withoutSecrets(each, keys));
  if (value instanceof Map) return new Map([...value].map(([name, each]) => [name, withoutSecrets(each, keys)]));
  return value;
}
