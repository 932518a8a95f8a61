/**
 * The command `agentsdisc`: `lint`, `check`, `explain`, `inspect`, `convert`, `decide`, `tools` and `formats` as the Python command has them, for files; `check` also for
 * sites. The same options, output and exit codes, which a test compares.
 */

import "../index.node.js";
import { formats } from "../document.js";
import { VERSION } from "../version.js";
import { Exit, fail, read, type Command, type Given } from "./arguments.js";
import { CHECK, check } from "./check.js";
import { convert, convertCommand } from "./convert.js";
import { DECIDE, decide } from "./decide.js";
import { EXPLAIN, explain } from "./explain.js";
import { HELP } from "./generated.js";
import { INSPECT, inspect } from "./inspect.js";
import { LINT, lint } from "./lint.js";
import { Unreadable, flush, print, tell, unreadable } from "./reading.js";
import { repr } from "./text.js";
import { tools, toolsCommand } from "./tools.js";

const COMMANDS: { readonly [name: string]: readonly [() => Command, (given: Given) => number | Promise<number>] } = {
  inspect: [() => INSPECT, inspect],
  lint: [() => LINT, lint],
  check: [() => CHECK, check],
  explain: [() => EXPLAIN, explain],
  convert: [convertCommand, convert],
  decide: [() => DECIDE, decide],
  tools: [toolsCommand, tools],
  formats: [() => ({ name: "formats", options: [] }), list],
};

/** `agentsdisc formats`: lists the formats that are read or only recognized. */
function list(): number {
  for (const { name, is_read, title } of formats()) {
    if (name !== "unknown") print(`${name.padEnd(26)}${(is_read ? "read" : "recognized").padEnd(12)}${title}`);
  }
  return 0;
}

function run(given: readonly string[]): number | Promise<number> {
  const [name, ...rest] = given;
  if (name === "-h" || name === "--help") {
    print(HELP[""]!, "");
    return 0;
  }
  if (name === "--version") {
    print(`agentsdisc ${VERSION}`);
    return 0;
  }
  if (name === undefined) fail("", "the following arguments are required: COMMAND");
  const command = COMMANDS[name];
  if (command === undefined) {
    if (name.startsWith("-")) fail("", "the following arguments are required: COMMAND");
    fail("", `argument COMMAND: invalid choice: ${repr(name)} (choose from ${Object.keys(COMMANDS).map(repr).join(", ")})`);
  }
  const [arguments_, start] = command;
  return start(read(arguments_(), rest));
}

/** Runs a command, and returns its exit code. */
export async function main(given: readonly string[]): Promise<number> {
  try {
    return await run(given);
  } catch (problem) {
    if (problem instanceof Exit) return problem.code;
    flush();
    tell((problem instanceof Unreadable ? problem : unreadable(problem)).message);
    return 2;
  } finally {
    flush();
  }
}
