/** Requests of Node, which go only to addresses that were checked: a name is resolved once, and all of its addresses must be public. */

import { lookup as resolve, type LookupAddress } from "node:dns";
import { Agent as HttpAgent, type IncomingMessage, request as http } from "node:http";
import { Agent as HttpsAgent, request as https } from "node:https";
import { type LookupFunction, isIP } from "node:net";
import { createGunzip } from "node:zlib";
import { hostOf, isPublic } from "./addresses.js";
import { Failed, type Reply, type Sent, bounded, failure, isNamed } from "./transport.js";

const NOT_PUBLIC = "its address is not public";
const SLACK = 64 << 10;

const refused = (named: readonly string[]) => new Failed("refused", named.length === 0 ? NOT_PUBLIC : `${NOT_PUBLIC}, and only the host that was named may be private`);

/** Checks the addresses of a host for a connection that another client makes, which may resolve the name again. */
export async function checkAddresses(url: string, named: readonly string[], signal: AbortSignal): Promise<void> {
  if (isNamed(url, named)) return;
  const host = hostOf(url);
  const found = await new Promise<LookupAddress[]>((done, failed) => {
    signal.addEventListener("abort", () => failed(new Failed("timeout")), { once: true });
    resolve(host, { all: true }, (problem, all) => (problem === null ? done(all) : failed(failure(problem, signal))));
  });
  if (!found.every(({ address }) => isPublic(address))) throw refused(named);
}

/** Sends a request. */
export async function send(sent: Sent): Promise<Reply> {
  const url = new URL(sent.url);
  const host = hostOf(url);
  const mayBePrivate = isNamed(sent.url, sent.named);
  if (isIP(host) !== 0 && !mayBePrivate && !isPublic(host)) throw refused(sent.named);
  // Node connects to what this function gives, so that a second answer of the name server cannot lead elsewhere.
  const lookup: LookupFunction = (name, options, done) => {
    resolve(name, { ...options, all: true }, (problem, found: LookupAddress[]) => {
      const [first] = found ?? [];
      if (problem !== null || first === undefined) return done(problem ?? Object.assign(new Error("no address"), { code: "ENOTFOUND" }), "", 4);
      if (!mayBePrivate && !found.every(({ address }) => isPublic(address))) return done(refused(sent.named), "", 4);
      if (options.all) done(null, found);
      else done(null, first.address, first.family);
    });
  };
  const isSecure = url.protocol === "https:";
  const agent = isSecure ? new HttpsAgent({ keepAlive: false }) : new HttpAgent({ keepAlive: false });
  const { method = "GET", content } = sent;
  const length = content === undefined ? [] : [["Content-Length", String(Buffer.byteLength(content))]];
  const headers = Object.fromEntries([...sent.headers, ...length, ["Accept-Encoding", "gzip"]]) as { [name: string]: string };
  try {
    const response = await new Promise<IncomingMessage>((answered, failed) => {
      const request = (isSecure ? https : http)(url, { method, headers, lookup, agent, signal: sent.signal }, answered);
      request.on("error", failed);
      request.end(content);
    });
    try {
      const status = response.statusCode ?? 0;
      const raw = response.rawHeaders;
      const shown = Array.from({ length: raw.length / 2 }, (_, at): [string, string] => [raw[2 * at]!, raw[2 * at + 1]!]);
      const isRead = (status >= 200 && status < 300) || sent.keepsErrors === true;
      const body = isRead ? await bounded(decoded(response, sent.limit), sent) : new Uint8Array();
      return { status, headers: shown, body };
    } finally {
      response.destroy();
    }
  } catch (problem) {
    throw failure(problem, sent.signal);
  } finally {
    agent.destroy();
  }
}

/** The body without its encoding. */
async function* decoded(response: IncomingMessage, limit: number): AsyncGenerator<Uint8Array> {
  const coding = (response.headers["content-encoding"] ?? "").trim().toLowerCase();
  if (coding === "" || coding === "identity") return yield* response as AsyncIterable<Uint8Array>;
  if (coding !== "gzip" && coding !== "x-gzip") {
    throw new Failed("encoding", `the answer has the Content-Encoding ${JSON.stringify(coding.slice(0, 40))}, although only gzip was requested; its server must send gzip, or nothing encoded`);
  }
  const gunzip = createGunzip();
  let received = 0;
  response.on("data", (part: Uint8Array) => {
    received += part.length;
    // Blanks of gzip that decode to nothing.
    if (received > limit + SLACK) response.destroy(new Failed("too-large"));
  });
  response.on("error", (problem) => gunzip.destroy(problem));
  response.pipe(gunzip);
  try {
    yield* gunzip as AsyncIterable<Uint8Array>;
  } catch (problem) {
    const { code } = problem as NodeJS.ErrnoException;
    if (code?.startsWith("Z_")) throw new Failed("encoding", "the Content-Encoding of the answer is gzip, but its content is not whole gzip data; its server must correct it");
    throw problem;
  } finally {
    gunzip.destroy();
  }
}
