/** `agentsdisc explain`: what a finding of `lint` means, why it matters, and how to correct it. */

import type { Command, Given } from "./arguments.js";
import { nearest } from "../difflib.js";
import { EXPLAINED, type Explained } from "./generated.js";
import { Unreadable, print } from "./reading.js";
import { dumps, style, visible } from "./text.js";

export const EXPLAIN: Command = { name: "explain", files: "CODE", several: true, optional: true, options: [{ names: ["--json"], kind: "flag" }] };

const CODES = Object.keys(EXPLAINED);

/** What is known about a code; undefined for the kind of an error, which no table explains. */
export const explained = (code: string): Explained | undefined => (Object.hasOwn(EXPLAINED, code) ? EXPLAINED[code] : undefined);

/** A code, if there is one with this name. */
export function checked(code: string): string {
  if (explained(code) !== undefined) return code;
  const near = nearest(code, CODES, 3);
  const hint = near.length > 0 ? `; did you mean ${near.join(" or ")}?` : "";
  throw new Unreadable(`${visible(code)} is not the code of a finding${hint} (agentsdisc explain lists them)`);
}

export function explain(given: Given): number {
  const wanted = given.files.map((code) => EXPLAINED[checked(code)]!);
  const all = Object.values(EXPLAINED);
  if (given.json) print(dumps((wanted.length > 0 ? wanted : all).map((said) => ({ ...said })), 2));
  else if (wanted.length === 0) for (const { code, severity, about } of all) print(`${code.padEnd(28)}${severity.padEnd(9)}${about}`);
  else {
    const paint = style();
    wanted.forEach((said, number) => {
      const [first, ...rest] = explanation(said);
      print([...(number > 0 ? [""] : []), paint(first!, "bold"), ...rest].join("\n"));
    });
  }
  return 0;
}

/** The lines of a document. */
function indented(document: string): string[] {
  const lines = document.split(/\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/);
  if (lines.at(-1) === "") lines.pop();
  return lines.map((line) => `    ${visible(line)}`);
}

/** The lines of one explanation. */
export function explanation(said: Explained): string[] {
  const { code, severity, points_at: where, about, why, help, format, wrong, message, spec, section, right } = said;
  const text = [`${code} (${severity}${where === undefined ? "" : `, at ${where}`})`, "", about, ...(why ? [why] : [])];
  if (wrong !== undefined) {
    text.push("", `Wrong, in a document of the format ${format}:`, "", ...indented(wrong));
    text.push("", `${visible(message!)} (${spec}${section ? `, section ${section}` : ""})`, "", "Right:", "", ...indented(right!));
  }
  return [...text, "", help];
}
