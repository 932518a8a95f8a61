/**
 * What scanners will probably say of a site: their documented rules, as data (`scanners.json` of the Python package, where its language is described), over the
 * answers of the site.
 */

import { isObject } from "../arguments.js";
import { decoded, readiness } from "../engine.js";
import { RobotsTxt } from "../robots-txt.js";
import SCANNERS from "./scanners.json.js";
import type { Check, Prediction, Report, Status } from "./report.js";
import { type Answer, type Probe, WORST, octets } from "./survey.js";

type Where = string | { readonly path: string; readonly accept: string };
type Condition = { readonly [name: string]: unknown };

interface Rule {
  readonly id: string;
  readonly check: string;
  readonly at?: readonly Where[];
  readonly profiles?: readonly string[];
  readonly steps: readonly { readonly [name: string]: unknown }[];
  readonly pass: string;
  readonly differs?: readonly { readonly here: readonly string[]; readonly scanner: readonly string[]; readonly because: string; readonly section: string }[];
}

const RULES = Object.entries((SCANNERS as { scanners: { readonly [name: string]: { readonly checks: readonly Rule[] } } }).scanners);

const HOPS = 5;
/** The number of bytes of a body that are searched. */
const MOST = 500_000;
const HTML = /^[ \t\n\r\f\v]*(?:<!--[^]{0,1000}?-->[ \t\n\r\f\v]*)?<(?:!doctype[ \t\n\r\f\v]+html|html)\b/i;

/** What scanners request of a site, but what was answered, and what its robots.txt disallows for `agent`. Well-known locations are requested whatever it says. */
export function requests(origin: string, answers: readonly Answer[], agent: string | undefined): Probe[] {
  const key = (url: string, isMarkdown: boolean) => `${isMarkdown} ${url}`;
  const asked = new Set(answers.map(({ probe }) => key(probe.url, probe.accept.includes("markdown"))));
  const may = allowed(origin, answers, agent);
  const found = new Map<string, Probe>();
  for (const [, { checks }] of RULES) {
    for (const where of checks.flatMap(places)) {
      const [path, accept] = place(where);
      if (!path.startsWith("/") || asked.has(key(origin + path, accept !== ""))) continue;
      if (!path.startsWith("/.well-known/") && !may(path)) continue;
      const probe = { url: origin + path, method: "GET", accept: accept || "*/*", origin: null, headers: [], content: "" };
      found.set(`${probe.accept} ${probe.url}`, probe);
    }
  }
  return [...found.values()];
}

function allowed(origin: string, answers: readonly Answer[], agent: string | undefined): (path: string) => boolean {
  if (agent === undefined) return () => true;
  const robots = new Site(answers, origin, {}, "").get(`${origin}/robots.txt`);
  if (robots === undefined || robots.status >= 500) return () => false;
  const stated = new RobotsTxt(robots.status === 200 ? robots.body : new Uint8Array());
  return (path) => stated.allowed(agent, path);
}

/** Every place that the conditions in a part of the rules name, in the order of the Python package. */
function places(value: unknown): Where[] {
  const found: Where[] = [];
  const waiting = [value];
  while (waiting.length > 0) {
    const part = waiting.pop();
    if (isObject(part)) {
      found.push(...((part.at as Where[] | undefined) ?? []));
      waiting.push(...Object.values(part));
    } else if (Array.isArray(part)) {
      waiting.push(...(part as unknown[]));
    }
  }
  return found;
}

const place = (where: Where): readonly [string, string] => (typeof where === "string" ? [where, ""] : [where.path, where.accept]);

interface Result {
  readonly scanner: string;
  readonly id: string;
  readonly check: string;
  readonly status: Status;
  readonly message: string;
}

/** The report with what each scanner will probably say. */
export function predict(report: Report, answers: readonly Answer[], origin: string, profile: string | undefined, canonical: string): Report {
  const results = [...outlook(report, answers, origin, profile, canonical)];
  const column = (check: Check) =>
    RULES.flatMap(([name]): [string, Prediction][] => {
      const own = results.filter((one) => one.scanner === name && one.check === check.id);
      return own.length > 0 ? [[name, joined(own)]] : [];
    });
  return { ...report, checks: report.checks.map((check) => ({ ...check, predicted: Object.fromEntries(column(check)) })) };
}

/** Joins the results of several checks of a scanner that look at the same: the worst one that was decided counts. */
function joined(results: readonly Result[]): Prediction {
  const [first] = results as [Result];
  if (results.length === 1) return { status: first.status, message: `${first.id}: ${first.message}` };
  const ordered = [...results].sort((a, b) => WORST.indexOf(a.status) - WORST.indexOf(b.status));
  return { status: ordered[0]!.status, message: ordered.map((one) => `${one.id} (${one.status}): ${one.message}`).join("; ") };
}

function* outlook(report: Report, answers: readonly Answer[], origin: string, profile: string | undefined, canonical: string): Generator<Result> {
  const site = new Site(answers, origin, Object.fromEntries(report.checks.map(({ id, status }) => [id, status])), canonical);
  for (const [scanner, { checks }] of RULES) {
    for (const rule of checks) {
      if (profile !== undefined && rule.profiles !== undefined && !rule.profiles.includes(profile)) continue;
      const verified = site.here[rule.check];
      if (verified === undefined) continue;
      const [status, message] = decide(site, rule);
      yield { scanner, id: rule.id, check: rule.check, status, message: message + difference(rule, status, verified) };
    }
  }
}

function decide(site: Site, rule: Rule): [Status, string] {
  const open: [Status, string][] = [];
  let found: [Status, string] = ["pass", rule.pass];
  for (const step of rule.steps) {
    const status = Object.keys(step).find((name) => name !== "because") as Status;
    const because = step.because as string;
    const truth = holds(site, step[status] as Condition, rule.at ?? []);
    if (truth) {
      found = [status, because];
      break;
    }
    if (truth === undefined) open.push([status, because]);
  }
  const other = open.find(([status]) => status !== found[0]);
  return other === undefined ? found : ["unknown", `not checked; possible is: ${other[1]}`];
}

function difference(rule: Rule, status: string, here: string): string {
  const found = rule.differs?.find((each) => each.scanner.includes(status) && each.here.includes(here));
  return found === undefined ? "" : `. The result here differs: ${found.because} (${found.section})`;
}

/** The answers of a site by what was requested. */
class Site {
  readonly canonical: string;
  private readonly byUrl = new Map<string, Answer[]>();

  constructor(
    answers: readonly Answer[],
    readonly origin: string,
    readonly here: { readonly [check: string]: Status },
    canonical: string,
  ) {
    this.canonical = canonical || origin;
    for (const answer of answers) {
      if (answer.probe.method !== "GET" || answer.status === 0) continue;
      const url = answer.probe.url.split("#")[0]!;
      this.byUrl.set(url, [...(this.byUrl.get(url) ?? []), answer]);
    }
  }

  /** The answer behind the redirects of a URL; undefined if it is not known. */
  get(given: string, accept = ""): Answer | undefined {
    let [url, answer]: [string | undefined, Answer | undefined] = [given, undefined];
    for (let hops = 0; hops <= HOPS; hops++) {
      answer = this.asked(url, accept);
      const target = answer !== undefined && [301, 302, 303, 307, 308].includes(answer.status) ? header(answer, "location") : undefined;
      if (!target) return answer;
      url = resolved(url, target);
      if (url === undefined) return answer;
    }
    return answer;
  }

  private asked(given: string, accept: string): Answer | undefined {
    const url = given.startsWith(`${this.canonical}/`) ? this.origin + given.slice(this.canonical.length) : given;
    const known = this.byUrl.get(url) ?? [];
    if (accept !== "") return known.find(({ probe }) => probe.accept === accept);
    return known.find(({ probe }) => !probe.accept.includes("markdown")) ?? known.find(({ probe }) => ["text/markdown", ""].includes(probe.accept) && url.endsWith(".md"));
  }

  /** The first answer with status 200, or the first one; undefined if an answer is missing that could be it. */
  choose(at: readonly Where[]): Answer | undefined {
    let [first, isOpen]: [Answer | undefined, boolean] = [undefined, false];
    for (const where of at) {
      const [path, accept] = place(where);
      if (path === "@402") {
        const every = [...this.byUrl.values()].flat();
        return every.find(({ status }) => status === 402) ?? every[0];
      }
      for (const url of path === "@sitemaps" ? this.named() : [this.origin + path]) {
        const answer = this.get(url, accept);
        if (answer?.status === 200) return answer;
        if (answer === undefined) isOpen = true;
        first ??= answer;
      }
    }
    return isOpen ? undefined : first;
  }

  private named(): string[] {
    const robots = this.get(`${this.origin}/robots.txt`);
    return robots?.status === 200 ? readiness().json<string[]>("readiness_sitemaps", undefined, robots.body).slice(0, 20) : [];
  }
}

function resolved(base: string, reference: string): string | undefined {
  try {
    return new URL(reference, base).href.split("#")[0];
  } catch {
    return undefined;
  }
}

/** The values of a header, joined by commas; undefined without one. */
function header(answer: Answer, name: string): string | undefined {
  const values = answer.headers.filter(([own]) => own.toLowerCase() === name.toLowerCase()).map(([, value]) => value);
  return values.length > 0 ? values.join(", ") : undefined;
}

const textOf = (answer: Answer): string => decoded(answer.body.subarray(0, MOST)).replace(/^\ufeff/, "");

type Truth = boolean | undefined;

const every = (truths: readonly Truth[]): Truth => (truths.includes(false) ? false : truths.includes(undefined) ? undefined : true);
const some = (truths: readonly Truth[]): Truth => (truths.includes(true) ? true : truths.includes(undefined) ? undefined : false);
const not = (truth: Truth): Truth => (truth === undefined ? undefined : !truth);

const OF_ANSWER = new Set(["status", "type", "html", "header", "text", "json", "shorter", "longer", "links"]);

/** Whether a condition holds; undefined if that is not known. */
function holds(site: Site, condition: Condition, given: readonly Where[]): Truth {
  const at = (condition.at as Where[] | undefined) ?? given;
  const names = Object.keys(condition);
  const answer = names.some((name) => OF_ANSWER.has(name)) ? site.choose(at) : undefined;
  const truths: Truth[] = [];
  for (const name of names) {
    const value = condition[name];
    if (name === "not") truths.push(not(holds(site, value as Condition, at)));
    else if (name === "all") truths.push(every((value as Condition[]).map((each) => holds(site, each, at))));
    else if (name === "any") truths.push(some((value as Condition[]).map((each) => holds(site, each, at))));
    else if (name === "here") {
      const status = site.here[value as string];
      truths.push(status === undefined || status === "unknown" ? undefined : (condition.is as string[]).includes(status));
    } else if (OF_ANSWER.has(name)) {
      if (answer === undefined) return undefined;
      truths.push(ofAnswer(site, answer, name, value, condition));
    }
  }
  return every(truths);
}

const PATTERNS = new Map<string, RegExp>();

/** A pattern as Python reads it, where only `\n` ends a line; in any letter case unless `exact`. */
function pattern(source: string, exact = false): RegExp {
  const key = `${exact} ${source}`;
  let found = PATTERNS.get(key);
  if (found === undefined) {
    const [start, end] = exact ? ["^", "(?=\\n?$(?![^]))"] : ["(?<![^\\n])", "(?![^\\n])"];
    const text = source.replace(/\\[^]|\[(?:\\[^]|[^\]\\])*\]|\(\?<?[!=:]|[$^.]/g, (part) => (part === "^" ? start : part === "$" ? end : part === "." ? "[^\\n]" : part));
    found = new RegExp(text, exact ? "g" : "gi");
    PATTERNS.set(key, found);
  }
  found.lastIndex = 0;
  return found;
}

function ofAnswer(site: Site, answer: Answer, name: string, value: unknown, condition: Condition): Truth {
  const { status, hidesHeaders, body, isCut } = answer;
  if (name === "status") {
    const own = String(status);
    return own === value || (String(value).slice(1) === "xx" && own[0] === String(value)[0]);
  }
  if (name === "header") {
    const found = hidesHeaders ? undefined : header(answer, value as string);
    if (found === undefined) return hidesHeaders ? undefined : false;
    return pattern((condition.matches as string | undefined) ?? "").test(found.slice(0, 65536));
  }
  if (name === "type") {
    if (hidesHeaders) return undefined;
    const [kind = ""] = (header(answer, "content-type") ?? "").split(";");
    return (value as string[]).includes(kind.trim().toLowerCase());
  }
  if (name === "json" && typeof condition.in_header === "string") {
    const written = header(answer, condition.in_header) ?? "";
    if (written.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(written)) return false;
    return inJson(site, octets(atob(written)), value as string, condition);
  }
  if (status !== 200) return false;
  switch (name) {
    case "html":
      return HTML.test(Array.from(body.subarray(0, MOST), (octet) => String.fromCharCode(octet)).join(""));
    case "text": {
      const text = textOf(answer);
      const isPart = isCut || body.length > MOST;
      const least = (condition.least as number | undefined) ?? 1;
      let number = 0;
      for (const _ of text.matchAll(pattern(value as string))) {
        number++;
        if (!("even" in condition) && number >= least) break;
      }
      if ("even" in condition) return isPart ? undefined : number % 2 === 0;
      return number < least && isPart ? undefined : number >= least;
    }
    case "json":
      return isCut ? undefined : inJson(site, body, value as string, condition);
    case "longer":
      return length(body) > (value as number) ? true : isCut ? undefined : false;
    case "shorter":
      return length(body) < (value as number) ? (isCut ? undefined : true) : false;
    default:
      return links(site, answer, value as number);
  }
}

/** The number of characters. */
function length(body: Uint8Array): number {
  let count = 0;
  for (const _ of decoded(body)) count++;
  return count;
}

function inJson(site: Site, data: Uint8Array, pointer: string, condition: Condition): boolean {
  let values: unknown[];
  try {
    values = [JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(data))];
  } catch {
    return false;
  }
  if (!isObject(values[0])) return false;
  for (const name of pointer.split("/").slice(1)) {
    const found: unknown[] = [];
    for (const value of values) {
      if (name === "*") {
        if (!Array.isArray(value) || value.length === 0) return false;
        found.push(...(value as unknown[]));
      } else if (isObject(value) && Object.hasOwn(value, name)) {
        found.push(value[name]);
      } else {
        return false;
      }
    }
    values = found;
  }
  return values.every((value) => fits(site, value, condition));
}

function fits(site: Site, value: unknown, condition: Condition): boolean {
  if (value === null || value === "" || (Array.isArray(value) && value.length === 0) || (isObject(value) && Object.keys(value).length === 0)) return false;
  if (typeof condition.matches === "string") return typeof value === "string" && pattern(condition.matches, true).test(value);
  if ("has" in condition) return Array.isArray(value) && value.includes(condition.has);
  if ("at_origin" in condition) return typeof value === "string" && URL.canParse(value) && new URL(value).origin === new URL(site.canonical).origin;
  return true;
}

function links(site: Site, answer: Answer, percent: number): Truth {
  const known: boolean[] = [];
  let count = 0;
  for (const [, target] of textOf(answer).matchAll(/\]\(([^()\s]{1,500})\)/g)) {
    if (count++ === 10_000) break;
    const url = resolved(answer.probe.url, target!);
    const found = url === undefined ? undefined : site.get(url);
    if (found !== undefined) known.push(found.status === 200);
  }
  return known.length > 0 ? known.filter(Boolean).length * 100 > percent * known.length : undefined;
}
