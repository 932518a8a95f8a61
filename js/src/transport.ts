/** Sends one request and reads a bounded body. */

import { joined } from "./engine.js";

/** A request that gave no answer. `why` is the failure code of the core. */
export class Failed extends Error {
  constructor(
    readonly why: "timeout" | "too-large" | "encoding" | "refused" | "unreachable" | "not-connected",
    readonly detail?: string,
    /** The whole lines of an answer that is too large. */
    readonly start?: Uint8Array,
    /** The code of Node. */
    readonly reason?: string,
  ) {
    super(detail ?? why);
  }
}

/** What failure codes mean that come without a reason. */
const REASONS: { readonly [why: string]: string } = {
  timeout: "it does not answer in time",
  "not-connected": "it cannot be reached",
  unreachable: "it does not answer",
  "too-large": "its answer is too large",
};

/** Why a request gave no answer, in words. */
export const reasonOf = ({ detail, why }: Failed): string => detail ?? REASONS[why] ?? why;

/** An answer. Without `keepsErrors`, the body is read only if the status is 2xx. */
export interface Reply {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Uint8Array;
  /** The URL of the answer, where the platform follows redirects itself. */
  readonly finalUrl?: string | undefined;
}

/** What a request needs. */
export interface Sent {
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
  /** The largest body, and whether a longer one is cut. */
  readonly limit: number;
  readonly cuts: boolean;
  readonly signal: AbortSignal;
  /** URLs whose hosts were named, and may have private addresses. */
  readonly named: readonly string[];
  /** Default: GET. */
  readonly method?: string | undefined;
  readonly content?: string | undefined;
  /** Whether the body is read whatever the status. Then redirects are answers. */
  readonly keepsErrors?: boolean;
}

export type Transport = (request: Sent) => Promise<Reply>;

/** Whether the host of a URL is that of one of these URLs, which were named. */
export const isNamed = (url: string, named: readonly string[]): boolean => named.some((each) => URL.canParse(each) && new URL(each).host === new URL(url).host);

/** A signal that ends after so many seconds, as far as timers can count them. */
export const after = (seconds: number): AbortSignal => AbortSignal.timeout(Math.ceil(Math.min(seconds * 1000, 2 ** 31 - 1)));

/** Collects a body up to a limit. */
export async function bounded(parts: AsyncIterable<Uint8Array>, { limit, cuts }: Pick<Sent, "limit" | "cuts">): Promise<Uint8Array> {
  const body: Uint8Array[] = [];
  let length = 0;
  for await (const part of parts) {
    body.push(part);
    length += part.length;
    if (length <= limit) continue;
    const cut = joined(body, limit);
    if (cuts) return cut;
    let end = cut.length;
    while (end > 0 && cut[end - 1] !== 10 && cut[end - 1] !== 13) end--;
    throw new Failed("too-large", undefined, cut.subarray(0, end));
  }
  return joined(body, length);
}

/** Names of the codes of Node for a connection that was not made. */
const NOT_CONNECTED = new Set(["ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "ENETDOWN", "ENETUNREACH", "EHOSTDOWN", "EHOSTUNREACH"]);

/** The failure for an exception. */
export function failure(problem: unknown, signal: AbortSignal): Failed {
  if (problem instanceof Failed) return problem;
  if (signal.aborted) return new Failed("timeout");
  for (let each = problem as { code?: unknown; cause?: unknown; errors?: unknown[] } | undefined, depth = 0; each && depth < 8; depth++) {
    if (typeof each.code === "string" && NOT_CONNECTED.has(each.code)) return new Failed("not-connected", undefined, undefined, each.code);
    each = (each.cause ?? each.errors?.[0]) as typeof each;
  }
  return new Failed("unreachable");
}

async function* partsOf(stream: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  if (stream === null) return;
  const reader = stream.getReader();
  try {
    for (let each = await reader.read(); !each.done; each = await reader.read()) yield each.value;
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** A transport over `fetch`. The platform decides to which addresses it connects. */
export function over(fetch: typeof globalThis.fetch): Transport {
  return async (sent) => {
    const { url, headers, signal, method, content: body, keepsErrors } = sent;
    const init = {
      ...(method === undefined ? {} : { method }),
      ...(body === undefined ? {} : { body }),
      headers: headers.map(([name, value]): [string, string] => [name, value]),
      ...{ signal, credentials: "omit" as const },
    };
    try {
      let response = await fetch(url, { ...init, redirect: "manual" });
      let finalUrl: string | undefined;
      if (response.type === "opaqueredirect") {
        if (keepsErrors) return { status: 302, headers: [], body: new Uint8Array() };
        // A browser shows no redirect, but follows it.
        response = await fetch(url, { ...init, redirect: "follow" });
        finalUrl = response.url || undefined;
      }
      const { status } = response;
      const isRead = response.ok || keepsErrors === true;
      // `fetch` has decoded the body.
      const shown = [...response.headers].filter(([name]) => name !== "content-encoding" && name !== "content-length");
      if (!isRead) await response.body?.cancel().catch(() => {});
      const read = isRead ? await bounded(partsOf(response.body), sent) : new Uint8Array();
      return { status, headers: shown, body: read, finalUrl };
    } catch (problem) {
      throw failure(problem, signal);
    }
  };
}

/** What signs requests: an `Identity` of `agentsdisc/identity`, or anything that returns the headers to add. */
export interface Signer {
  sign(request: { readonly method: string; readonly url: string }): Promise<{ readonly [name: string]: string }>;
}

/** A signer that a caller gives. */
export function signer(value: unknown): Signer | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof (value as Signer).sign !== "function") throw new TypeError("identity must be an Identity of agentsdisc/identity");
  return value as Signer;
}

/** A transport whose requests are signed. */
export function signed(transport: Transport, identity: Signer | undefined): Transport {
  if (identity === undefined) return transport;
  return async (sent) => {
    const headers = await identity.sign({ method: sent.method ?? "GET", url: sent.url });
    return transport({ ...sent, headers: [...sent.headers, ...Object.entries(headers)] });
  };
}

/** Throws Failed if the host of a URL has an address that is not public, and is not named. */
export type AddressCheck = (url: string, named: readonly string[], signal: AbortSignal) => Promise<void>;

let standard: Transport | undefined;
let check: AddressCheck | undefined;

/** Sets what sends requests if the caller gives no `fetch`, and what checks addresses for connections that others make. */
export function useTransport(transport: Transport, addresses: AddressCheck): void {
  standard = transport;
  check = addresses;
}

/** What checks addresses; undefined where the platform decides to which it connects. */
export const addressCheck = (): AddressCheck | undefined => check;

/** What sends requests. */
export function transport(fetch: typeof globalThis.fetch | undefined): Transport {
  if (fetch !== undefined && typeof fetch !== "function") throw new TypeError("fetch must be a function");
  return fetch === undefined ? (standard ?? over((...given) => globalThis.fetch(...given))) : over(fetch);
}
