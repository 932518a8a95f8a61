/** Reads what a call costs from an answer with status 402, by x402. Nothing here pays. */

import { type Document, parse } from "../document.js";
import { ParseError } from "../errors.js";
import type { Decision } from "../policy.js";
import type { Reply } from "../transport.js";
import { repr } from "../visible.js";
import { PaymentRequired, type PaymentTerms } from "./errors.js";
import { saidBy } from "./words.js";

/** The longest header or body that is read, in bytes; how many headers, and how many ways to pay in each; the longest text, and the digits of 2^256. */
const [MOST_READ, MOST_HEADERS, MOST_WAYS, LONGEST, MOST_DIGITS] = [64 << 10, 4, 20, 500, 78];
/** Members of a way to pay. One of them is enough. */
const PAYING = ["asset", "network", "payTo", "scheme"];

/** The error for an answer that states payment terms; undefined for any other answer. */
export function paymentRequired(capability: string, decision: Decision, reply: Reply): PaymentRequired | undefined {
  if (reply.status !== 402) return undefined;
  const [terms, ...others] = places(reply).map(ways).filter((each) => each.length > 0);
  if (terms === undefined) return undefined;
  const isContested = others.some((other) => costs(other) !== costs(terms));
  const said = saidBy(reply.body);
  const message = [
    `${repr(capability)} costs ${inWords(terms)}; nothing was paid`,
    ...(isContested ? ["the answer also states other terms"] : []),
    ...(said ? [`the server says: ${said}`] : []),
  ].join("; ");
  return new PaymentRequired(message, decision, reply.body, terms, isContested);
}

/** The places of an answer that can state terms: the headers of version 2, then the body of version 1. */
function places({ headers, body }: Reply): Uint8Array[] {
  const found: Uint8Array[] = [];
  for (const [, value] of headers.filter(([name]) => name.toLowerCase() === "payment-required").slice(0, MOST_HEADERS)) {
    const text = value.trim();
    if (text.length > MOST_READ || !/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)) continue;
    found.push(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)));
  }
  return body.length <= MOST_READ ? [...found, body] : found;
}

function ways(text: Uint8Array): PaymentTerms[] {
  let document: Document;
  try {
    document = parse(text, { format: "x402" });
  } catch (problem) {
    if (problem instanceof ParseError) return [];
    throw problem;
  }
  // The resources of a list say nothing about this answer.
  const plans = document.pricing?.plans ?? [];
  const paid = plans.filter((plan) => PAYING.some((name) => plan.metadata !== undefined && name in plan.metadata));
  return paid.slice(0, MOST_WAYS).map(({ metadata = {}, price: stated, name }) => {
    const member = (key: string) => short(metadata[key]);
    const [reference] = document.references;
    const price = short(stated);
    return {
      amount: price !== undefined && /^[0-9]+$/.test(price) && price.length <= MOST_DIGITS ? price : undefined,
      price,
      ...{ asset: member("asset"), network: member("network"), payee: member("payTo"), scheme: member("scheme") },
      description: member("description") || short(reference?.description),
      resource: short(name) || short(reference?.url),
    };
  });
}

/** What is paid to whom. The versions of x402 name networks in different ways. */
const costs = (terms: readonly PaymentTerms[]): string => JSON.stringify([...new Set(terms.map(({ price, asset, payee }) => JSON.stringify([price, asset, payee])))].sort());

/** A text unless it is too long, which no address and no amount is. */
const short = (value: unknown): string | undefined => (typeof value === "string" && [...value].length <= LONGEST ? value : undefined);

/** The first way to pay in words, and the number of the others. */
function inWords(terms: readonly PaymentTerms[]): string {
  const { amount, price, asset, network, payee } = terms[0]!;
  const unread = price === undefined ? "a price that cannot be read" : `a price that is no number of units (${repr(price)})`;
  const others = terms.length > 1 ? ` (or ${terms.length - 1} other ways)` : "";
  return `${amount === undefined ? unread : `${amount} units`} of ${asset || "an unknown asset"}${network ? ` on ${network}` : ""}${payee ? `, paid to ${payee}` : ""}${others}`;
}
