/** `agentsdisc convert`: converts a document into another format, and reports the losses. */

import { mkdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Converted, type ConvertOptions, type Document, formats, parse } from "../document.js";
import { ConvertError, type Loss, ParseError } from "../errors.js";
import { VERSION } from "../version.js";
import type { Command, Given } from "./arguments.js";
import { Unreadable, READING, get, originOf, printBytes, replace, shownName, tell, unreadable, warn } from "./reading.js";
import { COLOUR, Keys, repr, style, visible } from "./text.js";

export const convertCommand = (): Command => ({
  name: "convert",
  files: "FILE",
  options: [
    { names: ["--to"], required: true, choices: [...formats().filter((format) => format.is_target).map((format) => format.name), "json"] },
    { names: ["-o", "--output"] },
    { names: ["--origin"], type: originOf },
    { names: ["--compact"], kind: "flag" },
    { names: ["--loosen"], kind: "flag" },
    { names: ["--native"], kind: "flag" },
    { names: ["--details"] },
    { names: ["--capability"] },
    { names: ["--strict"], kind: "flag" },
    ...READING,
  ],
});

export function convert(given: Given): number {
  const [file, output, target] = [given.files[0]!, given.output as string | undefined, given.to as string];
  if (isSame(file, output)) throw new Unreadable(`${visible(output!)}: the output is the input file; name another file`);
  const [document, source] = get(file, given);
  const [keys, name, origin] = [new Keys(source), shownName(file), given.origin as string | undefined];
  const capability = given.capability as string | undefined;
  if (capability !== undefined && target !== "adp-capability") throw new Unreadable("--capability needs --to adp-capability");
  // What an agent.json states about where it comes from.
  const isSynthetic = !given.native && target === "awp" && document.format !== "awp";
  const now = new Date().toISOString().replace(/\.\d+Z$/, "Z");
  const about = isSynthetic ? { generatedBy: `agentsdisc ${VERSION}`, lastVerified: now } : {};
  const options = { origin, pretty: !given.compact, loosen: given.loosen === true };
  const folder = given.details as string | undefined;
  let made, details;
  try {
    made = document.convert(target, { ...options, ...about, capability });
    details = folder === undefined ? new Map<string, Converted>() : detailsOf(document, made, target, options);
  } catch (problem) {
    if (!(problem instanceof ConvertError)) throw problem;
    if (problem.losses.length === 0) throw new Unreadable(`${visible(name)}: ${visible(problem.message, keys)}`);
    report(name, problem.losses, keys);
    tell(`${name}: not written, because the result would allow agents more than the document does`);
    return 1;
  }
  const losses = lossesOf(made, [...details.values()]);
  report(name, losses, keys);
  if (given.strict && losses.some((loss) => loss.severity !== "info")) {
    tell(`${name}: not written, because of the losses above (--strict)`);
    return 1;
  }
  if (target !== "json") reportErrors(name, errorsIn(made.bytes, target, origin), keys);
  reportErrors(name, [...details].flatMap(([path, { bytes }]) => errorsIn(bytes, "adp-capability").map((said) => `${path}: ${said}`)), keys);
  for (const [path, { bytes }] of details) {
    const file = join(folder!, path);
    try {
      mkdirSync(dirname(file), { recursive: true });
    } catch (problem) {
      throw unreadable(problem, dirname(file));
    }
    replace(file, ended(bytes));
  }
  const data = ended(made.bytes);
  if (output === undefined || output === "-") printBytes(data);
  else replace(output, data);
  return 0;
}

/** A text with a line break at its end. */
const ended = (data: Uint8Array): Uint8Array => (data.at(-1) === 10 ? data : Buffer.concat([data, Buffer.from("\n")]));

/** The details that `--details` asks for, by their paths on the site. */
function detailsOf(document: Document, { bytes }: Converted, target: string, options: ConvertOptions): Map<string, Converted> {
  if (target !== "adp" || document.format === "adp") {
    throw new Unreadable("--details needs --to adp, and a document that is no manifest itself");
  }
  const details = new Map<string, Converted>();
  const { capabilities = [] } = parse(bytes, { format: "adp", limits: { document: 64 << 20 } }).model;
  for (const { id, detail_url: path = "" } of capabilities) {
    if (!/^\/capabilities\/[A-Za-z0-9_-]+\.json$/.test(path) || details.has(path)) {
      throw new Unreadable(`the capability ${visible(repr(id!))} has no file for its detail: give it a name of its own, of letters, digits and \`_\``);
    }
    details.set(path, document.convert("adp-capability", { ...options, capability: id }));
  }
  return details;
}

/** What neither a manifest nor its details express; of a document alone, all its losses. */
function lossesOf(manifest: Converted, details: readonly Converted[]): readonly Loss[] {
  if (details.length === 0) return manifest.losses;
  const found = new Map<string, Loss>();
  for (const loss of [manifest, ...details].flatMap(({ losses }) => losses)) {
    const key = `${loss.reason} ${loss.path}`;
    if (loss.reason !== "elsewhere" && !found.has(key)) found.set(key, loss);
  }
  return [...found.values()].sort((a, b) => a.offset - b.offset || a.end - b.end);
}

const MAX_ERRORS = 5;

/** The errors in a result, such as required values that the document lacks. */
function errorsIn(data: Uint8Array, format: string, origin?: string): string[] {
  try {
    const errors = parse(data, { format }).check({ origin }).filter((found) => found.severity === "error");
    return errors.map((found) => `line ${found.line}: ${found.message}`);
  } catch (problem) {
    if (!(problem instanceof ParseError)) throw problem;
    return [problem.message];
  }
}

/** Prints the first errors, and the number of the others. */
function reportErrors(name: string, said: readonly string[], keys: Keys): void {
  for (const message of said.slice(0, MAX_ERRORS)) tell(`${name}: correct this in the output: ${visible(message, keys)}`);
  if (said.length > MAX_ERRORS) tell(`${name}: ${said.length - MAX_ERRORS} more errors; \`agentsdisc lint\` prints all`);
}

/** Whether the output would replace the input. */
function isSame(source: string, output: string | undefined): boolean {
  if (source === "-" || output === undefined || output === "-") return false;
  const [one, other] = [source, output].map((name) => statSync(name, { throwIfNoEntry: false }));
  return one !== undefined && other !== undefined && one.isFile() && one.ino === other.ino && one.dev === other.dev;
}

function report(name: string, losses: readonly Loss[], keys: Keys): void {
  const paint = style(process.stderr);
  for (const loss of losses) {
    const place = paint(`${visible(name)}:${loss.line}:${loss.column}:`, "bold");
    const severity = paint(`${loss.severity}[${loss.reason}]`, "bold", COLOUR[loss.severity]);
    warn(`${place} ${severity}: ${visible(loss.message, keys)}`);
  }
}
