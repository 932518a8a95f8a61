/** Why calls fail, in words. */

import { isObject } from "../arguments.js";
import { nearest } from "../difflib.js";
import type { Document } from "../document.js";
import { Keys, beginning, oneLine, repr, start, visible } from "../visible.js";
import type { Decision } from "../policy.js";
import type { Next } from "./core.js";
import { CredentialsNeeded, PolicyDenied } from "./errors.js";

/** How many characters of a server's own words an error repeats, and the longest answer that is read for them, in bytes. */
const [MOST_SAID, MOST_READ] = [300, 64 << 10];
/** The members of a JSON answer that say why it is an error: of OAuth 2 (RFC 6749 section 5.2), of problem details (RFC 9457), and usual ones. */
const SAYING = ["error", "error_description", "title", "detail", "message", "reason", "text"];
/** The members that may hold such an object, or a list of them. */
const INSIDE = ["errors", "error", "content"];
/** How many capabilities an error names; how many are compared with an unknown one, and the longest id that is. */
const [MOST_NAMED, MOST_COMPARED, LONGEST_NAME] = [20, 1000, 64];

type Members = { readonly [name: string]: unknown };
const members = (value: unknown): Members => (isObject(value) ? value : {});

/** What a server says about an error, in one line for people: the members of JSON that say it, or a text; empty for anything else, and for a long answer. */
export function saidBy(body: Uint8Array): string {
  if (body.length > MOST_READ) return "";
  let said: string;
  try {
    said = new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    return "";
  }
  try {
    said = [...new Set(wordsIn(JSON.parse(said)))].join("; ");
  } catch {
    if (said.trimStart().startsWith("<")) return "";
  }
  return beginning(oneLine(visible(said, new Keys(body))), MOST_SAID);
}

function* wordsIn(value: unknown): Generator<string> {
  if (typeof value === "string") return yield value;
  const first = (name: string): unknown => {
    const member = members(value)[name];
    return Array.isArray(member) && member.length > 0 ? (member[0] as unknown) : member;
  };
  for (const member of [value, ...INSIDE.map(first)]) {
    if (typeof member === "string") yield member;
    else for (const name of SAYING) if (typeof members(member)[name] === "string") yield members(member)[name] as string;
  }
}

/** Which capabilities there are, as the end of a message about one that is not declared; empty if there are none. */
export function near(name: string, documents: readonly Document[]): string {
  const names = [...new Set(documents.flatMap((document) => document.capabilities.map(({ id }) => id ?? "")))].filter((id) => id !== "");
  if (names.length === 0) return "";
  // Comparing takes time with the number and the square of the lengths of names, which a document chooses.
  const short = names.filter((each) => [...each].length <= LONGEST_NAME).slice(0, MOST_COMPARED);
  const [close] = nearest(start(name, LONGEST_NAME), short, 1);
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : "";
  return `; ${close === undefined ? "" : `did you mean ${repr(close)}? `}declared: ${names.slice(0, MOST_NAMED).map(repr).join(", ")}${more}`;
}

/** Where a new token is obtained, as the end of a message. */
export const renewable = (url: string | undefined): string => (url ? `; a new token is obtained at ${url}` : "");

/** Why a call has failed. */
export function why(next: Next, status: number): string {
  if (next.next === "recover") return `status ${status}; the document says: ${next.text ?? ""}`;
  const reasons: { readonly [failure: string]: string } = {
    redirect: `status ${status}: redirects are not followed`,
    job: "the job has failed",
    "too-many-retries": `status ${status} after several attempts`,
    "too-many-polls": "the job has not ended after 100 polls",
    "too-many-recoveries": `status ${status}; the recoveries did not help`,
  };
  return reasons[next.failure ?? ""] ?? `status ${status}`;
}

/** The error for a denial, with its reason and the line that decides. */
export function denied(decision: Decision, what: string): PolicyDenied {
  const { rule, message, reason } = decision;
  const source = rule?.document === "robots" ? "robots.txt" : `document ${rule?.document}`;
  const place = rule === undefined ? "" : ` (${source}, line ${rule.line}: ${rule.text})`;
  return new PolicyDenied(`${what}: ${message} [${reason}]${place}`, decision);
}

/** The error for a call without the credentials that it needs. */
export const withoutToken = (decision: Decision): CredentialsNeeded =>
  new CredentialsNeeded(`${repr(decision.capability ?? "")} needs credentials: ${decision.auth.type ?? "unknown"}`, decision);
