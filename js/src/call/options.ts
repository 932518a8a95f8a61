/** The options and the arguments of calls, which are checked before anything is requested; the errors name the argument. */

import { checkTimeout, isObject, maybe, text, words } from "../arguments.js";
import { wellFormed } from "../engine.js";
import type { Decision } from "../policy.js";
import { type Signer, signer } from "../transport.js";
import { repr } from "../visible.js";
import { CallRefused } from "./errors.js";
import type { Credential } from "./core.js";
import { Limiter } from "./limiter.js";
import type { OAuth2 } from "./oauth.js";
import type { HttpRequest, Operation, Step } from "./request.js";
import type { WebSocketClass } from "./websocket.js";

export type Args = { readonly [name: string]: unknown };

/** A token, an `OAuth2`, or a function that returns a token for a decision (`decision.auth` says what is needed). It is called again when the server does not accept its token. */
export type Credentials = string | OAuth2 | ((decision: Decision) => string | null | undefined | Promise<string | null | undefined>);

/** The decision about a call to which a person has to agree, and what that person needs to know. `String(question)` has it in words. */
export type Question = Decision & {
  /** The origin of the site; undefined if it is not known. */
  readonly site: string | undefined;
  /** The arguments that the caller gave. */
  readonly args: Args;
  /** What will be sent, without credentials; undefined if an earlier action decides that. */
  readonly request: HttpRequest | Operation | undefined;
  /** What the document says that the capability does. */
  readonly description: string | undefined;
  toString(): string;
};

/** Asks a person, after everything that can be known before the call is checked. Only true is consent. */
export type Confirm = (question: Question, capability: string, args: Args) => boolean | Promise<boolean>;

/** The options of `call`. */
export interface CallOptions {
  /** The product token or User-Agent; also the User-Agent of every request. */
  readonly agent: string;
  /** A token, sent in the header that the documents name, by default as a bearer token, and only where `decision.credentials` allows it. */
  readonly credentials?: Credentials | undefined;
  /** Credentials in other headers, sent to the same place. */
  readonly headers?: { readonly [name: string]: string } | undefined;
  /** Asks a person; `true` says that a person has agreed to this call, which is no consent to actions that run before it. */
  readonly confirm?: Confirm | true | undefined;
  /** Called with the decision about the call and about each action that runs first. */
  readonly notice?: ((decision: Decision) => void) | undefined;
  /** Called with each step after its request was answered. */
  readonly progress?: ((step: Step) => void | Promise<void>) | undefined;
  /** The arguments of the actions that have to run first, by their ids. */
  readonly before?: { readonly [action: string]: Args } | undefined;
  /** The actions that ran already. */
  readonly done?: Iterable<string> | undefined;
  /** Sent if the document names a field for it; a call with a key is repeated after errors. */
  readonly idempotencyKey?: string | undefined;
  /** Endpoints on other domains that the user has approved. */
  readonly approve?: Iterable<string> | undefined;
  /** The origin of documents that are given without a site. */
  readonly origin?: string | undefined;
  /** Signs every request (Web Bot Auth): an `Identity` of `agentsdisc/identity`. */
  readonly identity?: Signer | undefined;
  /** Counts calls for the rate limits. Default: one for each site and agent, which all calls share. */
  readonly limiter?: Limiter | undefined;
  /** Seconds for the whole call, without the time in which a person is asked. Default 60. */
  readonly timeout?: number | undefined;
  /** The longest wait for rate limits, in seconds. Default 20. */
  readonly maxWait?: number | undefined;
  /** The most bytes of one answer. Default 16 MiB. */
  readonly maxResponse?: number | undefined;
  /** Whether the hosts of the site and of `approve` may have private addresses (Node). Default: as `discover` was told. */
  readonly allowPrivate?: boolean | undefined;
  /** Sends arguments to a capability that declares no parameters. */
  readonly undeclared?: boolean | undefined;
  /** Reads strings as the declared type. */
  readonly fromText?: boolean | undefined;
  /** Ends the call. */
  readonly signal?: AbortSignal | undefined;
  /** Sends the requests. Default: as in `discover`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Opens WebSockets: a class with the standard interface. Default: that of the platform, if there is one and `fetch` is not given. */
  readonly WebSocket?: WebSocketClass | undefined;
  /** Returns the request that the call would send; only requests descriptions of the capability. */
  readonly dryRun?: boolean | undefined;
}

const NAMES = new Set([
  ...["agent", "credentials", "headers", "confirm", "notice", "progress", "before", "done", "idempotencyKey", "approve", "origin", "limiter", "timeout"],
  ...["maxWait", "maxResponse", "allowPrivate", "undeclared", "fromText", "signal", "fetch", "WebSocket", "dryRun", "identity"],
]);
/** Headers that callers cannot give: those of the connection, those that each request sets itself, and those that identify the client. */
const RESERVED =
  /^(host|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|proxy-.*|http2-settings|sec-.*|content-(length|type|encoding)|accept-encoding|user-agent|origin|set-cookie2?)$/i;
/** Headers in which no server looks for a credential. */
const DESCRIPTIVE =
  /^(accept(-.*)?|if-.*|cache-control|pragma|prefer|priority|range|referer|date|from|dnt|via|forwarded|x-forwarded-.*|max-forwards)$/i;
const HEADER = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const VALUE = /^[!-~]+(?: +[!-~]+)*$/;
/** The core reads 64 levels; the outermost one is the object of all arguments. */
const DEEPEST = 63;

/** Whether a text is valid as the value of a header. */
export const isValue = (value: unknown): value is string => typeof value === "string" && VALUE.test(value);

/** Whether something obtains tokens. */
export const isOAuth2 = (value: unknown): value is OAuth2 => typeof value === "object" && value !== null && typeof (value as OAuth2).tokenFor === "function";

/** Whether any of these headers can carry a credential. */
export const hasKey = (headers: CallOptions["headers"]): boolean => Object.keys(headers ?? {}).some((name) => !DESCRIPTIVE.test(name));

/** Options that were checked. */
export type Checked = CallOptions & { readonly approve: readonly string[]; readonly done: readonly string[] };

/** A copy of the options. Throws a TypeError for an invalid or unknown one, such as a misspelt `confirm`. */
export function checked(given: CallOptions): Checked {
  if (!isObject(given)) throw new TypeError("options must be an object with `agent`");
  const made = { ...given };
  for (const name of Object.keys(made)) if (!NAMES.has(name)) throw new TypeError(`there is no option ${JSON.stringify(name)}; there are: ${[...NAMES].join(", ")}`);
  const must = (is: boolean, what: string) => {
    if (!is) throw new TypeError(what);
  };
  must(isValue(text(made.agent, "agent")), `${JSON.stringify(made.agent)} is not valid as a User-Agent`);
  const { credentials, confirm, headers, before, limiter, timeout, maxWait, maxResponse, signal } = made;
  must(credentials === undefined || typeof credentials === "string" || typeof credentials === "function" || isOAuth2(credentials), "credentials must be a string, a function or an OAuth2");
  must(confirm === undefined || confirm === true || typeof confirm === "function", "confirm must be a function or true");
  for (const name of ["notice", "progress", "fetch", "WebSocket"] as const) must(made[name] === undefined || typeof made[name] === "function", `${name} must be a function`);
  for (const name of ["headers", "before"] as const) must(made[name] === undefined || isObject(made[name]), `${name} must be an object`);
  for (const [action, each] of Object.entries(before ?? {})) must(isObject(each), `before[${JSON.stringify(action)}] must be an object`);
  must(limiter === undefined || limiter instanceof Limiter, "limiter must be a Limiter");
  must(signal === undefined || signal instanceof AbortSignal, "signal must be an AbortSignal");
  must(maybe(made.idempotencyKey, "idempotencyKey")?.trim() !== "", "idempotencyKey must not be empty");
  const isSeconds = (value: unknown, least: (seconds: number) => boolean) => value === undefined || (typeof value === "number" && least(value));
  if (timeout !== undefined) checkTimeout(timeout);
  must(isSeconds(maxWait, (seconds) => seconds >= 0), "maxWait must be a number of seconds, 0 or more");
  must(isSeconds(maxResponse, (bytes) => Number.isInteger(bytes) && bytes >= 1), "maxResponse must be a number of bytes, 1 or more");
  signer(made.identity);
  checkHeaders(headers);
  return { ...made, headers: headers && { ...headers }, before: before && { ...before }, approve: words(made.approve, "approve"), done: words(made.done, "done") };
}

/** Throws a TypeError for a header of the caller that HTTP or the request sets itself. */
function checkHeaders(headers: CallOptions["headers"]): void {
  for (const [name, value] of Object.entries(headers ?? {})) {
    text(value, `headers[${JSON.stringify(name)}]`);
    if (RESERVED.test(name)) {
      const how = name.toLowerCase() === "user-agent" ? "; use `agent`" : "";
      throw new TypeError(`the header ${JSON.stringify(name)} cannot be given: each request has its own, and it carries no credential${how}`);
    }
  }
}

/** The headers that carry the credentials: those of the caller, and one for the token. */
export function headersWith(token: string | null | undefined, headers: CallOptions["headers"], { type, header, prefix }: Credential): { [name: string]: string } {
  const sent: { [name: string]: string } = { ...headers };
  if (token !== undefined && token !== null) {
    if (header === undefined && (type === "api-key" || type === "hmac")) {
      throw new TypeError(`the documents do not say which header a credential of type ${type} goes into: give \`headers\``);
    }
    const [name, before] = header === undefined ? ["Authorization", "Bearer"] : [header, prefix ?? ""];
    sent[name] = isValue(token) ? `${before} ${token}`.trimStart() : token;
  }
  for (const [name, value] of Object.entries(sent)) {
    // The message omits the value, which is a secret.
    if (!HEADER.test(name) || !isValue(value)) throw new TypeError("a credential is empty, or has a character that is not valid in a header");
  }
  return sent;
}

/** Why JSON cannot carry a value. */
class Uncarried extends Error {}

/** The arguments as a JSON object, spaced as Python writes it, so that both send the same. A member that is undefined counts as absent. Throws a CallRefused with the name of one that JSON cannot represent. */
export function encodedArgs(capability: string, args: Args): string {
  const parts: string[] = [];
  for (const [name, value] of Object.entries(args)) {
    if (value === undefined) continue;
    try {
      parts.push(`${encodedText(name)}: ${encodedValue(value, DEEPEST)}`);
    } catch (problem) {
      if (!(problem instanceof Uncarried)) throw problem;
      const shown = wellFormed(name, "\ufffd");
      const said = `${repr(capability)} is not called: the argument ${repr(shown)} cannot be sent: ${problem.message}`;
      throw new CallRefused(said, undefined, { refused: "invalid-value", argument: shown });
    }
  }
  return `{${parts.join(", ")}}`;
}

function encodedText(value: string): string {
  if (wellFormed(value, "?") !== value) throw new Uncarried("it is not valid Unicode");
  return JSON.stringify(value);
}

function encodedValue(value: unknown, depth: number): string {
  if (typeof value === "string") return encodedText(value);
  if (value === null || typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value))) return JSON.stringify(value);
  if (typeof value !== "object") throw new Uncarried("it has a value that JSON cannot carry");
  if (depth === 0) throw new Uncarried("it is nested too deeply");
  if (Array.isArray(value)) return `[${Array.from(value, (each) => encodedValue(each, depth - 1)).join(", ")}]`;
  const prototype = Object.getPrototypeOf(value) as unknown;
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) throw new Uncarried("it has a value that JSON cannot carry");
  const members = Object.entries(value).filter(([, each]) => each !== undefined);
  return `{${members.map(([name, each]) => `${encodedText(name)}: ${encodedValue(each, depth - 1)}`).join(", ")}}`;
}
