// `npx agentsdisc check` and `checkSite` say what the Python command says, byte by byte, for folders and for servers.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { checkSite, readReport } from "agentsdisc/readiness";
import { compare, ours } from "./commands.mjs";
import { NO_PYTHON } from "./vectors.mjs";

const FORMATS = ["text", "json", "sarif", "junit", "github", "badge"];
const INDEX = '<!doctype html><html lang="en"><head><title>Mugs</title></head><body><h1>Mugs</h1><p>Mugs for sale, made of clay, in many colours and sizes.</p></body></html>';
const SITE = {
  "index.html": INDEX,
  "index.md": "# Mugs\n\nMugs for sale.\n",
  "robots.txt": "User-agent: *\nContent-Signal: ai-train=no\nAllow: /\n\nUser-agent: GPTBot\nDisallow: /private\n\nSitemap: https://mugs.example/sitemap.xml\n",
  "sitemap.xml": '<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://mugs.example/</loc></url></urlset>',
  "llms.txt": "# Mugs\n\n> Mugs for sale\n\n## Pages\n\n- [Home](https://mugs.example/index.md): all mugs\n- [Gone](https://mugs.example/gone.md): nothing\n",
  ".well-known/api-catalog": '{"linkset":[{"anchor":"https://mugs.example/api","service-desc":[{"href":"https://mugs.example/openapi.json","type":"application/json"}]}]}',
  ".well-known/ai-catalog.json": '{"specVersion":"0.9","entries":[]}',
  ".well-known/agent-skills/index.json": '{"$schema":"https://schemas.agentskills.io/discovery/0.2.0/schema.json","skills":[{"name":"a","type":"skill-md","description":"A","url":"/a.md","digest":"sha256:00"}]}',
  ".well-known/mcp/server-card.json": '{"serverInfo":{"name":"a"}}',
  "openapi.json": '{"openapi":"3.1.0","info":{"title":"A","version":"1"},"paths":{}}',
};
const HEADERS = "# all\n/*\n  X-Frame-Options: DENY\n/\n  Link: </.well-known/api-catalog>; rel=\"api-catalog\"\n/.well-known/api-catalog\n  Content-Type: application/linkset+json\n  Access-Control-Allow-Origin: *\n/docs/*\n  ! X-Frame-Options\n";
const TOML = `# a comment
[build]
publish = "dist" # where
environment = { NODE = "20", list = [1, 2,
  3] }
[[headers]]
for = "/.well-known/*"
  [headers.values]
  Access-Control-Allow-Origin = "*"
  "Content-Type" = 'application/json'
[[redirects]]
from = "/*"
to = "/index.html"
status = 200
[[redirects]]
from = "/x/*"
to = "/y/:splat"
conditions = {Country = ["de"]}
long = """a
b"""
`;
const VERCEL = '{"headers":[{"source":"/.well-known/(.*)","headers":[{"key":"Access-Control-Allow-Origin","value":"*"}]},{"source":"/a","has":[{"type":"host"}],"headers":[]}],"rewrites":[{"source":"/:path*","destination":"/index.html"}],"redirects":[{"source":"/old.md","destination":"/index.md","permanent":false}]}';
const APACHE = '# Apache\nAddType application/linkset+json .catalog\n<Files "api-catalog">\nForceType application/linkset+json\nHeader always set Access-Control-Allow-Origin "*"\n</Files>\n<FilesMatch "\\.json$">\nHeader set Cache-Control "max-age=300" # five minutes\n</FilesMatch>\n<If "x">\nHeader set X-A b\n</If>\nHeader set X-Bad "open\nRedirect permanent /old /index.html\nFallbackResource /index.html\n';
const AZURE = '{"globalHeaders":{"Access-Control-Allow-Origin":"*"},"mimeTypes":{".json":"application/json"},"routes":[{"route":"/old","redirect":"/index.html","statusCode":301},{"route":"/api/*","rewrite":"/openapi.json"}],"navigationFallback":{"rewrite":"/index.html","exclude":["/.well-known/*","*.txt"]}}';

const SITES = {
  empty: {},
  page: { "index.html": INDEX },
  plain: SITE,
  cname: { ...SITE, CNAME: "mugs.example\n", ".nojekyll": "" },
  netlify: { ...SITE, _headers: HEADERS, _redirects: "/old.md /index.md 301\n/* /index.html 200\n/de/* /x 302 Country=de\n" },
  toml: { ...SITE, "netlify.toml": TOML },
  broken: { ...SITE, "netlify.toml": "[[headers]]\nfor = \n" },
  vercel: { ...SITE, "vercel.json": VERCEL },
  apache: { ...SITE, ".htaccess": APACHE },
  azure: { ...SITE, "staticwebapp.config.json": AZURE },
  "astro/dist": { ...SITE, "../package.json": '{"dependencies":{"astro":"5"}}', "../netlify.toml": TOML },
  crlf: { "index.html": `\ufeff\r\n<!-- x -->${INDEX}`, "robots.txt": "User-agent: GPTBot\r\nDisallow: /\r\n", "llms.txt": "\ufeff# A\r\n\r\n```\r\n- [x](/y)\r\n" },
  "percent/é": { "index.html": INDEX, "llms.txt": "# A\n\n- [x](/a%20b.md): ü\n", "a b.md": "# x\n" },
  bytes: { "index.html": new Uint8Array([60, 104, 116, 109, 108, 62, 255, 254, 128]), "robots.txt": new Uint8Array([255, 254, 85, 0]), "llms.txt": "x".repeat(3000) },
};

function written(folder, files) {
  mkdirSync(folder, { recursive: true });
  for (const [name, data] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), data);
  }
}

function folder() {
  const root = mkdtempSync(join(tmpdir(), "agentsdisc-"));
  for (const [name, files] of Object.entries(SITES)) written(join(root, name), files);
  written(join(root, "links"), { "index.html": INDEX });
  symlinkSync("/etc/passwd", join(root, "links/robots.txt"));
  symlinkSync("index.html", join(root, "links/llms.txt"));
  return root;
}

test("folders", { skip: NO_PYTHON }, async () => {
  const root = folder();
  const names = [...Object.keys(SITES), "links"];
  await compare(
    [
      ...names.flatMap((name) => FORMATS.map((format) => ["check", name, `--output-format=${format}`])),
      ...names.map((name) => ["check", "--canonical-origin", "https://mugs.example", `./${name}//`, "--output-format=json"]),
      ["check", "plain/.well-known"],
      ["check", "--profile", "content", "plain", "--output-format=json"],
      ["check", "--profile", "api", "plain", "--output-format=json"],
      ["check", "--profile=shop", "plain"],
      ["check", "--expect", "mcp, auth", "--expect=agent", "page"],
      ["check", "--expect", "tea", "page"],
      ["check", "--profile", "tea", "page"],
      ["check", "--canonical-origin", "nowhere at all", "page"],
      ["check", "--fail-on", "warn", "page"],
      ["check", "--fail-on", "never", "plain"],
      ["check", "--max-bytes", "100", "plain", "--output-format=json"],
      ["check", "--timeout", "0", "plain"],
      ["check", "--user-agent", "\n", "plain"],
      ["check"],
      ["check", "--help"],
      ["check", "page", "plain"],
    ],
    root,
  );
  rmSync(root, { recursive: true });
});

test("reports of earlier runs", { skip: NO_PYTHON }, async () => {
  const root = folder();
  const report = await checkSite(join(root, "plain"));
  writeFileSync(join(root, "report.json"), JSON.stringify(report));
  writeFileSync(join(root, "none.json"), "{}");
  assert.deepEqual(readReport(JSON.stringify(report)), report);
  for (const wrong of ["{}", "[]", "x", '{"checks":[{"status":"good"}]}']) assert.throws(() => readReport(wrong), TypeError);
  await compare(
    [
      ...FORMATS.map((format) => ["check", "report.json", `--output-format=${format}`]),
      ["check", "--baseline", "report.json", "plain"],
      ["check", "--baseline", "report.json", "page", "--fail-on=warn"],
      ["check", "--baseline", "none.json", "page"],
      ["check", "--baseline", "missing.json", "page"],
    ],
    root,
  );
  rmSync(root, { recursive: true });
});

/** Serves files; `behave` may answer first. */
async function serving(files, behave, run) {
  const server = createServer((request, response) => {
    if (behave(request, response)) return;
    const path = decodeURIComponent(request.url.split("?")[0]);
    const body = files[path === "/" ? "index.html" : path.slice(1)];
    const type = /\.html$|\/$/.test(path) ? "text/html" : /\.json$/.test(path) ? "application/json" : /\.md$/.test(path) ? "text/markdown" : "text/plain";
    response.writeHead(body === undefined ? 404 : 200, { "Content-Type": type, Server: "nginx", "Access-Control-Allow-Origin": "*" });
    response.end(request.method === "HEAD" ? undefined : (body ?? "not found"));
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  try {
    await run(`http://127.0.0.1:${server.address().port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const nothing = () => false;

test("servers", { skip: NO_PYTHON }, async () => {
  const both = (url, ...more) => compare(FORMATS.map((format) => ["check", url, `--output-format=${format}`, ...more]));
  await serving(SITE, nothing, async (url) => {
    await both(url);
    await both(url, "--canonical-origin=https://mugs.example");
    await compare([["check", url.replace("127.0.0.1", "localhost")], ["check", "http://127.0.0.1:1"], ["check", "--profile=content", `${url}/page`, "--output-format=json"]]);
  });
  const all = (status, headers, body) => (_, response) => Boolean(response.writeHead(status, headers).end(body));
  await serving({}, all(200, { "Content-Type": "text/html" }, INDEX), both);
  await serving({}, all(403, { "cf-mitigated": "challenge", Server: "cloudflare" }, "no"), both);
  await serving({}, all(302, { Location: "/" }), both);
  await serving({}, all(503, {}, ""), both);
});

test("servers of MCP are called only if that is wanted", { skip: NO_PYTHON }, async () => {
  const card = '{"$schema":"https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json","name":"example.mugs/shop","version":"1.0.0","description":"D","remotes":[{"type":"streamable-http","url":"https://mugs.example/mcp"}]}';
  const result = { supportedVersions: ["2026-07-28"], _meta: { "io.modelcontextprotocol/serverInfo": { name: "m", version: "2.0.0" } } };
  const called = [];
  const behave = (request, response) => {
    if (request.url !== "/mcp") return false;
    called.push([request.method, request.headers["mcp-method"], request.headers.origin]);
    response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify({ jsonrpc: "2.0", id: 1, result }));
    return true;
  };
  await serving({ ...SITE, ".well-known/mcp/server-card.json": card }, behave, async (url) => {
    const server = async (options) => (await checkSite(url, { canonicalOrigin: "https://mugs.example", allowPrivate: true, ...options })).checks.find(({ id }) => id === "mcp-server");
    assert.equal((await server({})).status, "unknown");
    assert.deepEqual(called, []);
    const { status, evidence } = await server({ callMcp: true });
    assert.equal(status, "warn");
    assert.deepEqual(called, [["POST", "server/discover", undefined], ["POST", "server/discover", "https://agent.example"]]);
    assert.ok(evidence.some(({ text }) => text.includes("the server says `2.0.0`")));
    await compare([["check", url, "--canonical-origin=https://mugs.example", "--call-mcp", "--output-format=json"]]);
  });
});

test("what only the command of the Python package has", async () => {
  const root = folder();
  for (const more of [["--fix"], ["--output-format=html"], ["--output-format", "markdown"]]) {
    const [[code, out, err]] = await ours([["check", "page", ...more]], root);
    assert.deepEqual([code, out], [2, ""]);
    assert.match(err, /^agentsdisc: --.*: only the command of the Python package has this/);
  }
  rmSync(root, { recursive: true });
});

test("at most 60 requests, robots.txt respected, and nothing but GET and HEAD", async () => {
  const asked = [];
  const many = Array.from({ length: 500 }, (_, at) => `<url><loc>https://mugs.example/p${at}</loc></url>`).join("");
  const files = { ...SITE, "sitemap.xml": `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${many}</urlset>`, "robots.txt": "User-agent: *\nDisallow: /p\nDisallow: /llms.txt\nSitemap: /sitemap.xml\n" };
  await serving(files, (request) => void asked.push(request), async (url) => {
    const report = await checkSite(url, { canonicalOrigin: "https://mugs.example", allowPrivate: true });
    assert.equal(report.checks.length, 37);
    assert.ok(asked.length > 10 && asked.length <= 60, `${asked.length} requests`);
    assert.ok(asked.every(({ method }) => method === "GET" || method === "HEAD"));
    assert.ok(!asked.some((request) => request.url.startsWith("/p")));
  });
});

test("files in memory, and arguments that are wrong", async () => {
  const report = await checkSite({ "/robots.txt": SITE["robots.txt"], "index.html": new TextEncoder().encode(INDEX) });
  const status = (id) => report.checks.find((check) => check.id === id).status;
  assert.deepEqual([status("robots-txt"), status("sitemap"), status("page-basics"), status("mcp-card")], ["pass", "fail", "pass", "not-applicable"]);
  for (const [target, options] of [[1], [null], ["https://"], ["https://a.example", { profile: "tea" }], ["https://a.example", { expect: ["tea"] }], ["https://a.example", { expect: "api" }], [{ a: 1 }], ["https://a.example", { timeout: 0 }]]) {
    await assert.rejects(checkSite(target, options), TypeError);
  }
  // Without the option, a server on this machine is not asked.
  await serving(SITE, nothing, (url) => assert.rejects(checkSite(url), /its address is not public/));
  const fetch = async (url) => new Response(new URL(url).pathname === "/" ? INDEX : "", { status: new URL(url).pathname === "/" ? 200 : 404, headers: { "Content-Type": "text/html" } });
  const over = await checkSite("https://mugs.example", { fetch });
  assert.equal(over.checks.find((check) => check.id === "reachable").status, "pass");
});
