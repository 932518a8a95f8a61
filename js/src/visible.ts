/** Text for people and models: without secrets, control characters and invisible characters. */

import { decoded, engine, wellFormed } from "./engine.js";
import { HIDDEN } from "./hidden.js";

export type Range = readonly [number, number];

export function within(ranges: readonly Range[], code: number): boolean {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ranges[middle]![1] < code) low = middle + 1;
    else high = middle;
  }
  return low < ranges.length && ranges[low]![0] <= code;
}

const UNPRINTABLE = /[\p{C}\p{Z}]/u;

/** Whether a character has no visible form, or changes how others are shown. */
export function isHidden(c: string): boolean {
  return (c !== " " && UNPRINTABLE.test(c)) || within(HIDDEN, c.codePointAt(0)!);
}

function escaped(c: string): string {
  const code = c.codePointAt(0)!;
  const hex = (digits: number) => code.toString(16).padStart(digits, "0");
  if (code < 0x100) return `\\x${hex(2)}`;
  return code < 0x10000 ? `\\u${hex(4)}` : `\\U${hex(8)}`;
}

/** The ranges of the words of private keys in bytes. */
export function keyWords(bytes: Uint8Array): Range[] {
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
        const word = decoded(bytes.subarray(start, end)).replaceAll("\\", "");
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

/** The first characters of a text. */
export const start = (text: string, most: number): string => (text.length <= most ? text : [...text].slice(0, most).join(""));

/** The first characters of a text, and `…` if there are more. */
export function cut(text: string, most: number): string {
  const begun = start(text, most);
  return begun === text ? text : `${begun}…`;
}

/** The first characters of a text for people, and `…` if there are more. A secret is masked before the text is cut. */
export const beginning = (text: string, most: number): string => (start(text, most) === text ? text : cut(masked(text), most));

/** What Python counts as white space. */
const SPACE = "\t-\r\x1c- \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000";
const SPACES = new RegExp(`[${SPACE}]+`);
const IS_SPACE = new RegExp(`^[${SPACE}]$`);

/** The text on one line, with one blank between its words. */
export const oneLine = (text: string): string => text.split(SPACES).filter((word) => word !== "").join(" ");

/** The text without characters that have no visible form; white space becomes `space`, or stays. */
export function shown(text: string, space?: string): string {
  return [...text].map((c) => (IS_SPACE.test(c) ? (space ?? c) : isHidden(c) ? "" : c)).join("");
}

/** A text as Python's `repr` shows it. */
export function repr(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const named: { [c: string]: string } = { "\n": "\\n", "\r": "\\r", "\t": "\\t", "\\": "\\\\" };
  const shown = [...text].map((c) => named[c] ?? (c === quote ? `\\${c}` : c !== " " && UNPRINTABLE.test(c) ? escaped(c) : c));
  return quote + shown.join("") + quote;
}
