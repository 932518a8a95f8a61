/** `agentsdisc convert`: converts a document into another format, and reports the losses. */

import { statSync } from "node:fs";
import { formats, parse } from "../document.js";
import { ConvertError, type Loss, ParseError } from "../errors.js";
import { VERSION } from "../version.js";
import type { Command, Given } from "./arguments.js";
import { Unreadable, READING, get, originOf, printBytes, replace, shownName, tell, warn } from "./reading.js";
import { COLOUR, Keys, style, visible } from "./text.js";

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
    { names: ["--strict"], kind: "flag" },
    ...READING,
  ],
});

export function convert(given: Given): number {
  const [file, output, target] = [given.files[0]!, given.output as string | undefined, given.to as string];
  if (isSame(file, output)) throw new Unreadable(`${visible(output!)}: the output is the input file; name another file`);
  const [document, source] = get(file, given);
  const [keys, name, origin] = [new Keys(source), shownName(file), given.origin as string | undefined];
  // What an agent.json states about where it comes from.
  const isSynthetic = !given.native && target === "awp" && document.format !== "awp";
  const now = new Date().toISOString().replace(/\.\d+Z$/, "Z");
  const about = isSynthetic ? { generatedBy: `agentsdisc ${VERSION}`, lastVerified: now } : {};
  let made;
  try {
    made = document.convert(target, { origin, pretty: !given.compact, loosen: given.loosen === true, ...about });
  } catch (problem) {
    if (!(problem instanceof ConvertError)) throw problem;
    if (problem.losses.length === 0) throw new Unreadable(`${visible(name)}: ${visible(problem.message, keys)}`);
    report(name, problem.losses, keys);
    tell(`${name}: not written, because the result would allow agents more than the document does`);
    return 1;
  }
  report(name, made.losses, keys);
  if (given.strict && made.losses.some((loss) => loss.severity !== "info")) {
    tell(`${name}: not written, because of the losses above (--strict)`);
    return 1;
  }
  if (target !== "json") reportErrors(name, made.bytes, target, origin, keys);
  const data = made.bytes.at(-1) === 10 ? made.bytes : Buffer.concat([made.bytes, Buffer.from("\n")]);
  if (output === undefined || output === "-") printBytes(data);
  else replace(output, data);
  return 0;
}

const MAX_ERRORS = 5;

/** Prints the errors in the result, such as required values that the document lacks. */
function reportErrors(name: string, data: Uint8Array, format: string, origin: string | undefined, keys: Keys): void {
  let said: string[];
  try {
    const errors = parse(data, { format }).check({ origin }).filter((found) => found.severity === "error");
    said = errors.map((found) => `line ${found.line}: ${found.message}`);
  } catch (problem) {
    if (!(problem instanceof ParseError)) throw problem;
    said = [problem.message];
  }
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
