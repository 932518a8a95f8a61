// serve() sends what `agentsdisc lint URL` has nothing to say about.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createServer } from "node:http";
import { test } from "node:test";
import { promisify } from "node:util";
import express from "express";
import { Hono } from "hono";
import { discover, forNode, parse, serve } from "agentsdisc";
import { NO_PYTHON, PYTHON } from "./vectors.mjs";

const run = promisify(execFile);
const PATH = "/.well-known/agents.txt";
const text = (origin) => `Spec-Version: 1.0\nSite-Name: M\u00fcgs\nSite-URL: ${origin}\nDisallow: /admin/*\n`;
const files = (origin) => ({ [PATH]: text(origin), "/agents.txt": text(origin), "/llms.txt": "# Mugs\n\n> All mugs.\n\n## Docs\n\n- [API](https://mugs.example/api): how to ask\n", "/robots.txt": "User-agent: *\nDisallow: /admin/\n" });

async function listening(listener, use) {
  const server = createServer(listener);
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    return await use(`http://127.0.0.1:${server.address().port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

test("requests are answered", async () => {
  const answer = serve(files("https://mugs.example"));
  const ask = (path, init) => answer(new Request(`https://mugs.example${path}`, init));
  const found = ask(PATH);
  assert.equal(found.status, 200);
  assert.equal(await found.text(), text("https://mugs.example"));
  assert.equal(found.headers.get("Content-Type"), "text/plain; charset=utf-8");
  assert.equal(found.headers.get("Cache-Control"), "max-age=300");
  assert.equal(found.headers.get("Access-Control-Allow-Origin"), "*");
  assert.match(found.headers.get("Link"), /<\/llms.txt>; rel="llms"/);
  assert.match(ask("/llms.txt").headers.get("Content-Type"), /^text\/markdown/);
  const head = ask(PATH, { method: "HEAD" });
  assert.equal(head.headers.get("Content-Length"), String(Buffer.byteLength(text("https://mugs.example"))));
  assert.equal(await head.text(), "");
  const etag = found.headers.get("ETag");
  for (const tags of [etag, `W/${etag}`, `"x", ${etag}`, "*"]) assert.equal(ask(PATH, { headers: { "If-None-Match": tags } }).status, 304);
  assert.equal(ask(PATH, { headers: { "If-None-Match": '"x"' } }).status, 200);
  assert.equal(ask(PATH, { method: "OPTIONS" }).status, 204);
  assert.equal(ask(PATH, { method: "POST", body: "x" }).status, 405);
  assert.equal(ask("/"), undefined);
  assert.equal(ask(`${PATH}?x`).status, 200);
  assert.match(answer.link, /<\/.well-known\/agents.txt>; rel="agents-txt", /);
  assert.notEqual(serve({ [PATH]: parse(text("https://b.example")) })(new Request(`https://b.example${PATH}`)).headers.get("ETag"), etag);
});

test("what cannot be served is refused at the start", () => {
  assert.throws(() => serve({ [PATH]: "{" }), { name: "ParseError" });
  for (const path of ["agents.txt", "//agents.txt", "/a b", "/a?b", "/a>", "/\u00fc"]) assert.throws(() => serve({ [path]: text("https://a.example") }), TypeError);
  for (const value of [1, null, undefined]) assert.throws(() => serve(value), TypeError);
  for (const maxAge of [-1, "1", 1.5]) assert.throws(() => serve({}, { maxAge }), TypeError);
});

test("Node, Express and Hono", async () => {
  const answer = serve(files("https://mugs.example"));
  const app = express();
  app.use(forNode(answer));
  app.get("/", (_, response) => response.send("home"));
  const hono = new Hono();
  hono.use((context, next) => answer(context.req.raw) ?? next());
  hono.get("/", (context) => context.text("home"));
  for (const listener of [forNode(answer), app]) {
    await listening(listener, async (origin) => {
      const found = await fetch(origin + PATH);
      assert.equal(await found.text(), text("https://mugs.example"));
      assert.equal(found.headers.get("ETag"), answer(new Request(`https://mugs.example${PATH}`)).headers.get("ETag"));
      const home = await fetch(`${origin}/`);
      assert.equal(listener === app ? await home.text() : home.status, listener === app ? "home" : 404);
    });
  }
  assert.equal(await (await hono.request(PATH)).text(), text("https://mugs.example"));
  assert.equal(await (await hono.request("/")).text(), "home");
});

test("discovery finds what is served, and lint has nothing to say", { skip: NO_PYTHON }, () => {
  let answer = () => undefined;
  return listening((request, response) => forNode(answer)(request, response), async (origin) => {
    answer = serve(files(origin));
    const site = await discover(origin, { allowPrivate: true });
    assert.deepEqual(site.documents.map((each) => each.format).slice(0, 1), ["agents-txt"]);
    const { stdout } = await run(PYTHON, ["-m", "agentsdisc", "lint", "--allow-private", "--output-format=json", origin]).catch((failed) => failed);
    const found = JSON.parse(stdout).map(({ code }) => code);
    // It is not encrypted here.
    assert.deepEqual(found.filter((code) => !code.startsWith("insecure-")), []);
  });
});
