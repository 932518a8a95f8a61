import { maybeWord, options, word, words } from "./arguments.js";
import { type Argument, type Source, engine } from "./engine.js";
import type { Json } from "./model.js";
import { RobotsTxt, mustName } from "./robots-txt.js";

/** What is asked: an agent, and either a URL or a capability. */
export interface Request {
  /** The agent: its name, or its User-Agent. */
  readonly agent: string;
  /** The URL to request, or a path of the site. */
  readonly url?: string | undefined;
  /** The id of the capability to use. */
  readonly capability?: string | undefined;
  /** The method. Default: GET for a URL, the declared method for a capability. */
  readonly method?: string | undefined;
  /** The robots.txt; `absent` if there is none (a 4xx status), `unreachable` if it cannot be fetched. Default: it was not requested. */
  readonly robots?: RobotsTxt | "absent" | "unreachable" | undefined;
  /** The origin from which the documents were fetched. Default: the site that they name. */
  readonly origin?: string | undefined;
  /** Endpoints on other domains that the user has approved. */
  readonly approved?: Iterable<string> | undefined;
  /** What the content is used for, such as `train-ai`. */
  readonly purpose?: string | undefined;
  /** The Content-Usage header of the answer. */
  readonly contentUsage?: string | undefined;
}

/** The text that decides. */
export interface DecisionRule {
  readonly text: string;
  /** The index of its document, or `robots`. */
  readonly document: number | "robots";
  readonly line: number;
  readonly column: number;
}

/** A rate limit that applies to a request. */
export interface AppliedLimit {
  /** `agent`, `capability`, `service` or `robots`. */
  readonly scope: string;
  readonly document: number | "robots";
  readonly requests: number;
  readonly milliseconds?: number;
  readonly window?: string;
  readonly capability?: string;
}

/** How to authenticate. */
export interface DecisionAuth {
  /** `not-stated`, `none`, `optional` or `required`. */
  readonly need: string;
  readonly type?: string;
  readonly type_text?: string;
  readonly document?: number;
  readonly token_url?: string;
  readonly authorization_url?: string;
  readonly refresh_url?: string;
  readonly refresh_relation?: string;
  readonly refresh_relation_verified?: boolean;
  readonly setup_url?: string;
  readonly docs_url?: string;
  readonly scopes?: readonly string[];
  readonly header?: string;
  readonly prefix?: string;
}

/** Whether a request is allowed, and what to know before sending it (docs/policy.md). Absent members are undefined. */
export interface Decision {
  readonly allowed: boolean;
  /** An id of a closed list, such as `not-listed`. */
  readonly reason: string;
  /** The reason in a sentence. */
  readonly message: string;
  readonly rule?: DecisionRule;
  readonly preference?: { readonly purpose: string; readonly preference: string; readonly statement?: DecisionRule; readonly header?: boolean };
  /** The policy that applies to the agent: `named`, `any` or `none`. */
  readonly agent: string;
  readonly capability?: string;
  readonly endpoint?: string;
  readonly method?: string;
  readonly detail_unknown?: boolean;
  readonly relation?: string;
  readonly relation_verified?: boolean;
  /** `allowed`, `insecure`, `non-ascii-host`, `other-domain` or `unknown-host`. */
  readonly credentials: string;
  readonly auth: DecisionAuth;
  readonly session?: { readonly ttl_seconds: number; readonly create: string; readonly delete?: string };
  /** What a person must confirm. */
  readonly human?: {
    readonly confirmation: string;
    readonly sensitivity?: string;
    readonly sensitivity_text?: string;
    readonly reversible?: boolean;
    readonly handoff: boolean;
  };
  readonly degraded?: boolean;
  readonly synthetic?: boolean;
  readonly confidence?: Json;
  readonly rate_limits?: readonly AppliedLimit[];
  readonly advisory_limit?: AppliedLimit;
  readonly prerequisites?: readonly string[];
  readonly prerequisites_unknown?: boolean;
  readonly prerequisite_cycle?: readonly string[];
  readonly can?: readonly string[];
  readonly cannot?: readonly string[];
  readonly behavior?: readonly string[];
  readonly unread?: readonly string[];
}

/** Anything with a document in it. */
export interface Parsed {
  /** @internal */
  readonly _source: Source;
}

/** @internal The documents and the arguments of a question, in the order in which the module reads them. */
export function question(documents: readonly Parsed[], given: Request): [Source[], Argument[]] {
  const { agent, url, capability, method, robots, origin, approved, purpose, contentUsage } = options(given);
  const asked = [
    word(agent, "agent"),
    maybeWord(url, "url"),
    maybeWord(capability, "capability"),
    maybeWord(method, "method"),
    maybeWord(origin, "origin"),
    maybeWord(purpose, "purpose"),
    maybeWord(contentUsage, "contentUsage"),
  ];
  const endpoints = words(approved, "approved");
  if ((asked[1] === undefined) === (asked[2] === undefined)) throw new TypeError("give either url or capability");
  if (asked[5] !== undefined) mustName(asked[5]);
  const sources = documents.map((document) => document._source);
  let state = 0;
  if (robots instanceof RobotsTxt) {
    sources.push(robots._source);
    state = 1;
  } else if (robots === "absent") state = 2;
  else if (robots === "unreachable") state = 3;
  else if (robots !== undefined && robots !== null) {
    throw new TypeError('robots must be a RobotsTxt, "absent", "unreachable" or undefined');
  }
  return [sources, [state, ...asked, endpoints.length, ...endpoints]];
}

/** The documents in an argument: one, or several. */
export function parsed(value: unknown): Parsed[] {
  const isOne = (each: unknown): each is Parsed => each instanceof Object && "_source" in each && !(each instanceof RobotsTxt);
  if (isOne(value)) return [value];
  if (typeof value !== "object" || value === null || typeof (value as Iterable<unknown>)[Symbol.iterator] !== "function") {
    throw new TypeError("documents must be a Document or a list of them");
  }
  return Array.from(value as Iterable<unknown>, (each, at) => {
    if (!isOne(each)) throw new TypeError(`documents[${at}] must be a Document`);
    return each;
  });
}

/** Decides a request by the documents of one site and its robots.txt. An invalid URL, method or agent is denied. */
export function decide(documents: Parsed | Iterable<Parsed>, request: Request): Decision {
  const [sources, given] = question(parsed(documents), request);
  return engine().json("decide", sources, ...given);
}
