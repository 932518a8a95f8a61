/** Directories of keys: fetched from the URL that an agent names, kept for a time, bounded in every respect. */

import { words } from "../arguments.js";
import { encoded, signatures, split } from "../engine.js";
import { Failed, isNamed, transport } from "../transport.js";
import { VERSION } from "../version.js";
import type { JwkSet } from "./keys.js";

const MEDIA = new Set(["application/http-message-signatures-directory+json", "application/jwk-set+json", "application/json"]);
const WELL_KNOWN = "/.well-known/http-message-signatures-directory";
const MOST_BYTES = 64 << 10;
/** How many seconds lie between two requests for one directory. */
const PAUSE = 60;
/** For how many seconds a directory that cannot be fetched any more stays in use. */
const STALE = 86_400;
const SECONDS = 5;

/** A directory, or why there is none. */
export type Kept = { readonly body: Uint8Array | string } | { readonly refused: string };

/** What was fetched, and for how many seconds it is fresh; or why nothing was. */
type Came = { readonly body: Uint8Array; readonly seconds: number } | { readonly refused: string };

interface Entry {
  body: Uint8Array | undefined;
  freshUntil: number;
  tried: number;
  why: string;
  /** The request in flight. */
  asked: Promise<Kept> | undefined;
}

/** The options of a directory. */
export interface DirectoryOptions {
  /** Directories that need not be fetched, by an origin such as `https://agent.example` or the URL of a key set. */
  readonly known?: { readonly [url: string]: JwkSet } | undefined;
  /** The hosts that may be asked. Default: all public ones. */
  readonly allow?: Iterable<string> | undefined;
  /** Asks none. */
  readonly onlyKnown?: boolean | undefined;
  /** URLs whose host may have a private address (Node), such as `https://localhost:8443`. */
  readonly allowPrivate?: Iterable<string> | undefined;
  /** How many directories are kept. Default 1000. */
  readonly size?: number | undefined;
  /** How many are fetched at a time; a request that needs one more is refused. Default 16. */
  readonly concurrency?: number | undefined;
  /** Accepts the keys that specifications publish with their private parts; for tests only. */
  readonly examples?: boolean | undefined;
  /** Sends the requests. Default: in Node a client that connects only to public addresses, elsewhere the platform's `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/**
 * The keys of all agents: fetches the directory that a request names, and keeps it.
 *
 * Requests follow no redirects and read at most 64 KiB. A directory is fresh for its `max-age`, from a minute to a day; a key that it lacks is
 * looked for again at most once a minute.
 */
export class Directory {
  readonly #known: ReadonlyMap<string, string>;
  readonly #allow: ReadonlySet<string> | undefined;
  readonly #private: readonly string[];
  readonly #entries = new Map<string, Entry>();
  readonly #given: DirectoryOptions;
  #running = 0;
  /** @internal The time in seconds. */
  _clock: () => number = () => performance.now() / 1000;

  constructor(given: DirectoryOptions = {}) {
    if (typeof given !== "object" || given === null) throw new TypeError("options must be an object");
    this.#given = { ...given };
    this.#known = new Map(Object.entries(given.known ?? {}).map(([url, keys]) => [place(url), JSON.stringify(keys)]));
    this.#allow = given.allow === undefined ? undefined : new Set(words(given.allow, "allow"));
    this.#private = words(given.allowPrivate, "allowPrivate");
  }

  /** Whether the keys of specifications are accepted. */
  get examples(): boolean {
    return this.#given.examples === true;
  }

  /** @internal The directory at a URL, which is fetched if it has to be, or with `isNewer` if it may be. `isCard`: the URL has a card with the keys or their URL. */
  async _at(url: string, isCard: boolean, isNewer = false): Promise<Kept> {
    const known = this.#known.get(url);
    if (known !== undefined) return { body: known };
    const refused = { refused: "directory-failed" };
    if (this.#given.onlyKnown || !this.#isAllowed(url)) return refused;
    const name = isCard ? `card ${url}` : url;
    const entry = this.#entries.get(name) ?? { body: undefined, freshUntil: -Infinity, tried: -Infinity, why: "directory-failed", asked: undefined };
    if (entry.asked !== undefined) return entry.asked;
    const usable = this.#usable(entry);
    if (usable !== undefined && !(isNewer && this._clock() >= entry.tried + PAUSE)) return this.#used(name, entry, usable);
    if (this.#running >= (this.#given.concurrency ?? 16)) return refused;
    this.#running++;
    entry.asked = this.#keysAt(url, isCard).then((came) => {
      this.#running--;
      entry.asked = undefined;
      entry.tried = this._clock();
      if ("refused" in came) {
        entry.why = came.refused;
        return this.#usable(entry) ?? came;
      }
      [entry.body, entry.freshUntil] = [came.body, entry.tried + came.seconds];
      return { body: came.body };
    });
    return this.#used(name, entry, entry.asked);
  }

  #isAllowed(url: string): boolean {
    return this.#allow === undefined || this.#allow.has(new URL(url).hostname);
  }

  /** Moves an entry behind all others, and drops the first ones. */
  #used<T>(name: string, entry: Entry, result: T): T {
    this.#entries.delete(name);
    this.#entries.set(name, entry);
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= (this.#given.size ?? 1000)) break;
      this.#entries.delete(oldest);
    }
    return result;
  }

  /** What an entry is good for without a request. */
  #usable({ body, freshUntil, tried, why }: Entry): Kept | undefined {
    const now = this._clock();
    if (body !== undefined && now < freshUntil) return { body };
    if (now >= tried + PAUSE) return undefined;
    return body !== undefined && now < freshUntil + STALE ? { body } : { refused: why };
  }

  /** Fetches a directory. A card leads to it in one more step. */
  async #keysAt(url: string, isCard: boolean): Promise<Came> {
    if (!isCard) return this.#fetched(url, isDirectory);
    const came = await this.#fetched(url, (media) => media === "application/json" || media.endsWith("+json"));
    if ("refused" in came) return came;
    type Found = { readonly url?: string; readonly refused?: string };
    const [found, keys] = split<Found>(signatures().answer("identity_card", undefined, came.body, encoded(url))[0]);
    if (found.refused !== undefined) return { refused: found.refused };
    if (found.url === undefined) return isDirectory("application/json", keys) ? { body: keys, seconds: came.seconds } : { refused: "directory-invalid" };
    const known = this.#known.get(found.url);
    if (known !== undefined) return { body: encoded(known), seconds: came.seconds };
    if (!this.#isAllowed(found.url)) return { refused: "directory-failed" };
    const behind = await this.#fetched(found.url, isDirectory);
    return "refused" in behind ? behind : { body: behind.body, seconds: Math.min(came.seconds, behind.seconds) };
  }

  /** Fetches what is at a URL, if its media type and its bytes are valid. */
  async #fetched(url: string, isValid: (media: string, body: Uint8Array) => boolean): Promise<Came> {
    // Other ports are services of other owners.
    if (new URL(url).port !== "" && !isNamed(url, this.#private)) return { refused: "directory-failed" };
    try {
      const headers = [["Accept", "application/http-message-signatures-directory+json"], ["User-Agent", `agentsdisc/${VERSION}`]] as const;
      const signal = AbortSignal.timeout(SECONDS * 1000);
      const sent = { url, headers, limit: MOST_BYTES, cuts: false, signal, named: this.#private, keepsErrors: true };
      const reply = await transport(this.#given.fetch)(sent);
      if (reply.status !== 200) return { refused: "directory-failed" };
      const lines = (name: string) => reply.headers.filter(([own]) => own.toLowerCase() === name).map(([, value]) => value);
      const [media = ""] = lines("content-type").join(", ").split(";");
      if (!isValid(media.trim().toLowerCase(), reply.body)) return { refused: "directory-invalid" };
      return { body: reply.body, seconds: signatures().json<number>("identity_kept", undefined, ...lines("cache-control")) };
    } catch (problem) {
      if (!(problem instanceof Failed)) throw problem;
      return { refused: "directory-failed" };
    }
  }
}

/** Whether bytes are a directory of keys. */
function isDirectory(media: string, body: Uint8Array): boolean {
  const found = signatures().json<{ readonly refused?: string }>("identity_key", undefined, body, "", "", 0, 0);
  return MEDIA.has(media) && found.refused !== "directory-invalid";
}

/** The URL that has the keys, for an origin or the URL of a key set. Throws a TypeError if it is not an https URL. */
export function place(url: string): string {
  const parts = URL.canParse(url) ? new URL(url) : undefined;
  if (parts === undefined || parts.protocol !== "https:" || parts.username || parts.password) throw new TypeError(`${JSON.stringify(url)} is not an https URL`);
  if (url.includes("#")) throw new TypeError(`${JSON.stringify(url)} has a fragment`);
  const isOrigin = ["/", WELL_KNOWN].includes(parts.pathname) && !url.includes("?");
  return isOrigin ? `${parts.origin}${WELL_KNOWN}` : parts.href;
}

/** What Signature-Agent says for a directory: its origin if it is at the well-known place, otherwise its URL. */
export function named(url: string): string {
  const found = place(url);
  return found.endsWith(WELL_KNOWN) ? found.slice(0, -WELL_KNOWN.length) : found;
}
