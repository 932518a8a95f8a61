/** `agentsdisc tools`: lists what an agent may call on a site, and what not and why. */

import { read } from "../json.js";
import { type Offer, offersJson, withWords } from "../policy.js";
import { type Style as Shape, Tools, hostIn } from "../tools.js";
import type { Command, Given } from "./arguments.js";
import { DOCUMENTS, type Site, type Source, declared, facts, put, readSite, wordsOf } from "./decide.js";
import { Unreadable, print, tell } from "./reading.js";
import { oneLine } from "../visible.js";
import { Keys, type Style, type Value, beginning, count, style, visible } from "./text.js";

const MOST_SAID = 200;
const MOST_NAMED = 8;
const AMBIGUOUS = "several capabilities of one document have the same id, so none of them is called";

/** The command. A function, because `decide` lists capabilities as well. */
export const toolsCommand = (): Command => ({
  name: "tools",
  files: "FILE|URL",
  several: true,
  options: [
    ...DOCUMENTS,
    { names: ["--json"], kind: "flag", group: "output" },
    { names: ["--style"], choices: ["openai", "anthropic", "mcp"], group: "output" },
  ],
});

export function tools(given: Given): number {
  for (const name of ["method", "content-usage"]) {
    if (given[name] !== undefined) throw new Unreadable(`--${name} needs --url or --capability beside it`);
  }
  const site = readSite(given);
  const json = offersJson(site.documents, site.asked);
  const offers = withWords(json);
  const keys = new Keys(...site.texts.map(([, data]) => data));
  if (given.style !== undefined) {
    const { agent, origin } = site.asked;
    const shape = given.style as Shape;
    const made = new Tools(json, shape, "", hostIn({ documents: site.documents, origin }), site.documents, { agent });
    const leftOut = offers.filter(({ ambiguous }) => ambiguous).map(({ id }) => visible(id, keys));
    if (leftOut.length > 0) tell(`left out, ${AMBIGUOUS}: ${leftOut.slice(0, MOST_NAMED).join(", ")}`);
    put([...made.byName.values()].map((tool) => tool._shaped(shape)), keys);
  } else {
    const written = read(json) as Map<string, Value>;
    const members = written.get("capabilities") as Map<string, Value>[];
    if (given.json) put(values(written, members, offers, site), keys);
    else for (const line of lines(offers, members, site, keys, style())) print(line);
  }
  return offers.some(isUsable) ? 0 : 1;
}

const isUsable = ({ decision, ambiguous }: Offer): boolean => decision.allowed && !ambiguous;

/** The capabilities, each with what is known about its signature and digest; and what the documents say in words, if there are any. */
function values(written: Map<string, Value>, members: readonly Map<string, Value>[], offers: readonly Offer[], site: Site): Value {
  if (offers.length === 0) return new Map([["capabilities", []]]);
  for (const [at, each] of members.entries()) {
    for (const [name, standing] of declared(site.documents, offers[at]!.decision)) (each.get("decision") as Map<string, Value>).set(name, standing);
  }
  return written;
}

/** The capabilities for people: those that are allowed first. */
function* lines(offers: readonly Offer[], members: readonly Map<string, Value>[], { documents, texts }: Site, keys: Keys, paint: Style): Generator<string> {
  const [one] = offers;
  if (one === undefined) return yield "no capabilities";
  const width = Math.min(32, Math.max(...offers.map(({ id }) => count(visible(id, keys)))));
  const all = offers.map((offer, at) => [offer, members[at]!.get("decision") as Map<string, Value>] as const);
  const rank = ([offer]: (typeof all)[number]) => Number(!isUsable(offer));
  for (const [offer, written] of [...all].sort((a, b) => rank(a) - rank(b))) {
    const { id, decision, description } = offer;
    const answer = isUsable(offer) ? paint("allowed", "green") : paint("denied ", "red");
    const shown = visible(id, keys);
    const name = shown + " ".repeat(Math.max(0, width - count(shown)));
    const said = decision.allowed && offer.ambiguous
      ? `${AMBIGUOUS} [ambiguous-id]`
      : decision.allowed
      ? [...facts(decision, written, declared(documents, decision))].map(([label, value]) => `${label}: ${value}`).join("; ")
      : `${decision.message} [${decision.reason}]${ruleOf(offer, texts)}`;
    yield `${answer}  ${paint(name, "bold")}  ${visible(said, keys)}`.trimEnd();
    if (description) yield `         ${" ".repeat(width)}  ${paint(visible(beginning(oneLine(description), MOST_SAID), keys), "dim")}`;
  }
  yield* wordsOf(one.decision, keys, paint);
}

function ruleOf({ decision: { rule } }: Offer, texts: readonly Source[]): string {
  if (rule === undefined) return "";
  const where = rule.document === "robots" ? "robots.txt" : texts[rule.document]![0];
  return ` ${where}:${rule.line}: ${beginning(rule.text, MOST_SAID)}`;
}
