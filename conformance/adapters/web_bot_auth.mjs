// The adapter of web-bot-auth, which verifies signatures of agents.

import { load, serve, versionOf } from "./lines.mjs";

const { jwkToKeyID, helpers, verify } = load("web-bot-auth");
const { verifierFromJWK } = load("web-bot-auth/crypto");

/** The library has no parameter for the time: until the function ends, the clock shows this one. */
async function at(seconds, run) {
    const { now } = Date;
    Date.now = () => seconds * 1000;
    const Real = globalThis.Date;
    globalThis.Date = class extends Real {
        constructor(...given) {
            given.length === 0 ? super(seconds * 1000) : super(...given);
        }
    };
    try {
        return await run();
    } finally {
        globalThis.Date = Real;
        Date.now = now;
    }
}

/** A field on several lines is one value (RFC 9421 section 2.1). */
function headersOf(pairs) {
    const headers = {};
    for (const [name, value] of pairs) {
        const key = name.toLowerCase();
        headers[key] = key in headers ? `${headers[key]}, ${value}` : value;
    }
    return headers;
}

async function signedRequest({ method, url, headers, keys, now }) {
    const verifiers = new Map();
    for (const key of Array.isArray(keys.keys) ? keys.keys : []) {
        try {
            const id = await jwkToKeyID(key, helpers.WEBCRYPTO_SHA256, helpers.BASE64URL_DECODE);
            verifiers.set(id, await verifierFromJWK(key));
        } catch {
            // A key that cannot be read is unknown.
        }
    }
    const check = (data, signature, params) => {
        const verifier = verifiers.get(params.keyid);
        if (verifier === undefined) throw new Error("unknown key");
        return verifier(data, signature, params);
    };
    try {
        await at(now, () => verify({ method, url, headers: headersOf(headers) }, check));
    } catch {
        return { valid: false };
    }
    return { valid: true };
}

await serve("web-bot-auth", versionOf("web-bot-auth"), { "signed-request": signedRequest }, ["signature-directory"]);
