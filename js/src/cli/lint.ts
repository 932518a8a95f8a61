/** `agentsdisc lint`: reports violations of the specifications, for people, editors and pipelines. */

import { readdirSync, statSync } from "node:fs";
import { sep } from "node:path";
import { type Document, detect, differences, formats } from "../document.js";
import { ConvertError } from "../errors.js";
import { type Command, type Given, Wrong } from "./arguments.js";
import { unified } from "../difflib.js";
import { checked, explained, explanation } from "./explain.js";
import { PLACES } from "./generated.js";
import { Broken, HTTP, READING, Unreadable, flush, get, isSite, mustBeFiles, originOf, print, readBytes, replace, shownName, tell, warn } from "./reading.js";
import { annotation, log, uri } from "./sarif.js";
import { COLOUR, type Style, cells, count, cut, decode, dumps, lineStart, masked, repr, starred, style, visible } from "./text.js";

export const LINT: Command = {
  name: "lint",
  files: "FILE|FOLDER|URL",
  several: true,
  options: [
    { names: ["--output-format"], choices: ["text", "json", "sarif", "github"] },
    { names: ["--origin"], type: originOf },
    { names: ["--fix"], kind: "flag" },
    { names: ["--diff"], kind: "flag" },
    { names: ["--select"], kind: "list", type: codeList },
    { names: ["--ignore"], kind: "list", type: codeList },
    { names: ["--fail-on"], choices: ["info", "warning", "error"] },
    ...READING,
    ...HTTP,
  ],
};

/** The codes in an option. */
function codeList(text: string): string[] {
  try {
    return text.split(",").map((code) => code.trim()).filter((code) => code).map(checked);
  } catch (problem) {
    throw problem instanceof Unreadable ? new Wrong(problem.message) : problem;
  }
}

type Severity = keyof typeof COLOUR;

const SEVERITIES: readonly Severity[] = ["info", "warning", "error"];

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
  readonly document: Document;
  readonly data: Uint8Array;
  readonly advice: Finding[];
}

export function lint(given: Given): number {
  const sites = given.files.filter(isSite);
  if ((given.fix || given.diff) && sites.length > 0) throw new Unreadable("--fix and --diff apply to files only; run them on the files of the site");
  if ((given.format || given.url) && sites.length === given.files.length) throw new Unreadable("--format and --url apply to files only; remove them");
  if (given.files.filter((name) => name === "-").length > 1) throw new Unreadable("-: standard input can be read only once; name it once");
  mustBeFiles(given.files);
  given.files = given.files.flatMap(filesOf);
  if (given.diff) return show(given);
  let code = 0;
  const [selected, ignored] = [given.select as string[][] | undefined, given.ignore as string[][] | undefined].map((lists) => lists?.flat());
  const least = SEVERITIES.indexOf((given["fail-on"] as Severity | undefined) ?? "error");
  const wanted = function* (findings: Iterable<Finding>): Generator<Finding> {
    for (const finding of findings) {
      if (ignored?.includes(finding.code) || selected?.includes(finding.code) === false) continue;
      if (SEVERITIES.indexOf(finding.severity) >= least) code = Math.max(code, 1);
      yield finding;
    }
  };
  const format = (given["output-format"] as keyof typeof WRITERS | undefined) ?? "text";
  const found = function* (): Generator<Finding> {
    const read: Read[] = [];
    for (const name of given.files) {
      try {
        if (given.fix) fixFile(name, given);
        yield* wanted(check(name, given, read));
      } catch (problem) {
        if (!(problem instanceof Unreadable)) throw problem;
        flush();
        tell(problem.message);
        code = 2;
        if (problem instanceof Broken && format !== "text") yield unparsed(problem);
      }
    }
    yield* wanted(compared(read));
    yield* wanted(unaccompanied(read));
  };
  WRITERS[format](found());
  return code;
}

/** The parts of a path, without those that say nothing. */
const parts = (name: string): string[] => name.split(sep).filter((part) => part && part !== ".");

/** A path of parts, in the root if `name` is. */
const path = (name: string, all: readonly string[]): string => (name.startsWith(sep) ? sep : "") + all.join(sep);

/** The folder of a file. */
const folderOf = (name: string): string => path(name, parts(name).slice(0, -1));

const isFile = (name: string): boolean => {
  try {
    return statSync(name).isFile();
  } catch {
    return false;
  }
};

/** The files of a site in a folder: those at the locations of documents, and below its `.well-known`. */
function filesOf(name: string): string[] {
  if (name === "-" || name.includes("\0") || !statSync(name || ".", { throwIfNoEntry: false })?.isDirectory()) return [name];
  const folder = parts(name);
  if (folder.at(-1) === ".well-known") folder.pop();
  const inside = (file: string) => path(name, [...folder, ...parts(file)]);
  const sorted = (files: Iterable<string>) => [...files].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  const known = sorted(new Set(Object.values(PLACES).flat().map(inside).filter(isFile)));
  // Otherwise the documents in a folder of another layout.
  const found = known.length > 0 ? known : sorted(readdirSync(path(name, folder) || ".").map(inside).filter(isDocument));
  if (found.length === 0) throw new Unreadable(`${visible(name)}: the folder has no document for agents, such as .well-known/agents.txt`);
  return found;
}

/** Whether a file in a folder is a document of a format that is read. */
function isDocument(name: string): boolean {
  if (!isFile(name)) return false;
  try {
    const format = detect(readBytes(name, (1 << 20) - 1));
    return formats().some((each) => each.name === format && each.is_read);
  } catch (problem) {
    if (problem instanceof Unreadable) return false;
    throw problem;
  }
}

/** In what each agents.txt differs from the agents.json beside it, or from the only one. */
function* compared(read: readonly Read[]): Generator<Finding> {
  for (const one of read) {
    if (!one.format.startsWith("agents-txt")) continue;
    const wanted = one.format.replace("txt", "json");
    const fitting = read.filter((other) => other.format === wanted);
    let other = fitting.find((each) => folderOf(each.name) === folderOf(one.name));
    const isOnly = fitting.length === 1 && read.filter((each) => each.format === one.format).length === 1;
    if (other === undefined && isOnly) other = fitting[0];
    if (other !== undefined) yield* disagreement(one, other);
  }
}

const DESCRIPTIVE = new Set(["service.name", "service.description", "service.contact", "capabilities.description", "capabilities.parameters.description"]);
const MOST_DIFFERENCES = 1000;

/** In what two documents of one site differ. */
function* disagreement(one: Read, other: Read): Generator<Finding> {
  const { complete, differences: found } = differences(one.document, other.document);
  const [first, second] = [shownName(one.name), shownName(other.name)];
  const secrets = [one, other].flatMap(({ document }) => secretsIn(document));
  const isDraft = one.format === "agents-txt";
  const rest = isDraft ? { spec: "draft-car-agents-txt-wellknown-00", section: "3.2" } : { spec: "agents.txt 0.1.0", section: "Notes" };
  for (const each of found.slice(0, MOST_DIFFERENCES)) {
    const [side, file, place] = each.first !== null ? ([one, first, each.first] as const) : ([other, second, each.second] as const);
    const { line, column, offset, end } = place ?? { line: 1, column: 1, offset: 0, end: 0 };
    const about = each.item ? ` ${nameIn(each.item, secrets)}` : "";
    const of = each.subject ? ` of ${nameIn(each.subject, secrets)}` : "";
    const at = [[first, each.first] as const, [second, each.second] as const].map(([name, spot]) =>
      spot === null ? `not in ${name}` : `at ${name}:${spot.line}:${spot.column}`,
    );
    const message = masked(`${each.field}${about}${of} differs: ${at.join(" and ")}; generate one from the other with \`agentsdisc convert\``);
    const [source, before, width] = excerpt(side.data, offset, end);
    const severity = DESCRIPTIVE.has(each.field) ? "warning" : "error";
    yield { file, line, column, offset, end, severity, code: "companion-differs", message, ...rest, source, before, width, character: character(side.data, offset) };
  }
  if (!complete || found.length > MOST_DIFFERENCES) {
    const message = `there may be more differences from ${second}; correct those reported and check again`;
    yield { ...WITHOUT_LINE, file: first, severity: "info", code: "not-compared", message, spec: "agentsdisc", section: "" };
  }
}

/** The credentials in a document, which messages must not contain. */
function secretsIn(document: Document): string[] {
  const found = document.check().filter(({ code }) => code === "credential-in-document");
  return found.map(({ offset, end }) => decode(document.bytes.subarray(offset, end)).replace(/^"+|"+$/g, ""));
}

/** A name from a document, shortened, and withheld if it contains a credential. */
function nameIn(name: string, secrets: readonly string[]): string {
  if (secrets.some((secret) => secret.includes(name) || name.includes(secret))) return "(withheld)";
  return repr(cut(name, 80));
}

/** What a finding without a line has. */
const WITHOUT_LINE = { line: 1, column: 1, offset: 0, end: 0, source: "", before: 0, width: 1, character: 1, served: "" } as const;

/** What is wrong with each agents.txt 0.1 that needs an agents.json 0.1, but has none beside it. */
function* unaccompanied(read: readonly Read[]): Generator<Finding> {
  const beside = (name: string, format: string) => read.findLast((one) => one.format === format && folderOf(one.name) === folderOf(name));
  for (const one of read) {
    if (beside(one.name, "agents-json-0.1") !== undefined) continue;
    const draft = beside(one.name, "agents-json");
    if (draft === undefined) yield* one.advice;
    else if (one.document.defaults.needs_companion) {
      yield {
        ...WITHOUT_LINE,
        ...{ file: shownName(one.name), severity: "error", code: "companion-missing" },
        message:
          `the document has sessions or an audit, but ${shownName(draft.name)} is an agents.json of the Internet-Draft; ` +
          "create one of version 0.1 with `agentsdisc convert --to agents-json-0.1`",
        ...{ spec: "agents.txt 0.1.0", section: "Notes" },
      };
    }
  }
}

function* check(name: string, given: Given, read: Read[]): Generator<Finding> {
  const [document, data] = get(name, given, true);
  const one: Read = { name, format: document.format, document, data: starred(data, document.format), advice: [] };
  read.push(one);
  const needsCompanion = document.defaults.needs_companion;
  for (const finding of inDocument(shownName(name), document, one.data, given.origin as string | undefined)) {
    if (needsCompanion && finding.code === "missing-recommended-field") one.advice.push(finding);
    else yield finding;
  }
}

function* inDocument(file: string, document: Document, data: Uint8Array, origin: string | undefined): Generator<Finding> {
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

/** The largest number of places that are listed for equal findings. */
const PLACES_SHOWN = 20;

/** Writes text for people: position, severity, code, message, and the line with a caret; equal findings once. */
function writeText(findings: Iterable<Finding>): void {
  const paint = style();
  const counts: { [severity: string]: number } = {};
  let groups = new Map<string, Finding[]>();
  const write = () => {
    for (const [first, ...others] of groups.values()) {
      writeFinding(first!, paint);
      if (others.length === 0) continue;
      const places = others.slice(0, PLACES_SHOWN).map((found) => placeOf(found, first!));
      const more = others.length > PLACES_SHOWN ? ` and ${others.length - PLACES_SHOWN} more` : "";
      print(paint(visible(`  the same at ${places.join(", ")}${more}`), "dim"));
    }
    groups = new Map();
  };
  let last: string | undefined;
  for (const found of findings) {
    const file = found.served === undefined ? found.file : undefined;
    if (file !== last) write();
    last = file;
    counts[found.severity] = (counts[found.severity] ?? 0) + 1;
    const equal = JSON.stringify([found.severity, found.code, found.message, found.served]);
    const group = groups.get(equal);
    if (group === undefined) groups.set(equal, [found]);
    else group.push(found);
  }
  write();
  const said = ["error", "warning", "info"].filter((name) => name in counts).map((name) => `${counts[name]} ${name}${counts[name]! > 1 ? "s" : ""}`);
  if (said.length > 0) print(said.join(", "));
}

/** The position of a finding that equals an earlier one. */
function placeOf(found: Finding, first: Finding): string {
  if (found.served === undefined) return `${found.line}:${found.column}`;
  return found.file !== first.file ? found.file : `line ${found.line}`;
}

function writeFinding(found: Finding, paint: Style): void {
  const place = `${visible(found.file)}:${found.served === undefined ? `${found.line}:${found.column}:` : ""}`;
  const severity = paint(`${found.severity}[${found.code}]`, "bold", COLOUR[found.severity]);
  const spec = ` (${found.spec}${found.section ? `, section ${found.section}` : ""})`;
  print(`${paint(place, "bold")} ${severity}: ${visible(found.message)}${paint(spec, "dim")}`);
  if (found.served !== undefined) return;
  const number = String(found.line);
  print(`${paint(`${number} |`, "blue")} ${found.source}`);
  const caret = paint(" ".repeat(found.before) + "^".repeat(found.width), COLOUR[found.severity]);
  print(`${paint(`${" ".repeat(number.length)} |`, "blue")} ${caret}`);
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
  const rules = codes.map((id) => {
    const said = explained(id);
    if (said === undefined) return { id, defaultConfiguration: { level: "error" } };
    return {
      id,
      shortDescription: { text: said.about },
      fullDescription: { text: `${said.about} ${said.why}`.trim() },
      help: { text: explanation(said).join("\n") },
      helpUri: said.help,
      defaultConfiguration: { level: level(said.severity) },
    };
  });
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
  print(dumps(log(rules, results), 2));
}

function writeGithub(findings: Iterable<Finding>): void {
  const kinds = { error: "error", warning: "warning", info: "notice" } as const;
  for (const { severity, message, file, line, character: col, code: title } of findings) print(annotation(kinds[severity], message, { file, line, col, title }));
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
