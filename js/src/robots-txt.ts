import { type Data, type Limits, options, source, text } from "./arguments.js";
import { type Source, decoded, engine, wellFormed } from "./engine.js";

/** The number of the format `robots-txt`. */
export const ROBOTS_TXT = 10;

/** The rule of a robots.txt that decides. */
export interface DecidingRule {
  /** Whether the rule allows. */
  readonly allow: boolean;
  /** The pattern of paths, as written. */
  readonly pattern: string;
  /** Its line, from 1. */
  readonly line: number;
  /** Offsets of the start and the end of the pattern, in bytes. */
  readonly span: readonly [number, number];
}

/** Whether an agent may fetch a URL. */
export interface RobotsDecision {
  readonly allowed: boolean;
  /** `rule`, `no-rule`, `no-group` or `robots-file`. */
  readonly reason: string;
  /** The rule that decides; null unless the reason is `rule`. */
  readonly rule: DecidingRule | null;
  /** The groups that apply: those that name the agent, or those for `*`. */
  readonly binding: "named" | "any" | null;
}

/** What a line of a robots.txt says about one use of content. */
export interface Preference {
  /** `train-ai`, `search`, `ai-input` or `unknown`. */
  readonly purpose: string;
  /** The purpose as written, such as `ai-train`. */
  readonly purpose_text: string;
  /** `allow`, `disallow` or `not-stated`. */
  readonly preference: string;
  /** That value as written. */
  readonly preference_text: string;
  /** The pattern of paths; null for all paths. */
  readonly path: string | null;
  /** The agents of the group; empty before the first group, for every agent. */
  readonly agents: readonly string[];
  /** `content-signal` or `content-usage`. */
  readonly source: string;
  /** The line, from 1. */
  readonly line: number;
  /** Offsets of the start and the end, in bytes. */
  readonly span: readonly [number, number];
}

/** Whether the content at a URL may be used for a purpose. */
export interface PreferenceAnswer {
  /** `allow`, `disallow` or `not-stated`. */
  readonly preference: "allow" | "disallow" | "not-stated";
  /** The statement that decides; null if none does, or if the header decides. */
  readonly statement: Preference | null;
  /** Whether the agent may fetch the URL. If not, the robots.txt states nothing about it. */
  readonly crawlable: boolean;
  /** Whether the Content-Usage header decides. */
  readonly by_header: boolean;
}

/** An agent or a URL; no pattern contains the replacement of a lone surrogate. */
const octets = (value: unknown, name: string): string => wellFormed(text(value, name), "\ufffd");

/** A robots.txt (RFC 9309), in any encoding. Parsing never fails; only the first `limits.robots` bytes are read. */
export class RobotsTxt {
  /** @internal */
  readonly _source: Source;

  constructor(data: Data, given?: { readonly limits?: Limits | undefined }) {
    const { limits } = options(given);
    this._source = source(data, ROBOTS_TXT, { limits }).source;
    engine().load([this._source]);
  }

  /** Whether `agent` (a name or a User-Agent) may fetch `url` (a URL, or a path). */
  allowed(agent: string, url: string): boolean {
    return engine().number("robots_allowed", [this._source], octets(agent, "agent"), octets(url, "url")) === 1;
  }

  /** The same, with the rule that decides. */
  decide(agent: string, url: string): RobotsDecision {
    return engine().json("robots_decide", [this._source], octets(agent, "agent"), octets(url, "url"));
  }

  /** The seconds to wait between two requests of `agent`; undefined if none are stated. */
  crawlDelay(agent: string): number | undefined {
    const delay = engine().json<number | null>("robots_crawl_delay", [this._source], octets(agent, "agent"));
    return delay === null ? undefined : delay / 1000;
  }

  /** Whether the content at `url` may be used for `purpose`: `train-ai`, `search`, `ai-input` or another label. */
  preference(agent: string, url: string, purpose: string, given?: { readonly contentUsage?: string | undefined }): PreferenceAnswer {
    const { contentUsage } = options(given);
    const used = octets(purpose, "purpose");
    mustName(used);
    const header = contentUsage === undefined || contentUsage === null ? "" : octets(contentUsage, "contentUsage");
    return engine().json("robots_preference", [this._source], octets(agent, "agent"), octets(url, "url"), used, header);
  }

  /** What the content may be used for: one item for each purpose of a line. */
  get preferences(): readonly Preference[] {
    return engine().json("robots_preferences", [this._source]);
  }

  /** The text. */
  toString(): string {
    const { data } = this._source;
    return typeof data === "string" ? data : decoded(data);
  }
}

/** Rejects a purpose without a name, which would be a question about nothing. */
export function mustName(purpose: string): void {
  if (/^[\t\n\f\r ]*$/.test(purpose)) throw new TypeError("purpose is empty; use train-ai, search, ai-input or another label");
}

/** Reads a robots.txt. */
export function robots(data: Data, given?: { readonly limits?: Limits | undefined }): RobotsTxt {
  return new RobotsTxt(data, given);
}
