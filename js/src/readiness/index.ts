/**
 * Everything of the entry `agentsdisc/readiness`: is a site ready for agents? The checks are in the core; this part sends their requests, or looks them up in
 * files.
 */

import { type Data, type Limits, checkTimeout, data as copied, isUserAgent, limits as settled, maybe, options, text, words } from "../arguments.js";
import { NONE, encoded } from "../engine.js";
import { transport } from "../transport.js";
import { checkFolder } from "./folder.js";
import { opened } from "./folders.js";
import type { Files } from "./hosts.js";
import type { Report } from "./report.js";
import { checkUrl } from "./site.js";
import { facts, measureOf } from "./survey.js";

export type { Check, Evidence, Prediction, Report, Status } from "./report.js";
export { readReport } from "./report.js";

/** The options of a check. */
export interface CheckSiteOptions {
  /** The origin that the documents name, such as `https://example.com`, if the target is a preview, a server on this machine, or files. */
  readonly canonicalOrigin?: string | undefined;
  /** The kind of site: `content`, `api` or `shop`. */
  readonly profile?: string | undefined;
  /** What the site must have: `api`, `auth`, `mcp`, `agent`, `shop`, `bots`. */
  readonly expect?: Iterable<string> | undefined;
  /** The User-Agent that is sent. */
  readonly agent?: string | undefined;
  /** The time for the whole site, in seconds. Default 60. */
  readonly timeout?: number | undefined;
  readonly limits?: Limits | undefined;
  /** Whether the site may have a private address (Node). */
  readonly allowPrivate?: boolean | undefined;
  /** Whether MCP servers on the host of the site that its card names are called: `server/discover`, the only request that is not GET or HEAD. */
  readonly callMcp?: boolean | undefined;
  /** Sends the requests. Default: in Node a client that connects only to public addresses, elsewhere the platform's `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/**
 * Checks whether a site is ready for agents. `target` is its URL, in Node also the folder with its files before they are published, or the files themselves:
 * an object of paths, such as `robots.txt`, and contents.
 *
 * At most 60 requests are sent, and only to the host of the site. Rejects with a TypeError for invalid arguments, with an Error if the site does not answer at
 * all or a folder cannot be read.
 */
export async function checkSite(target: string | { readonly [path: string]: Data }, given?: CheckSiteOptions): Promise<Report> {
  const { canonicalOrigin, profile, expect, agent, timeout = 60, limits, allowPrivate, callMcp, fetch } = options(given);
  const expected = words(expect, "expect");
  const measure = measureOf(maybe(canonicalOrigin, "canonicalOrigin"), maybe(profile, "profile"), expected, callMcp === true);
  checkTimeout(timeout);
  const most = settled(limits)[0]!;
  const size = most === NONE ? 1 << 20 : most;
  if (typeof target === "object" && target !== null) return checkFolder("files", filesOf(target), measure, size);
  const url = text(target, "target");
  const folder = url.includes("://") ? undefined : opened(url);
  if (folder !== undefined) return checkFolder(folder.target, folder.files, measure, size);
  const name = maybe(agent, "agent");
  const isName = name !== undefined && isUserAgent(name);
  const sending = { send: transport(fetch), agent: isName ? name : facts().user_agent, timeout, most: size, allowPrivate: allowPrivate === true };
  return checkUrl(url, measure, sending);
}

/** The files of an object. */
function filesOf(given: { readonly [path: string]: Data }): Files {
  const all = new Map(
    Object.entries(given).map(([path, data]) => {
      const bytes = copied(data, path);
      return [path.replace(/^(?:\.?\/)+/, ""), typeof bytes === "string" ? encoded(bytes) : bytes] as const;
    }),
  );
  return { has: (path) => all.has(path), read: (path, most) => all.get(path)?.subarray(0, most) };
}
