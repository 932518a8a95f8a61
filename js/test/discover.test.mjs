// Discovery finds what the Python client finds, over Node's checked connections and over fetch.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { discover } from "agentsdisc";
import { isPublic } from "../dist/addresses.js";
import { NO_PYTHON, PYTHON, ROOT, files } from "./vectors.mjs";

const run = promisify(execFile);
const TXT = "Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: ORIGIN\nCapability: search\n  Endpoint: ORIGIN/s\n  Protocol: REST\nDisallow: /admin/*\n";
const ADP = {
  aid: "aid://mugs.example/mugs@1",
  name: "Mugs",
  version: "1.0",
  base_url: "ORIGIN",
  capabilities: [{ name: "order", description: "Orders", detail_url: "/adp/order.json" }, { name: "other", description: "Other", detail_url: "/adp/none.json" }],
};
const DETAIL = { name: "order", endpoint: { method: "POST", path: "/order" }, parameters: [] };

/** Sites as their answers by path: a body, or [status, headers, body]. */
const SITES = {
  nothing: {},
  text: { "/.well-known/agents.txt": TXT, "/robots.txt": "User-agent: *\nDisallow: /private\n" },
  "a redirect": { "/.well-known/agents.txt": [301, { Location: "/agents.txt" }], "/agents.txt": TXT },
  "a redirect without end": { "/.well-known/agents.txt": [302, { Location: "/.well-known/agents.txt" }] },
  gzip: { "/.well-known/agents.txt": [200, { "Content-Encoding": "gzip" }, gzipSync(TXT)] },
  "broken gzip": { "/.well-known/agents.txt": [200, { "Content-Encoding": "gzip" }, TXT] },
  "another encoding": { "/.well-known/agents.txt": [200, { "Content-Encoding": "br" }, TXT] },
  "pages for everything": Object.fromEntries(["/.well-known/agents.txt", "/agents.txt", "/robots.txt", "/agents.md", "/agent.json"].map((path) => [path, [200, { "Content-Type": "text/html" }, "<!doctype html><title>x</title>"]])),
  "errors of the server": { "/robots.txt": [503, {}, ""], "/.well-known/agents.txt": [500, {}, TXT] },
  "too many requests": { "/robots.txt": [429, { "Retry-After": "60" }, ""], "/.well-known/agents.txt": TXT },
  "another format": { "/.well-known/agents.txt": "Hello: x\nDisallow: /secret\n" },
  "too large": { "/.well-known/agents.txt": `${TXT}${"# x\n".repeat(400_000)}` },
  "not UTF-8": { "/.well-known/agents.txt": Buffer.from([...Buffer.from(TXT), 0xff, 10]) },
  licences: {
    "/robots.txt": "License: https://mugs.example/a.xml\nUser-agent: *\nLicense:\nlicense : /relative.xml # x\nLicense: https://mugs.example/a.xml\n",
    "/": [200, { "Content-Type": "text/html", Link: '</header.xml>; rel="license", </x>; rel=next' }, '<html><head><link rel="LICENSE alternate" href="/b.xml?a&amp;b"><link rel=license href="ORIGIN/b.xml"><link rel=license href="javascript:alert(1)"><a rel="license" href="//other.example/c">c</a></head></html>'],
  },
  "licences behind a redirect": { "/": [302, { Location: "/de/" }], "/de/": [200, { "Content-Type": "text/html" }, '<base href="/x/"><link rel=license href="l.xml">'] },
  "licences of a page that is an error": { "/robots.txt": [404, {}, "License: https://mugs.example/a.xml\n"], "/": [404, { "Content-Type": "text/html", Link: "</l.xml>; rel=license" }, "<link rel=license href=l.xml>"] },
  adp: { "/.well-known/adp.json": JSON.stringify(ADP), "/.well-known/agents.txt": TXT, "/adp/order.json": JSON.stringify(DETAIL) },
};

async function served(site, use) {
  let origin;
  const requests = [];
  const server = createServer((request, response) => {
    requests.push(request.url);
    const found = site[request.url] ?? [404, {}, ""];
    const [status, headers, body = ""] = Array.isArray(found) ? found : [200, {}, found];
    const bytes = typeof body === "string" ? Buffer.from(body.replaceAll("ORIGIN", origin)) : body;
    response.writeHead(status, { "Cache-Control": "max-age=300", ...headers });
    response.end(bytes);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${server.address().port}`;
  try {
    return await use(origin, requests);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const NATIVE = `
import json, sys
from agentsdisc import discover
site = discover(sys.argv[1], allow_private=True, cache=False, details=True, user_agent="Test/1.0", resources=json.loads(sys.argv[2]), follow=sys.argv[3] or None)
asked = [dict(agent="Test", url=site.origin + "/admin/x"), dict(agent="Test", url=site.origin + "/secret"), dict(agent="Test", capability="search"), dict(agent="Test", capability="order")]
attempts = [each.to_dict() for each in site.attempts]
print(json.dumps({
    "origin": site.origin,
    "documents": [[found.url, found.document.to_json()] for found in site.found],
    "details": [[found.url, found.document.to_json()] for found in site.details],
    "missing": list(site.missing_details),
    "unread": [found.url for found in site.unread],
    "robots": site.robots_rules,
    "licenses": list(site.licenses),
    "attempts": attempts,
    "decisions": [site.decide(**each).to_dict() for each in asked],
}))
`;

const known = (attempt) => {
  const { freshness, message, error, ...rest } = attempt;
  const times = freshness && freshness.received_at ? { lifetime: freshness.lifetime, may_store: freshness.may_store } : undefined;
  return Object.fromEntries(Object.entries({ ...rest, ...times }).filter(([, value]) => value !== null && value !== undefined));
};
const byKey = (a, b) => (`${a.resource} ${a.key}` < `${b.resource} ${b.key}` ? -1 : 1);

/** What a site says, as NATIVE prints it. */
function shown(site) {
  const asked = [{ url: `${site.origin}/admin/x` }, { url: `${site.origin}/secret` }, { capability: "search" }, { capability: "order" }];
  return {
    origin: site.origin,
    documents: site.found.map(({ url, document }) => [url, document.json()]),
    details: site.details.map(({ url, document }) => [url, document.json()]),
    missing: [...site.missingDetails],
    unread: site.unread.map(({ url }) => url),
    robots: site.robotsRules,
    licenses: site.licenses,
    attempts: site.attempts.map(known).sort(byKey),
    decisions: asked.map((each) => site.decide({ agent: "Test", ...each })),
  };
}

for (const [about, answers] of Object.entries(SITES)) {
  test(`a site with ${about}`, { skip: NO_PYTHON }, () =>
    served(answers, async (origin) => {
      for (const [resources, follow] of [["default", undefined], ["all", "same-site"]]) {
        const wanted = resources === "all" ? ["all"] : undefined;
        const options = { agent: "Test/1.0", allowPrivate: true, details: true, resources: wanted, follow };
        const { stdout } = await run(PYTHON, ["-c", NATIVE, origin, JSON.stringify(wanted ?? null), follow ?? ""], { maxBuffer: 1 << 28 });
        const expected = JSON.parse(stdout);
        expected.attempts = expected.attempts.map(known).sort(byKey);
        assert.deepEqual(shown(await discover(origin, options)), expected, `${about}, by Node, ${resources}`);
        // fetch decodes what Node's own client decodes itself, so what is wrong with it has another name.
        if (about.includes("gzip") || about.includes("encoding")) continue;
        assert.deepEqual(shown(await discover(origin, { ...options, fetch })), expected, `${about}, by fetch, ${resources}`);
      }
    }));
}

test("private addresses are refused, also behind redirects", async () => {
  const site = await discover("http://127.0.0.1:1");
  assert.ok(site.attempts.every((each) => each.rejection === "address-refused" || each.rejection === null || each.rejection === "robots-disallowed"));
  assert.equal(site.robotsRules, "disallow-all");
  const local = await discover("http://localhost:1");
  assert.equal(local.found.length, 0);
  await served({ "/.well-known/agents.txt": [302, { Location: "http://127.0.0.2:1/agents.txt" }] }, async (origin) => {
    const found = await discover(origin, { allowPrivate: true });
    assert.equal(found.found.length, 0);
  });
});

test("which addresses are public", { skip: NO_PYTHON }, async () => {
  const v4 = ["0.0.0.0", "1.1.1.1", "10.1.2.3", "100.64.0.1", "127.0.0.1", "168.63.129.16", "169.254.1.1", "172.16.0.1", "172.32.0.1", "192.0.0.1", "192.0.2.1", "192.88.99.1", "192.168.1.1", "198.18.0.1", "198.51.100.1", "203.0.113.1", "224.0.0.1", "240.0.0.1", "255.255.255.255", "8.8.8.8"];
  const v6 = ["::", "::1", "fe80::1", "fc00::1", "fd00::1", "ff02::1", "2001:db8::1", "2001::1", "2001:1::1", "2606:4700::1111", "3fff::1", "5f00::1", "64:ff9b:1::1", "2002:0a00:0001::1", "2002:0808:0808::1", "100::1", "fec0::1", "4000::1"];
  const mapped = v4.flatMap((each) => [`::ffff:${each}`, `64:ff9b::${each}`]);
  const all = [...v4, ...v6, ...mapped, "x", "", "fe80::1%eth0"];
  const script = "import json, sys; from agentsdisc.discovery.addresses import is_public; print(json.dumps([is_public(each) for each in json.loads(sys.argv[1])]))";
  const { stdout } = await run(PYTHON, ["-c", script, JSON.stringify(all)]);
  const expected = JSON.parse(stdout);
  for (const [at, address] of all.entries()) if (isPublic(address)) assert.ok(expected[at], `${address} is not public`);
  for (const address of ["1.1.1.1", "8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8"]) assert.ok(isPublic(address), address);
});

test("answers are kept and asked again", async () => {
  await served({ "/.well-known/agents.txt": [200, { ETag: '"1"' }, TXT], "/robots.txt": "" }, async (origin, requests) => {
    const store = new Map();
    const first = await discover(origin, { allowPrivate: true, store });
    const count = requests.length;
    const second = await discover(origin, { allowPrivate: true, store });
    assert.equal(requests.length, count);
    assert.equal(second.found[0].attempt.source, "store");
    assert.equal(second.document.json(), first.document.json());
  });
});

test("licences of a stored home page, and of a hostile one", async () => {
  const origin = "https://mugs.example";
  const html = (body, headers) => new Response(body, { headers: { "Content-Type": "text/html", "Cache-Control": "max-age=0", ETag: '"1"', ...headers } });
  const found = (home, store) => discover(origin, { store, follow: "same-site", fetch: async (url, { headers }) => (url === `${origin}/` ? home(new Headers(headers)) : new Response("", { status: 404 })) });
  const store = new Map();
  for (const page of [() => html("<link rel=license href=/l.xml>", { Link: "</h.xml>; rel=license" }), (headers) => (assert.equal(headers.get("if-none-match"), '"1"'), new Response(null, { status: 304 }))]) {
    assert.deepEqual((await found(page, store)).licenses, [`${origin}/h.xml`, `${origin}/l.xml`]);
  }
  const many = Array.from({ length: 5000 }, (_, at) => `<link rel=license href="/${at}">`).join("");
  assert.equal((await found(() => html(many))).licenses.length, 16);
  for (const body of [new Uint8Array([0x3c, 0xff, 0]), "<link rel=license href=", "<".repeat(100_000), `<link rel=license href="/${"x".repeat(100_000)}">`]) assert.deepEqual((await found(() => html(body))).licenses, []);
  assert.deepEqual((await discover(origin, { fetch: () => Promise.reject(new Error("x")) })).licenses, []);
});

test("an answer without end ends with the time or the limit", async () => {
  const server = createServer((request, response) => {
    response.writeHead(200);
    if (request.url === "/robots.txt") return response.end();
    if (request.url.endsWith(".txt")) return void setInterval(() => response.write("# x\n"), 5).unref();
    const flood = () => {
      while (response.write("x".repeat(1 << 16)));
      if (!response.destroyed) response.once("drain", flood);
    };
    flood();
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const started = performance.now();
  const site = await discover(`http://127.0.0.1:${server.address().port}`, { allowPrivate: true, timeout: 2 });
  assert.ok(performance.now() - started < 50_000);
  const rejections = new Set(site.attempts.map((each) => each.rejection));
  assert.ok(rejections.has("timeout"), [...rejections].join());
  server.closeAllConnections();
  server.close();
});

test("arguments that are wrong are TypeErrors", async () => {
  for (const site of [undefined, null, 1, {}, "", "ftp://a.example", "\uD800"]) await assert.rejects(discover(site), TypeError);
  for (const options of [1, { follow: "all" }, { timeout: "x" }, { concurrency: 0 }, { store: {} }, { fetch: 1 }, { resources: [1] }]) {
    await assert.rejects(discover("https://a.example", options), TypeError, JSON.stringify(options));
  }
});
