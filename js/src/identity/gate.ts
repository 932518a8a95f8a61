/** Admits requests by the site's own documents: who signed them, what `decide` says, and the rate limits of each agent. */

import { options } from "../arguments.js";
import { Limiter } from "../call/limiter.js";
import { formats } from "../document.js";
import { type Decision, type Parsed, type Request as Question, decide, parsed } from "../policy.js";
import { Directory } from "./directory.js";
import type { JwkSet } from "./keys.js";
import { type Memory, Replays } from "./replays.js";
import { type Verdict, verify } from "./verifying.js";

const DAY = 86_400;
const MOST_AGENTS = 10_000;
/** What a request for a signature asks for (RFC 9421 section 5). */
const WANTED = 'sig1=("@authority" "@method" "@path" "@query" "signature-agent";key="sig1");created;expires;keyid;nonce;tag="web-bot-auth"';
const TITLES: { readonly [status: number]: string } = { 401: "Unauthorized", 403: "Forbidden", 429: "Too Many Requests" };

/** The options of `gate`. */
export interface GateOptions {
  /** The origin of the site, such as `https://shop.example`; several for a site with several names. The URL of a request is made of it, never of what `Host` says. */
  readonly origin: string | readonly string[];
  /** What the site publishes, as for `decide`. The agent of a decision is the User-Agent of the request. */
  readonly documents: Parsed | Iterable<Parsed>;
  readonly robots?: Question["robots"];
  /** A `Directory` or a JWK Set. Default: a Directory that fetches. */
  readonly keys?: JwkSet | Directory | undefined;
  /** `refuse` (the default) answers requests without a signature with 401; `pass` lets them through undecided. A signature that is not valid is refused in both cases. */
  readonly unsigned?: "refuse" | "pass" | undefined;
  /** Remembers used signatures; null lets them be used until they expire. Default: in the memory of this program. */
  readonly replays?: Memory | null | undefined;
  /** For how many seconds a signature may be valid. Default: a day. */
  readonly longest?: number | undefined;
  /** By how many seconds the clock of an agent may be ahead. Default 10. */
  readonly skew?: number | undefined;
}

/** Whether a request is admitted. */
export interface Admission {
  /** 200 if it is; otherwise the status of the answer: 401 without a valid signature, 403 if the documents deny it, 429 if a rate limit does. */
  readonly status: number;
  /** What is known of the signature. */
  readonly verdict: Verdict;
  /** What the documents say; undefined if they were not asked. */
  readonly decision: Decision | undefined;
  /** The reason of the verdict, of the decision, or `rate-limited`. */
  readonly reason: string;
  /** The answer as problem details (RFC 9457); undefined if the request may go on. */
  readonly response: Response | undefined;
}

/** Decides requests of fetch-style servers. The places of robots.txt and of the documents for agents are open to all: they are read before anything is decided. */
export function gate(given: GateOptions): (request: globalThis.Request, at?: { readonly now?: number }) => Promise<Admission> {
  const { origin, documents, robots, keys = new Directory(), unsigned = "refuse", replays = new Replays(), longest = DAY, skew } = options(given);
  const named = (typeof origin === "string" ? [origin] : [...(origin ?? [])]).map(originOf);
  const origins = new Map(named.map((each) => [new URL(each).host, each]));
  const [usual] = origins.values();
  if (usual === undefined) throw new TypeError("origin must name at least one origin");
  if (unsigned !== "refuse" && unsigned !== "pass") throw new TypeError('unsigned must be "refuse" or "pass"');
  const published = parsed(documents);
  const open = new Set(["/robots.txt", ...formats().flatMap(({ locations }) => locations)]);
  const limiters = new Map<string, Limiter>();

  /** Counts a request of an agent; the seconds until the limits permit it. */
  const wait = (identity: string, decision: Decision, at: number | undefined): number => {
    const limiter = limiters.get(identity) ?? new Limiter();
    if (!limiters.has(identity) && limiters.size >= MOST_AGENTS) {
      const [oldest, other] = limiters.entries().next().value!;
      // One that still counts would begin anew.
      if (other.isUsed(at)) return 60;
      limiters.delete(oldest);
    }
    limiters.delete(identity);
    limiters.set(identity, limiter);
    return limiter.take(decision, "call", at);
  };

  return async (request, { now } = {}) => {
    const asked = new URL(request.url);
    const own = origins.get((request.headers.get("host") ?? asked.host).toLowerCase()) ?? usual;
    const url = own + asked.pathname + asked.search;
    const { method, headers } = request;
    const verdict = await verify({ method, url, headers }, { keys, now, longest, skew, replays: replays ?? undefined });
    const isUnsigned = verdict.reason === "unsigned";
    if (isUnsigned && unsigned === "pass") return admission(200, verdict, undefined, "unsigned");
    const refused = () => admission(401, verdict, undefined, verdict.reason, verdict.message, { "WWW-Authenticate": "Signature", "Accept-Signature": WANTED });
    if (!verdict.valid && !isUnsigned) return refused();
    const agent = headers.get("user-agent") ?? "";
    const decision = decide(published, { agent, url, method, robots, origin: own });
    if (["GET", "HEAD"].includes(method) && open.has(asked.pathname)) return admission(200, verdict, decision, verdict.reason);
    if (isUnsigned) return refused();
    if (!decision.allowed) return admission(403, verdict, decision, decision.reason, decision.message);
    const seconds = wait(verdict.identity!, decision, now);
    if (seconds <= 0) return admission(200, verdict, decision, decision.reason);
    if (seconds === Infinity) return admission(403, verdict, decision, "rate-limited", "The site allows no requests.");
    const after = String(Math.ceil(seconds));
    return admission(429, verdict, decision, "rate-limited", `The rate limit of the site permits the next request in ${after} s.`, { "Retry-After": after });
  };
}

function admission(status: number, verdict: Verdict, decision: Decision | undefined, reason: string, detail = "", more: { readonly [name: string]: string } = {}): Admission {
  if (status === 200) return { status, verdict, decision, reason, response: undefined };
  const body = JSON.stringify({ type: "about:blank", title: TITLES[status], status, detail, reason });
  const headers = { "Content-Type": "application/problem+json", "Cache-Control": "no-store", ...more };
  return { status, verdict, decision, reason, response: new Response(body, { status, headers }) };
}

/** Scheme and authority of an origin. */
function originOf(url: string): string {
  const parts = URL.canParse(url) ? new URL(url) : undefined;
  if (parts === undefined || !/^https?:$/.test(parts.protocol) || parts.username || parts.password || parts.pathname !== "/" || parts.search || parts.hash) {
    throw new TypeError(`${JSON.stringify(url)} is not an origin such as https://shop.example`);
  }
  return parts.origin;
}
