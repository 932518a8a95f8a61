// OAuth 2 that is found: from a refusal to the resource, to its authorization server, to a token. Over real connections, and as Python does it.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { spawn } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import * as agentsdisc from "agentsdisc";
import { NO_PYTHON, PYTHON, ROOT } from "./vectors.mjs";

const { Limiter, OAuth2, call, parse } = agentsdisc;
const WELL_KNOWN = "/.well-known/oauth-protected-resource";
const REDIRECT = "http://127.0.0.1:7070/callback";
const [CLIENT, SECRET] = ["mugbot", "s3cret-of-the-client"];

/** An API that wants tokens, and the authorization server that issues them. What they answer instead of the usual can be set. */
async function world(context) {
  const bank = {
    /** The scope that the API wants, its challenge, the metadata of both, the answers to a registration and to a request of a token. */
    scope: undefined, challenge: undefined, metadata: undefined, server: undefined, registration: undefined, token: undefined, iss: undefined, lasts: 3600,
    asked: [], sent: [], tokens: new Map(), codes: new Map(), fresh: new Map(), registered: new Map(),
    reset() {
      Object.assign(bank, { scope: undefined, challenge: undefined, metadata: undefined, server: undefined, registration: undefined, token: undefined, iss: undefined, lasts: 3600, asked: [], sent: [] });
      for (const each of [bank.tokens, bank.codes, bank.fresh, bank.registered]) each.clear();
    },
    /** The fields of the requests at a path of the authorization server. */
    of: (path) => bank.asked.filter(([where]) => where === path).map(([, fields]) => fields),
  };
  const listening = async (handler) => {
    const server = createServer((request, response) => {
      const parts = [];
      request.on("data", (part) => parts.push(part)).on("end", () => handler(request, response, Buffer.concat(parts).toString()));
    });
    await new Promise((done) => server.listen(0, "127.0.0.1", done));
    context.after(() => (server.closeAllConnections(), server.close()));
    return `http://127.0.0.1:${server.address().port}`;
  };
  bank.issuer = await listening((request, response, body) => authority(bank, request, response, body));
  bank.api = await listening((request, response) => resource(bank, request, response));
  return bank;
}

const said = (response, status, value, headers = {}) => response.writeHead(status, { "Content-Type": "application/json", ...headers }).end(typeof value === "string" ? value : JSON.stringify(value));

/** Answers with a document: an object, a text, a URL to redirect to, a function that answers, or what stands at each path. */
function document(given, request, response) {
  const path = request.url.split("?")[0];
  let value = given;
  if (typeof value === "object" && Object.keys(value).some((name) => name.startsWith("/"))) value = value[path] ?? "";
  if (typeof value === "function") return value(request, response);
  if (typeof value === "string" && value.startsWith("http")) return said(response, 302, "", { Location: value });
  return said(response, value === "" ? 404 : 200, value);
}

const serverOf = (bank, changes = {}) => {
  const url = bank.issuer;
  const usual = { issuer: url, authorization_endpoint: `${url}/authorize`, token_endpoint: `${url}/token`, registration_endpoint: `${url}/register` };
  return { ...usual, response_types_supported: ["code"], code_challenge_methods_supported: ["S256"], ...changes };
};
const resourceOf = (bank, changes = {}) => ({ resource: `${bank.api}/api`, authorization_servers: [bank.issuer], scopes_supported: ["read", "write"], ...changes });

function authority(bank, request, response, body) {
  const { pathname, searchParams } = new URL(request.url, bank.issuer);
  const isJson = request.headers["content-type"] === "application/json";
  const fields = isJson ? JSON.parse(body) : Object.fromEntries(body === "" ? searchParams : new URLSearchParams(body));
  bank.asked.push([pathname, fields]);
  if (pathname.includes("/.well-known/")) return document(bank.server ?? (pathname === "/.well-known/oauth-authorization-server" ? serverOf(bank) : ""), request, response);
  if (pathname === "/register") {
    if (bank.registration !== undefined) return said(response, ...bank.registration);
    const id = `client-${bank.registered.size}`;
    bank.registered.set(id, fields);
    return said(response, 201, { client_id: id, ...fields, ...(fields.token_endpoint_auth_method === "none" ? {} : { client_secret: `secret-of-${id}` }) });
  }
  if (pathname === "/authorize") {
    const back = new URL(fields.redirect_uri);
    const code = `code-${bank.codes.size}`;
    bank.codes.set(code, fields);
    for (const [name, value] of Object.entries({ code, state: fields.state, iss: bank.iss })) if (value !== undefined) back.searchParams.set(name, value);
    return said(response, 302, "", { Location: back.href });
  }
  if (pathname !== "/token") return said(response, 404, "");
  if (bank.token !== undefined) return document(bank.token, request, response);
  const [, basic] = /^Basic (.*)$/.exec(request.headers.authorization ?? "") ?? [];
  const [id, secret] = basic === undefined ? [fields.client_id, fields.client_secret] : Buffer.from(basic, "base64").toString().split(":").map(decodeURIComponent);
  const own = bank.registered.get(id);
  const isKnown = id === CLIENT ? secret === SECRET : own !== undefined && (own.token_endpoint_auth_method === "none" || secret === `secret-of-${id}`);
  if (!isKnown) return said(response, 401, { error: "invalid_client" });
  const issue = (scope, target) => {
    const token = `token-${bank.asked.length}`;
    bank.tokens.set(token, { scope, target });
    bank.fresh.set(`fresh-${token}`, { scope, target });
    return said(response, 200, { access_token: token, token_type: "bearer", expires_in: bank.lasts, ...(fields.grant_type === "client_credentials" ? {} : { refresh_token: `fresh-${token}` }) });
  };
  if (fields.grant_type === "client_credentials") return issue(fields.scope, fields.resource);
  if (fields.grant_type === "refresh_token") {
    const old = bank.fresh.get(fields.refresh_token);
    bank.fresh.delete(fields.refresh_token);
    return old === undefined ? said(response, 400, { error: "invalid_grant" }) : issue(old.scope, old.target);
  }
  const asked = bank.codes.get(fields.code);
  bank.codes.delete(fields.code);
  const isProved = asked !== undefined && createHash("sha256").update(fields.code_verifier).digest("base64url") === asked.code_challenge;
  const isSame = isProved && asked.redirect_uri === fields.redirect_uri && asked.client_id === id && asked.resource === fields.resource;
  return isSame ? issue(asked.scope, asked.resource) : said(response, 400, { error: "invalid_grant" });
}

function resource(bank, request, response) {
  const path = request.url.split("?")[0];
  bank.sent.push([path, request.headers]);
  if (path.startsWith(WELL_KNOWN)) return document(bank.metadata ?? resourceOf(bank, { resource: bank.api + path.slice(WELL_KNOWN.length) }), request, response);
  if (path === "/agents.txt" || path === "/.well-known/agents.txt" || path.startsWith("/api")) {
    const known = bank.tokens.get((request.headers.authorization ?? "").replace("Bearer ", ""));
    const where = `resource_metadata="${bank.api}${WELL_KNOWN}${path.startsWith("/api") ? "/api" : ""}"`;
    const isFor = known !== undefined && [`${bank.api}/api`, bank.api, undefined].includes(known.target);
    if (!isFor) return said(response, 401, "", bank.challenge === "" ? {} : { "WWW-Authenticate": bank.challenge ?? `Bearer ${where}, scope="read"` });
    const lacks = bank.scope !== undefined && !(known.scope ?? "").split(" ").includes(bank.scope);
    if (lacks) return said(response, 403, "", { "WWW-Authenticate": `Bearer error="insufficient_scope", scope="${bank.scope}", ${where}` });
    if (!path.startsWith("/api")) return response.writeHead(200, { "Content-Type": "text/plain" }).end(`Spec-Version: 1.0\nSite-Name: Bank\nSite-URL: ${bank.api}\n`);
    return said(response, 200, { ok: true });
  }
  return said(response, 404, "");
}

const textOf = (bank, auth = "") => `Spec-Version: 1.0\nSite-Name: Bank\nSite-URL: ${bank.api}\nCapability: look\n  Endpoint: ${bank.api}/api\n  Protocol: REST\n${auth}`;
const optionsOf = (bank) => ({ agent: "Bot/1.0", origin: bank.api, allowPrivate: true, limiter: new Limiter() });

/** Opens a URL as a browser does, and returns where it is sent back to. */
async function opening(url) {
  const { status, headers } = await fetch(url, { redirect: "manual" });
  assert.equal(status, 302);
  return headers.get("location");
}

/** A client for which a person agrees in a browser at once. */
const client = (bank, more = {}, opened = []) =>
  new OAuth2({ clientId: CLIENT, clientSecret: SECRET, redirectUrl: REDIRECT, openUrl: (url) => (opened.push(url), opening(url)), approve: [bank.issuer], ...more });
const registering = (bank, more = {}, opened = []) => client(bank, { clientId: undefined, clientSecret: undefined, register: "Mug bot", ...more }, opened);
const look = (bank, credentials, auth = "", more = {}) => call(parse(textOf(bank, auth)), "look", {}, { ...optionsOf(bank), credentials, ...more });

test("a call follows the refusal to a token", async (context) => {
  const bank = await world(context);
  for (const auth of ["", "  Auth: oauth2\n", "  Auth: none\n"]) {
    bank.reset();
    const opened = [];
    const oauth = client(bank, {}, opened);
    const { data, steps } = await look(bank, oauth, auth);
    assert.deepEqual([data, steps.map(({ kind, status }) => [kind, status])], [{ ok: true }, [["call", 401], ["retry", 200]]]);
    const [[page], [token]] = [bank.of("/authorize"), bank.of("/token")];
    assert.deepEqual([page.code_challenge_method, page.scope, page.resource, page.redirect_uri], ["S256", "read", `${bank.api}/api`, REDIRECT]);
    assert.deepEqual([token.resource, opened.length, token.code_verifier.length], [`${bank.api}/api`, 1, 64]);
    // The next call has the token at once, without asking anybody.
    const before = bank.asked.length;
    assert.equal((await look(bank, oauth, auth)).steps.length, 1);
    assert.equal(bank.asked.length, before);
    // A token that is revoked is renewed by its refresh token.
    bank.tokens.clear();
    assert.equal((await look(bank, oauth, auth)).status, 200);
    assert.deepEqual([bank.of("/token")[1].grant_type, opened.length], ["refresh_token", 1]);
    assert.ok(!JSON.stringify(oauth).includes(SECRET));
  }
});

test("calls at the same time ask a person once", async (context) => {
  const bank = await world(context);
  const opened = [];
  const oauth = client(bank, {}, opened);
  const all = await Promise.all(Array.from({ length: 5 }, () => look(bank, oauth)));
  assert.deepEqual([all.map(({ status }) => status), opened.length, bank.of("/token").length], [Array(5).fill(200), 1, 1]);
});

test("scopes that the server asks for, and those of the caller", async (context) => {
  const bank = await world(context);
  const oauth = client(bank);
  await look(bank, oauth);
  bank.scope = "write";
  assert.equal((await look(bank, oauth)).status, 200);
  assert.deepEqual(bank.of("/authorize").map(({ scope }) => scope), ["read", "read write"]);
  bank.scope = "all";
  bank.token = '{"error":"invalid_scope"}';
  await assert.rejects(look(bank, oauth), { name: "CredentialsNeeded", message: /invalid_scope/ });
  bank.reset();
  bank.scope = "read";
  await assert.rejects(look(bank, client(bank, { scopes: ["write"] })), { name: "CallFailed", message: /403/ });
  assert.deepEqual([...new Set(bank.of("/authorize").map(({ scope }) => scope))], ["write"]);
});

test("a client without an id registers itself, and again if it must", async (context) => {
  const bank = await world(context);
  const oauth = registering(bank);
  assert.equal((await look(bank, oauth)).status, 200);
  const [asked] = bank.of("/register");
  assert.deepEqual(asked, { client_name: "Mug bot", application_type: "native", grant_types: ["authorization_code", "refresh_token"], token_endpoint_auth_method: "none", redirect_uris: [REDIRECT], response_types: ["code"], scope: "read" });
  assert.deepEqual([bank.of("/authorize")[0].client_id, bank.of("/token")[0].client_id], ["client-0", "client-0"]);
  // More scopes need a client that is registered for them.
  bank.scope = "write";
  assert.equal((await look(bank, oauth)).status, 200);
  assert.deepEqual(bank.of("/register").map(({ scope }) => scope), ["read", "read write"]);
  // The server has forgotten the client.
  bank.registered.clear();
  bank.tokens.clear();
  await look(bank, oauth);
  assert.equal(bank.of("/register").length, 3);
  // For itself, and for a web site.
  bank.reset();
  assert.equal((await look(bank, new OAuth2({ register: "Mug bot", approve: [bank.issuer] }))).status, 200);
  assert.deepEqual([bank.of("/register")[0].grant_types, bank.of("/token")[0].grant_type], [["client_credentials"], "client_credentials"]);
  bank.reset();
  await look(bank, registering(bank, { redirectUrl: "https://mugbot.example/callback" }));
  assert.equal(bank.of("/register")[0].application_type, "web");
});

test("a document about the client comes before a registration", async (context) => {
  const bank = await world(context);
  const clientId = "https://mugbot.example/client.json";
  for (const takes of [true, false]) {
    bank.reset();
    bank.server = serverOf(bank, { client_id_metadata_document_supported: takes });
    // The server does not know the client by its URL.
    await look(bank, registering(bank, { clientId })).then(() => assert.ok(!takes), (error) => assert.equal(takes && error.name, "CredentialsNeeded"));
    assert.deepEqual([bank.of("/authorize")[0].client_id === clientId, bank.of("/register").length], [takes, takes ? 0 : 1]);
  }
});

test("where the secret goes", async (context) => {
  const bank = await world(context);
  for (const [methods, isInBody] of [[undefined, false], [["client_secret_post"], true], [["client_secret_post", "client_secret_basic"], false]]) {
    bank.reset();
    bank.server = serverOf(bank, methods && { token_endpoint_auth_methods_supported: methods });
    await look(bank, client(bank));
    assert.equal(bank.of("/token")[0].client_secret, isInBody ? SECRET : undefined);
  }
});

test("the answer of another issuer, of another request, or of nobody is not taken", async (context) => {
  const bank = await world(context);
  for (const [iss, states, why] of [
    ...[[undefined, false], [bank.issuer, false], [bank.issuer, true]],
    ...[[undefined, true, /another issuer/], [`${bank.issuer}/`, false, /another issuer/], ["https://honest.example", true, /another issuer/]],
  ]) {
    bank.reset();
    bank.iss = iss;
    bank.server = serverOf(bank, { authorization_response_iss_parameter_supported: states });
    if (why === undefined) assert.equal((await look(bank, client(bank))).status, 200);
    else await assert.rejects(look(bank, client(bank)), { name: "CredentialsNeeded", message: why });
    assert.equal(bank.of("/token").length, why === undefined ? 1 : 0);
  }
  const state = (url) => new URL(url).searchParams.get("state");
  for (const [answer, why] of [
    [() => undefined, /has not agreed/],
    [() => null, /has not agreed/],
    [() => "", /without the state/],
    [() => "http://[", /without the state/],
    [() => `${REDIRECT}?code=c`, /without the state/],
    [() => `${REDIRECT}?code=c&state=x`, /without the state/],
    [(url) => `${REDIRECT}?code=c&state=${state(url)}&state=x`, /without the state/],
    [(url) => `${REDIRECT}?code=a&code=b&state=${state(url)}`, /has not agreed/],
    [(url) => `${REDIRECT}?code=&state=${state(url)}`, /has not agreed/],
    [(url) => `${REDIRECT}?error=access_denied%1b%5b2J&state=${state(url)}`, /has not agreed: access_denied\\x1b\[2J/],
  ]) {
    bank.reset();
    await assert.rejects(look(bank, client(bank, { openUrl: answer })), { name: "CredentialsNeeded", message: why }, String(answer));
    assert.equal(bank.of("/token").length, 0);
  }
  // The path and query are enough, or a URL; other values and errors are those of the caller.
  bank.reset();
  for (const shape of [(url) => url.slice(new URL(url).origin.length), (url) => new URL(url)]) {
    assert.equal((await look(bank, client(bank, { openUrl: async (url) => shape(await opening(url)) }))).status, 200);
  }
  await assert.rejects(look(bank, client(bank, { openUrl: () => 7 })), TypeError);
  await assert.rejects(look(bank, client(bank, { openUrl: () => { throw new RangeError("closed"); } })), { name: "RangeError", message: "closed" });
});

test("a person who does not answer holds nothing up", async (context) => {
  const bank = await world(context);
  const alive = setTimeout(() => {}, 20_000);
  let signal;
  const oauth = client(bank, { openUrl: (_, ends) => ((signal = ends), new Promise(() => {})) });
  await assert.rejects(look(bank, oauth, "", { timeout: 0.5 }), { name: "LimitExceeded" });
  assert.equal(signal.aborted, false);
  clearTimeout(alive);
});

/** What an endless or slow server does. */
const dripping = (_, response) => {
  response.writeHead(200, { "Content-Type": "application/json" });
  const timer = setInterval(() => response.write(" "), 20);
  response.on("close", () => clearInterval(timer));
};
const silent = () => {};

/** What nobody uses: the changes of the answers, and the reason. `{api}` and `{issuer}` stand for the origins. */
const METADATA = [
  [{ resource: "https://other.example/api" }, "another resource"],
  [{ resource: "{api}/other" }, "another resource"],
  [{ resource: "{api}/ap" }, "another resource"],
  [{ resource: "{api}/" }, "another resource"],
  [{ resource: "{issuer}/api" }, "another resource"],
  [{ resource: "{api}/x/../api" }, "another resource"],
  [{ resource: "javascript:alert(1)" }, "another resource"],
  [{ resource: undefined }, "another resource"],
  [{ resource: 7 }, "no metadata of a resource"],
  [{ authorization_servers: undefined }, "names no authorization server"],
  [{ authorization_servers: [] }, "names no authorization server"],
  [{ authorization_servers: "{issuer}" }, "no metadata of a resource"],
  [{ authorization_servers: ["javascript:alert(1)"] }, "not an https URL"],
  [{ authorization_servers: ["file:///etc/passwd"] }, "not an https URL"],
  [{ authorization_servers: ["http://auth.bank.example"] }, "not an https URL"],
  [{ authorization_servers: ["http://localhost.bank.example", "http://127.0.0.1.bank.example"] }, "not an https URL"],
  [{ authorization_servers: ["https://10.0.0.1"] }, "private host"],
  [{ authorization_servers: ["https://0x0a000001"] }, "private host"],
  [{ authorization_servers: ["https://169.254.169.254"] }, "private host"],
  [{ authorization_servers: ["https://[::ffff:10.0.0.1]"] }, "private host"],
  [{ authorization_servers: ["https://[fd00::1]"] }, "private host"],
  [{ authorization_servers: ["https://intranet"] }, "private host"],
  [{ authorization_servers: ["https://bank.home.arpa"] }, "private host"],
  [{ authorization_servers: ["https://bank.local."] }, "private host"],
  [{ authorization_servers: ["https://user@auth.bank.example"] }, "not a valid URL"],
  [{ authorization_servers: ["https://auth.bank.example#x"] }, "not a valid URL"],
  [{ authorization_servers: ["https://auth.bank.example\\x"] }, "not a valid URL"],
  [{ authorization_servers: ["https://auth.bank.example/a b"] }, "not a valid URL"],
  [{ authorization_servers: ["https://auth.bank.example:99999"] }, "not a valid URL"],
  [{ authorization_servers: ["https://"] }, "not a valid URL"],
  [{ authorization_servers: [`https://auth.bank.example/${"x".repeat(3000)}`] }, "not a valid URL"],
  [{ authorization_servers: ["https://auth.bank.example?x"] }, "no query"],
  [{ authorization_servers: ["{issuer}/other"] }, "publishes no metadata"],
  [{ authorization_servers: Array.from({ length: 5000 }, (_, at) => `{issuer}/t${at}`) }, "publishes no metadata"],
  [{ bearer_methods_supported: [] }, "no token in a header"],
  [{ bearer_methods_supported: ["query"] }, "no token in a header"],
  [{ bearer_methods_supported: 7 }, "no metadata of a resource"],
  ["http://127.0.0.1:1/elsewhere", "no metadata of the resource"],
  ["{api}/.well-known/oauth-protected-resource/api", "no metadata of the resource"],
  ["[]", "no metadata of a resource"],
  ["{", "no metadata of a resource"],
  ['{"resource": "a", "resource": "b"}', "no metadata of a resource"],
  ["[".repeat(100_000), "no metadata of a resource"],
  ["x".repeat(300_000), "too large"],
];

const SERVERS = [
  [{ issuer: "https://honest.example" }, "not of this issuer"],
  [{ issuer: "{issuer}/" }, "not of this issuer"],
  [{ issuer: undefined }, "not of this issuer"],
  [{ issuer: ["{issuer}"] }, "not of this issuer"],
  [{ code_challenge_methods_supported: undefined }, "PKCE"],
  [{ code_challenge_methods_supported: ["plain"] }, "PKCE"],
  [{ token_endpoint: undefined }, "no token endpoint"],
  [{ token_endpoint: "javascript:alert(1)" }, "not an https URL"],
  [{ token_endpoint: "http://bank.example/token" }, "not an https URL"],
  [{ token_endpoint: "https://192.168.0.1/token" }, "private host"],
  [{ token_endpoint: 7 }, "not of this issuer"],
  [{ authorization_endpoint: "javascript:alert(1)" }, "not an https URL"],
  [{ authorization_endpoint: "http://bank.example/authorize" }, "not an https URL"],
  [{ authorization_endpoint: "https://localhost.internal/x" }, "private host"],
  [{ authorization_endpoint: undefined }, "neither the documents nor the server"],
  [{ registration_endpoint: "http://bank.example/register" }, "not an https URL"],
  [{ token_endpoint_auth_methods_supported: "none" }, "not of this issuer"],
  [{ authorization_response_iss_parameter_supported: "yes" }, "not of this issuer"],
  ["{api}/moved", "publishes no metadata"],
  ["{issuer}/.well-known/oauth-authorization-server", "publishes no metadata"],
  ['{"issuer":"{issuer}","issuer":"{issuer}"}', "not of this issuer"],
  ["{", "not of this issuer"],
  ["x".repeat(300_000), "too large"],
];

const CHALLENGES = [
  "https://evil.example/.well-known/oauth-protected-resource/api",
  "{issuer}/.well-known/oauth-protected-resource/api",
  "javascript:alert(1)",
  "http://user@{host}/x",
];

const REGISTRATIONS = [
  [[400, '{"error":"invalid_redirect_uri"}'], "invalid_redirect_uri"],
  [[400, '{"error":"a\\u001b[2J","error_description":"\\u202eevil"}'], "x1b"],
  [[500, ""], "status 500"],
  [[201, "{"], "not JSON"],
  [[201, "[".repeat(100_000)], "not JSON|no valid client"],
  [[201, "[]"], "no valid client"],
  [[201, '{"client_id":"a\\r\\nb"}'], "no valid client"],
  [[201, JSON.stringify({ client_id: "x".repeat(5000) })], "no valid client"],
  [[201, '{"client_id":7}'], "no valid client"],
  [[201, '{"client_id":"a","client_secret":["b"]}'], "no valid client"],
  [[201, '{"client_id":"a","redirect_uris":["https://a.example/"]}'], "redirect"],
  [[201, '{"client_id":"a","token_endpoint_auth_method":"private_key_jwt"}'], "another way"],
  [[201, '{"client_id":"a","token_endpoint_auth_method":"client_secret_basic"}'], "no secret"],
  [[302, ""], "status 302"],
];

const TOKENS = [
  ["<html>", "not JSON"],
  ["[]", "without a valid access_token"],
  ['{"access_token":"a\\nb","token_type":"Bearer"}', "without a valid access_token"],
  ['{"access_token":"t","token_type":"DPoP"}', "not a bearer token"],
  ['{"access_token":"t","token_type":7}', "not a bearer token"],
  [JSON.stringify({ access_token: "x".repeat(20_000) }), "without a valid access_token"],
  ['{"error":"invalid_grant\\u001b[31m\\u0000","error_description":"\\u202egone"}', "x1b"],
  ["x".repeat(2 << 20), "too large"],
  ["http://127.0.0.1:1/elsewhere", "status 302"],
  ["{issuer}/token", "status 302"],
];

const filled = (bank, value) => {
  if (typeof value === "string") return value.replaceAll("{api}", bank.api).replaceAll("{issuer}", bank.issuer).replaceAll("{host}", new URL(bank.api).host);
  if (Array.isArray(value)) return value.map((each) => filled(bank, each));
  return typeof value === "object" ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, filled(bank, each)])) : value;
};

/** Every case: its name, what it sets, the options of the client, and the reason. */
function* cases(bank) {
  const of = (usual, changes) => (typeof changes === "string" ? filled(bank, changes) : usual(bank, filled(bank, changes)));
  for (const [changes, why] of METADATA) yield { set: { metadata: of(resourceOf, changes) }, why };
  for (const [changes, why] of SERVERS) yield { set: { server: of(serverOf, changes) }, why };
  for (const place of CHALLENGES) yield { set: { challenge: `Bearer resource_metadata="${filled(bank, place)}"` }, why: "not on the origin of the resource" };
  for (const [registration, why] of REGISTRATIONS) yield { set: { registration }, registers: true, why };
  const some = { approve: [`${bank.issuer}/token`, `${bank.issuer}/authorize`] };
  for (const endpoint of ["https://elsewhere.example/register", undefined]) yield { set: { server: serverOf(bank, { registration_endpoint: endpoint }) }, options: some, registers: true, why: "approve it|where clients register" };
  for (const [token, why] of TOKENS) yield { set: { token: filled(bank, token) }, why, isLate: true };
  yield { set: {}, options: { approve: [] }, why: "approve it" };
  yield { set: {}, options: { approve: [`${bank.issuer}/token`] }, why: "approve it" };
  yield { set: {}, options: { tokenUrl: `${bank.api}/token` }, why: "not of http" };
  // Only the documents name a server, and it is not where tokens are.
  yield { set: { challenge: "Basic realm=x" }, auth: "  Auth: oauth2\n  Auth-Endpoint: https://elsewhere.example/token\n", why: "approve it" };
  yield { set: { challenge: 'Bearer realm="a", realm="b", Bearer resource_metadata="x', metadata: "" }, why: "no metadata of the resource" };
}

/** What both languages say the same way. */
const alike = (message) =>
  message.replaceAll("token_url", "tokenUrl").replaceAll("client_id", "clientId").replaceAll("authorization_url", "authorizationUrl").replace(/approve=\['[^']*'\]/, "`approve`").replace(/give (a|`)? ?`?clientId`?/, "give clientId").replace(/127\.0\.0\.1:\d+\/callback/g, "");

test("documents and servers that are hostile, as Python sees them", async (context) => {
  const bank = await world(context);
  const python = NO_PYTHON ? undefined : spawn(PYTHON, [join(ROOT, "js/test/calls.py"), "authorize"], { stdio: ["pipe", "pipe", "inherit"] });
  context.after(() => python?.kill());
  const lines = python && createInterface({ input: python.stdout })[Symbol.asyncIterator]();
  const theirs = async (given) => (python.stdin.write(`${JSON.stringify(given)}\n`), JSON.parse((await lines.next()).value));
  const paths = () => [bank.asked.map(([path]) => path), bank.sent.map(([path]) => path)];
  for (const { set, options = {}, registers = false, auth = "", why, isLate = false } of cases(bank)) {
    const named = JSON.stringify([set, options]).slice(0, 300);
    bank.reset();
    Object.assign(bank, set);
    const opened = [];
    const oauth = (registers ? registering : client)(bank, options, opened);
    const error = await look(bank, oauth, auth).then(() => assert.fail(named), (problem) => problem);
    assert.ok(error instanceof agentsdisc.CallError, String(error.stack));
    assert.match(error.message, new RegExp(why), named);
    assert.match(error.message, /^[^\0-\x1f\x7f-\x9f\u202e]{1,1000}$/u);
    // Nothing that a document names gets a credential, and no page is opened.
    if (!isLate) assert.deepEqual([opened, bank.of("/token")], [[], []], named);
    assert.ok(bank.sent.every(([, headers]) => headers.authorization === undefined));
    assert.ok(!error.message.includes(SECRET));
    if (python === undefined) continue;
    const own = paths();
    bank.reset();
    Object.assign(bank, set);
    const more = { ...(options.approve === undefined ? { approve: [bank.issuer] } : { approve: options.approve }), ...(options.tokenUrl === undefined ? {} : { token_url: options.tokenUrl }) };
    const given = registers ? { register: "Mug bot" } : { client_id: CLIENT, client_secret: SECRET };
    const [found] = await theirs({ document: textOf(bank, auth), origin: bank.api, options: { ...given, ...more } });
    assert.deepEqual([error.name, alike(error.message), own], [found.error, alike(found.message ?? ""), paths()], named);
  }
});

test("calls that succeed, as Python makes them", { skip: NO_PYTHON }, async (context) => {
  const bank = await world(context);
  const python = spawn(PYTHON, [join(ROOT, "js/test/calls.py"), "authorize"], { stdio: ["pipe", "pipe", "inherit"] });
  context.after(() => python.kill());
  const lines = createInterface({ input: python.stdout })[Symbol.asyncIterator]();
  const shown = () => [bank.asked.map(([path, { state, code, code_verifier, code_challenge, redirect_uri, redirect_uris, refresh_token, client_id, ...rest }]) => [path, rest]), bank.sent.map(([path]) => path)];
  const root = { [WELL_KNOWN]: { resource: bank.api, authorization_servers: [bank.issuer] } };
  for (const [set, given, own, auth = "", count = 2] of [
    [{}, {}, {}],
    [{ challenge: "" }, {}, {}],
    [{ challenge: "", metadata: root }, {}, {}],
    [{ challenge: 'Basic realm="x", bearer Scope="a b", error=invalid_token' }, {}, {}],
    [{ scope: "write" }, {}, {}],
    [{ lasts: 0 }, {}, {}, "", 3],
    [{ server: { "/.well-known/openid-configuration": serverOf(bank) } }, {}, {}],
    [{}, { register: "Mug bot", client_id: null, client_secret: null }, { register: "Mug bot", clientId: undefined, clientSecret: undefined }],
    [{}, { scopes: ["write"] }, { scopes: ["write"] }],
    [{}, { token_url: `${bank.issuer}/token` }, { tokenUrl: `${bank.issuer}/token` }],
    [{}, {}, {}, "  Auth: oauth2\n  Scopes: pay\n"],
  ]) {
    bank.reset();
    Object.assign(bank, set);
    const oauth = client(bank, own);
    for (let at = 0; at < count; at++) assert.equal((await look(bank, oauth, auth)).status, 200);
    const mine = shown();
    bank.reset();
    Object.assign(bank, set);
    const options = { client_id: CLIENT, client_secret: SECRET, approve: [bank.issuer], ...given };
    python.stdin.write(`${JSON.stringify({ document: textOf(bank, auth), origin: bank.api, options, count })}\n`);
    const found = JSON.parse((await lines.next()).value);
    assert.deepEqual(found.map(({ status }) => status), Array(count).fill(200));
    assert.deepEqual(mine, shown(), JSON.stringify([set, given]));
  }
});

test("servers that are slow or never end", async (context) => {
  const bank = await world(context);
  const alive = setTimeout(() => {}, 60_000);
  for (const each of [silent, dripping]) {
    for (const set of [{ metadata: each }, { server: each }, { token: each }]) {
      bank.reset();
      Object.assign(bank, set);
      await assert.rejects(look(bank, client(bank, { timeout: 0.2 })), { name: "CredentialsNeeded", message: /in time/ });
      bank.reset();
      Object.assign(bank, set);
      await assert.rejects(look(bank, client(bank), "", { timeout: 0.5 }), { name: "LimitExceeded" });
    }
  }
  clearTimeout(alive);
});

test("a token that is refused is not asked for again and again", async (context) => {
  const bank = await world(context);
  bank.token = '{"access_token":"unknown","token_type":"Bearer","refresh_token":"r"}';
  for (const auth of ["", "  Auth: oauth2\n"]) {
    bank.asked.length = bank.sent.length = 0;
    const opened = [];
    const error = await look(bank, client(bank, {}, opened), auth).catch((problem) => problem);
    assert.deepEqual([error.name, error.status, opened.length], ["CallFailed", 401, 1]);
    assert.deepEqual(bank.sent.map(([path]) => path), ["/api", `${WELL_KNOWN}/api`, "/api"]);
  }
  // With a token of the documents' server, which the API never accepts.
  bank.asked.length = bank.sent.length = 0;
  const own = new OAuth2({ clientId: CLIENT, clientSecret: SECRET, tokenUrl: `${bank.issuer}/token` });
  bank.challenge = "Bearer";
  await assert.rejects(look(bank, own, "  Auth: oauth2\n"), { name: "CallFailed", status: 401 });
  assert.ok(bank.sent.length <= 2 && bank.asked.length <= 2);
});

test("a client of one server is not used at another", async (context) => {
  const bank = await world(context);
  const other = `${bank.issuer}/other`;
  const oauth = client(bank, { approve: [bank.issuer, other] });
  await look(bank, oauth);
  bank.metadata = resourceOf(bank, { authorization_servers: [other] });
  bank.server = serverOf(bank, { issuer: other });
  bank.tokens.clear();
  const before = bank.of("/token").length;
  await assert.rejects(look(bank, oauth), { name: "CallFailed", message: /instead of/ });
  assert.equal(bank.of("/token").length, before);
});

test("discovery gets documents for those who have a token", async (context) => {
  const bank = await world(context);
  const opened = [];
  const find = (credentials, more) => agentsdisc.discover(bank.api, { resources: ["agents-txt"], allowPrivate: true, credentials, ...more });
  const store = new Map();
  const oauth = client(bank, {}, opened);
  const site = await find(oauth, { store });
  assert.deepEqual([site.documents.map(({ service }) => service.name), opened.length, bank.of("/token").length, store.size], [["Bank"], 1, 1, 0]);
  assert.equal(bank.of("/token")[0].resource, bank.api);
  // The same object makes calls, and another discovery asks nobody.
  assert.equal((await find(oauth)).found.length, 1);
  assert.equal((await look(bank, oauth)).status, 200);
  assert.equal(opened.length, 1);
  assert.equal((await find(undefined)).found.length, 0);
  const whole = await agentsdisc.discover(bank.api, { allowPrivate: true, credentials: client(bank) });
  assert.equal(whole.found.length, 1);
  // A token that is never accepted, and servers that are not used: one attempt, whose error says why.
  bank.reset();
  bank.token = '{"access_token":"unknown","token_type":"Bearer"}';
  assert.equal((await find(client(bank))).found.length, 0);
  assert.ok(bank.of("/token").length <= 2);
  for (const [set, options, why] of [[{}, { approve: [] }, /approve it/], [{ challenge: `Bearer resource_metadata="${bank.issuer}/x"` }, {}, /not on the origin/], [{ metadata: "{" }, {}, /no metadata of a resource/]]) {
    bank.reset();
    Object.assign(bank, set);
    const found = await find(client(bank, options));
    assert.deepEqual([found.found.length, bank.of("/token").length], [0, 0]);
    assert.ok(found.attempts.some(({ error }) => why.test(error ?? "")), String(why));
    assert.ok(bank.sent.every(([, headers]) => headers.authorization === undefined));
  }
  for (const wrong of ["token", {}, () => "t"]) await assert.rejects(find(wrong), TypeError);
});

test("a person who does not answer does not hold a discovery up", async (context) => {
  const bank = await world(context);
  const alive = setTimeout(() => {}, 20_000);
  const site = await agentsdisc.discover(bank.api, { resources: ["agents-txt"], allowPrivate: true, timeout: 0.5, credentials: client(bank, { openUrl: () => new Promise(() => {}) }) });
  assert.equal(site.found.length, 0);
  clearTimeout(alive);
});

test("other credentials are sent as they are", async (context) => {
  const bank = await world(context);
  await assert.rejects(look(bank, "a-token"), { name: "CallFailed", message: /401.*oauth-protected-resource\/api.*OAuth2/ });
  assert.ok(!bank.sent.some(([path]) => path.includes(".well-known")));
});

test("the recipe of docs/javascript.md", async (context) => {
  const bank = await world(context);
  const text = readFileSync(join(ROOT, "docs/javascript.md"), "utf8");
  const [block] = [...text.matchAll(/^```js\n(.*?)^```$/gms)].map(([, code]) => code).filter((code) => code.includes("openUrl"));
  const file = join(ROOT, "js/test/oauth.generated.mjs");
  context.after(() => rmSync(file));
  const probe = createServer();
  await new Promise((done) => probe.listen(0, "127.0.0.1", done));
  const { port } = probe.address();
  await new Promise((done) => probe.close(done));
  // The same at a free port, for a server that is approved, and a browser that opens what is printed.
  writeFileSync(file, block.replaceAll("7070", port).replace("openUrl, redirectUrl", `approve: ["${bank.issuer}"], openUrl, redirectUrl`));
  const { log } = console;
  context.after(() => (console.log = log));
  const pages = [];
  console.log = (said) => pages.push(fetch(said.replace(/^Open /, "")).then((response) => response.text()));
  const { credentials } = await import(file);
  assert.equal((await look(bank, credentials)).status, 200);
  assert.deepEqual(await Promise.all(pages), ["You may close this page."]);
});

test("options that are wrong", () => {
  const wrong = [
    ...[{}, { clientSecret: "s" }, { clientId: "c", openUrl: () => "" }, { clientId: "c", redirectUrl: REDIRECT }, { clientId: "c", openUrl: "x", redirectUrl: REDIRECT }],
    ...["http://mugs.example/", "javascript:alert(1)", "data:,x", "https://mugs.example/#x", "callback", "http://localhost.evil.example/", "file:///x"].map((redirectUrl) => ({ clientId: "c", openUrl: () => "", redirectUrl })),
    ...[{ register: 7 }, { clientId: "c", authorizationUrl: 7 }],
  ];
  for (const options of wrong) assert.throws(() => new OAuth2(options), TypeError, JSON.stringify(options));
  for (const redirectUrl of [REDIRECT, "http://localhost/", "http://[::1]:1/x", "https://mugs.example/x?a=b", "com.example.mugbot:/callback"]) new OAuth2({ clientId: "c", openUrl: () => "", redirectUrl });
});

test("a time limit without end", async (context) => {
  const bank = await world(context);
  assert.equal((await look(bank, client(bank, { timeout: Infinity }), "", { timeout: Infinity })).status, 200);
});
