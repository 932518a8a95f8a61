/** Directories of keys: fetched from the URL that an agent names, kept for a time, bounded in every respect. */

import { words } from "../arguments.js";
import { signatures } from "../engine.js";
import { Failed, isNamed, transport } from "../transport.js";
import { VERSION } from "../version.js";
import type { JwkSet } from "./keys.js";

const MEDIA = new Set(["application/http-message-signatures-directory+json", "application/jwk-set+json", "application/json"]);
const WELL_KNOWN = "/.well-known/http-message-signatures-directory";
const MOST_BYTES = 64 << 10;
/** For how many seconds a directory is kept: at least, without Cache-Control, and at most. */
const [LEAST, USUAL, MOST] = [60, 3600, 86_400];
/** How many seconds lie between two requests for one directory. */
const PAUSE = 60;
/** For how many seconds a directory that cannot be fetched any more stays in use. */
const STALE = 86_400;
const SECONDS = 5;

/** A directory, or why there is none. */
export type Kept = { readonly body: Uint8Array | string } | { readonly refused: string };

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

  /** @internal The directory at a URL, which is fetched if it has to be, or with `isNewer` if it may be. */
  async _at(url: string, isNewer = false): Promise<Kept> {
    const known = this.#known.get(url);
    if (known !== undefined) return { body: known };
    const refused = { refused: "directory-failed" };
    if (this.#given.onlyKnown || (this.#allow !== undefined && !this.#allow.has(new URL(url).hostname))) return refused;
    const entry = this.#entries.get(url) ?? { body: undefined, freshUntil: -Infinity, tried: -Infinity, why: "directory-failed", asked: undefined };
    if (entry.asked !== undefined) return entry.asked;
    const usable = this.#usable(entry);
    if (usable !== undefined && !(isNewer && this._clock() >= entry.tried + PAUSE)) return this.#used(url, entry, usable);
    if (this.#running >= (this.#given.concurrency ?? 16)) return refused;
    this.#running++;
    entry.asked = this.#fetched(url).then((came) => {
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
    return this.#used(url, entry, entry.asked);
  }

  /** Moves an entry behind all others, and drops the first ones. */
  #used<T>(url: string, entry: Entry, result: T): T {
    this.#entries.delete(url);
    this.#entries.set(url, entry);
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

  async #fetched(url: string): Promise<{ readonly body: Uint8Array; readonly seconds: number } | { readonly refused: string }> {
    // Other ports are services of other owners.
    if (new URL(url).port !== "" && !isNamed(url, this.#private)) return { refused: "directory-failed" };
    try {
      const headers = [["Accept", "application/http-message-signatures-directory+json"], ["User-Agent", `agentsdisc/${VERSION}`]] as const;
      const signal = AbortSignal.timeout(SECONDS * 1000);
      const sent = { url, headers, limit: MOST_BYTES, cuts: false, signal, named: this.#private, keepsErrors: true };
      const reply = await transport(this.#given.fetch)(sent);
      if (reply.status !== 200) return { refused: "directory-failed" };
      const header = (name: string) => reply.headers.filter(([own]) => own.toLowerCase() === name).map(([, value]) => value).join(", ");
      const [media = ""] = header("content-type").split(";");
      const found = signatures().json<{ readonly refused?: string }>("identity_key", undefined, reply.body, "", "", 0, 0);
      if (!MEDIA.has(media.trim().toLowerCase()) || found.refused === "directory-invalid") return { refused: "directory-invalid" };
      return { body: reply.body, seconds: lifetime(header("cache-control")) };
    } catch (problem) {
      if (!(problem instanceof Failed)) throw problem;
      return { refused: "directory-failed" };
    }
  }
}

/** For how many seconds a directory is fresh. */
function lifetime(cacheControl: string): number {
  for (const part of cacheControl.toLowerCase().split(",")) {
    const [name, value = ""] = part.trim().split("=");
    if (name === "no-store" || name === "no-cache") return LEAST;
    const digits = value.replace(/^"|"$/g, "");
    if (name === "max-age" && /^[0-9]+$/.test(digits)) return Math.min(Math.max(Number(digits.slice(0, 9)), LEAST), MOST);
  }
  return USUAL;
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
