/** Keys, and the two operations of cryptography: those of the platform (Web Cryptography). */

import { base64url } from "../base64.js";
import { signatures } from "../engine.js";

/** A JSON Web Key. */
export type Jwk = { readonly [member: string]: unknown };
/** A JWK Set: what a directory has. */
export type JwkSet = { readonly keys: readonly Jwk[] };

type Form = { readonly key: AlgorithmIdentifier | RsaHashedImportParams | EcKeyImportParams; readonly use: AlgorithmIdentifier | RsaPssParams | EcdsaParams; readonly length?: number };

/** What Web Cryptography calls the algorithms of RFC 9421, and how long a signature is. */
const FORMS: { readonly [algorithm: string]: Form } = {
  ed25519: { key: { name: "Ed25519" }, use: { name: "Ed25519" }, length: 64 },
  "ecdsa-p256-sha256": { key: { name: "ECDSA", namedCurve: "P-256" }, use: { name: "ECDSA", hash: "SHA-256" }, length: 64 },
  "ecdsa-p384-sha384": { key: { name: "ECDSA", namedCurve: "P-384" }, use: { name: "ECDSA", hash: "SHA-384" }, length: 96 },
  "rsa-pss-sha512": { key: { name: "RSA-PSS", hash: "SHA-512" }, use: { name: "RSA-PSS", saltLength: 64 } },
  "rsa-v1_5-sha256": { key: { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" }, use: { name: "RSASSA-PKCS1-v1_5" } },
};
/** Shorter RSA keys are weak, longer ones take long. */
const RSA_BITS = [2048, 8192] as const;
const PUBLIC = ["kty", "crv", "x", "y", "n", "e"];

/** Whether the length of a key is accepted. Throws if `n` of an RSA key is no base64url. */
function hasGoodLength({ kty, n }: Jwk): boolean {
  if (kty !== "RSA") return true;
  const digits = atob(String(n).replace(/-/g, "+").replace(/_/g, "/"));
  const at = [...digits].findIndex((each) => each !== "\0");
  const bits = at < 0 ? 0 : 8 * (digits.length - at) - Math.clz32(digits.charCodeAt(at)) + 24;
  return RSA_BITS[0] <= bits && bits <= RSA_BITS[1];
}

/** The thumbprint of a JSON Web Key (RFC 7638). Throws a TypeError if it lacks a member. */
export function thumbprint(jwk: Jwk): string {
  const [digest] = signatures().json<(number[] | null)[]>("identity_thumbprints", undefined, JSON.stringify({ keys: [jwk] }));
  if (!digest) throw new TypeError("the key lacks a member, or its type is not known");
  return base64url(Uint8Array.from(digest));
}

const imported = new Map<string, Promise<CryptoKey | undefined>>();

/** The public key with these members; undefined if the platform cannot use it. */
function publicKey(jwk: { readonly [member: string]: string }, algorithm: string): Promise<CryptoKey | undefined> {
  const name = JSON.stringify([algorithm, ...PUBLIC.map((member) => jwk[member])]);
  const known = imported.get(name);
  if (known !== undefined) return known;
  const load = async () => {
    try {
      if (!hasGoodLength(jwk)) return undefined;
      return await crypto.subtle.importKey("jwk", jwk, FORMS[algorithm]!.key, false, ["verify"]);
    } catch {
      return undefined;
    }
  };
  const loaded = load();
  if (imported.size >= 256) imported.delete(imported.keys().next().value!);
  imported.set(name, loaded);
  return loaded;
}

/** Verifies a signature: `valid`, or why it is not. */
export async function fits(jwk: { readonly [member: string]: string }, algorithm: string, signature: Uint8Array, data: Uint8Array): Promise<"valid" | "wrong-signature" | "key-unusable"> {
  const key = await publicKey(jwk, algorithm);
  if (key === undefined) return "key-unusable";
  const { use, length } = FORMS[algorithm]!;
  if (length !== undefined && signature.length !== length) return "wrong-signature";
  try {
    return (await crypto.subtle.verify(use, key, signature as BufferSource, data as BufferSource)) ? "valid" : "wrong-signature";
  } catch {
    return "wrong-signature";
  }
}

/** A private key that signs requests. Its private part is only in `export`. */
export class Key {
  readonly #private: CryptoKey;
  /** The name of its algorithm, such as `ed25519`. */
  readonly algorithm: string;
  /** Its thumbprint (RFC 7638). */
  readonly thumbprint: string;
  /** The public key, as it stands in a directory. */
  readonly public: Jwk;

  private constructor(secret: CryptoKey, algorithm: string, members: { readonly [member: string]: unknown }) {
    const own = Object.fromEntries(PUBLIC.filter((name) => members[name] !== undefined).map((name) => [name, members[name]]));
    this.#private = secret;
    this.algorithm = algorithm;
    this.thumbprint = thumbprint(own);
    this.public = { ...own, kid: this.thumbprint, use: "sig", ...(own.kty === "RSA" ? { alg: "PS512" } : {}) };
  }

  /** Makes an Ed25519 key. */
  static async generate(): Promise<Key> {
    const { privateKey } = (await crypto.subtle.generateKey({ name: "Ed25519" }, true, ["sign", "verify"])) as CryptoKeyPair;
    return new Key(privateKey, "ed25519", await crypto.subtle.exportKey("jwk", privateKey) as Jwk);
  }

  /** Reads a private key: a JSON Web Key of Ed25519, P-256, P-384, or RSA of 2048 to 8192 bits. Rejects with a TypeError, which does not repeat the key. */
  static async from(jwk: Jwk): Promise<Key> {
    const wrong = new TypeError("a key is the JSON Web Key of a private key: Ed25519, P-256, P-384, or RSA of 2048 to 8192 bits");
    if (typeof jwk !== "object" || jwk === null || typeof jwk.d !== "string") throw wrong;
    const curves: { readonly [name: string]: string } = { Ed25519: "ed25519", "P-256": "ecdsa-p256-sha256", "P-384": "ecdsa-p384-sha384" };
    const algorithm = jwk.kty === "RSA" ? "rsa-pss-sha512" : curves[String(jwk.crv)];
    const names = [...PUBLIC, "d", "p", "q", "dp", "dq", "qi"];
    const members = Object.fromEntries(names.filter((name) => jwk[name] !== undefined).map((name) => [name, jwk[name]])) as JsonWebKey;
    try {
      if (algorithm === undefined || !hasGoodLength(jwk)) throw wrong;
      return new Key(await crypto.subtle.importKey("jwk", members, FORMS[algorithm]!.key, true, ["sign"]), algorithm, jwk);
    } catch {
      throw wrong;
    }
  }

  /** The JSON Web Key with its private part, to be stored where only its owner can read it. */
  async export(): Promise<Jwk> {
    return { ...((await crypto.subtle.exportKey("jwk", this.#private)) as Jwk), ...this.public };
  }

  /** The document with this key, for `/.well-known/http-message-signatures-directory`. */
  get directory(): JwkSet {
    return { keys: [this.public] };
  }

  /** @internal */
  async _sign(data: Uint8Array): Promise<Uint8Array> {
    return new Uint8Array(await crypto.subtle.sign(FORMS[this.algorithm]!.use, this.#private, data as BufferSource));
  }
}

