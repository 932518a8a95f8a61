// The packed package in the real runtimes and bundlers. Each runs one program, and must print the same.
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { ROOT } from "./vectors.mjs";

const run = promisify(execFile);
const JS = join(ROOT, "js");
const tool = (name) => join(JS, "node_modules/.bin", name);
const require = createRequire(import.meta.url);
const CHROMIUM = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) => path && existsSync(path));

const ANSWER = `
import { ParseError, check, convert, decide, parse } from "agentsdisc";
import { robots } from "agentsdisc/robots";
const TEXT = "Spec-Version: 1.0\\nSite-Name: M\\u00fcgs\\nSite-URL: https://mugs.example\\nCapability: search\\n  Endpoint: https://mugs.example/s\\n  Protocol: REST\\nDisallow: /admin/*\\n";
export function answer() {
  const document = parse(TEXT);
  let kind;
  try {
    parse("{");
  } catch (error) {
    kind = error instanceof ParseError ? error.kind : String(error);
  }
  return JSON.stringify([
    document.service.name,
    document.capabilities.length,
    check(document).length,
    JSON.parse(convert(document, "agents-json").text).site.name,
    decide([document], { agent: "Bot", url: "/admin/x" }).reason,
    robots("User-agent: *\\nDisallow: /x").allowed("Bot", "/x/y"),
    kind,
  ]);
}
`;
const EXPECTED = JSON.stringify(["M\u00fcgs", 1, 0, "M\u00fcgs", "disallowed", false, "invalid-json"]);

let folder;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "agentsdisc-runtimes-"));
  const { stdout } = await run("npm", ["pack", "--ignore-scripts", "--json", "--pack-destination", folder], { cwd: JS });
  assert.ok(stdout.length > 0);
  const archive = readdirSync(folder).find((name) => name.endsWith(".tgz"));
  mkdirSync(join(folder, "node_modules/agentsdisc"), { recursive: true });
  await run("tar", ["-xzf", join(folder, archive), "-C", join(folder, "node_modules/agentsdisc"), "--strip-components=1"]);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "program", private: true, type: "module" }));
  writeFileSync(join(folder, "answer.js"), ANSWER);
  writeFileSync(join(folder, "program.js"), `import { answer } from "./answer.js";\nconsole.log(answer());\n`);
  writeFileSync(join(folder, "page.js"), `import { answer } from "./answer.js";\ndocument.title = answer();\n`);
  writeFileSync(join(folder, "worker.js"), `import { answer } from "./answer.js";\nexport default { fetch: () => new Response(answer()) };\n`);
  writeFileSync(join(folder, "index.html"), `<!doctype html><meta charset="utf-8"><script type="module" src="./page.js"></script>`);
});

after(() => rmSync(folder, { recursive: true, force: true }));

async function prints(program, ...args) {
  const { stdout } = await run(program, args, { cwd: folder, env: { ...process.env, NO_COLOR: "1" } });
  assert.equal(stdout.trim(), EXPECTED);
}

/** Runs a bundle alone, in a folder without the package. */
async function alone(bundle) {
  const empty = mkdtempSync(join(tmpdir(), "agentsdisc-alone-"));
  const file = join(empty, "bundle.mjs");
  writeFileSync(file, readFileSync(join(folder, bundle)));
  try {
    await prints(process.execPath, file);
  } finally {
    rmSync(empty, { recursive: true });
  }
}

test("Node", () => prints(process.execPath, "program.js"));

test("Node, a CommonJS program", async (t) => {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major < 20 || (major === 20 && minor < 19)) return t.skip("require of ES modules needs Node 20.19");
  writeFileSync(join(folder, "program.cjs"), `console.log(require("./answer.js").answer());`);
  await prints(process.execPath, "--no-warnings", "program.cjs");
});

test("the command of the package", async () => {
  const { stdout } = await run(process.execPath, [join(folder, "node_modules/agentsdisc/dist/cli/main.js"), "formats"]);
  assert.match(stdout, /^agents-txt {16}read/);
});

test("Bun", () => prints(tool("bun"), "run", "program.js"));

// Bun asks for the condition `node` only, whose files read the module beside them.
test("Bun, bundled for Node", async () => {
  await run(tool("bun"), ["build", "program.js", "--target=node", "--conditions=module", "--outfile=bun.js"], { cwd: folder });
  await alone("bun.js");
});

test("Deno, without permissions", () => prints(tool("deno"), "run", "--no-prompt", "program.js"));

for (const platform of ["node", "browser", "neutral"]) {
  test(`esbuild for ${platform}`, async () => {
    const { build } = await import("esbuild");
    const more = platform === "neutral" ? { mainFields: ["module", "main"] } : {};
    await build({ entryPoints: [join(folder, "program.js")], outfile: join(folder, `esbuild-${platform}.js`), bundle: true, minify: true, format: "esm", platform, ...more });
    await alone(`esbuild-${platform}.js`);
  });
}

test("esbuild takes only the module of the entry", async () => {
  const { build } = await import("esbuild");
  const text = `import { robots } from "agentsdisc/robots"; console.log(robots("").allowed("a", "/"));`;
  const made = await build({ stdin: { contents: text, resolveDir: folder }, bundle: true, minify: true, format: "esm", write: false });
  assert.ok(made.outputFiles[0].text.length < 200_000, `${made.outputFiles[0].text.length} bytes`);
});

for (const target of ["node", "web"]) {
  test(`webpack for ${target}`, async () => {
    const webpack = require("webpack");
    const output = { path: folder, filename: `webpack-${target}.js`, module: true, chunkFormat: "module" };
    const config = { mode: "production", target: [target, "es2022"], context: folder, entry: "./program.js", output, experiments: { outputModule: true } };
    const stats = await promisify(webpack)(config);
    assert.ok(!stats.hasErrors(), stats.toString());
    await alone(`webpack-${target}.js`);
  });
}

test("Vite for servers", async () => {
  const { build } = await import("vite");
  await build({ root: folder, logLevel: "error", ssr: { noExternal: true }, build: { ssr: "program.js", outDir: "vite-ssr", emptyOutDir: true } });
  await alone(`vite-ssr/${readdirSync(join(folder, "vite-ssr"))[0]}`);
});

test("workerd", async () => {
  const { build } = await import("esbuild");
  const options = { bundle: true, format: "esm", conditions: ["workerd", "worker"], loader: { ".wasm": "copy" }, assetNames: "[name]" };
  await build({ entryPoints: [join(folder, "worker.js")], outdir: join(folder, "workerd"), ...options });
  const modules = readdirSync(join(folder, "workerd")).filter((name) => name.endsWith(".wasm"));
  assert.equal(modules.length, 2, "the worker imports the modules as files");
  const wasm = modules.map((name) => `(name = "./${name}", wasm = embed "workerd/${name}")`);
  writeFileSync(
    join(folder, "config.capnp"),
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (services = [(name = "main", worker = .worker)], sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]);
const worker :Workerd.Worker = (modules = [(name = "worker.js", esModule = embed "workerd/worker.js"), ${wasm.join(", ")}], compatibilityDate = "2026-01-01");
`,
  );
  const server = spawn(tool("workerd"), ["serve", "--control-fd=3", "config.capnp"], { cwd: folder, stdio: ["ignore", "inherit", "inherit", "pipe"] });
  try {
    const port = await new Promise((resolve, reject) => {
      server.once("exit", (code) => reject(new Error(`workerd ended with ${code}`)));
      server.stdio[3].on("data", (data) => {
        const found = /"port":(\d+)/.exec(data);
        if (found) resolve(found[1]);
      });
    });
    assert.equal(await (await fetch(`http://127.0.0.1:${port}/`)).text(), EXPECTED);
  } finally {
    server.kill();
  }
});

/** Opens a page in Chromium, and returns the title that it sets. */
async function titleAt(url) {
  const { chromium } = await import("playwright-core");
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
  try {
    const page = await browser.newPage();
    const errors = [];
    page.on("pageerror", (error) => errors.push(error.message));
    page.on("console", (message) => message.type() === "error" && !message.text().includes("favicon") && !message.text().includes("404") && errors.push(message.text()));
    await page.goto(url);
    await page.waitForFunction(() => document.title !== "", undefined, { timeout: 120_000 }).catch(() => {});
    assert.deepEqual(errors, []);
    return await page.title();
  } finally {
    await browser.close();
  }
}

/** Serves a folder, and returns the title that its page sets in Chromium. */
async function inChromium(root) {
  const types = { html: "text/html; charset=utf-8", js: "text/javascript; charset=utf-8", wasm: "application/wasm" };
  const server = createServer((request, response) => {
    const path = new URL(request.url, "http://a").pathname;
    const file = join(root, path === "/" ? "index.html" : path);
    if (!existsSync(file)) return response.writeHead(404).end();
    // What a strict page allows: WebAssembly, but neither eval nor other hosts.
    response.writeHead(200, { "Content-Type": types[file.split(".").at(-1)] ?? "text/plain", "Content-Security-Policy": "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'none'" });
    response.end(readFileSync(file));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    return await titleAt(`http://127.0.0.1:${server.address().port}/`);
  } finally {
    server.close();
  }
}

test("Chromium, bundled by Vite", { skip: CHROMIUM ? false : "there is no Chromium" }, async () => {
  const { build } = await import("vite");
  await build({ root: folder, logLevel: "error", base: "./", build: { outDir: "vite", emptyOutDir: true } });
  assert.equal(await inChromium(join(folder, "vite")), EXPECTED);
});

test("Chromium, without a bundler", { skip: CHROMIUM ? false : "there is no Chromium" }, async () => {
  const plain = join(folder, "plain");
  mkdirSync(plain);
  symlinkSync(join(folder, "node_modules/agentsdisc/dist"), join(plain, "agentsdisc"));
  const text = ANSWER.replace('"agentsdisc"', '"./agentsdisc/index.js"').replace('"agentsdisc/robots"', '"./agentsdisc/robots.js"');
  writeFileSync(join(plain, "answer.js"), text);
  for (const name of ["page.js", "index.html"]) writeFileSync(join(plain, name), readFileSync(join(folder, name)));
  assert.equal(await inChromium(plain), EXPECTED);
});

// It has 340 MB, so it is not among the dependencies of the package, which every test installs.
test("Next: on the server, at the edge, and in Chromium", async () => {
  const site = join(folder, "next");
  const archive = readdirSync(folder).find((name) => name.endsWith(".tgz"));
  const dependencies = { agentsdisc: `file:../${archive}`, next: "16.4.6", react: "19.3.1", "react-dom": "19.3.1" };
  const files = {
    "package.json": JSON.stringify({ name: "site", private: true, dependencies }),
    "next.config.mjs": "export default { turbopack: { root: import.meta.dirname }, outputFileTracingRoot: import.meta.dirname };\n",
    "app/answer.js": ANSWER,
    "app/layout.js": "export default ({ children }) => <html><body>{children}</body></html>;\n",
    "app/page.js": `import { answer } from "./answer.js";\nimport Title from "./title.js";\nexport default () => <p id="answer">{answer()}<Title /></p>;\n`,
    "app/title.js": `"use client";\nimport { useEffect } from "react";\nimport { answer } from "./answer.js";\nexport default function Title() {\n  useEffect(() => { document.title = answer(); }, []);\n  return null;\n}\n`,
    "app/node/route.js": `import { answer } from "../answer.js";\nexport const dynamic = "force-dynamic";\nexport const GET = () => new Response(answer());\n`,
    "app/edge/route.js": `import { answer } from "../answer.js";\nexport const runtime = "edge";\nexport const GET = () => new Response(answer());\n`,
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(site, name, ".."), { recursive: true });
    writeFileSync(join(site, name), text);
  }
  const options = { cwd: site, env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1" } };
  await run("npm", ["install", "--no-audit", "--no-fund", "--no-package-lock"], options);
  const next = join(site, "node_modules/next/dist/bin/next");
  await run(process.execPath, [next, "build"], options);
  const free = createServer();
  await new Promise((resolve) => free.listen(0, "127.0.0.1", resolve));
  const { port } = free.address();
  await new Promise((resolve) => free.close(resolve));
  const server = spawn(process.execPath, [next, "start", "-H", "127.0.0.1", "-p", `${port}`], { ...options, stdio: ["ignore", "pipe", "inherit"] });
  try {
    await new Promise((resolve, reject) => {
      server.once("exit", (code) => reject(new Error(`next ended with ${code}`)));
      server.stdout.on("data", (data) => `${data}`.includes("Ready") && resolve());
    });
    for (const path of ["node", "edge"]) assert.equal(await (await fetch(`http://127.0.0.1:${port}/${path}`)).text(), EXPECTED, path);
    if (CHROMIUM) assert.equal(await titleAt(`http://127.0.0.1:${port}/`), EXPECTED);
  } finally {
    server.kill();
  }
});
