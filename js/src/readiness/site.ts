/** Sends the requests of a check to a site, a few at the same time. */

import { Failed, type Transport } from "../transport.js";
import { completed } from "./completion.js";
import { requests } from "./prediction.js";
import type { Report } from "./report.js";
import { type Answer, type Measure, type Probe, type Subject, answered, facts, missing, nonce, originOf } from "./survey.js";

/** The maximum number of requests at the same time. */
const AT_ONCE = 4;
/** The time for one request, in seconds. */
const ONE = 20;
const WORDS: { readonly [why: string]: string } = {
  timeout: "it does not answer in time",
  "not-connected": "it cannot be reached",
  unreachable: "it does not answer",
  "too-large": "its answer is too large",
  ECONNREFUSED: "it refuses the connection",
  ENOTFOUND: "its name cannot be resolved",
  EAI_AGAIN: "its name cannot be resolved",
};

export interface Sending {
  readonly send: Transport;
  readonly agent: string;
  /** The time for the whole site, in seconds. */
  readonly timeout: number;
  readonly most: number;
  readonly allowPrivate: boolean;
}

/** Checks a site. Throws a TypeError if the URL is not that of one, an Error if it does not answer at all. */
export async function checkUrl(url: string, measure: Measure, { send, agent, timeout, most, allowPrivate }: Sending): Promise<Report> {
  const asked = originOf(url);
  const { budget } = facts();
  const end = AbortSignal.timeout(Math.min(timeout * 1000, 2 ** 31 - 1));
  const named = allowPrivate ? [asked] : [];

  const sent = async (probe: Probe): Promise<Answer> => {
    if (end.aborted) return answered(probe, { failure: "no time was left" });
    const headers: (readonly [string, string])[] = [["User-Agent", agent], ["Accept", probe.accept], ...probe.headers];
    // Errors of calls are messages.
    const call = probe.content === "" ? {} : { content: probe.content, keepsErrors: true };
    if (probe.origin !== null) headers.push(["Origin", probe.origin]);
    const signal = AbortSignal.any([end, AbortSignal.timeout(ONE * 1000)]);
    try {
      const reply = await send({ ...{ url: probe.url, method: probe.method, headers, signal, named }, ...call, limit: most, cuts: true });
      return answered(probe, { status: reply.status, headers: reply.headers, body: reply.body, isCut: reply.body.length >= most });
    } catch (problem) {
      if (!(problem instanceof Failed)) throw problem;
      const said = problem.detail ?? WORDS[problem.reason ?? ""] ?? WORDS[problem.why] ?? problem.why;
      const helps = said.includes("its address is not public") && !said.includes("only the host");
      return answered(probe, { failure: end.aborted ? "no time was left" : helps ? `${said}; allowPrivate: true permits those of the site itself` : said });
    }
  };
  const ask = async (probes: readonly Probe[]): Promise<Answer[]> => {
    const answers: Answer[] = [];
    let next = 0;
    const work = async () => {
      for (let at = next++; at < probes.length; at = next++) answers[at] = await sent(probes[at]!);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return answers;
  };
  const survey = async (subject: Subject, before: readonly Answer[], most: number, isWanted = (_: Probe) => true): Promise<Answer[]> => {
    const found = [...before];
    while (true) {
      const probes = missing(subject, found).filter(isWanted).slice(0, Math.max(0, most - found.length));
      if (probes.length === 0) return found;
      found.push(...(await ask(probes)));
    }
  };
  const subjectAt = (origin: string): Subject => {
    // What a server on this machine names is another site.
    const own = isLoopback(new URL(origin).hostname) ? "" : origin;
    return { ...{ target: asked, origin, measure, agent, isFolder: false, nonce: nonce() }, canonical: measure.canonical ?? own };
  };

  let subject = subjectAt(asked);
  let answers = await survey(subject, [], budget, ({ url }) => url === `${asked}/robots.txt` || url === `${asked}/`);
  const there = moved(asked, answers);
  let spent = 0;
  if (there !== undefined) [subject, spent, answers] = [subjectAt(there), answers.length, []];
  answers = await survey(subject, answers, budget - spent);
  const left = Math.max(0, budget - spent - answers.length);
  answers.push(...(await ask(requests(subject.origin, answers, agent).slice(0, left))));
  if (!answers.some(({ status }) => status > 0)) throw new Error(`${asked}: ${answers[0]?.failure ?? "it does not answer"}`);
  return completed(subject, answers);
}

/** Whether a host is this machine. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[|\]$|\.$/g, "");
  return name === "localhost" || name.endsWith(".localhost") || name === "::1" || /^127\.\d+\.\d+\.\d+$/.test(name) || /^::ffff:7f[0-9a-f]{2}:/.test(name);
}

/** The origin to which the home page redirects, if that is https of the same name, with or without `www.`. */
function moved(origin: string, answers: readonly Answer[]): string | undefined {
  const target = answers.find(({ probe }) => probe.url === `${origin}/`)?.headers.find(([name]) => name.toLowerCase() === "location")?.[1];
  if (target === undefined || !URL.canParse(target, `${origin}/`)) return undefined;
  try {
    const there = originOf(new URL(target, `${origin}/`).href);
    const name = (url: string) => new URL(url).hostname.replace(/^www\./, "");
    return name(there) === name(origin) && there !== origin && there.startsWith("https://") ? there : undefined;
  } catch {
    return undefined;
  }
}
