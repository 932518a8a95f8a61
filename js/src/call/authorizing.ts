/**
 * Finds who issues tokens for a server that has refused a request: from the refusal to the resource, from the resource to its authorization server.
 *
 * The rules are those of MCP 2026-07-28 (RFC 9728, RFC 8414, OpenID Connect Discovery 1.0), for every protocol. A document counts only if it names
 * the URL that it came from, and a server counts only if the resource names it.
 */

import { hostOf, isLocal, isSameMachine } from "../addresses.js";
import { type Document, parse } from "../document.js";
import { ParseError } from "../errors.js";
import type { Reply } from "../transport.js";
import { beginning, visible } from "../visible.js";

/** Gets the document at a URL; undefined if there is none. */
export type Ask = (url: string) => Promise<Uint8Array | undefined>;

/** How many of the servers that a resource names are asked for, the longest URL and header in characters. */
const [MOST_SERVERS, LONGEST, LONGEST_HEADER] = [3, 2048, 8 << 10];
const WELL_KNOWN = "/.well-known/";
const RESOURCE_PLACE = `${WELL_KNOWN}oauth-protected-resource`;

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
/** A parameter, or the scheme of the next challenge (RFC 9110 section 11.2). */
const PART = new RegExp(
  `[ \\t,]*(?:(?<name>${TOKEN})[ \\t]*=[ \\t]*(?:"(?<quoted>(?:[^"\\\\]|\\\\.)*)"|(?<plain>${TOKEN})(?=[ \\t]*(?:,|$)))` +
    `|(?<scheme>${TOKEN})(?:[ \\t]+(?<token68>[0-9A-Za-z._~+/-]+=*)(?=[ \\t]*(?:,|$)))?(?=[ \\t,]|$))`,
  "y",
);
const SCOPE = /^[!#-\[\]-~]+$/;

/** What a server says when it refuses a request for its credentials (RFC 6750 section 3, RFC 9728 section 5.1). */
export interface Challenge {
  readonly resourceMetadata?: string | undefined;
  readonly scopes: readonly string[];
  /** Whether the server has accepted the token, but wants one for these scopes. */
  readonly isForMore: boolean;
}

/** The authorization server of a resource, as both describe themselves. */
export interface Authorization {
  /** The identifier of the resource, which the server learns (RFC 8707). */
  readonly resource: string;
  readonly issuer: string;
  readonly tokenUrl: string;
  readonly authorizationUrl: string | undefined;
  /** The scopes to ask for, if the caller states none. */
  readonly scopes: readonly string[];
  /** How a client may authenticate; empty if the server does not state it. */
  readonly methods: readonly string[];
  /** Whether the answer to an authorization request names the issuer (RFC 9207). */
  readonly statesIssuer: boolean;
  /** Where clients register (RFC 7591). */
  readonly registrationUrl: string | undefined;
  /** Whether the id of a client can be the URL of a document about it. */
  readonly takesDocuments: boolean;
}

/** No authorization server can be used; the message says why. */
export class Unusable extends Error {}

/** The challenge of an answer; undefined if the answer is no refusal that another token can help. */
export function challengeOf({ status, headers }: Reply): Challenge | undefined {
  if (status !== 401 && status !== 403) return undefined;
  const values = headers.filter(([name]) => name.toLowerCase() === "www-authenticate").map(([, value]) => value);
  const bearers = values.flatMap((value) => [...challenges(value)]).filter(([scheme]) => scheme === "bearer").map(([, given]) => given);
  // The challenge with the URL, if there is one: a server may repeat the scheme.
  const given = bearers.find((each) => each.has("resource_metadata")) ?? bearers[0];
  const isForMore = given?.get("error") === "insufficient_scope";
  if (status === 403 && !isForMore) return undefined;
  const scopes = (given?.get("scope") ?? "").split(" ").filter((each) => SCOPE.test(each));
  return { resourceMetadata: given?.get("resource_metadata"), scopes, isForMore };
}

/** Where a server says that tokens come from, as the end of a message. */
export function pointer(reply: Reply): string {
  const place = challengeOf(reply)?.resourceMetadata;
  return place === undefined ? "" : `; the server says at ${shown(place)} where to get a token, which OAuth2 follows`;
}

/** The schemes of a header with their parameters, up to the first character that is not valid there. One that repeats a parameter is left out. */
function* challenges(header: string): Generator<[string, ReadonlyMap<string, string>]> {
  const value = header.slice(0, LONGEST_HEADER).replace(/[ \t,]+$/, "");
  let [scheme, given, isValid, at] = ["", new Map<string, string>(), false, 0];
  while (at < value.length) {
    PART.lastIndex = at;
    const found = PART.exec(value);
    if (found === null) break;
    at = PART.lastIndex;
    const { scheme: next, name, quoted, plain } = found.groups as { [group: string]: string | undefined };
    if (next !== undefined) {
      if (isValid) yield [scheme, given];
      [scheme, given, isValid] = [next.toLowerCase(), new Map(), true];
      continue;
    }
    const key = name!.toLowerCase();
    isValid &&= !given.has(key);
    given.set(key, plain ?? quoted!.replace(/\\(.)/g, "$1"));
  }
  if (isValid && at === value.length) yield [scheme, given];
}

/** What finding needs. */
export interface Finding {
  /** Gets a document from the resource's own origin. */
  readonly resourceAt: Ask;
  /** Gets a document from another origin. */
  readonly serverAt: Ask;
  /** Whether a URL may be on a private host. */
  isPrivate(url: string): boolean;
}

/** The authorization servers of the resource at a URL, at least one. Rejects with Unusable if there is none. */
export async function authorizations(challenge: Challenge, url: string, finding: Finding): Promise<Authorization[]> {
  const resource = await resourceOf(challenge, url, finding.resourceAt);
  if (resource.methods !== undefined && !resource.methods.includes("header")) throw new Unusable("the resource takes no token in a header");
  if (resource.servers.length === 0) throw new Unusable("the resource names no authorization server");
  const found: Authorization[] = [];
  const reasons: string[] = [];
  for (const issuer of [...new Set(resource.servers)].slice(0, MOST_SERVERS)) {
    try {
      found.push(await serverOf(issuer, resource, challenge, finding));
    } catch (problem) {
      if (!(problem instanceof Unusable)) throw problem;
      reasons.push(`${shown(issuer)}: ${problem.message}`);
    }
  }
  if (found.length === 0) throw new Unusable(reasons.join("; "));
  return found;
}

/** What a resource says about itself (RFC 9728). */
interface Resource {
  readonly id: string;
  readonly servers: readonly string[];
  readonly scopes: readonly string[];
  /** How it takes tokens; undefined if it does not state it. */
  readonly methods: readonly string[] | undefined;
}

/** The metadata of the resource at a URL: from the URL in the challenge, otherwise from the well-known ones. */
async function resourceOf(challenge: Challenge, url: string, ask: Ask): Promise<Resource> {
  let places = placesOfResource(url);
  const { resourceMetadata: stated } = challenge;
  if (stated !== undefined) {
    if (refusal(stated, true) !== undefined || originOf(stated) !== originOf(url)) {
      throw new Unusable(`the metadata at ${shown(stated)} is not on the origin of the resource`);
    }
    places = [stated];
  }
  for (const place of places) {
    const body = await ask(place);
    if (body === undefined) continue;
    const found = readResource(body);
    if (found === undefined) throw new Unusable(`${shown(place)} is no metadata of a resource`);
    if (!isOf(found.id, place, url)) throw new Unusable(`${shown(place)} is the metadata of another resource, ${shown(found.id)}`);
    return found;
  }
  throw new Unusable(`there is no metadata of the resource at ${shown(places[0]!)}`);
}

/** The well-known URLs of a resource: with its path, then at the root (RFC 9728 section 3.1). */
function placesOfResource(url: string): string[] {
  const { path, query } = partsOf(url);
  const root = originOf(url) + RESOURCE_PLACE;
  const place = root + path.replace(/\/$/, "");
  return [...new Set([`${place}${query && `?${query}`}`, place, root])];
}

/** Whether the metadata at a place names the resource that was asked: its URL itself, or what the place says that stands above it. */
function isOf(named: string, place: string, url: string): boolean {
  if (refusal(named, true) !== undefined || originOf(named) !== originOf(url)) return false;
  if (pathOf(named) === pathOf(url)) return true;
  const above = partsOf(named);
  const isPlaced = partsOf(place).path.replace(/\/$/, "") === RESOURCE_PLACE + above.path.replace(/\/$/, "") && above.query === "";
  return isPlaced && isBeneath(url, named);
}

/** Whether a URL is that of a resource, or below it. */
export function isBeneath(url: string, resource: string): boolean {
  if (!URL.canParse(url) || originOf(url) !== originOf(resource)) return false;
  const [own, above] = [pathOf(url), pathOf(resource)];
  if (own === above) return true;
  // A path with dot segments is not below what it seems to be below.
  const isPlain = !/\/(\.|%2e){1,2}(\/|$)/i.test(partsOf(url).path);
  return isPlain && !above.includes("?") && own.startsWith(`${above.replace(/\/$/, "")}/`);
}

/** An authorization server, from the first document that names its issuer. */
async function serverOf(issuer: string, resource: Resource, challenge: Challenge, { serverAt, isPrivate }: Finding): Promise<Authorization> {
  const problem = refusal(issuer, isPrivate(issuer));
  if (problem !== undefined) throw new Unusable(problem);
  if (partsOf(issuer).query !== "") throw new Unusable("an issuer has no query");
  let why = "it publishes no metadata";
  for (const place of placesOfServer(issuer)) {
    const body = await serverAt(place);
    if (body === undefined) continue;
    const found = readServer(body);
    if (found?.issuer === issuer) return { issuer, resource: resource.id, ...checked(found, resource, challenge, isPrivate) };
    why = `the metadata at ${shown(place)} is not of this issuer`;
  }
  throw new Unusable(why);
}

/** The URLs of the metadata of an issuer, in the order of MCP (Authorization Server Metadata Discovery). */
function placesOfServer(issuer: string): string[] {
  const host = originOf(issuer);
  const path = partsOf(issuer).path.replace(/\/$/, "");
  const [oauth, openid] = ["oauth-authorization-server", "openid-configuration"];
  const places = [oauth, openid].map((kind) => `${host}${WELL_KNOWN}${kind}${path}`);
  return path === "" ? places : [...places, `${host}${path}${WELL_KNOWN}${openid}`];
}

/** What a server says about itself, if it can be used. */
function checked(server: Server, resource: Resource, challenge: Challenge, isPrivate: Finding["isPrivate"]): Omit<Authorization, "issuer" | "resource"> {
  const { tokenUrl, authorizationUrl, registrationUrl, methods, statesIssuer, takesDocuments } = server;
  if (!server.challengeMethods.includes("S256")) throw new Unusable("it does not state PKCE with S256");
  if (tokenUrl === undefined) throw new Unusable("it names no token endpoint");
  for (const url of [tokenUrl, authorizationUrl, registrationUrl]) {
    const problem = url === undefined ? undefined : refusal(url, isPrivate(url));
    if (problem !== undefined) throw new Unusable(`its endpoint ${shown(url!)}: ${problem}`);
  }
  const scopes = challenge.scopes.length > 0 ? challenge.scopes : resource.scopes.filter((each) => SCOPE.test(each));
  return { tokenUrl, authorizationUrl, scopes, methods, statesIssuer, registrationUrl, takesDocuments };
}

/** What an authorization server says about itself (RFC 8414). */
interface Server extends Omit<Authorization, "resource" | "tokenUrl" | "scopes" | "issuer"> {
  readonly issuer: string | undefined;
  readonly tokenUrl: string | undefined;
  readonly challengeMethods: readonly string[];
}

function readResource(body: Uint8Array): Resource | undefined {
  const document = read("oauth-protected-resource", body, ["resource", "scopes_supported", "authorization_servers"]);
  if (document === undefined) return undefined;
  const scheme = document.security_schemes[0];
  const { bearer_methods_supported: unread } = document.metadata ?? {};
  // The model does not show an empty list, which says that no method is supported.
  if (unread !== undefined && !(Array.isArray(unread) && unread.length === 0)) return undefined;
  const methods = unread === undefined ? scheme?.bearer_methods : [];
  return { id: document.service?.url ?? "", servers: scheme?.issuers ?? [], scopes: scheme?.scopes ?? [], methods };
}

function readServer(body: Uint8Array): Server | undefined {
  const shownElsewhere = ["issuer", "scopes_supported", "authorization_endpoint", "token_endpoint", "registration_endpoint", "code_challenge_methods_supported"];
  const document = read("oauth-authorization-server", body, shownElsewhere);
  if (document === undefined) return undefined;
  const { token_url: tokenUrl, authorization_url: authorizationUrl, registration_url: registrationUrl, challenge_methods: challengeMethods = [] } = document.security_schemes[0] ?? {};
  // The model has no member for these.
  const kept = document.metadata ?? {};
  const methods = kept.token_endpoint_auth_methods_supported ?? [];
  const statesIssuer = kept.authorization_response_iss_parameter_supported ?? false;
  const takesDocuments = kept.client_id_metadata_document_supported ?? false;
  if (!Array.isArray(methods) || !methods.every((each) => typeof each === "string")) return undefined;
  if (typeof statesIssuer !== "boolean" || typeof takesDocuments !== "boolean") return undefined;
  const issuer = document.service?.url;
  return { issuer, tokenUrl, authorizationUrl, registrationUrl, challengeMethods, methods: methods as string[], statesIssuer, takesDocuments };
}

/** The document if it may be used: no member that counts is doubled, or has another type. The model shows the members `elsewhere`, so those that stay as metadata could not be read. */
function read(format: string, body: Uint8Array, elsewhere: readonly string[]): Document | undefined {
  let document: Document;
  try {
    document = parse(body, { format });
  } catch (problem) {
    if (problem instanceof ParseError) return undefined;
    throw problem;
  }
  // Programs differ in which of two members counts.
  if (document.check().some(({ code }) => code === "duplicate-field")) return undefined;
  const { metadata = {} } = document;
  return elsewhere.some((name) => Object.hasOwn(metadata, name)) ? undefined : document;
}

/** Why a URL in a document is not used; undefined if it can be. */
function refusal(url: string, isPrivate: boolean): string | undefined {
  const invalid = "it is not a valid URL";
  if (url.length > LONGEST || !/^[!-~]+$/.test(url) || url.includes("\\")) return invalid;
  const scheme = /^[a-z][a-z0-9+.-]*(?=:)/i.exec(url)?.[0].toLowerCase();
  if (scheme !== "https" && scheme !== "http") return "it is not an https URL";
  const { authority, fragment } = partsOf(url);
  if (!URL.canParse(url) || authority === "" || authority.includes("@") || fragment !== "") return invalid;
  if (scheme === "http" && !isSameMachine(url)) return "it is not an https URL";
  return isLocal(hostOf(url)) && !isPrivate ? "it is on a private host" : undefined;
}

/** The parts of a URL as written: identifiers are compared as they are. */
function partsOf(url: string): { authority: string; path: string; query: string; fragment: string } {
  const [, authority = "", path = "", query = "", fragment = ""] = /^[^:/?#]*:\/\/([^/?#]*)([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/.exec(url) ?? [];
  return { authority, path, query, fragment };
}

const originOf = (url: string): string => new URL(url).origin;

/** The path and the query of a URL; an empty path is that of the root. */
function pathOf(url: string): string {
  const { path, query } = partsOf(url);
  return `${path || "/"}${query && `?${query}`}`;
}

const shown = (url: string): string => visible(beginning(url, 200));
