/** Text for people: without secrets, control characters and invisible characters; and JSON as Python writes it. */

import { parse } from "../document.js";
import { engine, wellFormed } from "../engine.js";
import { COMBINING, HIDDEN, WIDE } from "./generated.js";

export { decoded as decode } from "../engine.js";

type Range = readonly [number, number];

function within(ranges: readonly Range[], code: number): boolean {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ranges[middle]![1] < code) low = middle + 1;
    else high = middle;
  }
  return low < ranges.length && ranges[low]![0] <= code;
}

const UNPRINTABLE = /[\p{C}\p{Z}]/u;

function isHidden(c: string): boolean {
  return (c !== " " && UNPRINTABLE.test(c)) || within(HIDDEN, c.codePointAt(0)!);
}

function escaped(c: string): string {
  const code = c.codePointAt(0)!;
  const hex = (digits: number) => code.toString(16).padStart(digits, "0");
  if (code < 0x100) return `\\x${hex(2)}`;
  return code < 0x10000 ? `\\u${hex(4)}` : `\\U${hex(8)}`;
}

/** The ranges of the words of private keys in bytes. */
function keyWords(bytes: Uint8Array): Range[] {
  const found = engine().json<number[]>("keys", undefined, bytes);
  return Array.from({ length: found.length / 2 }, (_, at) => [found[2 * at]!, found[2 * at + 1]!] as const);
}

const inner = (word: string): string => word.replace(/^[/=]+|[/=]+$/g, "");

/** The parts of a word between slashes that are long enough to be recognized. */
const parts = (word: string): string[] => word.split("/").filter((part) => part.length >= 12).map(inner);

/** The words of the private keys in documents, whose lines cannot be recognized alone. */
export class Keys {
  private readonly words = new Set<string>();

  constructor(...documents: Uint8Array[]) {
    for (const bytes of documents) {
      for (const [start, end] of keyWords(bytes)) {
        const word = Buffer.from(bytes.subarray(start, end)).toString("latin1").replaceAll("\\", "");
        for (const part of [...parts(word), inner(word)]) this.words.add(part);
      }
    }
  }

  masked(text: string): string {
    const known = masked(text);
    if (this.words.size === 0) return known;
    return known.replace(/[A-Za-z0-9+/=]+/g, (word) => {
      if (this.words.has(inner(word))) return "…";
      const isSecret = (part: string) => parts(part).length > 0 && this.words.has(inner(part));
      return word.split("/").map((part) => (isSecret(part) ? "…" : part)).join("/");
    });
  }
}

/** The text with each secret replaced by its first characters and `…`. */
export function masked(text: string): string {
  const whole = wellFormed(text, "?") === text ? text : [...text].map((c) => (/\p{Cs}/u.test(c) ? escaped(c) : c)).join("");
  return engine().said("masked", undefined, whole);
}

/** The text with secrets masked and hidden characters escaped. */
export function visible(text: string, keys?: Keys): string {
  const known = keys === undefined ? masked(text) : keys.masked(text);
  if (/^[ -~]*$/.test(known)) return known;
  return [...known].map((c) => (isHidden(c) ? escaped(c) : c)).join("");
}

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

/** A number of JSON as Python shows it. */
export class Numeral {
  constructor(readonly source: string) {}

  get isWhole(): boolean {
    return /^-?\d+$/.test(this.source);
  }

  get value(): number {
    return Number(this.source);
  }

  toString(): string {
    return this.isWhole ? BigInt(this.source).toString() : float(this.value);
  }
}

/** A floating-point number as Python shows it. */
export function float(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  if (Object.is(value, -0)) return "-0.0";
  const [digits = "", exponent = "0"] = value.toExponential().split("e");
  const power = Number(exponent);
  if (power >= -4 && power < 16) {
    const plain = power >= 0 ? BigInt(Math.trunc(Math.abs(value))).toString().length : 0;
    const text = plain > 0 && Number.isInteger(value) ? `${value < 0 ? "-" : ""}${BigInt(Math.abs(value))}.0` : decimal(value);
    return text;
  }
  return `${digits}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
}

/** A number without an exponent. */
function decimal(value: number): string {
  const text = String(value);
  if (!text.includes("e")) return text;
  const [digits = "", exponent = "0"] = text.split("e");
  const whole = digits.replace("-", "").replace(".", "");
  return `${value < 0 ? "-" : ""}0.${"0".repeat(-Number(exponent) - 1)}${whole}`;
}

/** A number as `%g` writes it. */
export function general(value: number): string {
  if (value === 0) return "0";
  const [digits = "", exponent = "0"] = value.toExponential(5).split("e");
  const power = Number(exponent);
  const trimmed = (text: string) => (text.includes(".") ? text.replace(/\.?0+$/, "") : text);
  if (power < -4 || power >= 6) return `${trimmed(digits)}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
  return trimmed(value.toFixed(Math.max(0, 5 - power)));
}

/** A value of JSON with its numbers as written, and objects as maps, which keep their order. */
export type Value = string | boolean | null | Numeral | Value[] | Map<string, Value>;

/** Reads JSON that the core has written. A name that occurs more than once in the metadata of an object has the list of its values. */
export function read(text: string): Value {
  const token = /\s*(?:([{}[\]:,])|("(?:[^"\\]|\\.)*")|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(true|false|null))/gy;
  const next = () => token.exec(text) as RegExpExecArray;
  const value = (found: RegExpExecArray, name = "", inside = false): Value => {
    const [, mark, string, number, word] = found;
    if (string !== undefined) return JSON.parse(string) as string;
    if (number !== undefined) return new Numeral(number);
    if (word !== undefined) return JSON.parse(word) as boolean | null;
    if (mark === "[") {
      const items: Value[] = [];
      for (let each = next(); each[1] !== "]"; each = next()) if (each[1] !== ",") items.push(value(each, "", inside));
      return items;
    }
    const members = new Map<string, Value>();
    const repeated = new Map<string, Value[]>();
    const isMetadata = name === "metadata" && !inside;
    for (let each = next(); each[1] !== "}"; each = next()) {
      if (each[1] === ",") continue;
      next();
      const key = JSON.parse(each[2]!) as string;
      const item = value(next(), key, inside || name === "metadata");
      const first = members.get(key);
      const values = repeated.get(key);
      if (first === undefined || !isMetadata) members.set(key, item);
      else if (values !== undefined) values.push(item);
      else {
        repeated.set(key, [first, item]);
        members.set(key, repeated.get(key)!);
      }
    }
    return members;
  };
  return value(next());
}

/** Any value that `dumps` writes. */
type Plain = Value | number | undefined | Plain[] | { [name: string]: Plain } | Map<string, Plain>;

/** Writes JSON as Python's `json.dumps`. Numbers outside the range of floats are null. */
export function dumps(value: Plain, indent?: number, ascii = true): string {
  const string = (text: string) => {
    const written = JSON.stringify(text);
    return ascii ? written.replace(/[\x7f-\uffff]/g, (c) => (c === "\x7f" ? c : `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`)) : written;
  };
  const write = (each: Plain, depth: number): string => {
    if (typeof each === "string") return string(each);
    if (each instanceof Numeral) return !each.isWhole && !Number.isFinite(each.value) ? "null" : String(each);
    if (typeof each !== "object" || each === null) return String(each);
    const items = Array.isArray(each)
      ? each.map((item) => write(item, depth + 1))
      : [...(each instanceof Map ? each : Object.entries(each))].map(([name, item]) => `${string(name)}: ${write(item, depth + 1)}`);
    const [open, close] = Array.isArray(each) ? "[]" : "{}";
    if (items.length === 0) return `${open}${close}`;
    if (indent === undefined) return `${open}${items.join(", ")}${close}`;
    const line = (level: number) => `\n${" ".repeat(indent * level)}`;
    return `${open}${line(depth + 1)}${items.join(`,${line(depth + 1)}`)}${line(depth)}${close}`;
  };
  return write(value, 0);
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

/** A text as Python's `repr` shows it. */
export function repr(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const named: { [c: string]: string } = { "\n": "\\n", "\r": "\\r", "\t": "\\t", "\\": "\\\\" };
  const shown = [...text].map((c) => named[c] ?? (c === quote ? `\\${c}` : c !== " " && UNPRINTABLE.test(c) ? escaped(c) : c));
  return quote + shown.join("") + quote;
}
