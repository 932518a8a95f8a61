/** Obtains OAuth 2 tokens for calls (RFC 6749): for a client itself, for a person who agrees, and by refresh tokens. */

import { isSameMachine } from "../addresses.js";
import { checkTimeout, isObject, maybe, words } from "../arguments.js";
import { base64, base64url } from "../base64.js";
import { encoded } from "../engine.js";
import type { Decision } from "../policy.js";
import { sha256 } from "../sha256.js";
import { Failed, type Reply, type Sent, after, reasonOf } from "../transport.js";
import { type Authorization, type Challenge, Unusable, authorizations, isBeneath } from "./authorizing.js";
import { CredentialsNeeded, CredentialsRefused } from "./errors.js";
import { isValue } from "./options.js";
import { type Client, Refused, fits, register } from "./registering.js";
import { jsonOf } from "./talk.js";
import { saidBy } from "./words.js";

/** The longest token, the longest answer and document in bytes, and the most seconds that a lifetime is taken for. */
const [LONGEST, LARGEST, METADATA, MOST_SECONDS] = [16 << 10, 1 << 20, 256 << 10, 1e9];
/** A token is renewed this many seconds before it expires; how long a person may take to agree. */
const [EARLY, CODE_SECONDS] = [30, 300];
/** How many tokens, resources and clients an object remembers. */
const MOST_KEPT = 1000;

/** The options of `OAuth2`. */
export interface OAuth2Options {
  /** Needed unless `register` is given. One that is an https URL describes the client, and is used at every server that says that it takes such ids. */
  readonly clientId?: string | undefined;
  /** Without it, the client is public. */
  readonly clientSecret?: string | undefined;
  /** The name under which the client registers itself (RFC 7591) at a server that a resource names, where it has no id. Nothing is registered otherwise. */
  readonly register?: string | undefined;
  /** The scopes to ask for. Default: those that the server asks for, or the documents declare. */
  readonly scopes?: Iterable<string> | undefined;
  /** Where tokens are issued. Default: what the documents declare, or the server itself names. */
  readonly tokenUrl?: string | undefined;
  /** Where a person agrees. Default: as `tokenUrl`. */
  readonly authorizationUrl?: string | undefined;
  /** Belongs to the first site that needs a token. */
  readonly refreshToken?: string | undefined;
  /**
   * Lets a person agree (authorization code with PKCE, RFC 7636): opens this URL in a browser, and returns the URL at `redirectUrl` to which the browser is
   * sent back, or its path and query; undefined if the person does not agree. `signal` ends after 300 seconds. Without it, the client obtains tokens for itself.
   */
  readonly openUrl?: ((url: string, signal: AbortSignal) => Returned | Promise<Returned>) | undefined;
  /** Where the browser comes back to, as it is registered: an https URL, a URL of this machine (RFC 8252), or one with a scheme of your own such as `com.example.bot:/`. Needed with `openUrl`. */
  readonly redirectUrl?: string | undefined;
  /** Issuers, or endpoints, on other domains that the user has approved. */
  readonly approve?: Iterable<string> | undefined;
  /** Whether servers that issue tokens may have private addresses (Node). */
  readonly allowPrivate?: boolean | undefined;
  /** Seconds for one request. Default 20. */
  readonly timeout?: number | undefined;
}

type Returned = string | URL | null | undefined;

/** @internal What a call tells about itself. */
export interface Caller {
  /** The origin of the site, as the caller says, and the site, which the documents may declare. */
  readonly origin: string | undefined;
  readonly site: string | undefined;
  readonly agent: string;
  /** URLs whose hosts may have private addresses. */
  readonly named: readonly string[];
  /** Whether credentials may be sent to a URL, by the rule for every request. */
  maySend(url: string, approved: readonly string[]): boolean;
  send(request: Sent): Promise<Reply>;
  /** A signal that ends after so many seconds, or with the call. */
  within(seconds: number): AbortSignal;
}

interface Kept {
  access: string;
  /** When it is renewed, by `performance.now()`. */
  ends: number;
  refresh: string | undefined;
  /** The client that has obtained the refresh token. */
  client: Client | undefined;
  /** The scopes that a server has asked for so far. */
  scopes: readonly string[];
  /** The request that runs, which all calls await. */
  running: Promise<string> | undefined;
}

/** A token that is asked for. */
interface Asking {
  readonly url: string;
  readonly decision: Decision;
  readonly caller: Caller;
  readonly found: Authorization | undefined;
  /** The scopes to ask for; undefined for the usual ones of the server. */
  readonly scope: string | undefined;
}

type Fields = { readonly [name: string]: string | undefined };

/**
 * Obtains tokens for `credentials`, keeps them in memory until they expire, and renews a token that a server rejects.
 *
 * The endpoints are those of the options, or those that the documents declare, or those that the server itself names: one that refuses a request says
 * where it describes itself (RFC 9728), and the resource names its authorization server (RFC 8414), which must use PKCE. One object can serve several sites:
 * each has its own tokens. Secrets go by https, only to the registrable domain of the documents or to what is given or approved. Redirects are not followed.
 */
export class OAuth2 {
  readonly #client: Client | undefined;
  readonly #name: string | undefined;
  readonly #scopes: string | undefined;
  readonly #tokenUrl: string | undefined;
  readonly #authorizationUrl: string | undefined;
  readonly #openUrl: OAuth2Options["openUrl"];
  readonly #redirect: string | undefined;
  readonly #approved: readonly string[];
  readonly #isPrivate: boolean;
  readonly #timeout: number;
  readonly #kept = new Map<string, Kept>();
  /** The servers of resources, by their identifiers. */
  readonly #found = new Map<string, Authorization>();
  /** The registered clients, by the issuers of their servers. */
  readonly #clients = new Map<string, Client>();
  /** The issuer at which the client is, by sites. */
  readonly #issuers = new Map<string, string>();
  #refresh: string | undefined;

  constructor(given: OAuth2Options) {
    if (!isObject(given)) throw new TypeError("options must be an object with `clientId` or `register`");
    for (const name of Object.keys(given)) if (!NAMES.has(name)) throw new TypeError(`there is no option ${JSON.stringify(name)}; there are: ${[...NAMES].join(", ")}`);
    const { clientId, clientSecret, scopes, tokenUrl, authorizationUrl, refreshToken, openUrl, redirectUrl, approve, allowPrivate, timeout, register: named } = given as OAuth2Options;
    const id = maybe(clientId, "clientId");
    this.#name = maybe(named, "register");
    if (id === undefined && this.#name === undefined) throw new TypeError("give `clientId`, or a name to `register`");
    const secret = maybe(clientSecret, "clientSecret");
    this.#client = id === undefined ? undefined : { id, secret };
    this.#scopes = scopes === undefined ? undefined : words(scopes, "scopes").join(" ");
    this.#tokenUrl = maybe(tokenUrl, "tokenUrl");
    this.#authorizationUrl = maybe(authorizationUrl, "authorizationUrl");
    if (openUrl !== undefined && typeof openUrl !== "function") throw new TypeError("openUrl must be a function");
    this.#openUrl = openUrl;
    this.#redirect = maybe(redirectUrl, "redirectUrl");
    if ((openUrl === undefined) !== (this.#redirect === undefined)) throw new TypeError("openUrl and redirectUrl belong together");
    if (this.#redirect !== undefined && !isRedirect(this.#redirect)) {
      throw new TypeError("redirectUrl must be a URL without a fragment: of https, of this machine, or of a scheme with a dot");
    }
    this.#approved = [...words(approve, "approve"), ...[this.#tokenUrl, this.#authorizationUrl].filter((each) => each !== undefined)];
    this.#isPrivate = allowPrivate === true;
    if (timeout !== undefined) checkTimeout(timeout);
    this.#timeout = timeout ?? 20;
    this.#refresh = maybe(refreshToken, "refreshToken");
  }

  /** @internal Discards a token that a server has rejected. */
  reject(token: string | null | undefined): void {
    for (const kept of this.#kept.values()) if (kept.access === token) kept.ends = -Infinity;
  }

  /** @internal Whether the resource at a URL has named its server before. */
  knows(url: string): boolean {
    return this.#remembered(url) !== undefined;
  }

  /**
   * @internal A token for a URL: of the server that the resource there named before, otherwise of the one that the documents or the caller name.
   * Undefined if none is known: the answer to a request without a token may name one.
   */
  async tokenFor(url: string, decision: Decision, caller: Caller): Promise<string | undefined> {
    const found = this.#remembered(url);
    if (found !== undefined) return this.#token(found.tokenUrl, decision, caller, found);
    const named = this.#tokenUrl ?? decision.auth.token_url;
    return named === undefined ? undefined : this.#token(named, decision, caller);
  }

  /**
   * @internal A token that the resource at a URL asks for: of the authorization server that it names. Undefined if only the documents or the options
   * name a server. Rejects with CredentialsNeeded or CredentialsRefused if a server is named, but cannot be used.
   */
  async authorize(challenge: Challenge, url: string, decision: Decision, caller: Caller): Promise<string | undefined> {
    const isNamed = (this.#tokenUrl ?? decision.auth.token_url) !== undefined;
    if (isNamed && challenge.resourceMetadata === undefined) return undefined;
    const before = this.#remembered(url);
    const found = await this.#serverOf(challenge, url, decision, caller);
    if (challenge.isForMore) {
      const kept = this.#of(found.tokenUrl, caller, found);
      kept.scopes = [...new Set([...kept.scopes, ...(before?.scopes ?? []), ...found.scopes])];
      kept.ends = -Infinity;
      // The refresh token is for the scopes that were not enough.
      kept.refresh = undefined;
    }
    return this.#token(found.tokenUrl, decision, caller, found);
  }

  /** The server that the resource at a URL, or the nearest one above it, has named before. */
  #remembered(url: string): Authorization | undefined {
    const above = [...this.#found.keys()].filter((each) => isBeneath(url, each));
    return above.length === 0 ? undefined : this.#found.get(above.reduce((one, other) => (other.length > one.length ? other : one)));
  }

  /** The first authorization server of a resource at which this client is. */
  async #serverOf(challenge: Challenge, url: string, decision: Decision, caller: Caller): Promise<Authorization> {
    const isPrivate = (place: string) => this.#isPrivate || isBeside(place, caller.origin);
    const named = await authorizations(challenge, url, {
      isPrivate,
      resourceAt: (place) => this.#document(place, caller.named, caller),
      serverAt: (place) => this.#document(place, isPrivate(place) ? [place] : [], caller),
    }).catch((problem: unknown) => {
      if (!(problem instanceof Unusable)) throw problem;
      throw new CredentialsNeeded(`${url} needs a token, and names no server that can be used: ${problem.message}; give \`tokenUrl\``, decision);
    });
    for (const each of named) {
      if (this.#tokenUrl !== undefined && this.#tokenUrl !== each.tokenUrl) continue;
      this.#bind(each, decision, caller);
      put(this.#found, each.resource, each);
      return each;
    }
    throw new CredentialsRefused(`${url} takes tokens of ${named.map(({ tokenUrl }) => tokenUrl).join(", ")}, not of ${this.#tokenUrl}`, decision);
  }

  /** Throws CredentialsRefused if the site names another server than the one where this client is. */
  #bind(found: Authorization, decision: Decision, caller: Caller): void {
    this.#checked(found.tokenUrl, decision, caller, found);
    if (this.#client === undefined || this.#isPortable) return;
    const site = siteOf(caller);
    const bound = this.#issuers.get(site) ?? found.issuer;
    if (bound !== found.issuer) {
      const said = `the site names the authorization server ${found.issuer} instead of ${bound}, where this client is; use another OAuth2 for it`;
      throw new CredentialsRefused(said, decision);
    }
    put(this.#issuers, site, bound);
  }

  /** A client belongs to the server where it is registered, unless its id is a URL that describes it. */
  get #isPortable(): boolean {
    return this.#client !== undefined && this.#client.secret === undefined && this.#client.id.startsWith("https://");
  }

  /** Gets a document without credentials and redirects; undefined if there is none. */
  async #document(url: string, named: readonly string[], caller: Caller): Promise<Uint8Array | undefined> {
    const headers = [["User-Agent", caller.agent], ["Accept", "application/json"]] as const;
    try {
      const { status, body } = await caller.send({ url, headers, named, limit: METADATA, cuts: false, signal: caller.within(this.#timeout), keepsErrors: true });
      return status === 200 ? body : undefined;
    } catch (problem) {
      if (!(problem instanceof Failed)) throw problem;
      throw new Unusable(`${url}: ${reasonOf(problem)}`);
    }
  }

  /** The token of an endpoint: the kept one, or a new one. */
  async #token(url: string, decision: Decision, caller: Caller, found?: Authorization): Promise<string> {
    this.#checked(url, decision, caller, found);
    const kept = this.#of(url, caller, found);
    if (kept.running === undefined && performance.now() < kept.ends) return kept.access;
    return (kept.running ??= this.#renewed(kept, this.#asking(kept, url, decision, caller, found)).finally(() => (kept.running = undefined)));
  }

  /** The token of a site; an expired one if there is none yet. */
  #of(url: string, caller: Caller, found: Authorization | undefined): Kept {
    const key = JSON.stringify([siteOf(caller), url, found?.resource]);
    let kept = this.#kept.get(key);
    if (kept === undefined) {
      kept = { access: "", ends: -Infinity, refresh: this.#refresh, client: undefined, scopes: [], running: undefined };
      this.#refresh = undefined;
      put(this.#kept, key, kept);
    }
    return kept;
  }

  /** What is asked for: the scopes of the caller, else those that the server has asked for, the documents declare, or the resource lists. */
  #asking(kept: Kept, url: string, decision: Decision, caller: Caller, found: Authorization | undefined): Asking {
    const declared = [kept.scopes, decision.auth.scopes ?? [], found?.scopes ?? []].find((each) => each.length > 0);
    return { url, decision, caller, found, scope: (this.#scopes ?? declared?.join(" ")) || undefined };
  }

  async #renewed(kept: Kept, asking: Asking): Promise<string> {
    let token: Record<string, unknown> | undefined;
    let client = kept.client ?? this.#client;
    let { refresh } = kept;
    if (refresh !== undefined && client !== undefined) {
      try {
        token = await this.#asked(asking, client, { grant_type: "refresh_token", refresh_token: refresh });
      } catch (problem) {
        if (!(problem instanceof CredentialsNeeded)) throw problem;
        // It has expired, unless the server gives no token at all.
        refresh = undefined;
      }
    }
    if (token === undefined) {
      let fields: Fields;
      if (this.#openUrl !== undefined) [client, fields] = await this.#agreed(asking);
      else [client, fields] = [await this.#clientAt(asking), { grant_type: "client_credentials", scope: asking.scope }];
      token = await this.#asked(asking, client, fields);
    }
    const lasts = secondsOf(token.expires_in);
    kept.access = token.access_token as string;
    kept.client = client;
    kept.ends = performance.now() + (lasts - Math.min(EARLY, lasts / 2)) * 1000;
    kept.refresh = isToken(token.refresh_token) ? token.refresh_token : refresh;
    return kept.access;
  }

  /** The client at a server, which is registered there if it must be. */
  async #clientAt({ found, decision, caller, scope }: Asking): Promise<Client> {
    const redirect = this.#redirect;
    const isOnly = this.#name === undefined || !this.#isPortable;
    if (this.#client !== undefined && (isOnly || found === undefined || found.takesDocuments)) return this.#client;
    const known = found && this.#clients.get(found.issuer);
    if (known !== undefined && fits(known, redirect, scope)) return known;
    if (found?.registrationUrl === undefined) {
      if (this.#client !== undefined) return this.#client;
      throw new CredentialsNeeded("the server does not say where clients register; give `clientId`", decision);
    }
    const url = this.#checked(found.registrationUrl, decision, caller, found);
    try {
      const client = await register({ name: this.#name!, redirect, scope }, (sent) => this.#post(url, caller, sent));
      put(this.#clients, found.issuer, client);
      return client;
    } catch (problem) {
      if (!(problem instanceof Refused)) throw problem;
      throw new CredentialsNeeded(`${url} does not register the client: ${problem.message}; give \`clientId\``, decision);
    }
  }

  /** Sends a POST, without credentials unless `sent` has some. All calls await it, so it does not end with one of them. */
  #post(url: string, caller: Caller, { headers, content }: Pick<Sent, "headers" | "content">): Promise<Reply> {
    const named = this.#isPrivate || isBeside(url, caller.origin) ? [url] : [];
    const signal = after(this.#timeout);
    return caller.send({ url, headers: [["User-Agent", caller.agent], ...headers], limit: LARGEST, cuts: false, signal, named, method: "POST", content, keepsErrors: true });
  }

  /** Requests a token (RFC 6749 section 3.2). */
  async #asked({ url, decision, caller, found }: Asking, client: Client, given: Fields): Promise<Record<string, unknown>> {
    const headers: [string, string][] = [["Content-Type", "application/x-www-form-urlencoded"], ["Accept", "application/json"]];
    // Some servers look for the id only here, even if the header has it.
    const fields: Fields = { ...given, resource: found?.resource, client_id: client.id };
    const { id, secret } = client;
    const isInBody = secret !== undefined && methodOf(client, found) === "client_secret_post";
    if (secret !== undefined && !isInBody) headers.push(["Authorization", `Basic ${base64(encoded(`${formed(id)}:${formed(secret)}`))}`]);
    const content = form(isInBody ? { ...fields, client_secret: secret } : fields);
    let reply: Reply;
    try {
      reply = await this.#post(url, caller, { headers, content });
    } catch (problem) {
      if (!(problem instanceof Failed)) throw problem;
      throw new CredentialsNeeded(`${url} gives no token: ${reasonOf(problem)}`, decision);
    }
    const answer = jsonOf(reply.body);
    const members = isObject(answer) ? answer : {};
    if (reply.status === 200 && isToken(members.access_token)) {
      const { token_type: kind = "Bearer" } = members;
      if (typeof kind === "string" && kind.toLowerCase() === "bearer") return members;
      throw new CredentialsNeeded(`${url} gives a token that is not a bearer token, which cannot be sent`, decision);
    }
    // The server has forgotten the client, which registers again next time.
    if (found !== undefined && members.error === "invalid_client") this.#clients.delete(found.issuer);
    const said = answer === undefined ? ", and its answer is not JSON" : `: ${saidBy(reply.body) || "an answer without a valid access_token"}`;
    throw new CredentialsNeeded(`${url} gives no token: status ${reply.status}${said}`, decision);
  }

  /** Lets a person agree in a browser, and returns the client with the fields that exchange the code for a token. */
  async #agreed(asking: Asking): Promise<[Client, Fields]> {
    const { decision, caller, found, scope } = asking;
    const declared = found === undefined ? decision.auth.authorization_url : found.authorizationUrl;
    const page = new URL(this.#checked(this.#authorizationUrl ?? declared, decision, caller, found));
    const client = await this.#clientAt(asking);
    const [verifier, state] = [secretOf(48), secretOf(24)];
    const digest = Uint8Array.from(sha256(encoded(verifier)).match(/../g)!, (digits) => parseInt(digits, 16));
    const asked: Fields = {
      ...{ response_type: "code", client_id: client.id, redirect_uri: this.#redirect, scope, state, resource: found?.resource },
      ...{ code_challenge: base64url(digest), code_challenge_method: "S256" },
    };
    for (const [name, value] of Object.entries(asked)) if (value !== undefined) page.searchParams.set(name, value);
    page.hash = "";
    const signal = after(CODE_SECONDS);
    const late = new Promise<undefined>((done) => signal.addEventListener("abort", () => done(undefined), { once: true }));
    const returned = await Promise.race([this.#openUrl!(page.href, signal), late]);
    const code = codeOf(returned, this.#redirect!, state, found, (said) => new CredentialsNeeded(said, decision));
    return [client, { grant_type: "authorization_code", code, code_verifier: verifier, redirect_uri: this.#redirect }];
  }

  /** The URL if it may receive secrets. */
  #checked(url: string | undefined, decision: Decision, caller: Caller, found?: Authorization): string {
    if (url === undefined) {
      const said = "neither the documents nor the server name the OAuth 2 endpoint that is needed; give `tokenUrl`, and `authorizationUrl` for a person";
      throw new CredentialsNeeded(said, decision);
    }
    const parts = URL.canParse(url) ? new URL(url) : undefined;
    const isLocal = parts?.protocol === "http:" && isSameMachine(url);
    if (parts === undefined || !(parts.protocol === "https:" || isLocal) || parts.username !== "" || parts.password !== "") {
      throw new CredentialsRefused(`${url} is not an https URL, and gets no credentials`, decision);
    }
    // Whoever approves an authorization server approves its endpoints.
    const isApproved = found !== undefined && this.#approved.includes(found.issuer);
    const own = isApproved ? [found.tokenUrl, found.authorizationUrl, found.registrationUrl].filter((each) => each !== undefined) : [];
    if (!caller.maySend(url, [...this.#approved, ...own])) {
      throw new CredentialsRefused(`${url} is on another domain or port than the documents; approve it with \`approve\` to send credentials there`, decision);
    }
    return url;
  }
}

const NAMES = new Set([
  ...["clientId", "clientSecret", "register", "scopes", "tokenUrl", "authorizationUrl", "refreshToken", "openUrl", "redirectUrl", "approve", "allowPrivate"],
  "timeout",
]);

/** Keeps a value, and forgets the oldest ones of many. */
function put<T>(all: Map<string, T>, key: string, value: T): void {
  while (all.size >= MOST_KEPT && !all.has(key)) all.delete(all.keys().next().value!);
  all.set(key, value);
}

/** The site in one spelling. */
const siteOf = ({ site }: Caller): string => (site !== undefined && URL.canParse(site) ? new URL(site).origin : (site ?? ""));

/** Whether a URL is on this machine, and the site is, too, as the caller says. What documents declare about their site does not count. */
const isBeside = (url: string, origin: string | undefined): boolean => origin !== undefined && isSameMachine(url) && isSameMachine(origin);

/** Whether codes may come back to a URL (RFC 8252 section 7). */
function isRedirect(url: string): boolean {
  if (!URL.canParse(url) || url.includes("#")) return false;
  const { protocol } = new URL(url);
  return protocol === "https:" || (protocol === "http:" && isSameMachine(url)) || /\..*:$/.test(protocol);
}

/** The code in the URL to which a browser was sent back. `refused` makes the error for one that counts as no consent. */
function codeOf(returned: Returned, redirect: string, state: string, found: Authorization | undefined, refused: (said: string) => CredentialsNeeded): string {
  if (returned === undefined || returned === null) throw refused("the person has not agreed");
  if (typeof returned !== "string" && !(returned instanceof URL)) throw new TypeError("openUrl must return a URL");
  const given = URL.canParse(String(returned), redirect) ? new URL(String(returned), redirect).searchParams : new URLSearchParams();
  const only = (name: string) => (given.getAll(name).length === 1 ? given.get(name)! : undefined);
  if (only("state") !== state) throw refused("the browser came back without the state of this request, so the answer is not taken");
  // Another server could have given the answer (RFC 9207).
  const isStated = given.has("iss") || found?.statesIssuer === true;
  if (found !== undefined && isStated && only("iss") !== found.issuer) throw refused("the answer names another issuer than the server that was asked, so it is not taken");
  const code = only("code");
  if (code === undefined || code === "") throw refused(`the person has not agreed${given.has("error") ? `: ${given.get("error")!.slice(0, 200)}` : ""}`);
  return code;
}

/** How a client authenticates: as it is registered, otherwise in the header, unless the server takes its secret only in the body. */
function methodOf({ method }: Client, found: Authorization | undefined): string {
  const [usual, other] = ["client_secret_basic", "client_secret_post"];
  if (method === usual || method === other) return method;
  const methods = found?.methods ?? [];
  return methods.includes(other) && !methods.includes(usual) ? other : usual;
}

/** A text that nobody can guess, of so many random bytes. */
const secretOf = (length: number): string => base64url(crypto.getRandomValues(new Uint8Array(length)));

/** Fields as a form, without those that are absent. */
const form = (fields: Fields): string => String(new URLSearchParams(Object.entries(fields).filter((each): each is [string, string] => each[1] !== undefined)));

/** A text as in a form (RFC 6749 section 2.3.1). */
const formed = (value: string): string => form({ "": value }).slice(1);

/** Whether a token can be sent in a header. */
const isToken = (value: unknown): value is string => isValue(value) && value.length <= LONGEST;

/** The lifetime of a token in seconds; Infinity if the server does not state it as a number. */
function secondsOf(value: unknown): number {
  const given = typeof value === "string" && /^[0-9]{1,20}$/.test(value) ? Number(value) : value;
  if (typeof given !== "number" || given > MOST_SECONDS) return Infinity;
  // With a negative number, the token has expired.
  return given >= 0 ? given : 0;
}
