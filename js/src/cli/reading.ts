/** Reads files and standard input, writes files, and reports failures in one line. */

import { closeSync, existsSync, fstatSync, fsyncSync, openSync, readSync, realpathSync, renameSync, rmSync, statSync, writeFileSync, writeSync, fchmodSync } from "node:fs";
import { dirname, basename, join, sep } from "node:path";
import { getSystemErrorMap } from "node:util";
import { type Document, parse } from "../document.js";
import { ParseError } from "../errors.js";
import type { Limits } from "../arguments.js";
import { decide } from "../policy.js";
import { type Option, Wrong } from "./arguments.js";
import { PLACES } from "./generated.js";
import { repr, visible } from "./text.js";

/** A file or stream cannot be read or written. */
export class Unreadable extends Error {}

/** A document was read but cannot be parsed. */
export class Broken extends Unreadable {
  constructor(
    readonly file: string,
    readonly data: Uint8Array,
    readonly problem: ParseError,
  ) {
    // The position stands before the message.
    const said = problem.message.replace(/\(line \d+, column \d+, byte \d+, (?=[a-z0-9-]+\)$)/, "(");
    const what = data.length > 0 ? said : `the file is empty (${problem.kind})`;
    super(`${visible(file)}:${problem.line}:${problem.column}: ${what}`);
  }
}

const OUT: string[] = [];

/** Prints a line on standard output. */
export function print(text: string, end = "\n"): void {
  OUT.push(text + end);
  if (OUT.length > 1000) flush();
}

function put(descriptor: number, data: Uint8Array): void {
  for (let at = 0; at < data.length; ) {
    try {
      at += writeSync(descriptor, data, at);
    } catch (problem) {
      const { code } = problem as NodeJS.ErrnoException;
      // The reader of a pipe is slow, or has gone.
      if (code === "EAGAIN") continue;
      if (code === "EPIPE") return;
      throw problem;
    }
  }
}

/** Writes what was printed. */
export function flush(): void {
  put(1, Buffer.from(OUT.splice(0).join("")));
}

/** Prints bytes on standard output. */
export function printBytes(data: Uint8Array): void {
  flush();
  put(1, data);
}

/** Prints a line on standard error. */
export function warn(text: string): void {
  put(2, Buffer.from(`${text}\n`));
}

/** Prints a message of the program on standard error. */
export function tell(message: string): void {
  warn(`agentsdisc: ${visible(message)}`);
}

/** The message for an error of the operating system. */
export function unreadable(problem: unknown, name?: string): Unreadable {
  const { errno, path, message } = problem as NodeJS.ErrnoException;
  if (errno === undefined) return new Unreadable(message);
  const reason = getSystemErrorMap().get(errno)?.[1] ?? message;
  const file = name ?? path ?? "";
  return new Unreadable(file ? `${visible(file)}: ${reason.toLowerCase()}` : reason.toLowerCase());
}

/** What looks like a host, perhaps with a port and a path. */
const HOST = /^(?:[\p{L}\p{N}_-]+\.)+[a-zA-Z][\p{L}\p{N}_-]+(?::[0-9]+)?(?:\/[^\n]*)?$/u;

/** Reads a file, or standard input for `-`; at most one byte more than the limit. */
export function readBytes(name: string, limit: number): Uint8Array {
  if (name.includes("\0")) throw new Unreadable(`${visible(name)}: is not a valid file name`);
  try {
    const file = name === "-" ? 0 : openSync(name, "r");
    try {
      if (name !== "-" && fstatSync(file).isDirectory()) {
        throw new Unreadable(`${visible(name)}: is a directory; name a file (or \`agentsdisc ingest\` the directory)`);
      }
      const parts: Buffer[] = [];
      for (let left = limit + 1; left > 0; ) {
        const part = Buffer.allocUnsafe(Math.min(left, 1 << 16));
        const length = readSync(file, part);
        if (length === 0) break;
        parts.push(part.subarray(0, length));
        left -= length;
      }
      return new Uint8Array(Buffer.concat(parts));
    } finally {
      if (file !== 0) closeSync(file);
    }
  } catch (problem) {
    if (problem instanceof Unreadable) throw problem;
    const isMissing = (problem as NodeJS.ErrnoException).code === "ENOENT";
    if (isMissing && HOST.test(name)) throw new Unreadable(`${visible(name)}: no such file; for the site, write https://${visible(name)}`);
    throw unreadable(problem, name);
  }
}

/** Replaces the content of a file: it has either the old or the new bytes. */
export function replace(name: string, data: Uint8Array): void {
  try {
    const status = existsSync(name) ? statSync(name) : undefined;
    if (status !== undefined && !status.isFile()) return writeFileSync(name, data);
    const path = status === undefined ? name : realpathSync(name);
    const temporary = join(dirname(path), `.${basename(path).slice(0, 40)}.${process.pid}.${Date.now()}`);
    try {
      const file = openSync(temporary, "wx", status === undefined ? 0o666 : 0o600);
      try {
        for (let at = 0; at < data.length; ) at += writeSync(file, data, at);
        if (status !== undefined) fchmodSync(file, status.mode & 0o7777);
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
      renameSync(temporary, path);
    } catch (problem) {
      rmSync(temporary, { force: true });
      throw problem;
    }
  } catch (problem) {
    throw unreadable(problem, name);
  }
}

/** The name of an input for people. */
export const shownName = (name: string): string => (name === "-" ? "<stdin>" : name);

/** Whether an argument is the URL of a site, not the name of a file. */
export const isSite = (text: string): boolean => /^https?:\/\//i.test(text);

/** Rejects sites, which only the command of Python requests. */
export function mustBeFiles(names: readonly string[]): void {
  const site = names.find(isSite);
  if (site !== undefined) throw new Unreadable(`${visible(site)}: this command reads files only; the command of the Python package requests the documents of sites`);
}

/** The limits in the options. */
export function limitsOf(given: { [name: string]: unknown }): Limits & { document: number; robots: number } {
  return { document: (given["max-bytes"] as number | undefined) ?? 1 << 20, robots: 500 << 10 };
}

/** Names that say what a document is only together with their folder. */
const COMMON = new Set(["agent", "api", "index.json", "agent.json"]);

/**
 * The format of a document whose name says what it is, such as `robots.txt`. If several formats have this name, the one of which the error of
 * detection names signs; undefined if it names signs of several.
 */
function namedFormat(path: string, problem: string): string | undefined {
  const has = (place: string) => {
    const name = place.slice(place.lastIndexOf("/") + 1);
    return `/${path}`.endsWith(COMMON.has(name) ? place : `/${name}`);
  };
  const fitting = Object.keys(PLACES).filter((format) => PLACES[format]!.some(has));
  const signs = fitting.filter((format) => problem.includes(`${format}: `));
  return signs.length > 1 ? undefined : (signs[0] ?? fitting[0]);
}

/** The parsed document of a file, and its bytes. With `byName`, the name of the file says the format of a document that is not recognized. */
export function get(name: string, given: { url?: unknown; format?: unknown; [name: string]: unknown }, byName = false): [Document, Uint8Array] {
  const limits = limitsOf(given);
  const data = readBytes(name, limits.document);
  const url = (given.url as string | undefined) || (name === "-" ? undefined : name.split(sep).join("/"));
  try {
    return [parse(data, { url, format: given.format as string | undefined, limits }), data];
  } catch (problem) {
    if (problem instanceof ParseError) {
      const path = url?.includes("://") ? /^(?:[a-z][a-z0-9+.-]*:)?(?:\/\/[^/?#]*)?([^?#]*)/i.exec(url)![1]! : (url ?? "");
      const named = byName && problem.kind === "unknown-format" ? namedFormat(path, problem.message) : undefined;
      if (named === undefined) throw new Broken(shownName(name), data, problem);
      try {
        return [parse(data, { format: named, limits }), data];
      } catch (other) {
        throw other instanceof ParseError ? new Broken(shownName(name), data, other) : other;
      }
    }
    if (problem instanceof TypeError) throw new Unreadable(problem.message);
    throw problem;
  }
}

/** A size such as `4M`. */
function size(text: string): number {
  const found = /^([0-9]+)([KMG]?)$/i.exec(text.trim());
  const bytes = found === null ? 0 : Number(found[1]) * 1024 ** ["", "K", "M", "G"].indexOf(found[2]!.toUpperCase());
  if (!(bytes > 0 && bytes < 2 ** 32)) throw new Wrong(`${repr(text)} is not a valid size; use 1 to 4G bytes, for example 65536 or 4M`);
  return bytes;
}

/** An origin, which the core validates. */
export function originOf(text: string): string {
  if (decide([], { agent: "*", url: "/", origin: text }).reason === "invalid-url") {
    throw new Wrong(`origin must be a URL such as https://example.com, not ${repr(visible(text))}`);
  }
  return text;
}

export const LIMITS: readonly Option[] = [{ names: ["--max-bytes"], type: size }];
export const READING: readonly Option[] = [{ names: ["--format"] }, { names: ["--url"] }, ...LIMITS];

/** Accepted and without effect, as no request is sent. */
export const HTTP: readonly Option[] = [
  { names: ["--user-agent"] },
  { names: ["--timeout"] },
  { names: ["--allow-private"], kind: "flag" },
  { names: ["--no-cache"], kind: "flag" },
];
