/** Reads arguments as Python's argparse does. */

import { visible } from "./text.js";
import { USAGE, HELP } from "./generated.js";
import { repr } from "./text.js";

/** The command ends with this exit code. */
export class Exit {
  constructor(readonly code: number) {}
}

/** A wrong value of an argument. */
export class Wrong extends Error {}

/** An option. */
export interface Option {
  readonly names: readonly string[];
  /** Without: a value. `flag`: none. `list`: a value, perhaps several times. */
  readonly kind?: "flag" | "list";
  readonly choices?: readonly string[];
  readonly required?: boolean;
  /** The name of a group of which one option at most may be given. */
  readonly group?: string;
  /** Checks and converts a value; throws `Wrong`. */
  readonly type?: (text: string) => unknown;
}

/** The arguments of a command. */
export interface Command {
  readonly name: string;
  /** The name of the positional arguments; none without. */
  readonly files?: string;
  readonly several?: boolean;
  /** Whether there may be no positional argument. */
  readonly optional?: boolean;
  readonly options: readonly Option[];
}

export type Given = { [name: string]: unknown } & { files: string[] };

/** The name of an option in the result. */
const key = (option: Option): string => (option.names.find((name) => name.startsWith("--")) ?? option.names[0]!).replace(/^-+/, "");

export function fail(command: string, message: string): never {
  const usage = USAGE[command] ?? USAGE[""]!;
  process.stderr.write(`${usage}agentsdisc${command ? ` ${command}` : ""}: error: ${visible(message)}\n`);
  throw new Exit(2);
}

export function read(command: Command, given: readonly string[]): Given {
  const values: Given = { files: [] };
  const seen = new Map<string, Option>();
  const stray: string[] = [];
  const fault = (option: Option, message: string): never => fail(command.name, `argument ${option.names.join("/")}: ${message}`);
  const find = (word: string, whole: string): Option | undefined => {
    const exact = command.options.find((option) => option.names.includes(word));
    if (exact !== undefined || !word.startsWith("--")) return exact;
    const near = [...command.options, { names: ["-h", "--help"] }].flatMap((option) =>
      option.names.filter((name) => name.startsWith(word)).map((name) => ({ option, name })),
    );
    if (near.length > 1) fail(command.name, `ambiguous option: ${whole} could match ${near.map(({ name }) => name).join(", ")}`);
    return near[0]?.option;
  };
  const put = (option: Option, value: string | undefined): void => {
    const other = option.group === undefined ? undefined : seen.get(option.group);
    if (other !== undefined && other !== option) fault(option, `not allowed with argument ${other.names.join("/")}`);
    if (option.group !== undefined) seen.set(option.group, option);
    seen.set(key(option), option);
    if (option.kind === "flag") return void (values[key(option)] = true);
    let checked: unknown = value;
    try {
      if (option.type !== undefined) checked = option.type(value!);
    } catch (problem) {
      if (problem instanceof Wrong) fault(option, problem.message);
      throw problem;
    }
    if (option.choices !== undefined && !option.choices.includes(value!)) {
      fault(option, `invalid choice: ${repr(value!)} (choose from ${option.choices.map(repr).join(", ")})`);
    }
    if (option.kind === "list") values[key(option)] = [...((values[key(option)] as unknown[] | undefined) ?? []), checked];
    else values[key(option)] = checked;
  };
  const isNegative = (word: string) => /^-\d+$|^-\d*\.\d+$/.test(word);
  const isOption = (word: string) => word.startsWith("-") && word !== "-" && !isNegative(word) && !word.includes(" ");
  for (let at = 0; at < given.length; at++) {
    const word = given[at]!;
    if (word === "--") {
      values.files.push(...given.slice(at + 1));
      break;
    }
    if (!isOption(word)) {
      values.files.push(word);
      continue;
    }
    let [name, value]: [string, string | undefined] = [word, undefined];
    const equals = word.indexOf("=");
    if (word.startsWith("--") && equals > 0) [name, value] = [word.slice(0, equals), word.slice(equals + 1)];
    else if (!word.startsWith("--") && word.length > 2) [name, value] = [word.slice(0, 2), word.slice(2)];
    const option = find(name, word);
    if (name === "-h" || option?.names.includes("--help")) {
      process.stdout.write(HELP[command.name]!);
      throw new Exit(0);
    }
    if (option === undefined) {
      stray.push(word);
      continue;
    }
    if (option.kind === "flag") {
      if (value !== undefined) fault(option, `ignored explicit argument ${repr(value)}`);
      put(option, undefined);
      continue;
    }
    if (value === undefined) {
      const next = given[at + 1];
      if (next === undefined || next === "--" || isOption(next)) fault(option, "expected one argument");
      value = given[++at]!;
    }
    put(option, value);
  }
  const missing = command.options.filter((option) => option.required && !seen.has(key(option))).map((option) => option.names.join("/"));
  if (command.files !== undefined && !command.optional && values.files.length === 0) missing.unshift(command.files);
  if (missing.length > 0) fail(command.name, `the following arguments are required: ${missing.join(", ")}`);
  if (!command.several) stray.push(...values.files.splice(command.files === undefined ? 0 : 1));
  if (stray.length > 0) fail("", `unrecognized arguments: ${stray.join(" ")}`);
  return values;
}
