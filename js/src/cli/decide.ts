/** `agentsdisc decide`: decides whether an agent may make a request, and shows the line that decides it. */

import { type Document, detect, parse } from "../document.js";
import { engine } from "../engine.js";
import { type AppliedLimit, type Decision, type Request, question } from "../policy.js";
import { RobotsTxt } from "../robots-txt.js";
import { type Command, type Given, type Option, Wrong } from "./arguments.js";
import { nearest } from "../difflib.js";
import { excerpt } from "./lint.js";
import { Broken, HTTP, LIMITS, Unreadable, get, limitsOf, mustBeFiles, print, printBytes, readBytes, shownName, tell } from "./reading.js";
import { Keys, Numeral, type Style, type Value, dumps, general, printable, read, repr, starred, style, visible, wholeLines, withoutSecrets } from "./text.js";
import { tools } from "./tools.js";

/** What is known about the documents of a site. */
export const DOCUMENTS: readonly Option[] = [
  { names: ["--robots"], group: "robots" },
  { names: ["--robots-status"], group: "robots", type: robotsState },
  { names: ["--origin"] },
  { names: ["--keys"] },
  { names: ["--purpose"] },
  ...LIMITS,
  ...HTTP,
  { names: ["--agent"], required: true },
  { names: ["--approve"], kind: "list" },
];

export const DECIDE: Command = {
  name: "decide",
  files: "FILE|URL",
  several: true,
  options: [
    ...DOCUMENTS,
    { names: ["--url"], group: "target" },
    { names: ["--capability"], group: "target" },
    { names: ["--method"] },
    { names: ["--content-usage"] },
    { names: ["--json"], kind: "flag" },
  ],
};

/** The state of robots.txt after an error status (RFC 9309 section 2.3.1). */
function robotsState(text: string): "absent" | "unreachable" {
  if (!/^[0-9]+$/.test(text) || Number(text) < 400 || Number(text) > 599) throw new Wrong(`${repr(text)} is not an HTTP error status; use 400 to 599`);
  return Number(text) < 500 ? "absent" : "unreachable";
}

const PURPOSES = ["train-ai", "ai-train", "ai-training", "search", "ai-input"];

/** Warns about an unknown purpose: only statements with exactly this label count for it. */
function warnOf(purpose: string | undefined): void {
  const letters = (label: string) => label.replace(/[-_ \t\n\r\f\v]/g, "").toLowerCase();
  if (purpose === undefined || PURPOSES.map(letters).includes(letters(purpose))) return;
  const [near] = nearest(purpose.toLowerCase().replaceAll("_", "-"), PURPOSES, 1);
  const meant = near === undefined ? "" : `; did you mean ${near}?`;
  tell(`${visible(purpose)} is not a known purpose (train-ai, search, ai-input), so only statements with this label count${meant}`);
}

/** The errors of documents that have another format or cannot be read, but can contain restrictions. */
const NOT_READ = new Set(["unknown-format", "not-a-discovery-document", "invalid-utf8", "too-large", "line-too-long"]);

/** The name of a document, its bytes and its format. */
export type Source = readonly [string, Uint8Array, string];

/** Documents of one site, and what is asked about them. */
export interface Site {
  readonly documents: readonly Document[];
  readonly texts: readonly Source[];
  readonly rules: Source;
  readonly asked: Pick<Request, "agent" | "robots" | "origin" | "approved" | "purpose">;
}

/** Reads the documents of a site. */
export function readSite(given: Given): Site {
  const text = (name: string) => given[name] as string | undefined;
  warnOf(text("purpose"));
  mustBeFiles(given.files);
  if (text("keys") !== undefined) throw new Unreadable("--keys: the command of the Python package verifies signatures");
  const limits = limitsOf(given);
  const documents: Document[] = [];
  const texts: Source[] = [];
  for (const name of given.files) {
    let document: Document;
    let data: Uint8Array;
    try {
      [document, data] = get(name, { "max-bytes": given["max-bytes"] });
    } catch (problem) {
      if (!(problem instanceof Broken) || !NOT_READ.has(problem.problem.kind) || detect(problem.data) === "html") throw problem;
      tell(`${problem.message}; it allows nothing, and only its Disallow lines count`);
      data = problem.problem.kind === "too-large" ? wholeLines(problem.data) : problem.data;
      document = parse(data, { format: "unknown", limits });
    }
    documents.push(document);
    texts.push([shownName(name), data, document.format]);
  }
  const file = text("robots");
  const rules = file === undefined ? new Uint8Array() : readBytes(file, limits.robots);
  const robots = file === undefined ? (given["robots-status"] as "absent" | undefined) : new RobotsTxt(rules, { limits });
  const asked = { agent: text("agent")!, robots, origin: text("origin"), approved: given.approve as string[] | undefined, purpose: text("purpose") };
  return { documents, texts, rules: [shownName(file ?? "/dev/null"), rules, "robots-txt"], asked };
}

export function decide(given: Given): number {
  const text = (name: string) => given[name] as string | undefined;
  const target = { url: text("url"), capability: text("capability"), method: text("method"), contentUsage: text("content-usage") };
  if (target.url === undefined && target.capability === undefined) return tools(given);
  const { documents, texts, rules, asked } = readSite(given);
  const [sources, values] = question(documents, { ...asked, ...target });
  const json = engine().said("decide", sources, ...values);
  const decision = JSON.parse(json) as Decision;
  const standings = declared(documents, decision);
  const keys = new Keys(rules[1], ...texts.map(([, data]) => data));
  if (given.json) {
    const members = read(json) as Map<string, Value>;
    for (const [name, standing] of standings) members.set(name, standing);
    put(members, keys);
  } else {
    for (const line of lines(decision, read(json) as Map<string, Value>, standings, texts, rules, style(), keys)) print(line);
  }
  return decision.allowed ? 0 : 1;
}

/** Prints values as JSON, without secrets. */
export function put(value: Value, keys: Keys): void {
  printBytes(Buffer.from(`${printable(dumps(withoutSecrets(value, keys), undefined, false))}\n`));
}

/** Whether the documents that decide are signed, and the skill has a digest: `declared`, as nothing is verified here. */
export function declared(documents: readonly Document[], decision: Decision): [string, string][] {
  const { rule, capability, endpoint } = decision;
  const declares = (each: Document) => {
    if (capability === undefined) return false;
    if (each.format === "a2a-agent-card" && each.signatures.length > 0) {
      return each.endpoints.some(({ url }) => url === endpoint) && each.capabilities.some(({ id }) => id === capability);
    }
    return each.format === "agent-skills" && each.capabilities.some((one) => one.id === capability && one.endpoint === endpoint);
  };
  const at = typeof rule?.document === "number" ? [documents[rule.document]!] : [];
  const deciding = [...at, ...documents.filter(declares)];
  const found: [string, string][] = [];
  if (deciding.some((each) => each.signatures.length > 0)) found.push(["signature", "declared"]);
  const index = deciding.find((each) => each.format === "agent-skills");
  const skills = index?.capabilities.filter(({ id, skill }) => id === capability && skill !== undefined) ?? [];
  if (capability !== undefined && skills[0]?.skill?.digest !== undefined) found.push(["digest", "declared"]);
  return found;
}

function* lines(
  decision: Decision,
  members: Map<string, Value>,
  standings: readonly [string, string][],
  texts: readonly Source[],
  robots: Source,
  paint: Style,
  keys: Keys,
): Generator<string> {
  const source = (document: number | "robots") => (document === "robots" ? robots : texts[document]!);
  const answer = decision.allowed ? paint("allowed", "bold", "green") : paint("not allowed", "bold", "red");
  yield `${answer}: ${visible(decision.message)} [${decision.reason}]`;
  const { preference } = decision;
  const rules = [decision.rule, preference?.statement].filter((rule) => rule !== undefined);
  for (const rule of new Map(rules.map((each) => [JSON.stringify(each), each])).values()) {
    const [name, bytes, format] = source(rule.document);
    const data = starred(bytes, format);
    const start = offset(data, rule.line, rule.column);
    yield `${paint(`${visible(name)}:${rule.line}:${rule.column}:`, "bold")} ${excerpt(data, start, start)[0]}`;
  }
  if (preference !== undefined) {
    let by = preference.header ? " (Content-Usage header)" : "";
    if (preference.statement !== undefined && preference.preference === "not-stated") by = ": the Content-Signal of the group for * does not reach this agent";
    yield `${paint("preference", "blue")}  ${visible(`${preference.purpose}: ${preference.preference}${by}`, keys)}`;
  }
  for (const [label, value] of facts(decision, members, standings)) yield `${paint(label, "blue")}  ${visible(value, keys)}`;
  for (const limit of decision.rate_limits ?? []) {
    const strictest = JSON.stringify(limit) === JSON.stringify(decision.advisory_limit) ? " (the strictest)" : "";
    yield `${paint("rate limit", "blue")}  ${rate(limit)} for the ${limit.scope}, ${visible(source(limit.document)[0])}${strictest}`;
  }
  yield* wordsOf(decision, keys, paint);
}

/** What the documents say in words. */
export function* wordsOf({ can, cannot, behavior, unread }: Decision, keys: Keys, paint: Style): Generator<string> {
  const words = { can, cannot, behavior, "not read": unread };
  for (const [label, said] of Object.entries(words)) for (const text of said ?? []) yield `${paint(label, "blue")}  ${visible(text, keys)}`;
}

/** The offset of a line and column. */
function offset(data: Uint8Array, line: number, column: number): number {
  let start = 0;
  for (let at = 1; at < line; at++) {
    const ends = [data.indexOf(10, start), data.indexOf(13, start)].filter((end) => end >= 0);
    const end = ends.length > 0 ? Math.min(...ends) : data.length;
    start = end + (data[end] === 13 && data[end + 1] === 10 ? 2 : 1);
  }
  return Math.min(start + column - 1, data.length);
}

function rate(limit: AppliedLimit): string {
  if (limit.window !== undefined) return `${limit.requests}/${limit.window}`;
  if (limit.milliseconds === undefined) return `${limit.requests} in an unknown time`;
  return `${limit.requests} in ${general(limit.milliseconds / 1000)} s`;
}

export function* facts(decision: Decision, members: Map<string, Value>, standings: readonly [string, string][]): Generator<[string, string]> {
  for (const [label] of standings) yield [label, "declared, not verified"];
  const { auth, session, human } = decision;
  if (decision.endpoint !== undefined) yield ["endpoint", (decision.method === undefined ? "" : `${decision.method} `) + decision.endpoint];
  const isNeeded = auth.need === "optional" || auth.need === "required";
  if (isNeeded) {
    yield ["authentication", `${auth.need}: ${auth.type_text || auth.type || "unknown"}`];
    if (auth.header !== undefined) yield ["header", `${auth.header}: ${auth.prefix ? `${auth.prefix} ` : ""}<token>`];
    const places = { "token from": auth.token_url, "refresh at": auth.refresh_url, "key from": auth.setup_url, "described at": auth.docs_url };
    for (const [label, value] of Object.entries(places)) if (value !== undefined) yield [label, value];
    if (auth.refresh_relation === "other") yield ["refresh", "on another domain than the site; ask before sending a token there"];
    if (auth.scopes?.length) yield ["scopes", auth.scopes.join(", ")];
  }
  if (decision.credentials !== "allowed" && (isNeeded || decision.credentials === "insecure")) {
    yield ["credentials", `must not be sent there (${decision.credentials})`];
  }
  if (session !== undefined) yield ["session", `${session.create}, for ${session.ttl_seconds} s`];
  if (human !== undefined && human.confirmation !== "not-stated") yield ["confirmation", `a person ${human.confirmation} be asked`];
  if (human?.sensitivity !== undefined && human.sensitivity !== "standard") yield ["sensitivity", human.sensitivity];
  if (decision.detail_unknown) yield ["endpoint", "unknown: it is in the detail, which is not there"];
  if (human?.handoff) yield ["hand-off", "a person completes the action"];
  if (decision.synthetic) {
    const confidence = members.get("confidence");
    const said = confidence instanceof Numeral ? general(confidence.value) : "unknown";
    yield ["written by", `a third party, not the site (confidence ${said})`];
  }
  if (decision.degraded) yield ["status", "the service reports that it is impaired"];
  const first = [...(decision.prerequisites ?? [])];
  if (decision.prerequisites_unknown) first.push("perhaps more (its dependencies cannot be read)");
  if (first.length > 0) yield ["first", first.join(", ")];
  if (decision.prerequisite_cycle?.length) yield ["never", `requires itself: ${decision.prerequisite_cycle.join(", ")}`];
}
