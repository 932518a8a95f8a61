/** Drives the checks of the core: sends the requests that they need, and makes the report of what they find. */

import { type Argument, encoded, readiness } from "../engine.js";
import { PROFILES } from "./generated.js";
import { type Check, type Evidence, NOTHING, type Report, type Status } from "./report.js";

/** A request that a check needs. */
export interface Probe {
  readonly url: string;
  readonly method: string;
  readonly accept: string;
  /** The value of `Origin`, for CORS. */
  readonly origin: string | null;
  /** More headers. */
  readonly headers: readonly (readonly [string, string])[];
  /** The body; empty for none. */
  readonly content: string;
}

/** What a server or a folder answered. */
export interface Answer {
  readonly probe: Probe;
  /** The status code; 0 without an answer. */
  readonly status: number;
  /** Names and values; each character is an octet. */
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Uint8Array;
  /** Why there is no answer or no body, in words; empty if there is one. */
  readonly failure: string;
  readonly isCut: boolean;
  /** Whether the headers of a file are not known. */
  readonly hidesHeaders: boolean;
  /** The file of a folder, relative to it. */
  readonly file: string | null;
}

const EMPTY = { status: 0, headers: [], body: new Uint8Array(), failure: "", isCut: false, hidesHeaders: false, file: null };

export const answered = (probe: Probe, parts: Partial<Answer>): Answer => ({ ...EMPTY, probe, ...parts });

/** By which measure a site is checked. */
export interface Measure {
  /** The origin that the documents name, if the caller says so. */
  readonly canonical: string | undefined;
  /** The topics that must be there. */
  readonly expected: readonly string[];
  /** The topics that are not checked. */
  readonly ignored: readonly string[];
  readonly profile: string | undefined;
  /** Whether MCP servers on the host of the site are called. */
  readonly calls: boolean;
}

/** What is checked. */
export interface Subject {
  /** The URL or the folder, as in the report. */
  readonly target: string;
  /** Where requests go. */
  readonly origin: string;
  /** The origin that the documents name; empty if it is not known. */
  readonly canonical: string;
  readonly measure: Measure;
  /** The name by which robots.txt is read. */
  readonly agent: string;
  readonly isFolder: boolean;
  /** A path that no site has. */
  readonly nonce: string;
}

interface Facts {
  readonly budget: number;
  readonly user_agent: string;
  readonly topics: readonly string[];
}

let known: Facts | undefined;

export const facts = (): Facts => (known ??= readiness().json<Facts>("readiness_facts", undefined));

/** The origin of a site. Throws a TypeError if there is none. */
export function originOf(url: string): string {
  const [answer, isError] = readiness().answer("readiness_origin", undefined, url);
  const said = JSON.parse(new TextDecoder().decode(answer)) as string;
  if (isError) throw new TypeError(said);
  return said;
}

/** Reads the arguments of a check. Throws a TypeError for an unknown name or an invalid origin. */
export function measureOf(canonical: string | undefined, profile: string | undefined, expect: readonly string[], calls: boolean): Measure {
  const profiles = Object.keys(PROFILES);
  const { topics } = facts();
  if (profile !== undefined && !profiles.includes(profile)) throw new TypeError(`'${profile}' is not a profile: ${profiles.join(", ")}`);
  for (const name of expect) if (!topics.includes(name)) throw new TypeError(`'${name}' cannot be expected: ${topics.join(", ")}`);
  const [must, not] = profile === undefined ? [[], []] : PROFILES[profile]!;
  const expected = [...new Set([...must, ...expect])];
  return { canonical: canonical === undefined ? undefined : originOf(canonical), expected, ignored: not.filter((name) => !expected.includes(name)), profile, calls };
}

export function nonce(): string {
  return `agentsdisc-${Array.from(crypto.getRandomValues(new Uint8Array(8)), (octet) => octet.toString(16).padStart(2, "0")).join("")}`;
}

/** The octets of a text in which each character is one. */
export const octets = (text: string): Uint8Array => Uint8Array.from(text, (c) => c.charCodeAt(0) & 255);

/** A text whose characters are the octets of UTF-8. */
export const spelled = (text: string): string => Array.from(encoded(text), (octet) => String.fromCharCode(octet)).join("");

interface Found {
  readonly check: string;
  readonly status: Status;
  readonly message: string;
  readonly fix: string | null;
  readonly answer: number | null;
  readonly header: string | null;
  readonly line: number | null;
}

interface Walked {
  readonly rules: string;
  readonly probes: readonly Probe[];
  readonly findings: readonly Found[];
  readonly statuses: readonly (readonly [string, Status])[];
  readonly level: number;
  readonly level_name: string;
  readonly halves: number;
  readonly applicable: number;
  readonly percent: number;
}

/** Walks over all checks once: what they still need, and what they find. */
function walk(subject: Subject, answers: readonly Answer[]): Walked {
  const { origin, canonical, agent, nonce, isFolder, measure } = subject;
  const list = (names: readonly string[]): Argument[] => [names.length, ...names];
  const given = answers.flatMap(({ probe, status, failure, hidesHeaders, isCut, headers, body }): Argument[] => [
    ...[probe.url, probe.method, probe.accept, status, failure, hidesHeaders, isCut, headers.length],
    ...headers.flatMap(([name, value]) => [octets(name), octets(value)]),
    body,
  ]);
  const asked = [origin, canonical, agent, nonce, isFolder, measure.calls, ...list(measure.expected), ...list(measure.ignored), answers.length, ...given];
  return readiness().json<Walked>("readiness_survey", undefined, ...asked);
}

const key = ({ url, method, accept, origin }: Probe): string => JSON.stringify([url, method, accept, origin]);

/** The requests that the checks need besides those that are answered. */
export function missing(subject: Subject, answers: readonly Answer[]): Probe[] {
  const known = new Set(answers.map(({ probe }) => key(probe)));
  const wanted = new Map(walk(subject, answers).probes.map((probe) => [key(probe), probe]));
  return [...wanted].filter(([name]) => !known.has(name)).map(([, probe]) => probe);
}

/** Which findings of a check give its message, the most serious first. */
export const WORST: readonly Status[] = ["fail", "warn", "pass", "unknown", "not-applicable"];

/** Makes the report of what the answers mean. */
export function reportOf(subject: Subject, answers: readonly Answer[]): Report {
  const { rules, findings, statuses, level, level_name, halves, applicable, percent } = walk(subject, answers);
  const checks = statuses.map(([id, status]) => check(id, status, findings.filter((found) => found.check === id), answers));
  return { rules, target: subject.target, level, level_name, score: { passed: halves / 2, applicable, percent }, checks };
}

function check(id: string, status: Status, findings: readonly Found[], answers: readonly Answer[]): Check {
  if (findings.length === 0) return { id, status, message: "it does not concern this site", evidence: [], fix: null, predicted: {} };
  const ordered = [...findings].sort((a, b) => WORST.indexOf(a.status) - WORST.indexOf(b.status));
  const worst = ordered.filter((found) => found.status === status);
  const distinct = new Set(worst.map((found) => found.message)).size;
  let { message } = worst[0]!;
  let shown = worst;
  if (status === "warn" || status === "fail") {
    if (distinct > 1) message += ` (and ${distinct - 1} more)`;
    shown = ordered.filter((found) => found.status === "warn" || found.status === "fail");
  } else if (status === "pass") {
    shown = ordered.filter((found) => found.status !== "not-applicable");
  }
  const evidence = new Map(shown.map((found) => evidenceOf(found, answers)).map((each) => [JSON.stringify(each), each]));
  const fix = worst.find((found) => found.fix !== null)?.fix ?? null;
  return { id, status, message, evidence: [...evidence.values()], fix, predicted: {} };
}

function evidenceOf({ message, answer: number, header, line }: Found, answers: readonly Answer[]): Evidence {
  const answer = number === null ? undefined : answers[number];
  if (answer === undefined) return { ...NOTHING, line, text: message };
  const { file, probe, status } = answer;
  return { url: file === null ? probe.url : null, file, line, status: file === null ? status || null : null, header, text: message };
}
