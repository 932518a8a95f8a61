/** `agentsdisc lint`: reports violations of the specifications, for people, editors and pipelines. */

import { statSync } from "node:fs";
import { dirname, sep } from "node:path";
import type { Document } from "../document.js";
import { ConvertError } from "../errors.js";
import { VERSION } from "../version.js";
import type { Command, Given } from "./arguments.js";
import { unified } from "./difflib.js";
import { Broken, HTTP, READING, Unreadable, flush, get, isSite, mustBeFiles, originOf, print, replace, shownName, tell, warn } from "./reading.js";
import { COLOUR, cells, count, decode, dumps, lineStart, masked, severityOf, starred, style, visible } from "./text.js";

export const LINT: Command = {
  name: "lint",
  files: "FILE|URL",
  several: true,
  options: [
    { names: ["--output-format"], choices: ["text", "json", "sarif", "github"] },
    { names: ["--origin"], type: originOf },
    { names: ["--fix"], kind: "flag" },
    { names: ["--diff"], kind: "flag" },
    ...READING,
    ...HTTP,
  ],
};

type Severity = keyof typeof COLOUR;

/** One problem in one file. */
interface Finding {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly offset: number;
  readonly end: number;
  readonly severity: Severity;
  readonly code: string;
  readonly message: string;
  readonly spec: string;
  readonly section: string;
  /** The source line, and the terminal columns before the span and in it. */
  readonly source: string;
  readonly before: number;
  readonly width: number;
  /** The column in characters. */
  readonly character: number;
  /** Set for a problem that has no line. */
  readonly served?: string;
}

/** A file that was checked, and the advice to create the agents.json that it needs. */
interface Read {
  readonly name: string;
  readonly format: string;
  readonly needsCompanion: boolean;
  readonly advice: Finding[];
}

export function lint(given: Given): number {
  const sites = given.files.filter(isSite);
  if ((given.fix || given.diff) && sites.length > 0) throw new Unreadable("--fix and --diff apply to files only; run them on the files of the site");
  if ((given.format || given.url) && sites.length === given.files.length) throw new Unreadable("--format and --url apply to files only; remove them");
  if (given.files.filter((name) => name === "-").length > 1) throw new Unreadable("-: standard input can be read only once; name it once");
  mustBeFiles(given.files);
  if (given.diff) return show(given);
  let code = 0;
  const format = (given["output-format"] as keyof typeof WRITERS | undefined) ?? "text";
  const found = function* (): Generator<Finding> {
    const read: Read[] = [];
    for (const name of given.files) {
      try {
        if (given.fix) fixFile(name, given);
        for (const finding of check(name, given, read)) {
          if (finding.severity === "error") code = Math.max(code, 1);
          yield finding;
        }
      } catch (problem) {
        if (!(problem instanceof Unreadable)) throw problem;
        flush();
        tell(problem.message);
        code = 2;
        if (problem instanceof Broken && format !== "text") yield unparsed(problem);
      }
    }
    for (const finding of unaccompanied(read)) {
      if (finding.severity === "error") code = Math.max(code, 1);
      yield finding;
    }
  };
  WRITERS[format](found());
  return code;
}

/** What is wrong with each agents.txt 0.1 that needs an agents.json 0.1, but has none beside it. */
function* unaccompanied(read: readonly Read[]): Generator<Finding> {
  const beside = (name: string, format: string) => read.findLast((one) => one.format === format && dirname(one.name) === dirname(name));
  for (const one of read) {
    if (beside(one.name, "agents-json-0.1") !== undefined) continue;
    const draft = beside(one.name, "agents-json");
    if (draft === undefined) yield* one.advice;
    else if (one.needsCompanion) {
      yield {
        file: shownName(one.name),
        ...{ line: 1, column: 1, offset: 0, end: 0, severity: "error", code: "companion-missing" },
        message:
          `the document has sessions or an audit, but ${shownName(draft.name)} is an agents.json of the Internet-Draft; ` +
          "create one of version 0.1 with `agentsdisc convert --to agents-json-0.1`",
        ...{ spec: "agents.txt 0.1.0", section: "Notes", source: "", before: 0, width: 1, character: 1, served: "" },
      };
    }
  }
}

function* check(name: string, given: Given, read: Read[]): Generator<Finding> {
  const [document, data] = get(name, given);
  const one = { name, format: document.format, needsCompanion: document.defaults.needs_companion, advice: [] as Finding[] };
  read.push(one);
  for (const finding of inDocument(shownName(name), document, data, given.origin as string | undefined)) {
    if (one.needsCompanion && finding.code === "missing-recommended-field") one.advice.push(finding);
    else yield finding;
  }
}

function* inDocument(file: string, document: Document, bytes: Uint8Array, origin: string | undefined): Generator<Finding> {
  const data = starred(bytes, document.format);
  for (const found of document.check({ origin })) {
    const [source, before, width] = excerpt(data, found.offset, found.end);
    yield { file, ...found, message: masked(found.message), source, before, width, character: character(data, found.offset) };
  }
}

function unparsed({ file, data, problem }: Broken): Finding {
  const offset = Math.min(problem.offset, data.length);
  let [source, before] = excerpt(starred(data, undefined), offset, offset);
  if (masked(source) !== source) [source, before] = [masked(source), 0];
  const { line, column, kind: code } = problem;
  const rest = { spec: "agentsdisc", section: "", source, before, width: 1, character: character(data, offset) };
  return { file, line, column, offset, end: offset, severity: "error", code, message: masked(problem.message), ...rest };
}

/** The column of an offset in characters, from 1; in bytes if the line is very long. */
function character(data: Uint8Array, offset: number): number {
  let begin = lineStart(data, offset);
  // A byte order mark: neither editors nor SARIF count it.
  if (begin === 0 && data[0] === 0xef && data[1] === 0xbb && data[2] === 0xbf) begin = Math.min(3, offset);
  if (offset - begin > 1 << 16) return offset - begin + 1;
  return count(decode(data.subarray(begin, offset))) + 1;
}

const isInside = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x80 && byte < 0xc0;

/** The line of a span, the terminal columns before the span and in it; cuts a long line around the span. */
export function excerpt(data: Uint8Array, start: number, end: number): [string, number, number] {
  let begin = Math.max(lineStart(data, start), start - 60);
  while (begin < start && isInside(data[begin])) begin++;
  let stop = Math.min(start + 120, data.length);
  for (const mark of [10, 13]) {
    const at = data.indexOf(mark, start);
    if (at >= 0) stop = Math.min(stop, at);
  }
  while (stop < data.length && stop > start && isInside(data[stop])) stop--;
  const shown = [
    [begin, start],
    [start, Math.min(end, stop)],
    [Math.max(start, Math.min(end, stop)), stop],
  ].map(([from, to]) => visible(decode(data.subarray(from, Math.max(from!, to!))).replaceAll("\t", " ")));
  return [shown.join(""), cells(shown[0]!), Math.max(1, cells(shown[1]!))];
}

function writeText(findings: Iterable<Finding>): void {
  const paint = style();
  const counts: { [severity: string]: number } = {};
  for (const found of findings) {
    counts[found.severity] = (counts[found.severity] ?? 0) + 1;
    const place = `${visible(found.file)}:${found.served === undefined ? `${found.line}:${found.column}:` : ""}`;
    const severity = paint(`${found.severity}[${found.code}]`, "bold", COLOUR[found.severity]);
    const spec = ` (${found.spec}${found.section ? `, section ${found.section}` : ""})`;
    print(`${paint(place, "bold")} ${severity}: ${visible(found.message)}${paint(spec, "dim")}`);
    if (found.served !== undefined) continue;
    const number = String(found.line);
    print(`${paint(`${number} |`, "blue")} ${found.source}`);
    const caret = paint(" ".repeat(found.before) + "^".repeat(found.width), COLOUR[found.severity]);
    print(`${paint(`${" ".repeat(number.length)} |`, "blue")} ${caret}`);
  }
  const said = ["error", "warning", "info"].filter((name) => name in counts).map((name) => `${counts[name]} ${name}${counts[name]! > 1 ? "s" : ""}`);
  if (said.length > 0) print(said.join(", "));
}

function plain({ file, line, column, offset, end, severity, code, message, spec, section }: Finding) {
  return { file, line, column, offset, end, severity, code, message, spec, section };
}

function writeJson(findings: Iterable<Finding>): void {
  let first = true;
  print("[", "");
  for (const found of findings) {
    print((first ? "\n" : ",\n") + dumps(plain(found)), "");
    first = false;
  }
  print(first ? "]" : "\n]");
}

const LEVELS = { error: "error", warning: "warning", info: "note" } as const;

function writeSarif(findings: Iterable<Finding>): void {
  const all = [...findings];
  const codes = [...new Set(all.map((found) => found.code))].sort();
  const level = (severity: string) => LEVELS[severity as Severity];
  const rules = codes.map((id) => ({ id, defaultConfiguration: { level: level(severityOf(id)) } }));
  const results = all.map((found) => ({
    ruleId: found.code,
    ruleIndex: codes.indexOf(found.code),
    level: level(found.severity),
    message: { text: found.message },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: uri(found.file) },
          region: { startLine: found.line, startColumn: found.character, byteOffset: found.offset, byteLength: Math.max(0, found.end - found.offset) },
        },
      },
    ],
    properties: { spec: found.spec, section: found.section },
  }));
  const driver = { name: "agentsdisc", semanticVersion: VERSION, rules };
  const run = { tool: { driver }, columnKind: "unicodeCodePoints", results };
  print(dumps({ $schema: "https://json.schemastore.org/sarif-2.1.0.json", version: "2.1.0", runs: [run] }, 2));
}

/** A path as a URI reference. */
function uri(file: string): string {
  if (file === "<stdin>") return "stdin";
  const quoted = encodeURIComponent(file.split(sep).join("/")).replaceAll("%2F", "/");
  const path = quoted.replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  return path.startsWith("/") ? `file://${path}` : path;
}

function writeGithub(findings: Iterable<Finding>): void {
  const escapes: { [c: string]: string } = { "%": "%25", "\r": "%0D", "\n": "%0A" };
  const value = (text: string) => [...text].map((c) => escapes[c] ?? visible(c)).join("");
  const parameter = (text: string) => value(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
  const kinds = { error: "error", warning: "warning", info: "notice" };
  for (const found of findings) {
    const place = `file=${parameter(found.file)},line=${found.line},col=${found.character},title=${parameter(found.code)}`;
    print(`::${kinds[found.severity]} ${place}::${value(found.message)}`);
  }
}

const WRITERS = { text: writeText, json: writeJson, sarif: writeSarif, github: writeGithub };

/** The fixed document (undefined for a format without automatic fixes), the bytes of the file, and its format. */
function fixedOf(name: string, given: Given) {
  const [document, data] = get(name, given);
  try {
    return { fixed: document.fix(), data, format: document.format };
  } catch (problem) {
    if (!(problem instanceof ConvertError)) throw problem;
    return { fixed: undefined, data, format: document.format };
  }
}

const same = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

/** Fixes a file in place, and prints the changes on standard error. */
function fixFile(name: string, given: Given): void {
  if (name === "-") throw new Unreadable("<stdin>: --fix needs a file to change; name one, or use --diff");
  const status = statSync(name, { throwIfNoEntry: false });
  if (status !== undefined && !status.isFile() && !status.isDirectory()) {
    throw new Unreadable(`${visible(name)}: is not a regular file, so --fix cannot change it`);
  }
  const { fixed, data } = fixedOf(name, given);
  if (fixed === undefined || same(fixed.bytes, data)) return;
  replace(name, fixed.bytes);
  for (const change of fixed.changes) warn(`${visible(name)}:${change.line}: fixed[${change.fix}]: ${visible(change.message)}`);
}

/** Prints the changes to every file as a unified diff. */
function show(given: Given): number {
  let code = 0;
  const paint = style();
  const line = (text: string) => text.split("\t").map((part) => visible(part)).join("\t");
  for (const name of given.files) {
    let found;
    try {
      found = fixedOf(name, given);
    } catch (problem) {
      if (!(problem instanceof Unreadable)) throw problem;
      flush();
      tell(problem.message);
      code = 2;
      continue;
    }
    const { fixed, data, format } = found;
    if (fixed === undefined || same(fixed.bytes, data)) continue;
    code = Math.max(code, 1);
    const [old, now] = [data, fixed.bytes].map((bytes) => decode(starred(bytes, format)).split("\n").map(line));
    const shown = visible(shownName(name));
    const colours: { [mark: string]: "green" | "red" | "blue" } = { "+": "green", "-": "red", "@": "blue" };
    for (const each of unified(old!, now!, shown, `${shown} (fixed)`)) {
      const colour = colours[each[0] ?? ""];
      print(colour === undefined ? each : paint(each, colour));
    }
  }
  return code;
}
