// Signed requests: the vectors, what the two sides of the package agree on, and `web-bot-auth` from npm in both directions.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import WebSocket, { WebSocketServer } from "ws";
import { Limiter, call, decide, discover, parse, robots as rules } from "agentsdisc";
import { Directory, Identity, Key, Replays, gate, reasons, sign, thumbprint, verify } from "agentsdisc/identity";
import { signatureHeaders, verify as peerVerify } from "web-bot-auth";
import { signerFromJWK, verifierFromJWK } from "web-bot-auth/crypto";
import { ROOT, questions, written } from "./vectors.mjs";

const vectors = (name) => JSON.parse(readFileSync(join(ROOT, "conformance/identity", `${name}.json`), "utf8"));
const EXAMPLES = vectors("examples");
const VERDICTS = vectors("verdicts");
const URL_ = "https://shop.example/mugs?color=red&size=2";
const AGENT = "https://agent.example";
const PLACE = `${AGENT}/.well-known/http-message-signatures-directory`;
const NOW = Math.floor(Date.now() / 1000);
const key = await Key.generate();

test("the vectors", async () => {
  const wrong = [];
  for (const { name, method, url, headers, keys = VERDICTS.keys, now, longest, reason } of VERDICTS.cases) {
    const verdict = await verify({ method, url, headers }, { keys, now, longest });
    if (verdict.reason !== reason || verdict.valid !== (reason === "valid") || (verdict.identity !== undefined) !== verdict.valid) wrong.push([name, reason, verdict]);
    assert.equal(verdict.message, reasons()[verdict.reason]);
  }
  assert.deepEqual(wrong, []);
  assert.ok(VERDICTS.cases.length > 100);
});

test("the examples of the specifications", async () => {
  for (const { name, method, url, headers, now } of EXAMPLES.vectors.filter(({ now }) => now !== undefined)) {
    assert.equal((await verify({ method, url, headers }, { keys: EXAMPLES.keys, now })).reason, "valid", name);
  }
  for (const { jwk, thumbprint: expected } of EXAMPLES.thumbprints) assert.equal(thumbprint(jwk), expected);
});

test("keys of each kind sign, and show no secret", async () => {
  const made = [["ed25519", key]];
  for (const [name, algorithm] of [
    ["ecdsa-p256-sha256", { name: "ECDSA", namedCurve: "P-256" }],
    ["ecdsa-p384-sha384", { name: "ECDSA", namedCurve: "P-384" }],
    ["rsa-pss-sha512", { name: "RSA-PSS", hash: "SHA-512", modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) }],
  ]) {
    const { privateKey } = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
    made.push([name, await Key.from(await crypto.subtle.exportKey("jwk", privateKey))]);
  }
  for (const [name, own] of made) {
    assert.equal(own.algorithm, name);
    const headers = await sign(own, { method: "POST", url: URL_ }, { directory: AGENT });
    const verdict = await verify({ method: "POST", url: URL_, headers }, { keys: own.directory });
    assert.deepEqual([verdict.reason, verdict.identity, verdict.directory], ["valid", own.thumbprint, PLACE]);
    assert.equal((await verify({ method: "PUT", url: URL_, headers }, { keys: own.directory })).reason, "wrong-signature");
    assert.equal((await verify({ method: "POST", url: URL_, headers }, { keys: (await Key.generate()).directory })).reason, "unknown-key");
    const { d } = await own.export();
    assert.ok(typeof d === "string" && !JSON.stringify([own, own.directory]).includes(d));
    assert.equal((await Key.from(await own.export())).thumbprint, own.thumbprint);
  }
  for (const jwk of [{}, null, { kty: "OKP", crv: "Ed25519", x: "AA", d: "c2VjcmV0" }, { kty: "oct", d: "c2VjcmV0" }]) {
    await assert.rejects(Key.from(jwk), (problem) => problem instanceof TypeError && !problem.message.includes("c2VjcmV0"));
  }
  const short = await crypto.subtle.generateKey({ name: "RSA-PSS", hash: "SHA-512", modulusLength: 1024, publicExponent: new Uint8Array([1, 0, 1]) }, true, ["sign", "verify"]);
  await assert.rejects(Key.from(await crypto.subtle.exportKey("jwk", short.privateKey)), TypeError);
});

test("a signature covers what is given, and is used once", async () => {
  const message = { method: "POST", url: URL_, headers: { "Content-Digest": "sha-256=:AAAA:", Host: "ignored" } };
  const headers = await sign(key, message, { directory: AGENT });
  assert.deepEqual(Object.keys(headers), ["Signature-Agent", "Signature-Input", "Signature"]);
  assert.match(headers["Signature-Input"], /"content-digest"/);
  assert.doesNotMatch(headers["Signature-Input"], /"host"/);
  const replays = new Replays();
  const sent = { ...message, headers: { ...message.headers, ...headers } };
  const ask = (other = {}) => verify({ ...sent, headers: { ...sent.headers, ...other } }, { keys: key.directory, replays });
  assert.equal((await ask({ "Content-Digest": "sha-256=:BBBB:" })).reason, "wrong-signature");
  assert.equal((await ask()).reason, "valid");
  assert.equal((await ask()).reason, "replayed");
  const full = new Replays({ size: 1 });
  assert.deepEqual(["a", "b", "a"].map((name) => full.take("k", name, NOW + 60, NOW)), ["valid", "replay-unknown", "replayed"]);
  assert.deepEqual([full.take("k", "b", NOW + 99, NOW + 61)], ["valid"]);
  await assert.rejects(sign(key, { url: "https://user@shop.example/" }), TypeError);
  await assert.rejects(sign(key, { url: URL_ }, { directory: "http://agent.example" }), TypeError);
  assert.equal((await verify({ url: URL_ }, { keys: key.directory })).reason, "unsigned");
  assert.equal((await verify({ url: URL_, headers: [["x"]] }, { keys: key.directory })).reason, "malformed-request");
  await assert.rejects(verify({ url: URL_ }, { keys: "keys" }), TypeError);
});

test("web-bot-auth from npm, in both directions", async () => {
  const jwk = EXAMPLES.private[0];
  const request = new Request(URL_, { headers: { "Signature-Agent": '"https://agent.example"' } });
  const created = new Date();
  const theirs = await signatureHeaders(request, await signerFromJWK(jwk), { created, expires: new Date(created.getTime() + 60_000) });
  const headers = [["Signature-Agent", '"https://agent.example"'], ["Signature", theirs.Signature], ["Signature-Input", theirs["Signature-Input"]]];
  const verdict = await verify({ url: URL_, headers }, { keys: { keys: [jwk].map(({ d, ...own }) => own) } });
  assert.equal(verdict.reason, "valid");
  // It reads no members of Signature-Agent, so it gets a signature without.
  const ours = await sign(await Key.from(jwk), { url: URL_ });
  const { d: _, ...own } = jwk;
  const peer = await verifierFromJWK(own);
  await peerVerify(new Request(URL_, { headers: ours }), peer);
  await assert.rejects(async () => peerVerify(new Request("https://shop.example/other", { headers: ours }), peer));
});

/** A directory whose server is a function. */
function served(answer, options = {}) {
  let asked = 0;
  const fetch = async (url, { signal }) => {
    asked++;
    return answer(String(url), signal);
  };
  const directory = new Directory({ fetch, ...options });
  return { directory, get asked() { return asked; } };
}

const answered = (keys, headers = {}) => new Response(JSON.stringify(keys), { headers: { "Content-Type": "application/http-message-signatures-directory+json", ...headers } });

test("directories are fetched from the place that the signature names, once, and kept", async () => {
  const ask = async ({ directory }, own = key, at = AGENT) => {
    const headers = await sign(own, { url: URL_ }, { directory: at });
    return verify({ url: URL_, headers }, { keys: directory });
  };
  let now = 1000;
  let keys = key.directory;
  const urls = [];
  const site = served((url) => (urls.push(url), answered(keys, { "Cache-Control": "max-age=120" })));
  site.directory._clock = () => now;
  const verdicts = await Promise.all([ask(site), ask(site), ask(site)]);
  assert.deepEqual(verdicts.map(({ reason, identity }) => [reason, identity]), Array(3).fill(["valid", PLACE]));
  assert.deepEqual(urls, [PLACE]);
  // A new key is looked for once a minute.
  const other = await Key.generate();
  assert.equal((await ask(site, other)).reason, "unknown-key");
  keys = other.directory;
  now += 61;
  assert.equal((await ask(site, other)).reason, "valid");
  assert.equal(site.asked, 2);
  assert.equal((await ask(site)).reason, "unknown-key");
  assert.equal(site.asked, 2);
  const reasonsOf = [
    [() => new Response("", { status: 301, headers: { Location: "https://other.example" } }), "directory-failed"],
    [() => new Response("", { status: 404 }), "directory-failed"],
    [() => new Response("nothing", { headers: { "Content-Type": "application/json" } }), "directory-invalid"],
    [() => new Response(JSON.stringify(key.directory), { headers: { "Content-Type": "text/html" } }), "directory-invalid"],
    [() => answered({ keys: [], more: "x".repeat(70_000) }), "directory-failed"],
    [() => { throw new Error("network"); }, "directory-failed"],
    [() => answered({ keys: [EXAMPLES.private[0]] }), "unknown-key"],
    [() => answered({ keys: [{ ...key.public, d: "AAAA" }] }), "key-private"],
    [() => answered({ keys: [{ ...key.public, exp: 1 }] }), "key-expired"],
    [() => answered({ keys: Array(101).fill(other.public) }), "too-many-keys"],
  ];
  for (const [answer, reason] of reasonsOf) {
    const failing = served(answer);
    assert.deepEqual([(await ask(failing)).reason, (await ask(failing)).reason, failing.asked], [reason, reason, 1]);
  }
  assert.equal((await ask(served(() => answered(key.directory), { allow: ["other.example"] }))).reason, "directory-failed");
  assert.equal((await ask(served(() => answered(key.directory), { onlyKnown: true }))).reason, "directory-failed");
  assert.equal((await ask(served(() => answered(key.directory)), key, "https://agent.example:8443")).reason, "directory-failed");
  const known = new Directory({ onlyKnown: true, known: { [AGENT]: key.directory } });
  assert.equal((await ask({ directory: known })).reason, "valid");
  for (const host of ["127.0.0.1", "10.0.0.1", "169.254.169.254", "[::1]", "localhost"]) {
    assert.equal((await ask({ directory: new Directory() }, key, `https://${host}`)).reason, "directory-failed", host);
  }
});

test("a slow directory is given up", async () => {
  const begun = Date.now();
  const slow = served((_, signal) => {
    const pull = async (controller) => {
      await new Promise((done) => setTimeout(done, 200));
      if (signal.aborted) controller.error(signal.reason);
      else controller.enqueue(new Uint8Array([32]));
    };
    return new Response(new ReadableStream({ pull }), { headers: { "Content-Type": "application/json" } });
  });
  const headers = await sign(key, { url: URL_ }, { directory: AGENT });
  assert.equal((await verify({ url: URL_, headers }, { keys: slow.directory })).reason, "directory-failed");
  assert.ok(Date.now() - begun < 50_000);
});

test("wrong clocks accept nothing", async () => {
  const headers = await sign(key, { url: URL_ }, { now: NOW });
  const at = async (now) => (await verify({ url: URL_, headers }, { keys: key.directory, now })).reason;
  assert.deepEqual(await Promise.all([NOW - 10, NOW + 59].map(at)), ["valid", "valid"]);
  for (const now of [NOW - 11, 0, -5, Number.NaN]) assert.equal(await at(now), "not-yet-valid", String(now));
  for (const now of [NOW + 60, NOW * 1000, 2 ** 40]) assert.equal(await at(now), "expired", String(now));
  assert.notEqual(await at(Infinity), "valid");
});

/** Headers of a request whose agent is a card. */
async function ofCard(url) {
  const said = `sig1="${url}";type=cimd`;
  // Signed as a field of another name, which is then replaced in what was signed.
  const renamed = { ...Object.fromEntries(["algorithm", "thumbprint"].map((name) => [name, key[name]])) };
  const signer = Object.assign(Object.create(Key.prototype), renamed);
  signer._sign = (base) => key._sign(new TextEncoder().encode(new TextDecoder().decode(base).replaceAll('"x-agent"', '"signature-agent"')));
  const made = await sign(signer, { url: URL_, headers: { "X-Agent": said } });
  return { ...made, "Signature-Input": made["Signature-Input"].replace('"x-agent"', '"signature-agent"'), "Signature-Agent": said };
}

test("a card has the keys or their URL", async () => {
  const CARD = `${AGENT}/card?v=1`;
  const json = (value) => new Response(JSON.stringify(value), { headers: { "Content-Type": "application/json", "Cache-Control": "max-age=5" } });
  const ask = async (card, keys = () => json(key.directory), options = {}) => {
    const urls = [];
    const site = served((url) => (urls.push(url), url === CARD ? json(card) : keys()), options);
    const { reason, identity } = await verify({ url: URL_, headers: await ofCard(CARD) }, { keys: site.directory });
    return [reason, identity ?? null, urls.length];
  };
  const own = `${AGENT}/card`;
  assert.deepEqual(await ask({ client_id: CARD, jwks: key.directory }), ["valid", own, 1]);
  assert.deepEqual(await ask({ client_id: CARD, jwks: {}, jwks_uri: `${AGENT}/keys` }), ["valid", own, 2]);
  for (const card of [{}, [], { client_id: CARD }, { client_id: own, jwks: key.directory }, { client_id: CARD, jwks: [] }, { client_id: CARD, jwks_uri: "http://agent.example/keys" }]) {
    assert.deepEqual(await ask(card), ["directory-invalid", null, 1]);
  }
  const at = { client_id: CARD, jwks_uri: `${AGENT}/keys` };
  assert.deepEqual(await ask(at, () => new Response("", { status: 302, headers: { Location: own } })), ["directory-failed", null, 2]);
  assert.deepEqual(await ask({ ...at, jwks_uri: "https://other.example/keys" }, undefined, { allow: ["agent.example"] }), ["directory-failed", null, 1]);
  assert.deepEqual(await ask(at, () => json({ keys: [{ ...key.public, d: "AAAA" }] })), ["key-private", null, 2]);
});

const SHOP = `Spec-Version: 1.0
Site-Name: Mugs
Site-URL: https://shop.example
Allow: /mugs
Disallow: /admin
Agent: *
  Rate-Limit: 2/minute
`;

test("a gate decides by the documents of the site", async () => {
  const given = { origin: "https://shop.example", documents: parse(SHOP), robots: "absent", keys: key.directory };
  const admit = gate(given);
  const ask = async (path, { method = "GET", by = key, host = "shop.example", at = NOW } = {}) => {
    const headers = by === null ? {} : await sign(by, { method, url: `https://shop.example${path}` }, { now: at });
    return admit(new Request(`https://${host}${path}`, { method, headers: { ...headers, "User-Agent": "ShopBot/1.0" } }), { now: at });
  };
  const answer = async (path, options) => {
    const { status, reason, response } = await ask(path, options);
    assert.equal(response?.status ?? 200, status);
    if (response !== undefined) assert.equal((await response.json()).reason, reason);
    return [status, reason, response];
  };
  const [status, reason, response] = await answer("/mugs", { by: null });
  assert.deepEqual([status, reason], [401, "unsigned"]);
  assert.match(response.headers.get("Accept-Signature"), /tag="web-bot-auth"/);
  for (const path of ["/robots.txt", "/.well-known/agents.txt", "/agents.txt"]) assert.equal((await answer(path, { by: null }))[0], 200, path);
  assert.equal((await answer("/mugs", { by: await Key.generate() }))[1], "unknown-key");
  assert.deepEqual((await answer("/admin"))[0], 403);
  // The host that the client names does not count.
  assert.equal((await answer("/mugs", { host: "other.example" }))[0], 200);
  assert.equal((await answer("/mugs"))[0], 200);
  const [late, why, said] = await answer("/mugs");
  assert.deepEqual([late, why, said.headers.get("Retry-After")], [429, "rate-limited", "60"]);
  assert.equal((await answer("/mugs", { at: NOW + 61 }))[0], 200);
  const passing = gate({ ...given, unsigned: "pass" });
  assert.equal((await passing(new Request("https://shop.example/mugs"))).status, 200);
  assert.equal((await passing(new Request("https://shop.example/mugs", { headers: { Signature: "x", "Signature-Input": "y" } }))).status, 401);
  for (const wrong of [{ origin: [] }, { origin: "shop.example" }, { origin: "https://shop.example/a" }, { unsigned: "maybe" }]) {
    assert.throws(() => gate({ ...given, ...wrong }), TypeError);
  }
});

test("site and agent decide alike for every policy vector", async () => {
  let count = 0;
  for (const { path, documents, robots, requires, questions: asked } of questions("policy")) {
    if (requires) continue;
    const parsed = documents.map((part) => parse(written(part), { format: part.format }));
    const given = typeof robots === "object" ? rules(written(robots)) : robots;
    for (const { url, agent, method = "GET" } of asked) {
      // Only what a client can send: an absolute path, a method that `fetch` has, a User-Agent that is a field.
      const base = URL.canParse(url ?? "") ? new URL(url).origin : "https://site.example";
      const target = url?.startsWith(base) ? url.slice(base.length).split("#")[0] : url;
      if (!target?.startsWith("/") || !/^https?:/.test(base)) continue;
      let request;
      try {
        const bare = new Request(base + target, { method, headers: { "User-Agent": agent } });
        if (bare.url !== base + target || bare.method !== method || bare.headers.get("user-agent") !== agent) continue;
        const headers = { ...Object.fromEntries(bare.headers), ...(await sign(key, { method, url: bare.url })) };
        request = new Request(bare.url, { method, headers });
      } catch {
        continue;
      }
      const expected = decide(parsed, { agent, url: request.url, method, robots: given, origin: base });
      const found = await gate({ origin: base, documents: parsed, robots: given, keys: key.directory })(request);
      assert.deepEqual(found.decision, expected, `${path} ${url}`);
      const isOpen = found.status === 200 && found.reason === "valid";
      if (!isOpen && found.reason !== "rate-limited") assert.equal(found.status === 200, expected.allowed, `${path} ${url}`);
      count++;
    }
  }
  assert.ok(count > 300, String(count));
});

test("discover and call sign their requests", async () => {
  const seen = [];
  const server = createServer((request, response) => {
    seen.push({ method: request.method, url: `http://127.0.0.1:${server.address().port}${request.url}`, headers: Object.entries(request.headers) });
    response.writeHead(404).end();
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  try {
    const identity = new Identity(key, AGENT);
    await discover(`http://127.0.0.1:${server.address().port}`, { allowPrivate: true, identity });
    assert.ok(seen.length > 1);
    for (const request of seen) assert.equal((await verify(request, { keys: key.directory })).reason, "valid");
    await assert.rejects(discover("https://shop.example", { identity: {} }), TypeError);
    const origin = `http://127.0.0.1:${server.address().port}`;
    const documents = parse(`${SHOP.replace("https://shop.example", origin)}Capability: search\n  Endpoint: ${origin}/search\n  Protocol: REST\n  Method: POST\n`);
    const before = seen.length;
    await assert.rejects(call(documents, "search", {}, { agent: "ShopBot", origin, allowPrivate: true, identity }), { name: "CallFailed" });
    assert.deepEqual(seen.slice(before).map(({ method }) => method), ["POST"]);
    assert.equal((await verify(seen[before], { keys: key.directory })).reason, "valid");
    await assert.rejects(call(documents, "search", {}, { agent: "ShopBot", origin, identity: {} }), TypeError);
  } finally {
    server.close();
  }
});

test("handshakes of WebSockets are signed, or not sent", async () => {
  const seen = [];
  const server = createServer((_, response) => response.writeHead(404).end());
  new WebSocketServer({ server }).on("connection", (socket, { method, url, headers }) => {
    seen.push({ method, url: `${origin}${url}`, headers: Object.entries(headers) });
    socket.send("{}");
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const origin = `http://127.0.0.1:${server.address().port}`;
  const text = `${SHOP.replace("https://shop.example", origin)}Capability: watch\n  Endpoint: ${origin.replace("http", "ws")}/watch?a=%20b\n  Protocol: WebSocket\n`;
  const watch = (more) => call(parse(text), "watch", {}, { agent: "ShopBot", origin, allowPrivate: true, WebSocket, limiter: new Limiter(), ...more });
  const other = await Key.generate();
  try {
    await watch({ identity: new Identity(key, AGENT) });
    await watch({});
    const verdicts = await Promise.all(seen.map((request) => verify(request, { keys: key.directory })));
    assert.deepEqual(verdicts.map(({ reason, directory }) => [reason, directory]), [["valid", PLACE], ["unsigned", undefined]]);
    assert.equal((await verify(seen[0], { keys: other.directory })).reason, "unknown-key");
    assert.equal((await verify({ ...seen[0], url: `${origin}/other` }, { keys: key.directory })).reason, "wrong-signature");
    // A browser takes no headers.
    class Bare extends WebSocket {
      constructor(url, ...more) {
        if (more.length > 0) throw new SyntaxError("'[object Object]' is no protocol");
        super(url);
      }
    }
    await assert.rejects(watch({ WebSocket: Bare, identity: new Identity(key, AGENT) }), { name: "ConnectionFailed", message: /no signatures/ });
    // Nothing is sent if the signature cannot be made.
    const broken = { sign: () => Promise.reject(new RangeError("no key")) };
    await assert.rejects(watch({ identity: broken }), { name: "RangeError" });
    assert.equal(seen.length, 2);
    await watch({ WebSocket: Bare });
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
