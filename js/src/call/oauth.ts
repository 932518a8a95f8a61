/** Obtains OAuth 2 tokens for calls: client credentials and refresh tokens (RFC 6749 sections 4.4 and 6). */

import { checkTimeout, isObject, maybe, text, words } from "../arguments.js";
import { encoded } from "../engine.js";
import type { Decision } from "../policy.js";
import { Failed, type Reply, type Sent } from "../transport.js";
import { CredentialsNeeded, CredentialsRefused } from "./errors.js";
import { isValue } from "./options.js";
import { jsonOf } from "./talk.js";
import { saidBy } from "./words.js";

/** The longest token, the longest answer in bytes, and the most seconds that a lifetime is taken for. */
const [LONGEST, LARGEST, MOST_SECONDS] = [16 << 10, 1 << 20, 1e9];
/** A token is renewed this many seconds before it expires. */
const EARLY = 30;
const MOST_KEPT = 1000;

/** The options of `OAuth2`. */
export interface OAuth2Options {
  readonly clientId: string;
  /** Sent by HTTP Basic. Without it, the client is public. */
  readonly clientSecret?: string | undefined;
  /** The scopes to ask for. Default: those that the documents declare. */
  readonly scopes?: Iterable<string> | undefined;
  /** Where tokens are issued. Default: what the documents declare. */
  readonly tokenUrl?: string | undefined;
  /** Belongs to the first site that needs a token. */
  readonly refreshToken?: string | undefined;
  /** Token endpoints on other domains that the user has approved. */
  readonly approve?: Iterable<string> | undefined;
  /** Whether a token endpoint may have a private address (Node). */
  readonly allowPrivate?: boolean | undefined;
  /** Seconds for one request of a token. Default 20. */
  readonly timeout?: number | undefined;
}

/** @internal What a call tells about itself. */
export interface Caller {
  /** The origin of the site, as the caller says, and the site, which the documents may declare. */
  readonly origin: string | undefined;
  readonly site: string | undefined;
  readonly agent: string;
  /** Whether credentials may be sent to a URL, by the rule for every request. */
  maySend(url: string, approved: readonly string[]): boolean;
  send(request: Sent): Promise<Reply>;
}

interface Kept {
  access: string;
  /** When it is renewed, by `performance.now()`. */
  ends: number;
  refresh: string | undefined;
  /** The request that runs, which all calls await. */
  running: Promise<string> | undefined;
}

/**
 * Obtains tokens for `credentials`, keeps them in memory until they expire, and renews a token that a server rejects.
 *
 * One object can serve several sites: each has its own tokens. The secret goes by https, only to the registrable domain of the documents or to a URL
 * that is given or approved. Redirects are not followed. A person cannot agree here: give `credentials` a function that does the authorization code grant.
 */
export class OAuth2 {
  readonly #client: readonly [id: string, secret: string | undefined];
  readonly #scopes: readonly string[] | undefined;
  readonly #tokenUrl: string | undefined;
  readonly #approved: readonly string[];
  readonly #isPrivate: boolean;
  readonly #timeout: number;
  readonly #kept = new Map<string, Kept>();
  #refresh: string | undefined;

  constructor(given: OAuth2Options) {
    if (!isObject(given)) throw new TypeError("options must be an object with `clientId`");
    for (const name of Object.keys(given)) if (!NAMES.has(name)) throw new TypeError(`there is no option ${JSON.stringify(name)}; there are: ${[...NAMES].join(", ")}`);
    const { clientId, clientSecret, scopes, tokenUrl, refreshToken, approve, allowPrivate, timeout } = given as unknown as OAuth2Options;
    this.#client = [text(clientId, "clientId"), maybe(clientSecret, "clientSecret")];
    this.#scopes = scopes === undefined ? undefined : words(scopes, "scopes");
    this.#tokenUrl = maybe(tokenUrl, "tokenUrl");
    this.#approved = [...words(approve, "approve"), ...(this.#tokenUrl === undefined ? [] : [this.#tokenUrl])];
    this.#isPrivate = allowPrivate === true;
    if (timeout !== undefined) checkTimeout(timeout);
    this.#timeout = timeout ?? 20;
    this.#refresh = maybe(refreshToken, "refreshToken");
  }

  /** @internal A token for a decision. `rejected` is one that the server has not accepted. */
  async token(decision: Decision, caller: Caller, rejected?: string): Promise<string> {
    const url = this.#checked(this.#tokenUrl ?? decision.auth.token_url, decision, caller);
    const key = JSON.stringify([caller.site, url]);
    let kept = this.#kept.get(key);
    if (kept === undefined) {
      while (this.#kept.size >= MOST_KEPT) this.#kept.delete(this.#kept.keys().next().value!);
      kept = { access: "", ends: -Infinity, refresh: this.#refresh, running: undefined };
      this.#refresh = undefined;
      this.#kept.set(key, kept);
    }
    if (rejected !== undefined && kept.access === rejected) kept.ends = -Infinity;
    if (kept.running === undefined && performance.now() < kept.ends) return kept.access;
    const one = kept;
    return (kept.running ??= this.#renewed(one, url, decision, caller).finally(() => (one.running = undefined)));
  }

  async #renewed(kept: Kept, url: string, decision: Decision, caller: Caller): Promise<string> {
    const scope = (this.#scopes ?? decision.auth.scopes ?? []).join(" ");
    const scoped = scope === "" ? {} : { scope };
    let found: Record<string, unknown> | undefined;
    let { refresh } = kept;
    if (refresh !== undefined) {
      try {
        found = await this.#asked(url, { grant_type: "refresh_token", refresh_token: refresh }, decision, caller);
      } catch (problem) {
        if (!(problem instanceof CredentialsNeeded)) throw problem;
        // It has expired, unless the server gives no token at all.
        refresh = undefined;
      }
    }
    found ??= await this.#asked(url, { grant_type: "client_credentials", ...scoped }, decision, caller);
    const lasts = secondsOf(found.expires_in);
    kept.access = found.access_token as string;
    kept.ends = performance.now() + (lasts - Math.min(EARLY, lasts / 2)) * 1000;
    kept.refresh = isToken(found.refresh_token) ? found.refresh_token : refresh;
    return kept.access;
  }

  /** Requests a token (RFC 6749 section 3.2). */
  async #asked(url: string, fields: { [name: string]: string }, decision: Decision, caller: Caller): Promise<Record<string, unknown>> {
    const [id, secret] = this.#client;
    const headers: [string, string][] = [
      ["User-Agent", caller.agent],
      ["Content-Type", "application/x-www-form-urlencoded"],
      ["Accept", "application/json"],
    ];
    // Some servers look for the id only here, even if the header has it.
    const body = new URLSearchParams({ ...fields, client_id: id });
    if (secret !== undefined) headers.push(["Authorization", `Basic ${btoa(String.fromCharCode(...encoded(`${formed(id)}:${formed(secret)}`)))}`]);
    const signal = AbortSignal.timeout(this.#timeout * 1000);
    const named = this.#isPrivate || isBeside(url, caller.origin) ? [url] : [];
    let reply: Reply;
    try {
      reply = await caller.send({ url, headers, limit: LARGEST, cuts: false, signal, named, method: "POST", content: String(body), keepsErrors: true });
    } catch (problem) {
      if (!(problem instanceof Failed)) throw problem;
      throw new CredentialsNeeded(`${url} gives no token: ${problem.detail ?? problem.why}`, decision);
    }
    const found = jsonOf(reply.body);
    if (reply.status === 200 && isObject(found) && isToken(found.access_token)) {
      const { token_type: kind = "Bearer" } = found;
      if (typeof kind === "string" && kind.toLowerCase() === "bearer") return found;
      throw new CredentialsNeeded(`${url} gives a token that is not a bearer token, which cannot be sent`, decision);
    }
    const said = found === undefined ? "its answer is not JSON" : saidBy(reply.body) || "an answer without a valid access_token";
    throw new CredentialsNeeded(`${url} gives no token: status ${reply.status}: ${said}`, decision);
  }

  /** The URL if it may receive secrets. */
  #checked(url: string | undefined, decision: Decision, caller: Caller): string {
    if (url === undefined) {
      throw new CredentialsNeeded("the documents do not name the token endpoint of OAuth 2; give `tokenUrl`, or give `credentials` a function that returns a token", decision);
    }
    const parts = URL.canParse(url) ? new URL(url) : undefined;
    const isLocal = parts?.protocol === "http:" && SAME_MACHINE.has(parts.hostname);
    if (parts === undefined || !(parts.protocol === "https:" || isLocal) || parts.username !== "" || parts.password !== "") {
      throw new CredentialsRefused(`${url} is not an https URL, and gets no credentials`, decision);
    }
    if (!caller.maySend(url, this.#approved)) {
      throw new CredentialsRefused(`${url} is on another domain or port than the documents; approve it with \`approve\` to send credentials there`, decision);
    }
    return url;
  }
}

const NAMES = new Set(["clientId", "clientSecret", "scopes", "tokenUrl", "refreshToken", "approve", "allowPrivate", "timeout"]);
const SAME_MACHINE = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Whether a URL is on this machine, and the site is, too, as the caller says. What documents declare about their site does not count. */
const isBeside = (url: string, origin: string | undefined): boolean =>
  [url, origin].every((each) => each !== undefined && URL.canParse(each) && SAME_MACHINE.has(new URL(each).hostname));

/** A text as in a form (RFC 6749 section 2.3.1). */
const formed = (value: string): string => String(new URLSearchParams({ "": value })).slice(1);

/** Whether a token can be sent in a header. */
const isToken = (value: unknown): value is string => isValue(value) && value.length <= LONGEST;

/** The lifetime of a token in seconds; Infinity if the server does not state it as a number. */
function secondsOf(value: unknown): number {
  const given = typeof value === "string" && /^[0-9]{1,20}$/.test(value) ? Number(value) : value;
  if (typeof given !== "number" || given > MOST_SECONDS) return Infinity;
  // With a negative number, the token has expired.
  return given >= 0 ? given : 0;
}
