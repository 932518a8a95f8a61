/**
 * Calls the WebAssembly module: writes documents and arguments into its memory, and reads its answers.
 *
 * Nothing in its memory has to stay. A document keeps its own bytes and is written again if another one was asked in between, so documents
 * are freed like any object, and after a trap there is simply a new instance.
 */

import { ParseError } from "./errors.js";

/** A document as it is parsed. */
export interface Source {
  /** A copy of the bytes, or a text. */
  readonly data: Uint8Array | string;
  /** The number of the format, or NONE to detect it. */
  readonly format: number;
  readonly url: string | undefined;
  readonly contentType: string | undefined;
  /** `document`, `depth`, `line`, `robots`; NONE for the default. */
  readonly limits: readonly number[];
}

/** An argument: a number, a truth, bytes, a text, or an absent text. */
export type Argument = number | boolean | Uint8Array | string | undefined;

/** The number for something that is absent. */
export const NONE = 0xffff_ffff;

type Exports = {
  memory: WebAssembly.Memory;
  begin(length: number): number;
  load(length: number): number;
  ask(length: number): number;
  answer_at(): number;
} & Record<string, (...numbers: number[]) => number>;

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const LONE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

/** Whether a text has surrogates that are not pairs. */
function isWellFormed(text: string): boolean {
  const own = (text as { isWellFormed?: () => boolean }).isWellFormed;
  return own === undefined ? text.search(LONE) < 0 : own.call(text);
}

/** The text with another character for every lone surrogate. */
export function wellFormed(text: string, other: string): string {
  return isWellFormed(text) ? text : text.replace(LONE, other);
}

/** The bytes of a text; lone surrogates as bytes that are no UTF-8, so that the core reports where they are. */
export function encoded(text: string): Uint8Array {
  if (isWellFormed(text)) return encoder.encode(text);
  const parts: Uint8Array[] = [];
  let from = 0;
  for (const match of text.matchAll(LONE)) {
    const unit = match[0].charCodeAt(0);
    parts.push(encoder.encode(text.slice(from, match.index)));
    parts.push(Uint8Array.of(0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 63), 0x80 | (unit & 63)));
    from = match.index + 1;
  }
  parts.push(encoder.encode(text.slice(from)));
  return joined(parts);
}

/** The bytes of all parts, as far as they fit into `most` bytes. */
export function joined(parts: readonly Uint8Array[], most: number = parts.reduce((sum, part) => sum + part.length, 0)): Uint8Array {
  const bytes = new Uint8Array(most);
  let at = 0;
  for (const part of parts) {
    const fits = part.subarray(0, most - at);
    bytes.set(fits, at);
    at += fits.length;
  }
  return bytes;
}

/** The two parts of an answer: JSON, and the bytes behind it. The last four bytes are the length of the JSON. */
export function split<T>(answer: Uint8Array): [T, Uint8Array] {
  const length = new DataView(answer.buffer, answer.byteOffset + answer.length - 4).getUint32(0, true);
  return [JSON.parse(decoded(answer.subarray(0, length))) as T, answer.slice(length, -4)];
}

/** The text of bytes; U+FFFD for what is no UTF-8. */
export function decoded(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/** The time in seconds since 1970. */
export const now = (): number => Math.floor(Date.now() / 1000);

/** A time as two numbers of the module. */
export const time = (seconds: number): [number, number] => [seconds % 2 ** 32, Math.floor(seconds / 2 ** 32)];

/** The largest number of bytes of a text. */
const room = (data: Uint8Array | string | undefined): number =>
  4 + (data === undefined ? 0 : typeof data === "string" ? data.length * 3 : data.length);

/** Writes numbers and texts into memory. */
class Writer {
  private at = 0;
  private start = 0;
  private bytes = new Uint8Array();
  private view = new DataView(this.bytes.buffer);

  /** Begins at a place. A memory that has grown has another buffer. */
  begin(memory: WebAssembly.Memory, place: number): void {
    if (this.bytes.buffer !== memory.buffer) {
      this.bytes = new Uint8Array(memory.buffer);
      this.view = new DataView(memory.buffer);
    }
    this.start = this.at = place;
  }

  number(value: number): void {
    this.view.setUint32(this.at, value, true);
    this.at += 4;
  }

  text(value: Uint8Array | string | undefined): void {
    if (value === undefined) return this.number(NONE);
    const start = this.at + 4;
    let length = value.length;
    if (typeof value !== "string") this.bytes.set(value, start);
    else if (length > SHORT || !this.ascii(value, start)) length = encoder.encodeInto(value, this.bytes.subarray(start)).written;
    this.number(length);
    this.at = start + length;
  }

  /** Writes a short text, which is faster without the encoder. False if it is not ASCII. */
  private ascii(value: string, start: number): boolean {
    for (let at = 0; at < value.length; at++) {
      const unit = value.charCodeAt(at);
      if (unit > 127) return false;
      this.bytes[start + at] = unit;
    }
    return true;
  }

  /** How many bytes were written. */
  get length(): number {
    return this.at - this.start;
  }
}

const SHORT = 64;

/** The module, compiled and instantiated on first use. */
export class Engine {
  private exports: Exports | undefined;
  private module: WebAssembly.Module | undefined;
  private resident: readonly object[] = [];
  private readonly writer = new Writer();

  constructor(private readonly provide: () => WebAssembly.Module | Uint8Array) {}

  private get instance(): Exports {
    if (this.exports === undefined) {
      if (this.module === undefined) {
        const given = this.provide();
        this.module = given instanceof WebAssembly.Module ? given : new WebAssembly.Module(given as BufferSource);
      }
      this.exports = new WebAssembly.Instance(this.module).exports as unknown as Exports;
    }
    return this.exports;
  }

  /** Runs a function over the instance. After a trap, the next call has a new instance. */
  private guarded<T>(run: (exports: Exports) => T): T {
    try {
      return run(this.instance);
    } catch (problem) {
      if (!(problem instanceof ParseError)) this.forget();
      throw problem;
    }
  }

  /** Drops the instance with its memory. */
  private forget(): void {
    this.exports = undefined;
    this.resident = [];
  }

  /** Parses documents, unless they are those of the last call. Returns the number of the format of the last one. */
  load(sources: readonly Source[]): number {
    return this.guarded((exports) => {
      this.resident = [];
      let length = 0;
      for (const { data, url, contentType } of sources) length += 20 + room(data) + room(url) + room(contentType);
      const { writer } = this;
      writer.begin(exports.memory, exports.begin(length));
      for (const { data, url, contentType, format, limits } of sources) {
        writer.number(format);
        for (let at = 0; at < 4; at++) writer.number(limits[at] ?? NONE);
        writer.text(url);
        writer.text(contentType);
        writer.text(data);
      }
      const loaded = exports.load(writer.length);
      if (loaded < 0) throw new ParseError(JSON.parse(decoded(this.bytes(exports, -loaded))));
      this.resident = sources;
      return loaded;
    });
  }

  /** Calls an export with arguments, about these documents or about none. Returns its number. */
  number(name: string, sources: readonly Source[] | undefined, ...given: readonly Argument[]): number {
    if (sources !== undefined && (sources.length !== this.resident.length || sources.some((source, at) => source !== this.resident[at]))) {
      this.load(sources);
    }
    return this.guarded((exports) => {
      let length = 0;
      for (const each of given) length += typeof each === "number" || typeof each === "boolean" ? 4 : room(each);
      const { writer } = this;
      writer.begin(exports.memory, exports.ask(length));
      for (const each of given) {
        if (typeof each === "number" || typeof each === "boolean") writer.number(Number(each));
        else writer.text(each);
      }
      return (exports[name] as (...numbers: number[]) => number)();
    });
  }

  /** Calls an export, and returns the bytes of its answer, with whether that is an error. They are valid until the next call. */
  answer(name: string, sources: readonly Source[] | undefined, ...given: readonly Argument[]): [Uint8Array, boolean] {
    const length = this.number(name, sources, ...given);
    return [this.bytes(this.instance, Math.abs(length)), length < 0];
  }

  /** Calls an export, and returns its answer as text. */
  said(name: string, sources: readonly Source[] | undefined, ...given: readonly Argument[]): string {
    return decoded(this.answer(name, sources, ...given)[0]);
  }

  /** Calls an export whose answer is JSON, and returns the value. */
  json<T>(name: string, sources: readonly Source[] | undefined, ...given: readonly Argument[]): T {
    return JSON.parse(this.said(name, sources, ...given)) as T;
  }

  private bytes({ memory, answer_at }: Exports, length: number): Uint8Array {
    return new Uint8Array(memory.buffer, answer_at(), length);
  }

  /** The bytes of memory that the instance has. */
  get memory(): number {
    return this.instance.memory.buffer.byteLength;
  }
}

const engines: { full?: Engine; robots?: Engine; identity?: Engine; readiness?: Engine } = {};

/** Sets the module of an entry. */
export function use(entry: keyof typeof engines, provide: () => WebAssembly.Module | Uint8Array): void {
  engines[entry] ??= new Engine(provide);
}

/** The module of `agentsdisc/identity`, for signatures alone. */
export function signatures(): Engine {
  if (engines.identity === undefined) throw new TypeError("import agentsdisc/identity, not one of its files");
  return engines.identity;
}

/** The module of `agentsdisc/readiness`, for the checks of sites. */
export function readiness(): Engine {
  if (engines.readiness === undefined) throw new TypeError("import agentsdisc/readiness, not one of its files");
  return engines.readiness;
}

/** The module that is there. That of `agentsdisc` answers every question about documents. */
export function engine(): Engine {
  const found = engines.full ?? engines.robots ?? engines.readiness;
  if (found === undefined) throw new TypeError("import agentsdisc or agentsdisc/robots, not one of its files");
  return found;
}
