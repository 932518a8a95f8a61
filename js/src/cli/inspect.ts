/** `agentsdisc inspect`: shows the content of a document for people. */

import { type Document, type Link, links } from "../document.js";
import type { Preference } from "../robots-txt.js";
import type { Command, Given } from "./arguments.js";
import { Broken, HTTP, READING, get, mustBeFiles, print, shownName } from "./reading.js";
import { Keys, Numeral, type Style, type Value, count, read, repr, style, visible } from "./text.js";

export const INSPECT: Command = { name: "inspect", files: "FILE|URL", options: [...READING, ...HTTP] };

const OTHERS = 20;

export function inspect(given: Given): number {
  const name = given.files[0]!;
  mustBeFiles([name]);
  try {
    const [document] = get(name, given);
    show(shownName(name), document);
  } catch (problem) {
    if (problem instanceof Broken) showLinks(links(problem.data), style(), new Keys(problem.data));
    throw problem;
  }
  return 0;
}

function show(name: string, document: Document): void {
  const bytes = document.bytes;
  const [paint, keys] = [style(), new Keys(bytes)];
  print(`${paint(visible(name), "bold")}: ${document.format}, ${bytes.length.toLocaleString("en-US")} bytes`);
  const model = read(document.json()) as Map<string, Value>;
  if (document.robots?.preferences?.length) {
    (model.get("robots") as Map<string, Value>).set("preferences", document.robotsTxt.preferences.map(stated));
  }
  for (const line of lines(model, paint, keys)) print(line);
  for (const [label, value] of defaults(document)) print(`${paint(label, "blue")}  ${visible(value, keys)} (default)`);
  for (const text of document.decide({ agent: "agentsdisc", url: "/" }).unread ?? []) print(`${paint("not read", "blue")}  ${visible(text, keys)}`);
  showLinks(document.links(), paint, keys);
  const found = document.check();
  const counts = ["error", "warning", "info"].map((severity) => [found.filter((each) => each.severity === severity).length, severity] as const);
  const said = counts.filter(([number]) => number > 0).map(([number, severity]) => `${number} ${severity}`);
  if (said.length > 0) print(`${paint("check", "blue")}  ${said.join(", ")} (see \`agentsdisc lint\`)`);
}

/** One line for an AI preference. */
function stated(each: Preference): string {
  const purpose = each.purpose !== "unknown" ? each.purpose : repr(each.purpose_text);
  const paths = each.path ? `paths ${each.path}` : "all paths";
  const names = each.agents.filter((name) => name !== "*");
  let agents = "agents without a group of their own";
  if (each.agents.length === 0) agents = "all agents";
  else if (names.length === each.agents.length) agents = `agents ${names.join(", ")}`;
  else if (names.length > 0) agents = `${names.join(", ")} and ${agents}`;
  const written = `${each.source} ${each.purpose_text}=${each.preference_text}`;
  return `${purpose}: ${each.preference}; ${paths}; ${agents} (line ${each.line}: ${written})`;
}

/** Prints each URL once: first the links whose kind is known. */
function showLinks(found: readonly Link[], paint: Style, keys: Keys): void {
  const first = new Map<string, Link>();
  for (const link of [...found].reverse()) first.set(link.url, link);
  // The order of the last mentions, from the end, as a dict keeps it.
  const once = [...new Map([...found].reverse().map((link) => [link.url, link.url])).keys()].reverse().map((url) => first.get(url)!);
  const [known, others] = [once.filter((link) => link.kind !== "other"), once.filter((link) => link.kind === "other")];
  if (once.length > 0) print(paint("links", "blue"));
  for (const link of [...known, ...others.slice(0, OTHERS)]) {
    const label = link.label ? `  ${visible(link.label, keys)}` : "";
    print(`  ${paint(link.kind, "bold")}  ${visible(link.url, keys)}${label}`);
  }
  if (others.length > OTHERS) print(`  and ${others.length - OTHERS} other links`);
}

/** What follows from the format because the document does not state it. */
function* defaults(document: Document): Generator<[string, string]> {
  const { companion_url: url, session_seconds: seconds, is_audited: audited } = document.defaults;
  if (url !== null && !document.companion) yield ["companion", url];
  if (seconds !== null && document.session?.ttl_seconds === undefined) yield ["session ttl_seconds", String(seconds)];
  if (audited === false && document.audit?.enabled === undefined) yield ["audit enabled", "no"];
}

function* lines(model: Map<string, Value>, paint: Style, keys: Keys): Generator<string> {
  for (const [name, value] of model) {
    if (name === "format") continue;
    const label = paint(visible(name, keys), "blue");
    if (isListed(name, value)) {
      yield label;
      yield* nested(value, "  ", paint, keys);
    } else yield `${label}  ${short(value, keys)}`;
  }
}

function* nested(value: Value, indent: string, paint: Style, keys: Keys): Generator<string> {
  if (Array.isArray(value)) {
    for (const item of value) {
      if (!isNested(item) || isShort(item)) {
        yield `${indent}- ${short(item, keys)}`;
        continue;
      }
      let mark = "- ";
      for (const line of nested(item, "", paint, keys)) {
        yield `${indent}${mark}${line}`;
        mark = "  ";
      }
    }
    return;
  }
  for (const [name, item] of value as Map<string, Value>) {
    const label = paint(visible(name, keys), "blue");
    if (!isListed(name, item)) yield `${indent}${label}  ${short(item, keys)}`;
    else {
      yield `${indent}${label}`;
      yield* nested(item, `${indent}  `, paint, keys);
    }
  }
}

/** Lists of permissions and restrictions, whose items are printed on one line each. */
const LINE_EACH = new Set(["can", "cannot", "cannot_prose", "behavior", "allow", "disallow", "preferences"]);

const isNested = (value: Value): value is Value[] | Map<string, Value> => Array.isArray(value) || value instanceof Map;

function isListed(name: string, value: Value): boolean {
  if (LINE_EACH.has(name) && Array.isArray(value)) return value.length > 0;
  return isNested(value) && !isShort(value);
}

function isShort(value: Value): boolean {
  if (value instanceof Map) return isRate(value) || value.size === 0;
  if (!Array.isArray(value)) return true;
  const plain = value.every((each) => !isNested(each) || isRate(each));
  return plain && value.reduce((sum: number, each) => sum + count(asPython(each)), 0) < 80;
}

/** The text of a value as Python's `str` makes it; of a rate limit, its length is what counts. */
function asPython(value: Value): string {
  if (value === true) return "True";
  if (value === false) return "False";
  if (value === null) return "None";
  if (value instanceof Map) return `{${[...value].map(([name, each]) => `${repr(name)}: ${typeof each === "string" ? repr(each) : asPython(each)}`).join(", ")}}`;
  return String(value);
}

const isRate = (value: Value): boolean => value instanceof Map && value.size === 2 && value.has("requests") && value.has("window");

function short(value: Value, keys: Keys): string {
  if (value === true) return "yes";
  if (value === false) return "no";
  if (value === null) return "null";
  if (typeof value === "string") return visible(value, keys);
  if (value instanceof Numeral) return String(value);
  if (Array.isArray(value)) return value.map((each) => short(each, keys)).join(", ") || "(none)";
  if (value.has("requests") && value.has("window")) return `${asPython(value.get("requests")!)}/${visible(asPython(value.get("window")!), keys)}`;
  return "(empty)";
}
