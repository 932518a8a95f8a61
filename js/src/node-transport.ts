/** Requests of Node, which go only to addresses that were checked: a name is resolved once, and all of its addresses must be public. */

import { lookup as resolve, type LookupAddress } from "node:dns";
import { Agent as HttpAgent, type IncomingMessage, request as http } from "node:http";
import { Agent as HttpsAgent, request as https } from "node:https";
import { BlockList, type LookupFunction, isIP } from "node:net";
import { createGunzip } from "node:zlib";
import { Failed, type Reply, type Sent, bounded, failure, isNamed } from "./transport.js";

const NOT_PUBLIC = "its address is not public";
const SLACK = 64 << 10;

const SPECIAL = new BlockList();
for (const [network, length] of [
  ...([["0.0.0.0", 8], ["10.0.0.0", 8], ["100.64.0.0", 10], ["127.0.0.0", 8], ["168.63.129.16", 32], ["169.254.0.0", 16], ["172.16.0.0", 12]] as const),
  ...([["192.0.0.0", 24], ["192.0.2.0", 24], ["192.88.99.0", 24], ["192.168.0.0", 16], ["198.18.0.0", 15], ["198.51.100.0", 24]] as const),
  ...([["203.0.113.0", 24], ["224.0.0.0", 4], ["240.0.0.0", 4]] as const),
] as const) {
  SPECIAL.addSubnet(network, length, "ipv4");
}
for (const [network, length] of [["2001::", 23], ["2001:db8::", 32], ["3fff::", 20]] as const) SPECIAL.addSubnet(network, length, "ipv6");

/** The eight parts of an IPv6 address. */
function parts(address: string): number[] {
  let text = address;
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(text);
  if (dotted !== null) {
    const [a, b, c, d] = dotted.slice(2).map(Number) as [number, number, number, number];
    text = `${dotted[1]}${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
  }
  const [head = "", tail] = text.split("::");
  const read = (side: string) => (side === "" ? [] : side.split(":").map((part) => parseInt(part, 16)));
  const [first, last] = [read(head), read(tail ?? "")];
  return tail === undefined ? first : [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last];
}

/** Whether an address is on the public Internet. One that contains an IPv4 address is public only if that is. */
export function isPublic(given: string): boolean {
  const address = given.split("%")[0]!;
  if (isIP(address) === 4) return !SPECIAL.check(address, "ipv4");
  if (isIP(address) !== 6) return false;
  const all = parts(address);
  const inside = (high: number, low: number) => isPublic([high >> 8, high & 255, low >> 8, low & 255].join("."));
  const begins = (...prefix: number[]) => prefix.every((part, at) => all[at] === part);
  if (begins(0, 0, 0, 0, 0, 0xffff) || begins(0x64, 0xff9b, 0, 0, 0, 0)) return inside(all[6]!, all[7]!);
  if ((all[0]! & 0xe000) !== 0x2000 || SPECIAL.check(address, "ipv6")) return false;
  return all[0] !== 0x2002 || inside(all[1]!, all[2]!);
}

const refused = (named: readonly string[]) => new Failed("refused", named.length === 0 ? NOT_PUBLIC : `${NOT_PUBLIC}, and only the host that was named may be private`);

const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, "");

/** Checks the addresses of a host for a connection that another client makes, which may resolve the name again. */
export async function checkAddresses(url: string, named: readonly string[], signal: AbortSignal): Promise<void> {
  if (isNamed(url, named)) return;
  const host = hostOf(new URL(url));
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
