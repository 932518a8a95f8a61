/** `agentsdisc check`: tells whether a site is ready for agents, before it is published or after. */

import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { posix } from "node:path";
import { isUserAgent } from "../arguments.js";
import { type Check, type Evidence, type Report, checkSite, readReport } from "../readiness.node.js";
import { openFolder } from "../readiness/node-folder.js";
import { NOTHING } from "../readiness/report.js";
import { isLoopback } from "../readiness/site.js";
import { facts, originOf as originOfSite } from "../readiness/survey.js";
import { type Command, type Given, Wrong } from "./arguments.js";
import { LIMITS, Unreadable, limitsOf, print, unreadable } from "./reading.js";
import { annotation, log, uri } from "./sarif.js";
import { decode, dumps, general, masked, repr, style, visible } from "./text.js";

const FAILING: { readonly [name: string]: readonly string[] } = { fail: ["fail"], warn: ["fail", "warn"], never: [] };
/** Outputs that only the command of the Python package writes. */
const ELSEWHERE = ["html", "markdown"];

/** The topics in an option. */
function topics(text: string): string[] {
  const known = facts().topics;
  const named = text.split(",").map((name) => name.trim()).filter((name) => name !== "");
  const other = named.find((name) => !known.includes(name));
  if (other !== undefined) throw new Wrong(`${repr(other)} is none of ${known.join(", ")}`);
  return named;
}

function seconds(text: string): number {
  const value = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/.test(text) ? Number(text) : 0;
  if (!(value > 0 && value <= 3600)) throw new Wrong(`${repr(text)} is not a time: give seconds, from 0.1 to 3600`);
  return value;
}

function clientName(text: string): string {
  if (!isUserAgent(text)) throw new Wrong(`${repr(text)} cannot be a User-Agent: give ASCII characters`);
  return text;
}

export const CHECK: Command = {
  name: "check",
  files: "TARGET",
  options: [
    { names: ["--canonical-origin"] },
    { names: ["--profile"], choices: ["content", "api", "shop"] },
    { names: ["--expect"], kind: "list", type: topics },
    { names: ["--baseline"] },
    { names: ["--fail-on"], choices: ["fail", "warn", "never"] },
    { names: ["--output-format"], choices: ["text", "json", "sarif", "junit", "github", "html", "markdown", "badge"] },
    { names: ["--fix"], kind: "flag" },
    { names: ["--call-mcp"], kind: "flag" },
    ...LIMITS,
    { names: ["--user-agent"], type: clientName },
    { names: ["--timeout"], type: seconds },
    { names: ["--allow-private"], kind: "flag" },
  ],
};

/** Checks the site, and prints the report. */
export async function check(given: Given): Promise<number> {
  const known = given.baseline === undefined ? undefined : earlier(given.baseline as string);
  const target = given.files[0]!;
  const format = (given["output-format"] as string | undefined) ?? "text";
  const other = given.fix ? "--fix" : ELSEWHERE.includes(format) ? `--output-format ${format}` : undefined;
  if (other !== undefined) throw new Unreadable(`${other}: only the command of the Python package has this (pip install agentsdisc)`);
  const isReport = !target.includes("://") && !target.includes("\0") && statSync(target, { throwIfNoEntry: false })?.isFile() === true;
  const report = isReport ? earlier(target) : await checked(target, given);
  if (format === "json") print(JSON.stringify(report, null, 2));
  else if (format === "sarif") print(sarif(report));
  else if (format === "github") print(github(report));
  else if (format === "junit") print(junit(report));
  else if (format === "badge") print(badge(report));
  else writeText(report, known);
  const failing = FAILING[(given["fail-on"] as string | undefined) ?? "fail"]!;
  return report.checks.some((each) => failing.includes(each.status) && !wasBad(each, known, failing)) ? 1 : 0;
}

async function checked(target: string, given: Given): Promise<Report> {
  try {
    // A server on this machine is named to be checked.
    const isHere = openFolder(target) === undefined && isLoopback(new URL(originOfSite(target)).hostname);
    return await checkSite(target, {
      canonicalOrigin: given["canonical-origin"] as string | undefined,
      profile: given.profile as string | undefined,
      expect: ((given.expect as string[][] | undefined) ?? []).flat(),
      callMcp: given["call-mcp"] === true,
      agent: given["user-agent"] as string | undefined,
      timeout: given.timeout as number | undefined,
      limits: { document: limitsOf(given).document },
      allowPrivate: given["allow-private"] === true || isHere,
    });
  } catch (problem) {
    if (!(problem instanceof TypeError)) throw problem;
    throw new Unreadable(problem.message);
  }
}

/** Reads the report of an earlier run. */
function earlier(name: string): Report {
  let data;
  try {
    data = readFileSync(name);
  } catch (problem) {
    throw unreadable(problem, name);
  }
  try {
    return readReport(decode(data));
  } catch (problem) {
    if (!(problem instanceof TypeError)) throw problem;
    throw new Unreadable(`${visible(name)}: ${problem.message}`);
  }
}

/** Whether a check failed in the earlier report, too. */
const wasBad = (check: Check, known: Report | undefined, failing: readonly string[]): boolean =>
  known?.checks.some((before) => before.id === check.id && failing.includes(before.status)) === true;

const COLOURS = { pass: "green", warn: "yellow", fail: "red", unknown: "dim", "not-applicable": "dim" } as const;
/** How many places of a check are printed. */
const PLACES = 10;

/** Prints text for people: the checks that concern the site, what they are based on, and what to do. */
function writeText(report: Report, known: Report | undefined): void {
  const paint = style();
  print(paint(visible(report.target), "bold"));
  for (const each of report.checks) {
    const { id, status, message, evidence, fix } = each;
    if (status === "not-applicable") continue;
    const isNew = known !== undefined && status === "fail" && !wasBad(each, known, ["fail"]);
    print(`${paint(status.padEnd(7), COLOURS[status])} ${paint(id, "bold")}${isNew ? " (new)" : ""}: ${visible(message)}`);
    if (status !== "warn" && status !== "fail") continue;
    for (const { file, url, line, text } of evidence.slice(0, PLACES)) {
      const place = visible(`${file || url || ""}${line ? `:${line}` : ""}`);
      // The message of the check is the first of these texts.
      const said = message.startsWith(text ?? "") ? "" : `: ${visible(text ?? "")}`;
      if (place || said) print(paint(`          ${place}${said}`, "dim"));
    }
    if (evidence.length > PLACES) print(paint(`          and ${evidence.length - PLACES} more`, "dim"));
    fix?.split("\n").forEach((line, number) => print(`          ${number === 0 ? "→" : " "} ${visible(line)}`));
  }
  const apart = report.checks.filter(({ status }) => status === "not-applicable").map(({ id }) => id);
  if (apart.length > 0) print(paint(`does not concern the site: ${apart.join(", ")}`, "dim"));
  const { passed, applicable, percent } = report.score;
  print(`level ${report.level} (${report.level_name}), score ${general(passed)} of ${applicable} (${percent} %), rules of ${report.rules}`);
}

/** The path of the file of an evidence, as the command was given the folder; null if it is not about a file. */
function fileOf({ target }: Report, { file }: Evidence): string | null {
  if (file === null || target.includes("://")) return file;
  return posix.normalize(posix.join(target.replaceAll("\\", process.platform === "win32" ? "/" : "\\"), file));
}

/** What was found at the place of an evidence, besides the message of the check. */
function seen({ message }: Check, { status, header, text }: Evidence): string {
  const parts = [status === null ? null : `status ${status}`, header, text === message ? null : text];
  return parts.filter((part): part is string => Boolean(part)).map((part) => visible(part)).join("; ");
}

/** Level and score in one line. */
function summary({ level, level_name, score: { passed, applicable, percent } }: Report): string {
  const start = `level ${level} (${level_name})`;
  return applicable === 0 ? `${start}, nothing could be decided` : `${start}, ${percent} % (${general(passed)} of ${applicable})`;
}

const KINDS = { fail: "error", warn: "warning", unknown: "notice" } as const;

/** One workflow command for each check that did not pass, and one with the result. */
function github(report: Report): string {
  const all = (Object.keys(KINDS) as (keyof typeof KINDS)[]).flatMap((status) => report.checks.filter((each) => each.status === status).map((each) => [KINDS[status], each] as const));
  const lines = all.map(([kind, each]) => {
    const first = each.evidence.find(({ file }) => file !== null) ?? NOTHING;
    let message = each.fix === null ? each.message : `${each.message}\nFix: ${each.fix}`;
    // An annotation without a file is shown in the summary of the run, so it names the place.
    if (first.file === null) {
      for (const one of each.evidence) if (one.url) message += `\n${one.url} ${seen(each, one)}`.trimEnd();
    }
    return annotation(kind, message, { file: fileOf(report, first), line: first.line, title: `agentsdisc check: ${each.id}` });
  });
  return [...lines, annotation("notice", `${report.target}: ${summary(report)}, rules ${report.rules}`, { title: "agentsdisc check" })].join("\n");
}

const HELP = "https://github.com/agentsdisc/agentsdisc/blob/main/docs/site-owners.md#is-the-site-ready";

/** The log in SARIF. Its results are failures and warnings; what could not be decided is a notification of the run. */
function sarif(report: Report): string {
  const found = report.checks.filter(({ status }) => status === "fail" || status === "warn");
  const location = (evidence: Evidence) => {
    const name = fileOf(report, evidence) || evidence.url || report.target;
    const region = evidence.line === null ? {} : { region: { startLine: evidence.line } };
    return { physicalLocation: { artifactLocation: { uri: uri(masked(name)) }, ...region } };
  };
  const results = found.map((each, number) => {
    const [first = NOTHING, ...others] = each.evidence;
    const main = location(first);
    // The path that no site has differs from run to run.
    const place = main.physicalLocation.artifactLocation.uri.replace(/agentsdisc-[0-9a-f]{16}/, "agentsdisc");
    const identity = createHash("sha256").update(`${each.id}\n${place}`).digest("hex");
    return {
      ruleId: each.id,
      ruleIndex: number,
      level: each.status === "fail" ? "error" : "warning",
      message: { text: masked(each.fix === null ? each.message : `${each.message}\n${each.fix}`) },
      locations: [main],
      relatedLocations: others.flatMap((one, at) => {
        const text = seen(each, one);
        return text === "" ? [] : [{ id: at + 1, ...location(one), message: { text: masked(text) } }];
      }),
      partialFingerprints: { "agentsdiscCheck/v1": identity },
      properties: { rules: report.rules },
    };
  });
  const undecided = report.checks.filter(({ status }) => status === "unknown").map(({ id, message }) => masked(`${id}: ${message}`));
  return dumps(log(found.map(({ id }) => ({ id, helpUri: HELP })), results, undecided), 2);
}

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** An attribute of XML, in the quotes that need the least escapes. */
function attribute(name: string, value: string | number): string {
  const text = escaped(visible(String(value))).replaceAll("\n", "&#10;").replaceAll("\r", "&#13;").replaceAll("\t", "&#9;");
  if (!text.includes('"')) return ` ${name}="${text}"`;
  return text.includes("'") ? ` ${name}="${text.replaceAll('"', "&quot;")}"` : ` ${name}='${text}'`;
}

const attributes = (values: { readonly [name: string]: string | number }): string => Object.entries(values).map(([name, value]) => attribute(name, value)).join("");

/** JUnit XML. A failed check is a failure; one that does not apply or could not be decided is skipped; a warning passes, with its text as output. */
function junit(report: Report): string {
  const count = (...statuses: string[]) => report.checks.filter(({ status }) => statuses.includes(status)).length;
  const [tests, failures, skipped] = [report.checks.length, count("fail"), count("not-applicable", "unknown")];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    "<testsuites>",
    `  <testsuite${attributes({ name: `agentsdisc check ${report.target}`, tests, failures, errors: 0, skipped })}>`,
    "    <properties>",
    `      <property${attributes({ name: "rules", value: report.rules })}/>`,
    `      <property${attributes({ name: "result", value: summary(report) })}/>`,
    "    </properties>",
    ...report.checks.flatMap((each) => testCase(report, each)),
    "  </testsuite>",
    "</testsuites>",
  ].join("\n");
}

function testCase(report: Report, each: Check): string[] {
  const { id, status, message, evidence, fix } = each;
  const first = evidence.find(({ file }) => file !== null);
  const place = first === undefined ? {} : { file: fileOf(report, first)!, ...(first.line === null ? {} : { line: first.line }) };
  const start = `    <testcase${attributes({ classname: "agentsdisc.check", name: id, ...place })}`;
  const where = (one: Evidence) => {
    const file = fileOf(report, one);
    return file === null ? (one.url ?? "") : one.line === null ? file : `${file}:${one.line}`;
  };
  const said = [message, ...evidence.map((one) => `${where(one)}: ${seen(each, one)}`), ...(fix === null ? [] : [`Fix: ${fix}`])];
  const text = escaped(said.flatMap((part) => part.split("\n")).map((line) => visible(line)).join("\n"));
  const inside = {
    fail: `<failure${attributes({ message, type: "fail" })}>${text}</failure>`,
    "not-applicable": `<skipped${attributes({ message })}/>`,
    unknown: `<skipped${attributes({ message: `not checked: ${message}` })}/>`,
    warn: `<system-out>Warning: ${text}</system-out>`,
    pass: undefined,
  }[status];
  return inside === undefined ? [`${start}/>`] : [`${start}>`, `      ${inside}`, "    </testcase>"];
}

/** The JSON of the endpoint badge of shields.io. */
function badge({ level, score: { applicable, percent }, checks }: Report): string {
  const base = { schemaVersion: 1, label: "ready for agents" };
  if (applicable === 0) return dumps({ ...base, message: "unknown", color: "lightgrey" });
  const usual = percent >= 90 ? "brightgreen" : percent >= 75 ? "green" : percent >= 50 ? "yellow" : "orange";
  // A site on which something fails is not green, whatever the rest weighs.
  const color = percent >= 75 && checks.some(({ status }) => status === "fail") ? "yellow" : usual;
  return dumps({ ...base, message: `level ${level} | ${percent} %`, color });
}
