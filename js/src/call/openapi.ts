/**
 * Turns operations that OpenAPI descriptions describe into requests that the core plans.
 *
 * The core reads the description. The operation becomes a capability of an agents.json, so that the rules of all documents of the site apply to its URL, and
 * the core checks, encodes and places its arguments as for all other capabilities. Only lists in a query are written here.
 */

import { type Document, parse } from "../document.js";
import { decoded, wellFormed } from "../engine.js";
import { ParseError } from "../errors.js";
import { dumps } from "../json.js";
import type { Capability, Json, Parameter } from "../model.js";
import type { Decision } from "../policy.js";
import { repr } from "../visible.js";
import type { Credential, Decided, Plan } from "./core.js";
import { CallRefused, ClientNeeded, CredentialsRefused } from "./errors.js";
import type { Args } from "./options.js";
import { HttpRequest, type Operation } from "./request.js";
import type { Sender } from "./sender.js";
import { denied } from "./words.js";

/** The largest description, in bytes, and the most parameters of an operation. */
const [LARGEST, MOST_PARAMETERS] = [4 << 20, 1000];
const SAID = {
  "missing-argument": "a required argument is missing",
  "not-an-option": "the argument is none of the declared options",
  "wrong-type": "the argument does not have the declared type",
};

/** The description has no such operation, or the request of the operation cannot be derived from it. */
class Unclear extends Error {}

/** An argument does not match the description. */
class Wrong extends Error {
  constructor(
    readonly problem: keyof typeof SAID,
    readonly argument: string,
  ) {
    super(`${SAID[problem]}: ${argument}`);
  }
}

/** An operation of a description. */
interface Described {
  readonly method: string;
  /** The absolute URL, with placeholders. */
  readonly url: string;
  /** The parameters as in an agents.json of the draft. */
  readonly parameters: readonly object[];
  /** The values that parameters can have, where the description lists them. */
  readonly options: ReadonlyMap<string, readonly Json[]>;
  /** The query parameters that are lists: the core would write a list as JSON. */
  readonly lists: ReadonlyMap<string, { readonly isExploded: boolean; readonly isNeeded: boolean }>;
}

/** What the description of an operation depends on. */
export interface Asks {
  readonly sender: Sender;
  readonly origin: string | undefined;
  /** The origin; without one, the site that the documents name. */
  readonly site: string | undefined;
  /** Decides a capability by a document before those of the site. */
  decide(capability: string, before: Document): Decided;
  plan(decided: Decided, args: Args): Plan;
}

/** Finds the requests of operations. One object serves one call. */
export class Describer {
  private readonly fetched = new Map<string, Uint8Array>();

  constructor(private readonly asks: Asks) {}

  /** The request for a step of the core that needs a client of OpenAPI. */
  async request(operation: Operation, credential: Credential | undefined, decision: Decision, capability: string): Promise<Plan> {
    const { args, stated, url: endpoint } = operation;
    const needed = `${repr(capability)} is an operation of OpenAPI at ${endpoint}; use a client of it`;
    const url = this.absolute(stated.openapi ?? endpoint);
    if (url === undefined) throw new ClientNeeded(needed, decision, operation);
    const body = await this.description(url, decision, capability);
    const given = { ...args };
    let document: Document;
    try {
      const found = read(body, url, operation, capability);
      checkOptions(found, given);
      const query = taken(found, given);
      const to = query === "" ? found.url : `${found.url}${found.url.includes("?") ? "&" : "?"}${query}`;
      document = this.manifest(capability, to, found.method, found.parameters);
    } catch (problem) {
      if (problem instanceof Wrong) {
        const about = { refused: problem.problem, argument: problem.argument };
        throw new CallRefused(`${repr(capability)} is not called: ${problem.message}`, decision, about);
      }
      if (!(problem instanceof Unclear) && !(problem instanceof ParseError)) throw problem;
      const why = problem instanceof Unclear ? problem.message : `is too large: ${problem.message}`;
      throw new ClientNeeded(`${needed} (the description at ${url}${problem instanceof Unclear ? ": " : " "}${why})`, decision, operation);
    }
    const again = this.asks.decide(capability, document);
    if (!again.decision.allowed) throw denied(again.decision, `${repr(capability)} is not called`);
    const planned = this.asks.plan(again, given);
    if (planned.step !== "http") throw new ClientNeeded(needed, decision, operation);
    const { credential: _, ...plan } = planned;
    const sent = this.credential(credential, planned, again.decision);
    return sent === undefined ? plan : { ...plan, credential: sent };
  }

  /** Where the credential goes; undefined if it must not be sent to the server of the description. */
  private credential(credential: Credential | undefined, { url }: Plan, again: Decision): Credential | undefined {
    const name = repr(again.capability ?? "");
    if (!isSafe(url!, this.asks.origin)) {
      throw new CallRefused(`${name} is not called: the server ${url} is not encrypted`, again, { refused: "invalid-endpoint" });
    }
    if (credential === undefined || again.credentials === "allowed") return credential;
    if (credential.need !== "required") return undefined;
    throw new CredentialsRefused(`${name} needs credentials, which must not be sent to ${again.endpoint} (${again.credentials})`, again);
  }

  /** Fetches a description, once for each call and without credentials. */
  private async description(url: string, decision: Decision, capability: string): Promise<Uint8Array> {
    const known = this.fetched.get(url);
    if (known !== undefined) return known;
    // Decided like an endpoint of the capability: only an explicit denial prevents the request.
    const { decision: permission } = this.asks.decide(capability, this.manifest(capability, url));
    if (!permission.allowed) throw denied(permission, `${url} is not requested`);
    if (permission.credentials !== "allowed" || !isSafe(url, this.asks.origin)) {
      throw new CallRefused(`${repr(capability)} is not called: its description at ${url} is not encrypted`, permission, { refused: "denied" });
    }
    const accept = [["Accept", "application/openapi+json, application/json"]] as const;
    const reply = await this.asks.sender.send(new HttpRequest("GET", url, accept), decision, capability, "document");
    if (reply.status < 200 || reply.status >= 300) {
      throw this.asks.sender.failure(`the description of ${repr(capability)} at ${url} has status ${reply.status}`, decision, reply);
    }
    this.fetched.set(url, reply.body);
    return reply.body;
  }

  /** An agents.json with one capability. */
  private manifest(id: string, endpoint: string, method = "GET", parameters: readonly object[] = []): Document {
    const site = this.asks.site ?? endpoint;
    const capability = { id, endpoint, method, protocol: "REST", parameters };
    return parse(JSON.stringify({ specVersion: "1.0", site: { name: site, url: site }, capabilities: [capability] }), { format: "agents-json" });
  }

  /** A path is resolved against the site; undefined for other relative references. */
  private absolute(url: string): string | undefined {
    if (/^\/(?!\/)/.test(url)) return this.asks.site === undefined ? undefined : this.asks.site.replace(/\/+$/, "") + url;
    return url.includes("://") ? url : undefined;
  }
}

/** Whether a URL is encrypted, or at the origin of the site, which the user has chosen. */
export const isSafe = (url: string, origin: string | undefined): boolean => /^(https|wss):\/\//i.test(url) || (origin !== undefined && url.startsWith(`${origin.replace(/\/$/, "")}/`));

/** Finds an operation: by its id if the document names it, otherwise by the endpoint and method, otherwise by the id of the capability. */
function read(body: Uint8Array, location: string, { operation, url: declared, stated }: Operation, capability: string): Described {
  if (body.length > LARGEST) throw new Unclear(`it is larger than ${LARGEST >> 20} MiB`);
  let document: Document;
  try {
    document = parse(body, { format: "openapi", limits: { document: LARGEST } });
  } catch (problem) {
    if (!(problem instanceof ParseError)) throw problem;
    throw new Unclear(`it is not an OpenAPI description in JSON (${problem.message})`);
  }
  const { spec_version: version, capabilities = [] } = document.model;
  if (!version?.startsWith("3.")) throw new Unclear("it is not an OpenAPI description of version 3");
  const base = document.defaults.server_url;
  const urlOf = (each: Capability) => (base === null || !each.endpoint ? undefined : serverOf(base, location, each.endpoint));
  const endpoint = stated.openapi === undefined ? undefined : declared;
  if (operation === undefined && endpoint !== undefined) {
    const method = (stated.method ?? "get").toLowerCase();
    const wanted = pathOf(endpoint);
    const isAt = (each: Capability) => {
      if (each.method?.toLowerCase() !== method || !each.endpoint || !wanted.endsWith(unquoted(each.endpoint))) return false;
      const url = urlOf(each);
      return url !== undefined && pathOf(url) === wanted;
    };
    const found = capabilities.find(isAt);
    // Uses the endpoint that the site declares, even if the description names another server.
    if (found !== undefined) return described(found, endpoint);
  }
  const named = capabilities.filter(({ id }) => id === (operation || capability));
  if (named.length !== 1) {
    const what = operation || `${stated.method ?? ""} ${endpoint ?? capability}`.trim();
    throw new Unclear(`it does not describe the operation ${repr(what)}`);
  }
  const url = urlOf(named[0]!);
  if (url === undefined) throw new Unclear("the URL of its server is not known");
  return described(named[0]!, url);
}

/** The URL of an operation, whose server can be relative to the description. */
function serverOf(base: string, location: string, path: string): string | undefined {
  if (!URL.canParse(base, location)) return undefined;
  const { href, hostname } = new URL(base, location);
  return hostname === "" ? undefined : href.replace(/\/+$/, "") + path;
}

/** An operation. Throws Unclear if its request cannot be written. */
function described({ parameters = [], method = "get" }: Capability, url: string): Described {
  if (parameters.length > MOST_PARAMETERS) throw new Unclear("the operation has more than 1,000 parameters");
  const [made, options, lists] = [new Map<string, object>(), new Map<string, readonly Json[]>(), new Map<string, { isExploded: boolean; isNeeded: boolean }>()];
  const places = new Map<string, string>();
  for (const each of parameters) {
    const { name, location: place, type, required = false, options: values = [], metadata = {} } = each;
    if (name === undefined || place === undefined) throw new Unclear("a parameter has no name or no place, or is not in it");
    if (place === "unknown") {
      if (required) throw new Unclear(`the parameter ${repr(name)} is not of a supported kind`);
      continue;
    }
    if (place !== "body" && (type === "array" || type === "object")) {
      if (place !== "query" || type === "object" || styleOf(each) !== "form") throw new Unclear(`the style of the parameter ${repr(name)} is not known`);
      lists.set(name, { isExploded: metadata.explode !== false, isNeeded: required || lists.get(name)?.isNeeded === true });
      continue;
    }
    if ((places.get(name) ?? place) !== place) throw new Unclear("two parameters have the same name");
    places.set(name, place);
    made.set(name, { name, in: place, type, required });
    if (values.length > 0) options.set(name, values);
  }
  if ([...lists.keys()].some((name) => made.has(name))) throw new Unclear("two parameters have the same name");
  return { method: method.toUpperCase(), url, parameters: [...made.values()], options, lists };
}

const styleOf = ({ metadata = {} }: Parameter): unknown => ("style" in metadata ? metadata.style : "form");

/** Throws Wrong for a value that is none of the options of its parameter. */
function checkOptions({ options }: Described, args: Args): void {
  for (const [name, values] of options) {
    const value = args[name];
    // A number may be given as text; the core decides whether that is allowed.
    if (value === undefined || value === null || values.some((each) => textOf(each) === textOf(value) && (typeof value === "string" || typeof value === typeof each))) continue;
    throw new Wrong("not-an-option", name);
  }
}

/** Takes the lists out of the arguments, and returns them as a query (style `form`). Throws Wrong. */
function taken({ lists }: Described, args: { [name: string]: unknown }): string {
  const parts: string[] = [];
  for (const [name, { isExploded, isNeeded }] of lists) {
    const items = args[name];
    delete args[name];
    if (items === undefined || items === null) {
      if (isNeeded) throw new Wrong("missing-argument", name);
      continue;
    }
    if (!Array.isArray(items) || !items.every(isPlain)) throw new Wrong("wrong-type", name);
    const texts = items.map((item) => quoted(textOf(item)));
    if (isExploded) parts.push(...texts.map((text) => `${quoted(name)}=${text}`));
    else if (texts.length > 0) parts.push(`${quoted(name)}=${texts.join(",")}`);
  }
  return parts.join("&");
}

/** A text of which only unreserved characters stand in a URL as they are. */
export const quoted = (text: string): string =>
  encodeURIComponent(wellFormed(text, "\ufffd")).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

/** A text whose percent-encoding is read. */
const unquoted = (text: string): string =>
  text.replace(/(?:%[0-9a-f]{2})+/gi, (codes) => decoded(Uint8Array.from(codes.match(/[^%]{2}/g)!, (each) => parseInt(each, 16))));

/** The path of a URL as it is written, with its placeholders. */
const pathOf = (url: string): string => unquoted(/^[^:/?#]+:\/\/[^/?#]*([^?#]*)/.exec(url)?.[1] ?? "");

const isPlain = (value: unknown): value is string | number | boolean => ["string", "number", "boolean"].includes(typeof value);
const textOf = (value: unknown): string => (typeof value === "string" ? value : dumps(value as never));
