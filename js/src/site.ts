/** Discovery: the documents of a site. The core decides what to request and what the answers mean; this file sends the requests. */

import { type Limits, checkTimeout, isUserAgent, limits as settled, maybe, options, text } from "./arguments.js";
import { type Document, parse } from "./document.js";
import { type Argument, NONE, decoded, engine, now, split, time, wellFormed } from "./engine.js";
import { type Args, type CallOptions, isOAuth2 } from "./call/options.js";
import type { OAuth2 } from "./call/oauth.js";
import { unlocking } from "./call/unlocking.js";
import { RateLimited } from "./call/errors.js";
import { call } from "./call/index.js";
import type { Answer as CallAnswer, Planned } from "./call/request.js";
import type { Place, Sessions } from "./call/runner.js";
import { type Decision, type Offer, type Request, capabilities, decide } from "./policy.js";
import { RobotsTxt } from "./robots-txt.js";
import { type Style, type Tools, type ToolsOptions, tools } from "./tools.js";
import { Failed, type Reply, type Signer, type Transport, after, signed, signer, transport } from "./transport.js";

/** How long an answer is valid; times in seconds since 1970. */
export interface Freshness {
  readonly received_at: number;
  readonly lifetime: number;
  readonly fresh_until: number;
  /** No new request is sent before this time. */
  readonly ask_again_at: number;
  /** Whether the body may be stored. */
  readonly may_store: boolean;
}

/** Who points to a document. */
export interface Pointer {
  readonly url: string;
  readonly how: string;
  readonly relation: string;
  readonly offset: number | null;
  readonly end: number | null;
}

/** An attempt to get one document from one location, with its redirects. */
export interface Attempt {
  /** The kind of document: `agents-json`, `agents-txt`, …, `robots-txt`, `home`, `linked`, `detail`. */
  readonly resource: string;
  /** The URL of the first request. */
  readonly key: string;
  /** The URL of the last request. */
  readonly url: string;
  /** Why there is no document, as a code; null if there is one. */
  readonly rejection: string | null;
  /** The reason in a sentence. */
  readonly message: string | null;
  readonly status: number | null;
  readonly redirects: number;
  readonly moved: string;
  /** `network`, `store` or `revalidated`. */
  readonly source: string;
  readonly format: string;
  readonly synthetic: boolean;
  readonly error: string | null;
  readonly freshness: Freshness;
  /** Whether the location belongs to the site. */
  readonly own: boolean;
  readonly pointer: Pointer | null;
}

/** A document and the attempt that found it. */
export interface Found {
  readonly url: string;
  readonly document: Document;
  readonly attempt: Attempt;
}

/** A stored answer. Its members are for the package alone. */
export interface StoredAnswer {
  readonly url: string;
  readonly rejection: string | null;
  readonly body: Uint8Array | null;
  readonly freshness: Freshness;
  readonly etag: string;
  readonly lastModified: string;
  readonly link: string;
}

/** Where answers are kept: a Map, or anything like it that may be asynchronous. */
export interface Store {
  get(key: string): StoredAnswer | undefined | Promise<StoredAnswer | undefined>;
  set(key: string, answer: StoredAnswer): unknown;
}

/** The options of `discover`. */
export interface DiscoverOptions {
  /** Sends the requests. Default: in Node a client that connects only to public addresses, elsewhere the platform's `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** The User-Agent to send. */
  readonly agent?: string | undefined;
  /** Signs every request (Web Bot Auth): an `Identity` of `agentsdisc/identity`. The answers are not stored. */
  readonly identity?: Signer | undefined;
  /** Gets tokens for documents that the site gives only to those who have one (status 401), from the authorization server that their resource names. The answers are not stored. */
  readonly credentials?: OAuth2 | undefined;
  /** Answers of earlier discoveries. */
  readonly store?: Store | undefined;
  /** The kinds of documents to request, or `all`. */
  readonly resources?: readonly string[] | undefined;
  /** Whether documents to which others point are requested. */
  readonly follow?: "same-site" | "any" | undefined;
  /** The capabilities of an ADP manifest whose details are requested; true for the first 64. */
  readonly details?: boolean | readonly string[] | undefined;
  /** Seconds for the whole discovery. Default 60. */
  readonly timeout?: number | undefined;
  /** Requests at a time. Default 8. */
  readonly concurrency?: number | undefined;
  /** Whether the site itself may have a private address (Node). */
  readonly allowPrivate?: boolean | undefined;
  readonly limits?: Limits | undefined;
}

interface Asked {
  readonly id: number;
  readonly resource: string;
  readonly url: string;
  readonly key: string;
  readonly limit: number;
  readonly cuts: boolean;
  readonly heeds_robots: boolean;
}

interface Answer {
  readonly state: "waiting" | "open" | "found" | "rejected";
  readonly rejection: string | null;
  readonly format: string | null;
  readonly freshness: Freshness;
  readonly etag: string;
  readonly last_modified: string;
}

interface Report {
  readonly origin: string;
  readonly attempts: readonly Attempt[];
  readonly documents: readonly (readonly [string, string])[];
  readonly robots: "document" | "allow-all" | "disallow-all" | "unknown";
  readonly robots_text: string | null;
  readonly trail_is_cut: boolean;
  readonly ask_again_at: number | null;
}

/** Rejections of documents that allow nothing, but whose `Disallow` lines count. */
const RESTRICTING = new Set(["unreadable", "too-large", "not-recognised", "other-format"]);
/** Rejections that prove that the document does not exist; null means no rejection. */
const NOTHING = new Set<string | null>([null, "not-found", "gone", "html", "not-recognised", "other-format"]);
const MOST_DETAILS = 64;

const latin1 = (value: string): Uint8Array => Uint8Array.from(value, (c) => c.charCodeAt(0) & 255);

/** The core's state machine. Its state is kept here as bytes. */
class Core {
  private state: Uint8Array;
  readonly origin: string;

  constructor(site: string, resources: readonly string[] | undefined, follow: string, limits: readonly number[]) {
    const wanted: Argument[] = resources === undefined ? [NONE] : [resources.length, ...resources];
    const [answer, isError] = engine().answer("discovery_begin", undefined, site, follow, ...limits, ...wanted);
    if (isError) throw new TypeError(JSON.parse(decoded(answer)) as string);
    [this.origin, this.state] = split<string>(answer);
  }

  private step<T>(number: number, documents: readonly Document[], ...given: readonly Argument[]): T {
    const sources = documents.length > 0 ? documents.map((each) => each._source) : undefined;
    const [answer] = engine().answer("discovery", sources, number, this.state, ...given);
    const [found, state] = split<T>(answer);
    this.state = state;
    return found;
  }

  next = () => this.step<Asked | null>(0, []);
  headers = (id: number, agent: string, stored: StoredAnswer | undefined) => this.step<[string, string][]>(1, [], id, agent, ...kept(stored));
  recall = (id: number, stored: StoredAnswer) => this.step<Answer | null>(2, [], id, ...time(now()), ...kept(stored));
  fail = (id: number, why: string) => this.step<Answer | null>(4, [], id, ...time(now()), why);
  attempt = (id: number) => this.step<Attempt | null>(5, [], id);
  report = () => this.step<Report>(6, []);
  askDetail = (manifest: Document, url: string) => this.step<string | null>(7, [manifest], wellFormed(url, "\ufffd"));

  respond(id: number, reply: Reply, stored: StoredAnswer | undefined): Answer | null {
    const headers = reply.headers.flatMap(([name, value]) => [latin1(name), latin1(value)]);
    return this.step(3, [], id, ...time(now()), reply.status, reply.headers.length, ...headers, reply.body, reply.finalUrl, ...kept(stored));
  }
}

function kept(stored: StoredAnswer | undefined): Argument[] {
  if (stored === undefined) return [undefined];
  const { received_at, lifetime, fresh_until, ask_again_at, may_store } = stored.freshness;
  const times = [...time(received_at), lifetime, ...time(fresh_until), ...time(ask_again_at), may_store];
  const texts = [stored.etag, stored.lastModified, stored.link].map(latin1);
  return [stored.url, stored.rejection ?? undefined, stored.body ?? undefined, ...times, ...texts];
}

let known: { user_agent: string; manifests: string[] } | undefined;

function facts(): { user_agent: string; manifests: string[] } {
  return (known ??= engine().json<{ user_agent: string; manifests: string[] }>("discovery_facts", undefined));
}

type Key = string;
const keyOf = (resource: string, first: string): Key => `${resource} ${first}`;

/** The requests of one discovery. */
class Driver {
  private readonly bodies = new Map<Key, { readonly body: Uint8Array; readonly format: string; document?: Document }>();
  private readonly foreign = new Map<Key, Uint8Array>();
  private readonly asked = new Map<Key, Attempt>();
  private readonly errors = new Map<Key, string>();
  private readonly open = new Map<number, Asked>();
  private readonly wanted = new Map<string, Key | undefined>();
  private running = 0;
  private waiting: Asked[] = [];
  /** The URL, the `Link` header and the content of the home page. */
  private home: readonly [string, Uint8Array, Uint8Array] | undefined;
  private rules: RobotsTxt | undefined;

  constructor(
    private readonly core: Core,
    private readonly send: Transport,
    private readonly agent: string,
    private readonly store: Store | undefined,
    private readonly limits: Limits | undefined,
    private readonly most: number,
    private readonly isPrivate: boolean,
    private readonly signal: AbortSignal,
    /** Why there is no token for a URL. */
    private readonly locked: ReadonlyMap<string, string>,
  ) {}

  /** Sends requests until the core has no more. */
  settle(): Promise<void> {
    return new Promise((done, failed) => {
      const launch = () => {
        for (let next = this.core.next(); next !== null; next = this.core.next()) {
          this.open.set(next.id, next);
          this.waiting.push(next);
        }
        while (this.running < this.most && this.waiting.length > 0 && !this.signal.aborted) {
          this.running++;
          this.ask(this.waiting.shift()!)
            .finally(() => this.running--)
            .then(launch, failed);
        }
        if (this.running === 0) done();
      };
      launch();
    });
  }

  private async ask(asked: Asked): Promise<void> {
    const { id, resource, url, key, heeds_robots } = asked;
    if (heeds_robots && !this.mayFetch(url)) return void this.take(asked, this.core.fail(id, "disallowed"), undefined);
    const place = [...(this.isPrivate ? ["private"] : []), resource, key, this.agent].join(" ");
    const stored = await this.store?.get(place);
    const recalled = stored === undefined ? null : this.core.recall(id, stored);
    if (recalled !== null) {
      const attempt = this.take(asked, recalled, stored?.body ?? undefined);
      return this.see(recalled, attempt, stored?.link, stored?.body ?? undefined);
    }
    let answer: Answer | null;
    let body: Uint8Array | undefined;
    let link = "";
    try {
      const headers = this.core.headers(id, this.agent, stored);
      const named = this.isPrivate ? [this.core.origin] : [];
      // Time for one request and its answer.
      const signal = AbortSignal.any([this.signal, after(20)]);
      const reply = await this.send({ url, headers, limit: asked.limit, cuts: asked.cuts, signal, named });
      if (!this.open.has(id)) return;
      answer = this.core.respond(id, reply, stored);
      body = stored !== undefined && reply.status === 304 ? (stored.body ?? undefined) : reply.body;
      const links = reply.headers.filter(([name]) => name.toLowerCase() === "link").map(([, value]) => value);
      if (resource === "home") link = links.join(", ") || (stored?.link ?? "");
    } catch (problem) {
      if (!(problem instanceof Failed)) throw problem;
      if (!this.open.has(id)) return;
      answer = this.core.fail(id, problem.why);
      body = problem.start;
      if (problem.detail !== undefined) this.errors.set(keyOf(resource, key), problem.detail);
    }
    const attempt = this.take(asked, answer, body);
    this.see(answer, attempt, link, body);
    const { url: last } = attempt ?? { url };
    if (answer === null || answer.state === "waiting" || this.store === undefined) return;
    const keeps = answer.state === "found" || (RESTRICTING.has(answer.rejection ?? "") && answer.freshness.may_store);
    const { rejection, freshness, etag, last_modified: lastModified } = answer;
    await this.store.set(place, { url: last, rejection, body: keeps ? (body ?? null) : null, freshness, etag, lastModified, link });
  }

  /** Records the result of a request. */
  private take(asked: Asked, answer: Answer | null, body: Uint8Array | undefined): Attempt | undefined {
    this.open.delete(asked.id);
    if (answer === null || answer.state === "waiting") return undefined;
    const attempt = this.core.attempt(asked.id) ?? undefined;
    // The location can have a document of another resource than the requested one.
    const resource = attempt?.resource ?? asked.resource;
    const key = keyOf(resource, asked.key);
    if (answer.state === "found" && answer.format !== null && body !== undefined) this.bodies.set(key, { body, format: answer.format });
    else if (RESTRICTING.has(answer.rejection ?? "") && body !== undefined && facts().manifests.includes(resource)) this.foreign.set(key, body);
    if (resource === "detail" && attempt !== undefined) this.asked.set(key, attempt);
    return attempt;
  }

  /** Keeps what names the licences of the content. They are not requested, because nothing reads them. */
  private see(answer: Answer | null, attempt: Attempt | undefined, link = "", body: Uint8Array = new Uint8Array()): void {
    if (answer?.state === "found" && attempt?.resource === "home") this.home = [attempt.url, latin1(link), body];
  }

  private mayFetch(url: string): boolean {
    this.rules ??= new RobotsTxt(this.robotsBody() ?? "", { limits: this.limits });
    return this.rules.allowed(this.agent, url);
  }

  private robotsBody(): Uint8Array | undefined {
    return [...this.bodies].find(([key]) => key.startsWith("robots-txt "))?.[1].body;
  }

  /** Ends all requests in flight: the time is over. */
  giveUp(): void {
    for (const asked of this.open.values()) this.take(asked, this.core.fail(asked.id, "timeout"), undefined);
    for (let next = this.core.next(); next !== null; next = this.core.next()) this.take(next, this.core.fail(next.id, "timeout"), undefined);
    this.waiting = [];
  }

  /** Gets the details of these capabilities, or of the first ones. */
  async askDetails(names: ReadonlySet<string> | undefined): Promise<void> {
    const keys = new Map<string, Key | undefined>();
    for (const name of [...(names ?? [])].sort()) this.wanted.set(name, undefined);
    for (const document of this.documents()) {
      if (document.format !== "adp") continue;
      for (const { id = "", detail_url: url } of document.capabilities) {
        if (url === undefined || (names !== undefined && !names.has(id))) continue;
        if (!keys.has(url) && (names !== undefined || keys.size < MOST_DETAILS)) keys.set(url, await this.askDetail(document, url));
        this.wanted.set(id, keys.get(url));
      }
    }
    await this.settle();
  }

  private async askDetail(document: Document, url: string): Promise<Key | undefined> {
    let problem = this.core.askDetail(document, url);
    if (problem === "busy") {
      await this.settle();
      problem = this.core.askDetail(document, url);
    }
    if (problem !== null) return undefined;
    // The core's next request is this one; it may spell the URL differently.
    const next = this.core.next();
    if (next === null) return undefined;
    this.open.set(next.id, next);
    this.waiting.push(next);
    return keyOf(next.resource, next.key);
  }

  private documents(): Document[] {
    return this.core.report().documents.map(([resource, key]) => this.document(keyOf(resource, key), key));
  }

  /** The document of an answer, which is parsed once. */
  private document(key: Key, url: string): Document {
    const found = this.bodies.get(key)!;
    return (found.document ??= parse(found.body, { url, format: found.format, limits: this.limits }));
  }

  result(reached: Reached): Site {
    const report = this.core.report();
    const attempts = new Map<Key, Attempt>();
    for (const attempt of [...report.attempts, ...this.asked.values()]) {
      const key = keyOf(attempt.resource, attempt.key);
      const isFailed = attempt.rejection === "unreachable" || attempt.rejection === "address-refused";
      const error = this.locked.get(attempt.url) ?? (isFailed ? (this.errors.get(key) ?? null) : attempt.error);
      attempts.set(key, { ...attempt, error });
    }
    const found = (key: Key, document: Document): Found => {
      const attempt = attempts.get(key)!;
      return { url: attempt.url, document, attempt };
    };
    const rules = report.robots === "document" ? this.robotsBody() : report.robots_text;
    const robots = rules === null || rules === undefined ? undefined : new RobotsTxt(rules, { limits: this.limits });
    const licenses = engine().json<string[]>("licenses", robots === undefined ? [] : [robots._source], ...(this.home ?? [undefined]));
    const foreign = [...this.foreign].filter(([key]) => attempts.has(key));
    const elsewhere = report.attempts.filter((each) => each.rejection === null && !each.own && this.bodies.has(keyOf(each.resource, each.key)));
    const details = [...this.asked].filter(([key, each]) => each.rejection === null && this.bodies.has(key));
    return new Site({
      origin: report.origin,
      found: report.documents.map(([resource, key]) => found(keyOf(resource, key), this.document(keyOf(resource, key), key))),
      attempts: [...attempts.values()],
      robots,
      robotsRules: report.robots,
      licenses: [...new Set(licenses)],
      askAgainAt: report.ask_again_at ?? undefined,
      trailIsCut: report.trail_is_cut,
      details: details.map(([key, each]) => found(key, this.document(key, each.key))),
      missingDetails: [...this.wanted].filter(([, key]) => key === undefined || !this.bodies.has(key)).map(([name]) => name),
      elsewhere: elsewhere.map((each) => found(keyOf(each.resource, each.key), this.document(keyOf(each.resource, each.key), each.key))),
      unread: foreign.map(([key, body]) => found(key, parse(body, { format: "unknown", limits: this.limits }))),
    }, reached);
  }
}

/** What a discovery found. */
export interface SiteParts {
  /** Scheme, host and port. */
  readonly origin: string;
  /** The documents about the site, in order of precedence. */
  readonly found: readonly Found[];
  /** Every attempt in order, including those that gave no document. */
  readonly attempts: readonly Attempt[];
  /** The rules of robots.txt that apply; undefined if it was not requested. */
  readonly robots: RobotsTxt | undefined;
  /** Their kind: those of a document, or rules that allow or disallow everything. */
  readonly robotsRules: "document" | "allow-all" | "disallow-all" | "unknown";
  /** URLs of licences of the content, which are not requested: those of robots.txt (`License`) as written, then those to which the home page links (`rel="license"`), which is read with `follow`. Empty without such lines and links. */
  readonly licenses: readonly string[];
  /** When the first answer may be requested again, in seconds since 1970. */
  readonly askAgainAt: number | undefined;
  /** Whether some pointers were not followed. */
  readonly trailIsCut: boolean;
  /** Capability details, if requested. */
  readonly details: readonly Found[];
  /** The capabilities whose details were wanted and are not there. */
  readonly missingDetails: readonly string[];
  /** Documents of other sites to which the site points. They neither allow nor deny anything here. */
  readonly elsewhere: readonly Found[];
  /** Documents that are not recognized or belong elsewhere. They allow nothing; their restrictions count. */
  readonly unread: readonly Found[];
}

/** How the documents were requested. */
interface Reached {
  readonly allowPrivate: boolean;
  readonly fetch: typeof globalThis.fetch | undefined;
}

/** The documents of a site for agents. */
export interface Site extends SiteParts {}
export class Site {
  readonly #reached: Reached;
  /** The sessions of agents.json 0.1 that calls have opened. */
  readonly #sessions: Sessions = new Map();

  /** @internal */
  constructor(parts: SiteParts, reached: Reached) {
    Object.assign(this, parts);
    this.#reached = reached;
  }

  /** The documents of `found`. */
  get documents(): readonly Document[] {
    return this.found.map(({ document }) => document);
  }

  /** The document with the highest precedence. */
  get document(): Document | undefined {
    return this.found[0]?.document;
  }

  /** @internal Where calls take place. */
  get _place(): Place {
    const documents = [...this.found, ...this.details].map(({ document }) => document);
    const states = { document: this.robots, "allow-all": "absent", "disallow-all": "unreachable", unknown: undefined } as const;
    const failed = this.attempts.filter(({ rejection, resource }) => !NOTHING.has(rejection) && resource !== "home" && resource !== "robots-txt");
    const reasons = [...new Set(failed.map(({ error, message, rejection }) => error || message || String(rejection)))];
    return {
      ...{ documents, unread: this.unread.map(({ document }) => document), origin: this.origin, robots: states[this.robotsRules] },
      ...{ sessions: this.#sessions, ...this.#reached },
      missed: reasons.length > 0 ? `but not all of its documents could be fetched (${reasons.join(", ")})` : "",
    };
  }

  /** Decides a request by everything that was found. Throws a RateLimited if a document that might decide is not known yet. */
  decide(request: Omit<Request, "robots" | "origin">): Decision {
    const given = options(request);
    const { documents, unread, robots: known, origin } = this._place;
    // For a request that reads a page, status 429 counts as a server error, as crawlers treat it.
    const isLimited = given.url !== undefined && this.attempts.some((each) => each.resource === "robots-txt" && each.status === 429);
    const robots = isLimited && known === "absent" ? "unreachable" : known;
    const decision = decide([...documents, ...unread], { ...(given as Request), robots, origin });
    const early = this.attempts.find((each) => each.rejection === "too-early");
    if (decision.reason === "not-stated" && early !== undefined) {
      const again = early.freshness.ask_again_at;
      const said = `no other document covers the request, and what ${early.key} says is not known: it must not be stored, nor requested again before ${new Date(again * 1000).toISOString()}`;
      throw new RateLimited(said, decision, Math.max(0, again - Date.now() / 1000));
    }
    return decision;
  }

  /** Everything that an agent can call here, allowed or not. The parameters of ADP capabilities are in their details: `discover` gets them with `details: true`. */
  capabilities(request: Pick<Request, "agent" | "approved" | "purpose">): Offer[] {
    const { agent, approved, purpose } = options(request) as Request;
    const { documents, unread, robots, origin } = this._place;
    return capabilities([...documents, ...unread], { agent, approved, purpose, robots, origin });
  }

  /** The capabilities that an agent may call here as tools of a model. */
  tools<S extends Style = "openai">(given: ToolsOptions<S>): Tools<S> {
    return tools(this, given);
  }

  /** Calls a capability of the site. */
  call(capability: string, args: Args | undefined, given: CallOptions & { readonly dryRun: true }): Promise<Planned>;
  call(capability: string, args: Args | undefined, given: CallOptions & { readonly dryRun?: false | undefined }): Promise<CallAnswer>;
  call(capability: string, args: Args | undefined, given: CallOptions): Promise<CallAnswer | Planned>;
  call(capability: string, args: Args | undefined, given: CallOptions): Promise<CallAnswer | Planned> {
    return call(this, capability, args, given);
  }
}

/** Gets the documents of a site. Never rejects because of what a server answers; throws a TypeError for an invalid site or argument. */
export async function discover(site: string, given?: DiscoverOptions): Promise<Site> {
  const { fetch, agent, store, resources, follow, details, timeout = 60, concurrency = 8, allowPrivate, limits, identity, credentials } = options(given);
  const name = wellFormed(text(site, "site"), "\ufffd");
  const sent = maybe(agent, "agent");
  const followed = maybe(follow, "follow");
  if (followed !== undefined && followed !== "same-site" && followed !== "any") throw new TypeError('follow must be "same-site", "any" or undefined');
  checkTimeout(timeout);
  if (!Number.isInteger(concurrency) || concurrency < 1) throw new TypeError("concurrency must be a whole number, at least 1");
  if (store !== undefined && (typeof store.get !== "function" || typeof store.set !== "function")) throw new TypeError("store must have the methods get and set");
  const wanted = resources === undefined ? undefined : Array.from(resources, (each, at) => text(each, `resources[${at}]`));
  const named = Array.isArray(details) ? new Set(details.map((each, at) => text(each, `details[${at}]`))) : undefined;
  const core = new Core(name, wanted, followed ?? "", settled(limits));
  const userAgent = sent !== undefined && isUserAgent(sent) ? sent : facts().user_agent;
  const end = new AbortController();
  const signs = signer(identity);
  if (credentials !== undefined && !isOAuth2(credentials)) throw new TypeError("credentials must be an OAuth2");
  const locked = new Map<string, string>();
  const within = (seconds: number) => AbortSignal.any([end.signal, after(seconds)]);
  const refused = (url: string, why: string) => void locked.set(url, why);
  const reached = { agent: userAgent, origin: core.origin, named: allowPrivate === true ? [core.origin] : [], within, refused };
  const own = signed(transport(fetch), signs);
  const send = credentials === undefined ? own : unlocking(own, credentials, reached);
  // What a server says to a signed request, or to one with a token, it may say to this agent alone.
  const answers = signs === undefined && credentials === undefined ? store : undefined;
  const driver = new Driver(core, send, userAgent, answers, limits, concurrency, allowPrivate === true, end.signal, locked);
  // Behind everything that may throw: a timer that is not cleared keeps the program running.
  const timer = setTimeout(() => end.abort(), Math.min(timeout * 1000, 2 ** 31 - 1));
  try {
    const work = async () => {
      await driver.settle();
      if (details) await driver.askDetails(named);
    };
    const late = new Promise<void>((done) => end.signal.addEventListener("abort", () => done()));
    await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
    driver.giveUp();
    end.abort();
  }
  return driver.result({ allowPrivate: allowPrivate === true, fetch });
}
