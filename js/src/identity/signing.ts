/** Signatures of requests. */

import { options } from "../arguments.js";
import { now as clock, signatures, split, time } from "../engine.js";
import { named } from "./directory.js";
import { base64 } from "../base64.js";
import { Key } from "./keys.js";
import { type Message, argumentsOf, pairs } from "./message.js";

/** Fields that a signature does not cover: those of the connection, those that servers in between may change, and those of signatures. */
const NOT_COVERED = /^(host|connection|keep-alive|te|trailer|transfer-encoding|upgrade|content-length|accept-encoding|signature|signature-input|signature-agent)$/i;

/** The options of `sign`. */
export interface SignOptions {
  /** Where the key is published: an origin such as `https://agent.example`, or the https URL of a key set. Sites that do not know the key need it. */
  readonly directory?: string | undefined;
  /** The time in seconds since 1970. Default: the clock. */
  readonly now?: number | undefined;
  /** For how many seconds the signature is valid. Default 60. */
  readonly expires?: number | undefined;
}

/**
 * The headers that sign a request: Signature-Input, Signature and, with a directory, Signature-Agent.
 *
 * The signature covers authority, method, path and query of the URL, the given fields, and a nonce. Give fields that arrive unchanged, such as
 * Content-Digest. Rejects with a TypeError if the request cannot be signed.
 */
export async function sign(key: Key, message: Message, given?: SignOptions): Promise<Record<string, string>> {
  const { directory, now = clock(), expires = 60 } = options(given);
  if (!(key instanceof Key)) throw new TypeError("key must be a Key");
  if (!(expires >= 1)) throw new TypeError(`expires must be 1 s or more, not ${expires}`);
  // Fields of a request of `fetch` may still change on their way.
  const fields = message instanceof globalThis.Request ? [] : pairs(message.headers).filter(([name]) => !NOT_COVERED.test(name));
  const covered = [...new Set(fields.map(([name]) => name.toLowerCase()))];
  const nonce = base64(crypto.getRandomValues(new Uint8Array(64)));
  const created = Math.floor(now);
  const times = [...time(created), ...time(created + Math.floor(expires))];
  const agent = directory === undefined ? undefined : named(directory);
  const request = argumentsOf(message.method ?? "GET", message.url, fields);
  const [answer] = signatures().answer("identity_to_sign", undefined, ...request, covered.length, ...covered, key.thumbprint, ...times, nonce, agent);
  type Made = { readonly input: string; readonly agent: string | null; readonly refused?: undefined } | { readonly refused: string };
  const [made, base] = split<Made>(answer);
  if (made.refused !== undefined) throw new TypeError(made.refused);
  const signature = base64(await key._sign(base));
  return { ...(made.agent === null ? {} : { "Signature-Agent": made.agent }), "Signature-Input": made.input, Signature: `sig1=:${signature}:` };
}

/** Who signs requests: a key, and where it is published. For the option `identity` of `discover` and `call`. */
export class Identity {
  constructor(
    readonly key: Key,
    readonly directory?: string | undefined,
  ) {
    if (!(key instanceof Key)) throw new TypeError("key must be a Key");
    if (directory !== undefined) named(directory);
  }

  /** The headers that sign a request. */
  sign(message: Message): Promise<Record<string, string>> {
    return sign(this.key, message, { directory: this.directory });
  }
}
