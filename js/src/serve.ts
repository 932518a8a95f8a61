/** Serves documents with the headers that their specifications ask for. */

import type { IncomingMessage, ServerResponse } from "node:http";
import { type Data, options } from "./arguments.js";
import { Document, formats, parse } from "./document.js";

/** Documents by their paths, such as `/.well-known/agents.txt`. */
export type Files = { readonly [path: string]: Data | Document };

/** The options of `serve`. */
export interface ServeOptions {
  /** How long an answer counts, in seconds. Default: what the specification of each format recommends. */
  readonly maxAge?: number | undefined;
}

/** Answers a request for a document; undefined for any other. */
export interface Handler {
  (request: Request): Response | undefined;
  /** The `Link` header for the home page, by which agents find the documents; empty if no format has a relation. */
  readonly link: string;
}

interface Served {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly headers: readonly (readonly [string, string])[];
  readonly etag: string;
}

/** The hash FNV-1a in two halves: it tells versions of a document apart, and protects nothing. */
function tag(bytes: Uint8Array): string {
  let [one, two] = [0x811c9dc5, 0x01000193];
  for (const byte of bytes) {
    one = Math.imul(one ^ byte, 0x01000193);
    two = Math.imul(two ^ byte, 0x85ebca6b) + one;
  }
  const hex = (half: number) => (half >>> 0).toString(16).padStart(8, "0");
  return `"${hex(one)}${hex(two)}-${bytes.length.toString(16)}"`;
}

/** Answers requests for documents. Throws a ParseError if one cannot be read, so that nothing is served that agents cannot read. */
export function serve(files: Files, given?: ServeOptions): Handler {
  const { maxAge } = options(given);
  if (maxAge !== undefined && (!Number.isSafeInteger(maxAge) || maxAge < 0)) throw new TypeError("maxAge must be a whole number of seconds");
  if (typeof files !== "object" || files === null) throw new TypeError("files must be an object");
  const documents = Object.entries(files).map(([path, value]) => {
    if (!/^\/(?!\/)[!-~]*$/.test(path) || /[<>?#"]/.test(path)) throw new TypeError(`${JSON.stringify(path)} must be a path of the site that begins with one slash`);
    const document = value instanceof Document ? value : parse(value, { url: path });
    const format = formats().find((each) => each.name === document.format)!;
    return { path, document, format };
  });
  const named = documents.filter(({ format }) => format.relations.length > 0);
  const linkTo = (paths: typeof named) => paths.map(({ path, format }) => `<${path}>; rel="${format.relations[0]}"`).join(", ");
  const served = new Map<string, Served>();
  for (const { path, document, format } of documents) {
    const { bytes } = document;
    const body = new Uint8Array(bytes);
    const type = format.serving?.types[0] ?? format.media_types[0] ?? (format.is_json ? "application/json" : "text/plain");
    const charset = type.startsWith("text/") || format.serving?.charset ? "; charset=utf-8" : "";
    const methods = format.serving?.methods.length ? format.serving.methods : ["GET", "HEAD", "OPTIONS"];
    const link = linkTo(named.filter((each) => each.path !== path));
    const etag = tag(bytes);
    const headers: [string, string][] = [
      ["Content-Type", type + charset],
      ["Cache-Control", `max-age=${maxAge ?? format.lifetime}`],
      ["Access-Control-Allow-Origin", "*"],
      ["Access-Control-Allow-Methods", methods.join(", ")],
      ["X-Content-Type-Options", "nosniff"],
      ["ETag", etag],
    ];
    if (link) headers.push(["Link", link]);
    served.set(path, { body, headers, etag });
  }
  const answer = (request: Request): Response | undefined => {
    const found = served.get(new URL(request.url).pathname);
    if (found === undefined) return undefined;
    const headers = new Headers(found.headers.map(([name, value]): [string, string] => [name, value]));
    const { method } = request;
    if (method === "OPTIONS") {
      headers.delete("Content-Type");
      headers.set("Allow", "GET, HEAD, OPTIONS");
      return new Response(null, { status: 204, headers });
    }
    if (method !== "GET" && method !== "HEAD") return new Response(null, { status: 405, headers: { Allow: "GET, HEAD, OPTIONS" } });
    // A weak comparison, as for every conditional GET (RFC 9110 section 13.1.2).
    const known = request.headers.get("If-None-Match")?.split(",").map((each) => each.trim().replace(/^W\//, "")) ?? [];
    if (known.includes(found.etag) || known.includes("*")) {
      headers.delete("Content-Type");
      return new Response(null, { status: 304, headers });
    }
    headers.set("Content-Length", String(found.body.length));
    return new Response(method === "HEAD" ? null : found.body, { status: 200, headers });
  };
  return Object.assign(answer, { link: linkTo(named) });
}

/** A handler for Node's `http`, Express and Connect; the next one answers other requests. */
export function forNode(handler: Handler): (request: IncomingMessage, response: ServerResponse, next?: () => void) => void {
  return (request, response, next) => {
    const headers = new Headers();
    const tags = request.headers["if-none-match"];
    if (tags !== undefined) headers.set("If-None-Match", tags);
    // Only the path counts. A target that is no path is no document.
    const path = request.url?.startsWith("/") && !request.url.startsWith("//") ? request.url : "/";
    const method = request.method ?? "GET";
    const found = /^(TRACE|TRACK|CONNECT)$/i.test(method) ? undefined : handler(new Request(`http://localhost${path}`, { method, headers }));
    if (found === undefined) {
      if (next !== undefined) return next();
      response.writeHead(404).end();
      return;
    }
    response.writeHead(found.status, [...found.headers].flat());
    found.arrayBuffer().then((body) => response.end(new Uint8Array(body)), (problem: Error) => response.destroy(problem));
  };
}
