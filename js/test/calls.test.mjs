// Tools and calls: what the Python package answers, over the vectors and over real connections; and what only JavaScript can get wrong.
import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { createServer as connecting } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import WebSocket, { WebSocketServer } from "ws";
import * as agentsdisc from "agentsdisc";
import { Progress } from "../dist/call/core.js";
import { answered, question } from "../dist/policy.js";
import { sha256 } from "../dist/sha256.js";
import { NO_PYTHON, PYTHON, ROOT, documents, name, questions, written } from "./vectors.mjs";

const { CallError, ClientNeeded, Limiter, call, parse, tools } = agentsdisc;
const SCRIPT = join(ROOT, "js/test/calls.py");
const STYLES = ["openai", "anthropic", "mcp"];

/** What calls.py prints, line by line. */
function native(...args) {
  const text = execFileSync(PYTHON, [SCRIPT, ...args], { maxBuffer: 1 << 30, encoding: "utf8", cwd: "/" });
  return text.trimEnd().split("\n").map((line) => JSON.parse(line));
}

function failed(error) {
  if (error instanceof TypeError) return { error: "TypeError" };
  if (!(error instanceof CallError)) throw error;
  if (error instanceof ClientNeeded) return { error: "ClientNeeded", operation: error.operation.url };
  const more = ["problem", "argument", "failure", "status"].filter((each) => error[each] !== undefined).map((each) => [each, error[each]]);
  return { error: error.name, message: error.message, ...Object.fromEntries(more) };
}

async function planned(all, { capability, agent = "Bot", arguments: args = {}, origin, approved, options = {} }) {
  if (typeof args !== "object" || capability === undefined || ["operation", "session", "constant_headers"].some((each) => each in options)) return null;
  const given = {
    ...{ agent, origin, approve: approved, dryRun: true, done: (options.done ?? []).map(({ action }) => action) },
    ...{ credentials: options.credential ? "t" : undefined, undeclared: options.undeclared, fromText: options.from_text },
    idempotencyKey: options.idempotency_key || undefined,
  };
  try {
    const plan = await call(all, capability, args, given);
    return { text: String(plan), first: plan.first ?? null, detail: plan.detail ?? null, credential: plan.credential ?? null };
  } catch (error) {
    return failed(error);
  }
}

/** The plans and results of the core. */
function core(all, { agent = "Bot", arguments: args = {}, capability, url, method, origin, approved, options = {}, answers = [] }) {
  const asked = question(all, { agent, capability, url, method, origin, approved });
  const decided = { asked, decision: answered(asked) };
  const bytes = (each) => new TextEncoder().encode(typeof each === "string" ? each : JSON.stringify(each));
  const settings = {
    ...{ hasCredential: options.credential, hasSession: options.session, confirmed: options.confirmed === "must", undeclared: options.undeclared },
    ...{ fromText: options.from_text, idempotencyKey: options.idempotency_key, operation: options.operation },
    done: (options.done ?? []).map(({ action, body }) => [action, bytes(body)]),
  };
  const progress = new Progress();
  const found = [progress.plan(decided, typeof args === "string" ? args : JSON.stringify(args), settings)];
  for (const { status, headers = {}, body } of answers) {
    found.push(progress.next(decided, { status, headers: Object.entries(headers), body: body === undefined ? new Uint8Array() : bytes(body) }, 1_790_000_000));
  }
  return found;
}

const toolsOf = (all) => {
  const made = STYLES.map((style) => tools(all, { agent: "Bot", style }));
  const strict = Object.fromEntries([...made[0].byName].map(([key, tool]) => [key, tool.strict ?? null]));
  return { tools: made.map((each) => [...each]), denied: made[0].denied.map(({ id }) => id), strict };
};

test("plans, results and tools of the vectors as the native library makes them", { skip: NO_PYTHON }, async () => {
  const all = native("plans");
  const vectors = questions("call");
  assert.equal(all.length, vectors.length);
  let count = 0;
  for (const [at, { path, ...vector }] of vectors.entries()) {
    if (vector.requires) continue;
    const parsed = vector.documents.map((part) => parse(written(part), { format: part.format }));
    const [, rows, made] = all[at];
    assert.deepEqual(toolsOf(parsed), made, name(path));
    for (const [row, each] of vector.calls.entries()) {
      const [theirs, plans] = rows[row];
      // Python's internal call has neither.
      if (!("constant_headers" in (each.options ?? {})) && each.options?.confirmed !== "should") {
        assert.deepEqual(core(parsed, each), plans.map((text) => JSON.parse(text)), `${name(path)} ${row}`);
      }
      const own = await planned(parsed, each);
      // Python calls tools that only an MCP server names.
      const isTool = theirs?.text?.startsWith("mcp ") && own.error === "PolicyDenied";
      // The description of an operation, or of a capability, cannot be requested here.
      if (isTool || theirs?.error === "ConnectionFailed" || own?.error === "ConnectionFailed") continue;
      assert.deepEqual(own, theirs, `${name(path)} ${row}`);
      count++;
    }
  }
  assert.ok(count > 100, `${count}`);
});

test("tools of all documents as the native library makes them", { skip: NO_PYTHON }, () => {
  const theirs = new Map(native("tools"));
  let count = 0;
  for (const { path, bytes, options } of documents()) {
    const expected = theirs.get(path);
    if (expected === undefined) continue;
    assert.deepEqual(toolsOf(parse(bytes, { format: options.format })), expected, name(path));
    count += expected.tools[0].length;
  }
  assert.ok(count > 100, `${count}`);
});

test("digests", async () => {
  for (const length of [0, 1, 55, 56, 63, 64, 65, 119, 120, 1000]) {
    const bytes = Uint8Array.from({ length }, (_, at) => (at * 31) & 255);
    const digest = Buffer.from(await crypto.subtle.digest("SHA-256", bytes)).toString("hex");
    assert.equal(sha256(bytes), digest, `${length}`);
  }
});

const ACTION = (id, more = {}) => ({ id, description: `Does ${id}.`, endpoint: `/api/${id}`, method: "POST", auth_required: false, inputs: {}, outputs: {}, ...more });
const AWP = {
  awp_version: "0.2",
  domain: "DOMAIN",
  intent: "Sells mugs.",
  actions: [
    ACTION("search", { method: "GET", inputs: { q: { type: "string", required: true } }, outputs: { items: "array[string]", total: "integer" } }),
    ACTION("order", { inputs: { sku: { type: "string", required: true } }, outputs: { order_id: "string" }, auth_required: true, idempotency: { supported: true, key_field: "key" } }),
    ACTION("cancel", { requires_human_confirmation: true, sensitivity: "irreversible", inputs: { order_id: { type: "string", required: true } }, outputs: { cancelled: "string" } }),
    ACTION("job", { execution_model: "async", poll_endpoint: "/api/jobs/{job_id}", outputs: { result: "string" } }),
    ACTION("limited", { method: "GET" }),
    ACTION("moved", { method: "GET" }),
    ACTION("broken", { method: "GET" }),
    ACTION("flaky", { method: "GET" }),
    ACTION("paid", { method: "GET" }),
    ACTION("elsewhere", { endpoint: "https://other.example/api", auth_required: true }),
  ],
  auth: { type: "bearer", required_for: ["order", "elsewhere"] },
  dependencies: { cancel: ["order"] },
};
const PAYMENT = { x402Version: 1, error: "pay", accepts: [{ scheme: "exact", network: "base", maxAmountRequired: "1000", resource: "https://mugs.example/x", description: "d", mimeType: "", payTo: "0x1", maxTimeoutSeconds: 60, asset: "0x2" }] };

const CASES = [
  { capability: "search", arguments: { q: "blue mug" } },
  { capability: "search", arguments: {} },
  { capability: "search", arguments: { q: 1, x: 2 } },
  { capability: "serch", arguments: {} },
  { capability: "order", arguments: { sku: "m1" } },
  { capability: "order", arguments: { sku: "m1" }, options: { credentials: "token-1" } },
  { capability: "order", arguments: { sku: "m1" }, options: { credentials: "old" } },
  { capability: "order", arguments: { sku: "m1" }, options: { tokens: ["old", "token-1"] } },
  { capability: "order", arguments: { sku: "m1" }, options: { tokens: ["old", "old", "old"] } },
  { capability: "order", arguments: { sku: "m1" }, options: { credentials: "a\nb" } },
  { capability: "order", arguments: { sku: "m1" }, options: { credentials: "token-1", headers: { "X-Own": "1" } } },
  { capability: "cancel", arguments: { order_id: "o1" }, options: { credentials: "token-1" } },
  { capability: "cancel", options: { credentials: "token-1", before: { order: { sku: "m1" } }, asks: true } },
  { capability: "cancel", options: { credentials: "token-1", before: { order: { sku: "m1" } }, asks: false } },
  { capability: "cancel", options: { credentials: "token-1", before: { order: {} }, asks: true } },
  { capability: "cancel", arguments: { order_id: "o1" }, options: { credentials: "token-1", done: ["order"], confirm: true } },
  { capability: "cancel", options: { before: { order: { sku: "m1" } }, asks: true } },
  { capability: "job" },
  { capability: "limited" },
  { capability: "moved" },
  { capability: "broken" },
  { capability: "flaky" },
  { capability: "paid" },
  { capability: "elsewhere" },
  { capability: "elsewhere", options: { credentials: "token-1" } },
];
/** Options whose names differ. */
const OPTIONS = { idempotency_key: "idempotencyKey" };

/** A shop that logs what it receives. */
async function shop(use) {
  let origin;
  const log = [];
  const counts = new Map();
  const server = createServer(async (request, response) => {
    const parts = [];
    for await (const part of request) parts.push(part);
    const body = Buffer.concat(parts).toString();
    const { pathname } = new URL(request.url, origin);
    const answer = (status, value, headers = {}) => {
      response.writeHead(status, { "Content-Type": "application/json", ...headers });
      response.end(value === undefined ? "" : JSON.stringify(value));
    };
    if (pathname === "/agent.json" || pathname === "/.well-known/agent.json") {
      return answer(200, JSON.parse(JSON.stringify(AWP).replaceAll("DOMAIN", new URL(origin).host)));
    }
    if (!pathname.startsWith("/api/")) return answer(404);
    const shown = ["user-agent", "authorization", "x-own", "content-type", "content-length"].map((each) => [each, request.headers[each] ?? null]);
    log.push({ method: request.method, url: request.url, body, ...Object.fromEntries(shown) });
    const count = (counts.get(pathname) ?? 0) + 1;
    counts.set(pathname, count);
    if (pathname === "/api/search") return answer(200, { items: ["m1"], total: 1 });
    if (pathname === "/api/order") return request.headers.authorization === "Bearer token-1" ? answer(200, { order_id: "o1" }) : answer(401, { error: "token" });
    if (pathname === "/api/cancel") return answer(200, { cancelled: "o1" });
    if (pathname === "/api/job") return answer(202, { job_id: "j1", status: "running" }, { "Retry-After": "0" });
    if (pathname === "/api/jobs/j1") return count % 3 === 0 ? answer(200, { status: "done", result: "r" }) : count % 3 === 1 ? answer(503, undefined, { "Retry-After": "0" }) : answer(200, { status: "running" }, { "Retry-After": "0" });
    if (pathname === "/api/limited") return count % 2 === 1 ? answer(429, { error: "slow" }, { "Retry-After": "0" }) : answer(200, { ok: true });
    if (pathname === "/api/moved") return answer(302, undefined, { Location: "/api/search?q=x" });
    if (pathname === "/api/broken") return answer(422, { title: "No", detail: "The token sk-proj-abcdefghijklmnopqrstuvwxyz0123456789 \u202e is wrong." });
    if (pathname === "/api/flaky") return count % 2 === 1 ? answer(503, undefined, { "Retry-After": "0" }) : answer(200, "text");
    if (pathname === "/api/paid") return answer(402, PAYMENT);
    return answer(404);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${server.address().port}`;
  try {
    return await use(origin, log, counts);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

async function called(site, { capability, arguments: args, options: given = {} }, more) {
  const { asks, tokens, ...rest } = given;
  const asked = [];
  const options = Object.fromEntries(Object.entries(rest).map(([key, value]) => [OPTIONS[key] ?? key, value]));
  if (asks !== undefined) options.confirm = (one) => (asked.push(String(one)), asks);
  if (tokens !== undefined) {
    const left = [...tokens];
    options.credentials = () => left.shift();
  }
  const shown = (steps) => steps.map(({ kind, capability: of, request, status }) => [kind, of, request.method ?? null, request.url, status ?? null]);
  try {
    const answer = await site.call(capability, args, { agent: "Bot/1.0", limiter: new Limiter(), ...options, ...more });
    const outputs = answer.outputs.map(({ name: key, type, value, typed }) => [key, type ?? null, value ?? null, typed]);
    return { status: answer.status ?? null, data: answer.data, outputs, steps: shown(answer.steps), asked };
  } catch (error) {
    const found = failed(error);
    return error instanceof CallError ? { ...found, job: error.job ?? null, steps: shown(error.steps), asked } : { ...found, steps: [], asked };
  }
}

test("calls over real connections as the native library makes them", { skip: NO_PYTHON }, () =>
  shop(async (origin, log, counts) => {
    const child = await new Promise((done, fail) => {
      const run = execFile(PYTHON, [SCRIPT, "calls", origin], { maxBuffer: 1 << 28 }, (error, stdout) => (error ? fail(error) : done(stdout)));
      run.stdin.end(JSON.stringify(CASES));
    });
    const expected = child.trimEnd().split("\n").map((line) => JSON.parse(line));
    const received = log.splice(0);
    for (const fetch of [undefined, globalThis.fetch]) {
      counts.clear();
      const site = await agentsdisc.discover(origin, { allowPrivate: true, agent: "Bot/1.0", fetch });
      for (const [at, each] of CASES.entries()) assert.deepEqual(await called(site, each), expected[at], JSON.stringify(each));
      assert.deepEqual(log.splice(0), received);
    }
  }));

test("what a person is asked, and that only true is consent", () =>
  shop(async (origin, log) => {
    const site = await agentsdisc.discover(origin, { allowPrivate: true });
    const options = { agent: "Bot/1.0", done: ["order"], limiter: new Limiter() };
    for (const says of ["true", 1, undefined, {}, false]) {
      await assert.rejects(site.call("cancel", { order_id: "o1" }, { ...options, confirm: async () => says }), agentsdisc.ConfirmationRefused);
    }
    assert.equal(log.length, 0);
    const thrown = new Error("no terminal");
    await assert.rejects(site.call("cancel", { order_id: "o1" }, { ...options, confirm: () => Promise.reject(thrown) }), thrown);
    // The time in which a person is asked does not count.
    const slow = () => new Promise((done) => setTimeout(() => done(true), 3500));
    const answer = await site.call("cancel", { order_id: "o1" }, { ...options, timeout: 3, confirm: slow });
    assert.equal(answer.status, 200);
  }));

test("private addresses are refused unless the discovery was permitted to go there", () =>
  shop(async (origin, log) => {
    const fetched = await agentsdisc.discover(origin, { fetch });
    const refused = await called(fetched, { capability: "search", arguments: { q: "x" } }, { fetch: undefined, allowPrivate: false });
    assert.equal(refused.status, 200, "the fetch of the discovery sends it");
    log.length = 0;
    const own = await agentsdisc.discover(origin, { allowPrivate: true });
    const answer = await called(own, { capability: "search", arguments: { q: "x" } }, { allowPrivate: false });
    assert.equal(answer.error, "ConnectionFailed");
    assert.match(answer.message, /not public/);
    assert.equal(log.length, 0);
    const shopped = await called(own, { capability: "elsewhere" }, { credentials: "token-1" });
    assert.ok(["CredentialsRefused", "PolicyDenied", "ConnectionFailed"].includes(shopped.error), shopped.error);
  }));

test("limits of rates, of time and of size", async () => {
  const document = (origin) => `Spec-Version: 1.0\nSite-Name: M\nSite-URL: ${origin}\nCapability: slow\n  Endpoint: ${origin}/slow\n  Protocol: REST\n  Rate-Limit: 1/minute\nCapability: large\n  Endpoint: ${origin}/large\n  Protocol: REST\n`;
  const server = createServer((request, response) => {
    response.writeHead(200);
    if (request.url === "/large") for (let at = 0; at < 64; at++) response.write("x".repeat(1 << 16));
    if (request.url === "/large") response.end();
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${server.address().port}`;
  const shopping = parse(document(origin));
  const options = { agent: "Bot", allowPrivate: true, origin };
  await assert.rejects(call(shopping, "slow", {}, { ...options, timeout: 0.3 }), agentsdisc.LimitExceeded);
  await assert.rejects(call(shopping, "slow", {}, { ...options, timeout: 0.3 }), (error) => error instanceof agentsdisc.RateLimited && error.retryAfter > 50);
  await assert.rejects(call(shopping, "large", {}, { ...options, maxResponse: 1 << 20 }), agentsdisc.LimitExceeded);
  const ended = new AbortController();
  setTimeout(() => ended.abort(), 50);
  await assert.rejects(call(shopping, "slow", {}, { ...options, limiter: new Limiter(), signal: ended.signal }), { name: "AbortError" });
  server.closeAllConnections();
  server.close();
});

test("all spellings of an origin share one limit", async () => {
  const origin = "https://spelt.example";
  const slow = parse(`Spec-Version: 1.0\nSite-Name: M\nSite-URL: ${origin}\nCapability: slow\n  Endpoint: ${origin}/slow\n  Protocol: REST\n  Rate-Limit: 1/minute\n`);
  const options = { agent: "Bot", fetch: async () => new Response("{}"), maxWait: 0 };
  await call(slow, "slow", {}, { ...options, origin });
  for (const spelling of [origin, `${origin}/`, `${origin}:443`, "HTTPS://SPELT.example:443/"]) {
    await assert.rejects(call(slow, "slow", {}, { ...options, origin: spelling }), agentsdisc.RateLimited, spelling);
  }
});

test("GraphQL, and protocols that need another client", async () => {
  const origin = "https://m.example";
  const shopping = parse(`Spec-Version: 1.0\nSite-Name: M\nSite-URL: ${origin}\nCapability: graph\n  Endpoint: ${origin}/graphql\n  Protocol: GraphQL\nCapability: socket\n  Endpoint: wss://m.example/ws\n  Protocol: WebSocket\n`);
  const sent = [];
  const fetch = async (url, { method, body }) => {
    sent.push([method, url, JSON.parse(body)]);
    return Response.json(body.includes("broken") ? { data: { a: 1 }, errors: [{ message: "no" }] } : { data: { mugs: ["m1"] } });
  };
  const options = { agent: "Bot", origin, fetch };
  const answer = await call(shopping, "graph", { query: "{ mugs }", size: 1 }, options);
  assert.deepEqual(answer.data, { data: { mugs: ["m1"] } });
  await assert.rejects(call(shopping, "graph", { query: "{ broken }" }, options), { name: "CallFailed", failure: "operation", message: "'graph' has failed: no" });
  await assert.rejects(call(shopping, "graph", { size: 1 }, options), { name: "CallRefused", argument: "query" });
  await assert.rejects(call(shopping, "socket", { q: "a" }, options), (error) => error instanceof ClientNeeded && error.operation.url === "wss://m.example/ws" && error.operation.args.q === "a");
  assert.deepEqual(sent[0], ["POST", `${origin}/graphql`, { query: "{ mugs }", variables: { size: 1 } }]);
  assert.equal(sent.length, 2);
});

const param = (name, schema = { type: "string" }, more = {}) => ({ name, in: "query", schema, ...more });
const described = (paths, more) => ({ openapi: "3.1.0", info: { title: "Mugs", version: "1" }, paths, ...more });
const BODY = { required: true, content: { "application/json": { schema: { type: "object", required: ["count"], properties: { count: { type: "integer" }, note: { type: ["string", "null"] } } } } } };
const PLACE = [{ $ref: "#/components/parameters/Sku" }, { name: "X-Shop", in: "header", schema: { enum: ["a", "b"] } }, param("tag", { type: "array", items: { type: "string" } }), param("flat", { type: "array" }, { explode: false })];
const OPENAPI = described(
  {
    "/find": { get: { operationId: "other", parameters: [param("q", { type: "string" }, { required: true }), param("size", { enum: ["small", 2] }), param("limit", { type: "integer" })] } },
    "/mugs/{sku}": { post: { operationId: "place", parameters: PLACE, requestBody: BODY } },
    "/strange": { get: { operationId: "strange", parameters: [param("deep", { type: "object" })] } },
    "/secret": { get: { operationId: "hidden" } },
    "/circle": { get: { operationId: "circle", parameters: [{ $ref: "#/x" }] } },
    "/cookie": { get: { operationId: "cookie", parameters: [{ ...param("c", undefined, { required: true }), in: "cookie" }] } },
    "/twice": { get: { operationId: "twice" }, post: { operationId: "twice" } },
  },
  { servers: [{ url: "/{v}/", variables: { v: { default: "v1" } } }], components: { parameters: { Sku: { name: "sku", in: "path", required: true, schema: { type: "string" } } } }, x: { $ref: "#/x" } },
);
const find = { get: { operationId: "find", parameters: [param("q")] } };
/** What descriptions contain, by the ids of the capabilities that name them. */
const DESCRIPTIONS = {
  own: OPENAPI,
  missing: undefined,
  redirect: undefined,
  yaml: "openapi: 3.1.0\n",
  nested: "[".repeat(100_000),
  older: { swagger: "2.0", paths: {} },
  large: described({ "/find": find }, { x: "x".repeat(5 << 20) }),
  abroad: described({ "/abroad": { get: { ...find.get, operationId: "abroad" } } }, { servers: [{ url: "https://evil.example" }] }),
  broken: described({ "/broken": { get: { operationId: "broken" } } }, { servers: [{ url: "ftp://[" }] }),
  many: described({ "/many": { get: { operationId: "many", parameters: Array.from({ length: 1001 }, (_, at) => param(`p${at}`)) } } }),
  crowd: described({ "/crowd": { post: { operationId: "crowd", requestBody: { content: { "application/json": { schema: { properties: Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`p${at}`, {}])) } } } } } } }),
};
const OPERATIONS = [
  { capability: "find", arguments: { q: "blue & white", limit: 3, size: "small" } },
  ...[{ q: "a", size: "large" }, { q: "a", size: 2 }, { q: "a", limit: "many" }, { limit: 3 }, { q: "a", page: 1 }, { q: "a", size: "2" }].map((args) => ({ capability: "find", arguments: args })),
  ...[{ tag: ["x&y", "ü", 1, true], flat: ["a", "b"] }, { "X-Shop": "b", note: null }, { "X-Shop": "c" }, { tag: "x" }, { tag: [{}] }, { sku: ".." }, { count: "x" }, { flat: [] }].map((more) => ({ capability: "place", arguments: { sku: "a/b?c", count: 2, ...more } })),
  { capability: "place", arguments: { sku: "a" } },
  ...["strange", "hidden", "circle", "cookie", "twice", "missing", "redirect", "yaml", "nested", "older", "large", "abroad", "broken", "many", "crowd", "elsewhere", "relative"].map((capability) => ({ capability, arguments: { q: "a" } })),
  ...[{ sku: "mü", count: 2 }, {}, undefined].map((args) => ({ capability: "watch", arguments: args })),
  { capability: "spelt", arguments: { sku: "m1" } },
];

/** A site whose operations are described, and which has a WebSocket. */
async function describing(use, answering = (socket) => socket.send("price 7")) {
  const log = [];
  let origin;
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += part;
    const { pathname } = new URL(request.url, origin);
    const answer = (status, value, headers = {}) => {
      response.writeHead(status, headers);
      response.end(typeof value === "string" ? value : JSON.stringify(value));
    };
    if (pathname === "/.well-known/agents.txt") return answer(200, manifest(), { "Content-Type": "text/plain" });
    const [, id] = /^\/describes\/(.*)\.json$/.exec(pathname) ?? [];
    if (id === "redirect") return answer(302, "", { Location: "/describes/own.json" });
    if (DESCRIPTIONS[id] !== undefined) return answer(200, DESCRIPTIONS[id], { "Content-Type": "application/json" });
    if (!pathname.startsWith("/v1/")) return answer(404, "");
    log.push([request.method, request.url, body, request.headers["x-shop"] ?? null, request.headers.authorization ?? null]);
    return answer(200, { total: 1 }, { "Content-Type": "application/json" });
  });
  const manifest = () => {
    const entry = (id, endpoint, more) => `Capability: ${id}\n  Endpoint: ${endpoint}\n  Protocol: ${more}\n`;
    const by = (id, file = id) => entry(id, `${origin}/v1/${id}`, `REST\n  OpenAPI: ${/^[/a-z]+:?\/\//.test(file) ? file : `${origin}/describes/${file}.json`}`);
    const ids = ["find", "place", "strange", "hidden", "circle", "cookie", "twice"].map((id) => by(id, "own"));
    const urls = [by("elsewhere", "https://evil.example/openapi.json"), by("relative", "//evil")];
    const sockets = [entry("watch", `${origin.replace("http", "ws")}/watch`, "WebSocket"), entry("spelt", `${origin}/watch`, "WebSocket")];
    return `Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: ${origin}\nDisallow: /v1/secret\n${[...ids, ...Object.keys(DESCRIPTIONS).filter((id) => id !== "own").map((id) => by(id)), ...urls, ...sockets].join("")}`;
  };
  const sockets = new WebSocketServer({ server });
  sockets.on("connection", (socket, request) => {
    log.push(["SOCKET", request.url, request.headers["user-agent"], request.headers.authorization ?? null]);
    socket.on("error", () => {});
    socket.on("message", (data) => socket.send(JSON.stringify({ got: JSON.parse(data) })));
    // The client may say nothing, but not late.
    const late = setTimeout(() => answering(socket), 1000);
    socket.on("message", () => clearTimeout(late));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${server.address().port}`;
  try {
    return await use(origin, log);
  } finally {
    for (const socket of sockets.clients) socket.terminate();
    server.closeAllConnections();
    server.close();
  }
}

test("operations of OpenAPI and WebSockets as the native library calls them", { skip: NO_PYTHON }, () =>
  describing(async (origin, log) => {
    const child = await new Promise((done, fail) => {
      const run = execFile(PYTHON, [SCRIPT, "calls", origin], { maxBuffer: 1 << 28 }, (error, stdout) => (error ? fail(error) : done(stdout)));
      run.stdin.end(JSON.stringify(OPERATIONS));
    });
    const expected = child.trimEnd().split("\n").map((line) => JSON.parse(line));
    const received = log.splice(0);
    assert.ok(received.length > 8, `${received.length}`);
    const site = await agentsdisc.discover(origin, { allowPrivate: true, agent: "Bot/1.0" });
    for (const [at, each] of OPERATIONS.entries()) {
      const { message, operation, ...own } = await called(site, each, { WebSocket });
      const { message: said, ...theirs } = expected[at];
      assert.deepEqual(own, theirs, JSON.stringify([each, message, said]));
      if (operation === undefined) assert.equal(message, said);
    }
    assert.deepEqual(log, received);
  }));

test("descriptions that are hostile take no more time than their size", { skip: NO_PYTHON }, async (context) => {
  const folder = mkdtempSync(join(tmpdir(), "agentsdisc-"));
  context.after(() => rmSync(folder, { recursive: true }));
  execFileSync(PYTHON, [SCRIPT, "hostile", folder], { cwd: "/" });
  const origin = "https://m.example";
  const document = parse(`Spec-Version: 1.0\nSite-Name: M\nSite-URL: ${origin}\nCapability: search\n  Endpoint: ${origin}/api/search\n  Protocol: REST\n  OpenAPI: ${origin}/openapi.json\n`);
  for (const kind of readdirSync(folder)) {
    const text = readFileSync(join(folder, kind));
    const begun = process.cpuUsage();
    const fetch = async (url) => (url.endsWith(".json") ? new Response(text) : Response.json({}));
    await called({ call: (...given) => call(document, ...given) }, { capability: "search", arguments: {} }, { agent: "Bot", origin, fetch, timeout: 30 });
    const { user, system } = process.cpuUsage(begun);
    assert.ok(user + system < 3e6, `${kind}: ${user + system} µs`);
  }
});

test("the server of a description elsewhere gets no credentials without approval", async () => {
  const origin = "https://m.example";
  const document = parse(`Spec-Version: 1.0\nSite-Name: M\nSite-URL: ${origin}\nCapability: a\n  Endpoint: ${origin}/a\n  Protocol: REST\n  OpenAPI: ${origin}/openapi.json\n  Auth: bearer-token\n`);
  for (const server of ["https://evil.example", "http://m.example", "https://m.example:444"]) {
    const text = described({ "/find": { get: { operationId: "a", parameters: [param("q")] } } }, { servers: [{ url: server }] });
    for (const approve of [[], [`${server}/find`]]) {
      const sent = [];
      const fetch = async (url, { headers }) => (sent.push([url, new Headers(headers).has("authorization")]), url.endsWith(".json") ? Response.json(text) : Response.json({}));
      const ask = () => call(document, "a", { q: "x" }, { agent: "Bot", origin, fetch, approve, credentials: "token-1", limiter: new Limiter() });
      if (approve.length > 0 && server === "https://evil.example") {
        await ask();
        assert.deepEqual(sent.at(-1), [`${server}/find?q=x`, true]);
      } else if (server === "https://m.example:444") await ask();
      else await assert.rejects(ask(), CallError, server);
      assert.deepEqual(sent[0], [`${origin}/openapi.json`, false]);
      assert.ok(sent.every(([url, has]) => !has || url.startsWith("https://")), server);
    }
  }
});

/** What a WebSocket at an origin answers. */
const watch = (origin, more = {}, auth = "") =>
  call(parse(`Spec-Version: 1.0\nSite-Name: M\nSite-URL: ${origin}\nCapability: watch\n  Endpoint: ${origin.replace("http", "ws")}/watch\n  Protocol: WebSocket\n${auth}`), "watch", {}, { agent: "Bot", origin, allowPrivate: true, WebSocket, limiter: new Limiter(), maxResponse: 1 << 20, ...more });

test("a WebSocket gets the credential, and answers once", () =>
  describing(
    async (origin, log) => {
      const answer = await watch(origin, { credentials: "token-1" }, "  Auth: bearer-token\n");
      assert.deepEqual([answer.status, answer.data, answer.steps.map(({ kind, request }) => [kind, request.protocol])], [undefined, "price 7", [["call", "websocket"]]]);
      assert.deepEqual(log, [["SOCKET", "/watch", "Bot", "Bearer token-1"]]);
      const plan = await watch(origin, { dryRun: true });
      assert.equal(String(plan), `websocket ${origin.replace("http", "ws")}/watch {}`);
      await assert.rejects(watch(origin, { allowPrivate: false }), { name: "ConnectionFailed", message: /not public/ });
      // Another class than that of the platform could pass a `fetch` by.
      await assert.rejects(watch(origin, { WebSocket: undefined, fetch }), { name: "ClientNeeded", message: /give the option `WebSocket`/ });
      await assert.rejects(watch("http://m.example", { origin: "https://m.example" }), { name: /PolicyDenied|CallRefused/ });
      // A browser takes no headers.
      class Bare extends WebSocket {
        constructor(url, ...more) {
          if (more.length > 0) throw new SyntaxError("'[object Object]' is no protocol");
          super(url);
        }
      }
      assert.equal((await watch(origin, { WebSocket: Bare })).data, "price 7");
      await assert.rejects(watch(origin, { WebSocket: Bare, credentials: "token-1" }, "  Auth: bearer-token\n"), { name: "ConnectionFailed", message: /sends no credentials/ });
      assert.equal(log.length, 2);
    },
    (socket) => (socket.send("price 7"), socket.send("more")),
  ));

const SILENT = [
  [(socket) => socket.close(), "ConnectionFailed"],
  [(socket) => socket.terminate(), "ConnectionFailed"],
  [(socket) => setInterval(() => socket.ping(), 10).unref(), "LimitExceeded", 2],
  [(socket) => socket.send("x".repeat(2_000_000)), "LimitExceeded"],
  [(socket) => Array.from({ length: 2000 }, () => socket.send("x".repeat(1000), { fin: false })), "LimitExceeded"],
];

test("servers of WebSockets that send no message, or a large one", async () => {
  for (const [answering, name, timeout = 60] of SILENT) await describing((origin) => assert.rejects(watch(origin, { timeout }), { name }, String(answering)), answering);
});

test("answers that are no handshake of a WebSocket", async () => {
  const head = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: wrong\r\n\r\n";
  for (const [data, why] of [
    ["HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno", /refuses the handshake of the WebSocket with status 403$/],
    ["HTTP/1.1 302 Found\r\nLocation: ws://localhost:1/\r\nContent-Length: 0\r\n\r\n", /with status 302$/],
    ["HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", /with status 200$/],
    ...[head, "SSH-2.0-x\r\n", "", `HTTP/1.1 101 ${"x".repeat(1e6)}`].map((each) => [each, /the WebSocket cannot be opened: ./]),
  ]) {
    const server = connecting((socket) => socket.on("error", () => {}).once("data", () => socket.end(data)));
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    const origin = `http://127.0.0.1:${server.address().port}`;
    await assert.rejects(watch(origin, { credentials: "token-1", timeout: 60 }, "  Auth: bearer-token\n"), (error) => error.name === "ConnectionFailed" && why.test(error.message) && !error.message.includes("token-1"), data.slice(0, 40));
    // Most platforms say nothing about it.
    class Silent extends WebSocket {
      addEventListener(type, listener) {
        if (type !== "error") return super.addEventListener(type, listener);
        super.addEventListener(type, () => listener({}));
      }
    }
    await assert.rejects(watch(origin, { WebSocket: Silent, timeout: 60 }), { name: "ConnectionFailed", message: /cannot be opened: the platform does not say why/ });
    server.close();
  }
});

test("the WebSocket of the platform", () =>
  describing(async (origin) => {
    const program = `
      import { createServer } from "node:http";
      import { call, parse } from "agentsdisc";
      const refusing = createServer().on("upgrade", (_, socket) => socket.end("HTTP/1.1 403 Forbidden\\r\\nContent-Length: 0\\r\\n\\r\\n"));
      await new Promise((done) => refusing.listen(0, "127.0.0.1", done));
      const ask = (origin, more) => call(parse(process.argv[1].replaceAll("http://" + process.argv[2], origin).replaceAll(process.argv[2], origin.slice(7))), "watch", { sku: "m1" }, { agent: "Bot", origin, timeout: 60, ...more }).then(({ data }) => data, ({ name, message }) => [name, message]);
      const other = "127.0.0.1:" + refusing.address().port;
      console.log(JSON.stringify([await ask("http://" + process.argv[2], { allowPrivate: true }), await ask("http://" + process.argv[2], {}), await ask("http://" + other, { allowPrivate: true })]));
      process.exit();`;
    const text = `Spec-Version: 1.0\nSite-Name: M\nSite-URL: ${origin}\nCapability: watch\n  Endpoint: ${origin.replace("http", "ws")}/watch\n  Protocol: WebSocket\n`;
    const said = await new Promise((done, fail) => execFile(process.execPath, ["--no-warnings", "--experimental-websocket", "--input-type=module", "-e", program, text, new URL(origin).host], { cwd: join(ROOT, "js") }, (error, stdout) => (error ? fail(error) : done(stdout))));
    const [data, [kind, message], [, refused]] = JSON.parse(said);
    assert.deepEqual([data, kind], [{ got: { sku: "m1" } }, "ConnectionFailed"]);
    assert.match(message, /not public/);
    assert.match(refused, /the WebSocket cannot be opened: /);
  }));

/** A document whose capability needs a token of OAuth 2. */
const banking = (origin, path, tokenUrl) => parse(`Spec-Version: 1.0\nSite-Name: Bank\nSite-URL: ${origin}\nCapability: look\n  Endpoint: ${origin}${path}\n  Protocol: REST\n  Auth: oauth2\n  Auth-Endpoint: ${tokenUrl}\n`);

test("tokens of real servers of OAuth 2", { skip: NO_PYTHON }, async (context) => {
  const [line, end] = await started(context, "bank", "3600");
  const { bank, api, issuer, mcp, refresh, client: clientId, secret: clientSecret } = JSON.parse(line);
  const look = (origin, path, credentials, more) => call(banking(origin, path, more?.url ?? `${origin}/token`), "look", {}, { agent: "Bot", origin, credentials, allowPrivate: true, limiter: new Limiter() });
  const own = new agentsdisc.OAuth2({ clientId, clientSecret });
  const both = await Promise.all([look(bank, "/api", own), look(bank, "/api", own)]);
  assert.deepEqual([...both, await look(bank, "/api", own)].map(({ data }) => data), [{ ok: true }, { ok: true }, { ok: true }]);
  assert.ok(!JSON.stringify(own).includes(clientSecret));
  // Another object gets another token, and the server forgets the first one, which is renewed.
  await look(bank, "/api", new agentsdisc.OAuth2({ clientId, clientSecret }));
  assert.equal((await look(bank, "/api", own)).steps.length, 2);
  const wrong = new agentsdisc.OAuth2({ clientId, clientSecret: "wrong" });
  await assert.rejects(look(bank, "/api", wrong), { name: "CredentialsNeeded", message: /status 401.*invalid_client/ });
  // The secret goes nowhere else, unless the caller has named the place.
  const elsewhere = { url: `${issuer}/token` };
  await assert.rejects(look(api, "/api", new agentsdisc.OAuth2({ clientId, clientSecret, refreshToken: refresh }), elsewhere), { name: "CredentialsRefused" });
  for (const url of ["http://m.example/token", "https://a:b@m.example/token", "ftp://m.example/"]) {
    await assert.rejects(look(bank, "/api", new agentsdisc.OAuth2({ clientId, clientSecret, tokenUrl: url })), { name: "CredentialsRefused" }, url);
  }
  // A refresh token, at the authorization server of the MCP SDK.
  const person = new agentsdisc.OAuth2({ clientId, clientSecret, refreshToken: refresh, tokenUrl: elsewhere.url });
  assert.equal((await look(api, "/api", person)).status, 200);
  assert.equal((await look(api, "/api", person)).steps.length, 1);
  // A person who agrees: the documents say nothing, and the API and the server of MCP say where tokens come from.
  const openUrl = async (url) => (await fetch(url, { redirect: "manual" })).headers.get("location");
  const byPerson = { openUrl, redirectUrl: "http://127.0.0.1:7070/callback", approve: [issuer] };
  for (const more of [{ clientId, clientSecret }, { register: "Mug bot" }]) {
    const following = new agentsdisc.OAuth2({ ...more, ...byPerson });
    const open = (url, protocol) => parse(`Spec-Version: 1.0\nSite-Name: Bank\nSite-URL: ${api}\nCapability: look\n  Endpoint: ${url}\n  Protocol: ${protocol}\n`);
    const options = { agent: "Bot", origin: api, credentials: following, allowPrivate: true, limiter: new Limiter() };
    assert.deepEqual((await call(open(`${api}/api`, "REST"), "look", {}, options)).data, { ok: true });
    for (const _ of "12") assert.equal((await call(open(mcp, "MCP"), "look", {}, options)).data.content[0].text, "seen");
  }
  const grants = JSON.parse(await end());
  assert.deepEqual(grants, Array(4).fill("client_credentials"));
});

test("servers of OAuth 2 that are hostile", async () => {
  const origin = "https://m.example";
  const token = { access_token: "t", token_type: "bearer" };
  const answers = [new Response("", { status: 302, headers: { Location: "https://evil.example/" } }), new Response("<html>"), Response.json([]), Response.json({ ...token, access_token: "a\nb" }), Response.json({ ...token, access_token: "x".repeat(20_000) }), Response.json({ ...token, token_type: "mac" }), Response.json(token, { status: 201 }), new Response("x".repeat(2 << 20))];
  for (const answer of answers) {
    const sent = [];
    const fetch = async (url) => (sent.push(url), answer);
    const credentials = new agentsdisc.OAuth2({ clientId: "c", clientSecret: "s3cret-of-the-client" });
    await assert.rejects(call(banking(origin, "/api", `${origin}/token`), "look", {}, { agent: "Bot", origin, fetch, credentials }), (error) => error.name === "CredentialsNeeded" && !error.message.includes("s3cret"));
    assert.deepEqual(sent, [`${origin}/token`]);
  }
  const alive = setTimeout(() => {}, 10_000);
  const silent = () => new Promise(() => {});
  const late = { agent: "Bot", origin, fetch: silent, timeout: 0.3, credentials: new agentsdisc.OAuth2({ clientId: "c", clientSecret: "s" }) };
  await assert.rejects(call(banking(origin, "/api", `${origin}/token`), "look", {}, late), { name: "LimitExceeded" });
  clearTimeout(alive);
  for (const options of [undefined, {}, { clientId: 1 }, { clientId: "c", client_secret: "s" }, { clientId: "c", timeout: -1 }, { clientId: "c", scopes: "read" }]) assert.throws(() => new agentsdisc.OAuth2(options), TypeError);
});

/** A card with one interface. */
const card = (url, { binding = "JSONRPC", version = "1.0", tenant } = {}) => {
  const skill = { id: "order", name: "Order", description: "Orders.", tags: ["mugs"] };
  const modes = { defaultInputModes: ["text/plain"], defaultOutputModes: ["application/json"] };
  const face = version === "1.0" ? { supportedInterfaces: [{ url, protocolBinding: binding, protocolVersion: version, tenant }] } : { url, preferredTransport: binding, protocolVersion: version };
  return parse(JSON.stringify({ name: "A", description: "Sells mugs.", version: "1.0.0", capabilities: {}, skills: [skill], ...modes, ...face }), { format: "a2a-agent-card" });
};

/** Starts a server of Python. Returns its address, and what ends it and returns its last line. */
async function started(context, ...args) {
  const child = execFile(PYTHON, [SCRIPT, ...args]);
  context.after(() => child.kill());
  const line = () => new Promise((done, fail) => (child.stdout.once("data", (text) => done(text.trim())), child.once("exit", (code) => fail(new Error(`the server has ended: ${code}`)))));
  const address = await line();
  const end = () => {
    const last = line();
    child.stdin.end();
    return last;
  };
  return [address, end];
}

test("messages to a real agent of A2A", { skip: NO_PYTHON }, async (context) => {
  const [origin] = await started(context, "agent");
  const options = () => ({ agent: "Bot", origin, allowPrivate: true, limiter: new Limiter() });
  const ask = (path, form, args) => call(card(`${origin}${path}`, form), "order", args, options());
  for (const [path, form] of [["/a2a", {}], ["/rest", { binding: "HTTP+JSON" }], ["/a2a", { version: "0.3.0" }]]) {
    const now = await ask(path, form, { text: "now", size: 2 });
    assert.deepEqual(now.data.parts[0].data, { price: 7 }, path);
    const later = await ask(path, form, { text: "later" });
    assert.match(later.data.status.state, /completed/i);
    assert.deepEqual(later.data.artifacts[0].parts[0].data, { price: 9 });
    assert.equal(later.steps[0].kind, "call");
    assert.ok(later.steps.slice(1).every(({ kind }) => kind === "poll"));
    for (const [text, state] of [["never", "failed"], ["ask", "input-required"]]) {
      await assert.rejects(ask(path, form, { text }), { name: "CallFailed", failure: "job", message: new RegExp(`the task is ${state}`) });
    }
    if (form.version) continue;
    const west = await ask(path, { ...form, tenant: "west" }, { text: "who" });
    assert.deepEqual(west.data.parts[0].data, { tenant: "west" });
    assert.equal((await ask(path, { ...form, tenant: "west" }, { text: "later" })).data.status.state, "TASK_STATE_COMPLETED");
  }
});

test("agents of A2A that are hostile, and what they cannot be sent", async () => {
  const origin = "https://m.example";
  let answer;
  const sent = [];
  const fetch = async (url, { method, headers, body }) => {
    sent.push([method, url, new Headers(headers), body === undefined ? undefined : JSON.parse(body)]);
    return answer(sent.length);
  };
  const ask = (form, args = { text: "now" }, more = {}) => {
    sent.length = 0;
    return call(card(`${origin}/a2a`, form), "order", args, { agent: "Bot", origin, fetch, limiter: new Limiter(), ...more });
  };
  const says = (value) => () => (value instanceof Response ? value.clone() : Response.json(value));
  for (const each of [{ result: [] }, { result: {} }, { result: { task: {} } }, { result: { task: { id: 1, status: { state: "x" } } } }, { error: { code: 1, message: "no" } }, [], new Response("<html>"), new Response("", { status: 404 }), new Response("", { status: 503 })]) {
    answer = says(each);
    await assert.rejects(ask({}), { name: "CallFailed" }, JSON.stringify(each));
    assert.equal(sent.length, 1);
  }
  for (const id of ["../../x?y#z", "..", "a/b", "a%2fb", "é", "", "a\nb"]) {
    answer = says({ task: { id, status: { state: "TASK_STATE_WORKING" } } });
    await assert.rejects(ask({ binding: "HTTP+JSON" }), { name: "CallFailed", failure: "job", message: /the id of its task/ }, id);
    assert.equal(sent.length, 1);
  }
  answer = says({ result: { task: { id: "1", status: { state: "TASK_STATE_WORKING" } } } });
  await assert.rejects(ask({}, { text: "now" }, { timeout: 1 }), { name: /LimitExceeded|RateLimited/ });
  const [[method, url, headers, { params }], [, , , poll]] = sent;
  assert.deepEqual([method, url, headers.get("a2a-version"), headers.get("user-agent")], ["POST", `${origin}/a2a`, "1.0", "Bot"]);
  assert.deepEqual([params.message.role, params.message.parts, poll.method, poll.params], ["ROLE_USER", [{ text: "now" }], "GetTask", { id: "1" }]);
  for (const value of [2 ** 53 + 2, -(2 ** 70), { a: [2 ** 64] }]) {
    await assert.rejects(ask({}, { size: value }), { name: "CallRefused", problem: "invalid-value", argument: "size" });
  }
  await assert.rejects(ask({ tenant: "../admin" }), { name: "CallRefused", problem: "invalid-endpoint" });
  for (const form of [{ binding: "GRPC" }, { binding: "HTTP+JSON", version: "0.3.0" }]) {
    await assert.rejects(ask(form), (error) => error instanceof ClientNeeded && error.operation.url === `${origin}/a2a`);
  }
  assert.equal(sent.length, 0);
});

/** A document with a tool of an MCP server. */
const withTool = (url, id, more = "") => parse(`Spec-Version: 1.0\nSite-Name: M\nSite-URL: ${new URL(url).origin}\nCapability: ${id}\n  Endpoint: ${url}\n  Protocol: MCP\n${more}`);

for (const kind of ["streamable-http", "2025-06-18"]) {
  test(`tools of a real server of MCP, ${kind}`, { skip: NO_PYTHON }, async (context) => {
    const [url, end] = await started(context, "tools-server", kind);
    const { origin } = new URL(url);
    const ask = (id, args, more) => call(withTool(url, id, more), id, args, { agent: "Bot", origin, allowPrivate: true, limiter: new Limiter(), undeclared: true });
    const answer = await ask("search", { query: "mügs" }, "  Rate-Limit: 1/minute\n");
    assert.deepEqual(answer.data.content, [{ type: "text", text: "found mügs" }]);
    const kinds = answer.steps.map((step) => step.kind);
    assert.equal(kinds.filter((each) => each === "call").length, 1);
    assert.ok(kinds.every((each) => each === "call" || each === "handshake"), `${kinds}`);
    const [first, second] = answer.steps.map(({ request }) => request.method === "POST" && JSON.parse(request.body).method);
    assert.deepEqual([first, second], ["server/discover", kind === "2025-06-18" ? "initialize" : "tools/list"]);
    await assert.rejects(ask("order", { item: "a" }), { name: "NotDeclared", message: "the server has no tool 'order'" });
    await assert.rejects(ask("search", { query: 1 }), { name: "CallFailed", failure: "tool" });
    if (kind === "streamable-http") await assert.rejects(ask("ask", {}), { name: "CallFailed", failure: "tool", message: /asks for input of a person/ });
    assert.deepEqual(JSON.parse(await end()), [["search", "mügs"]]);
  });
}

test("servers of MCP that are hostile, and the headers of 2026-07-28", async () => {
  const url = "https://m.example/mcp";
  const schema = (name, more = {}) => ({ type: "object", properties: { where: { type: "object", properties: { region: { type: "string", "x-mcp-header": name, ...more } } } } });
  const tool = { name: "run", inputSchema: schema("Region") };
  const sent = [];
  let answers;
  const fetch = async (_, { method, headers, body }) => {
    const message = body === undefined ? {} : JSON.parse(body);
    sent.push({ method, headers: new Headers(headers), message });
    const found = answers[message.method] ?? answers.other;
    const made = typeof found === "function" ? found(message, sent.length) : found;
    return made instanceof Response ? made : Response.json({ jsonrpc: "2.0", id: message.id, ...made });
  };
  const ask = (args, given) => {
    sent.length = 0;
    answers = { "server/discover": { result: { supportedVersions: ["2026-07-28"] } }, "tools/list": { result: { tools: [tool] } }, "tools/call": { result: { resultType: "complete", content: [], structuredContent: { a: 1 } } }, other: new Response("", { status: 404 }), ...given };
    return call(withTool(url, "run"), "run", args, { agent: "Bot", origin: "https://m.example", fetch, limiter: new Limiter(), undeclared: true });
  };
  const methods = () => sent.map(({ message }) => message.method);
  const header = async (region, given) => {
    await ask({ where: { region } }, given);
    return sent.at(-1).headers.get("mcp-param-region");
  };
  assert.deepEqual([await header("us-west1"), await header("Zürich"), await header(" a"), await header("=?base64?x?=")], ["us-west1", "=?base64?WsO8cmljaA==?=", "=?base64?IGE=?=", "=?base64?PT9iYXNlNjQ/eD89?="]);
  assert.deepEqual((await ask({})).data.structuredContent, { a: 1 });
  const { headers, message } = sent.at(-1);
  assert.deepEqual([headers.get("mcp-method"), headers.get("mcp-name"), headers.get("mcp-protocol-version"), headers.has("mcp-param-region")], ["tools/call", "run", "2026-07-28", false]);
  assert.equal(message.params._meta["io.modelcontextprotocol/protocolVersion"], "2026-07-28");
  // A definition whose headers are wrong is no tool.
  const wrong = [schema("a\nb"), schema(""), schema(1), schema("n", { type: "number" }), { type: "object", anyOf: [schema("Region")] }, { properties: { a: { type: "string", "x-mcp-header": "A" }, b: { type: "string", "x-mcp-header": "a" } } }];
  for (const inputSchema of wrong) {
    await assert.rejects(ask({}, { "tools/list": { result: { tools: [{ name: "run", inputSchema }] } } }), { name: "NotDeclared" }, JSON.stringify(inputSchema));
    assert.ok(!methods().includes("tools/call"));
  }
  // A list without end ends, and so does a server that only repeats itself.
  await assert.rejects(ask({}, { "tools/list": { result: { tools: [], nextCursor: "x" } } }), { name: "NotDeclared" });
  assert.ok(sent.length < 30);
  for (const answer of [new Response("<html>"), Response.json([]), { result: 1 }, { error: { code: -32602, message: "no" } }, new Response("", { status: 503 })]) {
    await assert.rejects(ask({}, { "tools/call": () => (answer instanceof Response ? answer.clone() : answer) }), { name: "CallFailed" });
    assert.equal(methods().filter((each) => each === "tools/call").length, 1);
  }
  // Only an older server is asked to initialize.
  const refusals = [[404, undefined, true], [500, undefined, true], [400, { code: -32601 }, true], [400, { code: -32022, data: { supported: ["2025-06-18"] } }, true], [400, { code: -32022, data: { supported: ["2030-01-01"] } }, false], [400, { code: -32020 }, false], [401, undefined, false], [403, { code: -32601 }, false]];
  for (const [status, error, isAsked] of refusals) {
    await assert.rejects(ask({}, { "server/discover": () => Response.json(error === undefined ? null : { error }, { status }) }), agentsdisc.CallError);
    assert.equal(methods().includes("initialize"), isAsked, `${status} ${JSON.stringify(error)}`);
  }
  // A stream of events with other messages, and a session that is ended.
  const older = { "server/discover": new Response("", { status: 405 }), initialize: ({ id }) => new Response(`event: message\r\ndata: {"id":99,"result":{}}\r\n\r\n: x\r\ndata: {"jsonrpc":"2.0","id":${id},\r\ndata: "result":{"protocolVersion":"2025-06-18"}}\r\n\r\n`, { headers: { "Content-Type": "text/event-stream", "Mcp-Session-Id": "s1" } }), "notifications/initialized": new Response(null, { status: 202 }) };
  await ask({ where: { region: "x" } }, older);
  assert.deepEqual(methods(), ["server/discover", "initialize", "notifications/initialized", "tools/list", "tools/call", undefined]);
  const last = sent.at(-1);
  assert.deepEqual([last.method, last.headers.get("mcp-session-id"), sent[4].headers.has("mcp-param-region"), sent[4].headers.get("mcp-protocol-version")], ["DELETE", "s1", false, "2025-06-18"]);
});

test("options and arguments that are wrong", async () => {
  const document = parse("Spec-Version: 1.0\nSite-Name: M\nSite-URL: https://m.example\nCapability: a\n  Endpoint: https://m.example/a\n  Protocol: REST\n  Param: q (query, string)\n");
  const wrong = [undefined, {}, { agent: 1 }, { agent: "" }, { agent: "a\nb" }, { agent: "B", confrm: true }, { agent: "B", confirm: "yes" }, { agent: "B", headers: { Host: "x" } }, { agent: "B", timeout: NaN }, { agent: "B", maxWait: -1 }, { agent: "B", approve: "https://x.example" }, { agent: "B", limiter: {} }, { agent: "B", idempotencyKey: " " }];
  for (const options of wrong) await assert.rejects(call(document, "a", {}, options), TypeError, JSON.stringify(options));
  for (const args of [[], "x", null, 1]) await assert.rejects(call(document, "a", args, { agent: "B" }), TypeError);
  for (const where of [null, 1, [1], "https://m.example"]) await assert.rejects(call(where, "a", {}, { agent: "B" }), TypeError);
  const circle = {};
  circle.a = circle.b = circle;
  for (const value of [NaN, 1n, () => 1, Symbol("x"), "\ud800", new Date(), new Map(), circle]) {
    await assert.rejects(call(document, "a", { q: value }, { agent: "B", dryRun: true }), { name: "CallRefused", problem: "invalid-value", argument: "q" });
  }
  assert.throws(() => tools(document, { agent: "B", style: "x" }), TypeError);
  assert.throws(() => tools(document, { agent: "B", prefix: "a b" }), TypeError);
  assert.throws(() => tools(document), TypeError);
});

test("a tool gives results that a model can act on", () =>
  shop(async (origin) => {
    const site = await agentsdisc.discover(origin, { allowPrivate: true });
    const made = site.tools({ agent: "Bot/1.0", style: "mcp", prefix: "shop_", limiter: new Limiter() });
    assert.ok(Array.isArray(made) && made.every(({ inputSchema }) => inputSchema.type === "object"));
    assert.deepEqual(JSON.parse(JSON.stringify(made)), [...made]);
    for (const args of [{ q: "x" }, '{"q": "x"}']) {
      const { text, isError } = await made.call("shop_search", args);
      assert.deepEqual([text, isError], ['{"items":["m1"],"total":1}', false]);
    }
    const errors = [["nothing", {}], ["shop_search", "{"], ["shop_search", "[]"], ["shop_search", {}], ["shop_order", { sku: "m1" }], ["shop_cancel", { order_id: "o1" }], ["shop_broken", {}]];
    const kinds = ["unknown-tool", "invalid-arguments", "invalid-arguments", "CallRefused", "CredentialsNeeded", "CallRefused", "CallFailed"];
    for (const [at, [tool, args]] of errors.entries()) {
      const result = await made.call(tool, args);
      assert.equal(result.isError, true);
      assert.equal(JSON.parse(result.text).error, kinds[at], result.text);
    }
  }));
