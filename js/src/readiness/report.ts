/** The report of a check: what holds for a site, what does not, and what could not be decided. */

/** What a check can find. `unknown` is no failure: the check's message says why nothing could be decided. */
export type Status = "pass" | "warn" | "fail" | "not-applicable" | "unknown";

const STATUSES: readonly string[] = ["pass", "warn", "fail", "not-applicable", "unknown"];

/** What a check looked at. Members that do not apply are null. */
export interface Evidence {
  /** The URL that was requested. */
  readonly url: string | null;
  /** The file in the folder, relative to it, with `/`. */
  readonly file: string | null;
  /** The line in the document or the file, from 1. */
  readonly line: number | null;
  /** The status code of the response. */
  readonly status: number | null;
  /** A header of the response, as `Name: value`. */
  readonly header: string | null;
  /** What was found there, as a sentence or as a part of the document. */
  readonly text: string | null;
}

/** What a scanner will probably say. */
export interface Prediction {
  readonly status: Status;
  /** Why, in a sentence. */
  readonly message: string;
}

/** One check and its result. */
export interface Check {
  /** The check, such as `robots-txt`; ids do not change. */
  readonly id: string;
  readonly status: Status;
  /** The result in a sentence. */
  readonly message: string;
  /** What the result is based on. */
  readonly evidence: readonly Evidence[];
  /** What to do; null if there is nothing to do. */
  readonly fix: string | null;
  /** What each scanner will probably say, by the name of the scanner. Never part of `status`, level or score. */
  readonly predicted: { readonly [scanner: string]: Prediction };
}

/** The result of a check of a site or a folder. Its JSON is that of `agentsdisc check --output-format json`. */
export interface Report {
  /** The version of the rules; results of different versions cannot be compared. */
  readonly rules: string;
  /** The URL or the folder that was checked. */
  readonly target: string;
  /** The level, 0 to 5: no check that applies fails up to it. */
  readonly level: number;
  /** The name of the level, such as `Readable`. */
  readonly level_name: string;
  /** How much of what applies holds, by weight. */
  readonly score: { readonly passed: number; readonly applicable: number; readonly percent: number };
  /** All checks, in a fixed order. */
  readonly checks: readonly Check[];
}

export const NOTHING: Evidence = { url: null, file: null, line: null, status: null, header: null, text: null };

/** Reads a report from its JSON. Throws a TypeError if it is none. */
export function readReport(json: string): Report {
  let values: Report;
  try {
    values = JSON.parse(json) as Report;
  } catch {
    throw new TypeError("not a report: it is no JSON");
  }
  const need = (object: unknown, ...names: string[]): void => {
    const missing = names.find((name) => typeof object !== "object" || object === null || !Object.hasOwn(object, name));
    if (missing !== undefined) throw new TypeError(`not a report: '${missing}'`);
  };
  need(values, "checks");
  if (!Array.isArray(values.checks)) throw new TypeError("not a report: 'checks'");
  for (const check of values.checks) need(check, "status");
  if (values.checks.some((check) => !STATUSES.includes(check.status))) throw new TypeError("not a report: a check has an unknown status");
  need(values, "rules", "target", "level", "level_name", "score");
  need(values.score, "passed", "applicable", "percent");
  const { rules, target, level, level_name, score } = values;
  const checks = values.checks.map((check) => {
    need(check, "id", "message", "evidence", "fix", "predicted");
    const { id, status, message, fix } = check;
    const evidence = (check.evidence as readonly Evidence[]).map(({ url, file, line, status, header, text }) => {
      const known = { url, file, line, status, header, text };
      return { ...NOTHING, ...Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined)) };
    });
    const predicted = Object.fromEntries(Object.entries(check.predicted as Check["predicted"]).map(([name, said]) => [name, { status: said.status, message: said.message }]));
    return { id, status, message, evidence, fix, predicted };
  });
  const { passed, applicable, percent } = score;
  return { rules, target, level, level_name, score: { passed, applicable, percent }, checks };
}
