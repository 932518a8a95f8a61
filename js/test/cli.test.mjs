// `npx agentsdisc` prints what the Python command prints, byte by byte, with the same exit codes.
import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { EXPLAINED } from "../dist/cli/generated.js";
import { ENVIRONMENT, compare, ours, python } from "./commands.mjs";
import { NO_PYTHON, PYTHON, ROOT, files } from "./vectors.mjs";

const MAIN = join(ROOT, "js/dist/cli/main.js");

const all = files("conformance", ".in").map((path) => relative(ROOT, path));
/** Every third vector; all with AGENTSDISC_ALL=1. */
const vectors = all.filter((_, at) => process.env.AGENTSDISC_ALL || at % 3 === 0);
const samples = files("samples").map((path) => relative(ROOT, path));
const sites = readdirSync(join(ROOT, "samples")).map((name) => `samples/${name}`);
const folders = [...new Set(vectors.map((path) => dirname(path)))];

test("lint", { skip: NO_PYTHON }, async () => {
  await compare([...samples, ...vectors].map((path) => ["lint", path]));
  for (const format of ["json", "sarif", "github"]) {
    await compare([["lint", "--output-format", format, ...samples], ...vectors.slice(0, 400).map((path) => ["lint", `--output-format=${format}`, path])]);
  }
  await compare([
    ["lint", "--origin", "https://shop.example", ...samples],
    ["lint", "--diff", ...samples],
    ...vectors.filter((path) => path.includes("agents-txt")).map((path) => ["lint", "--diff", path]),
    ["lint", "--format", "agents-txt", ...samples],
    ["lint", "--max-bytes", "100", ...samples],
    ["lint", "--select", "missing-recommended-field, insecure-url", "--select=companion-differs", ...samples],
    ["lint", "--ignore=missing-recommended-field,", "--fail-on", "info", ...samples],
    ["lint", "--fail-on=warning", ...samples],
    ["lint", "--select", "insecur-url", samples[0]],
    ["lint", "--select", "x", samples[0]],
    ["lint", "--fail-on", "nothing", samples[0]],
    ["lint", "samples"],
    ...sites.flatMap((folder) => [["lint", folder], ["lint", "--diff", `./${folder}/`], ["lint", "--output-format=sarif", `samples/..//${folder}`, folder]]),
    ["lint", "js/src"],
    ...folders.flatMap((folder) => [["lint", folder], ["lint", "--output-format=json", folder]]),
  ]);
});

test("lint of files and folders by their names, and of companions", { skip: NO_PYTHON }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "agentsdisc-"));
  const text = "Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: https://mugs.example\nCapability: a'b\n";
  const put = (name, content) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  };
  put("one/.well-known/agents.txt", text);
  put("one/agents.json", '{"specVersion": "1.0", "site": {"name": "Cups", "url": "https://mugs.example"}}');
  put("one/robots.txt", "");
  put("two/robots.txt", "hello\n");
  put("two/llms.txt", "hello\n");
  put("two/agent.json", "{}");
  put("two/.well-known/agent.json", "{}");
  put("three/notes", text);
  put("three/other.json", "{}");
  put("four/a", "a");
  const others = ["agents-txt", "agents-json", "agents-txt-0.1", "agents-json-0.1", "awp", "ucp-profile"].flatMap((name) => vectors.filter((path) => path.startsWith(`conformance/${name}/`)).slice(0, 12));
  others.forEach((path, at) => put(`pairs/${at}/${path.includes("json") ? "agents.json" : "agents.txt"}`, readFileSync(join(ROOT, path))));
  const converted = [];
  for (const [at, path] of others.entries()) {
    if (path.includes("-txt")) converted.push(["convert", "--to", path.includes("0.1") ? "agents-json-0.1" : "agents-json", "-o", `pairs/${at}/agents.json`, `pairs/${at}/agents.txt`]);
  }
  await ours(converted, folder);
  const all = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile()).map((each) => relative(folder, join(each.parentPath ?? each.path, each.name))).sort();
  await compare(
    [
      ...["one", "one/", "./one/.well-known", "two", "three", "four", "", "pairs"].map((name) => ["lint", name]),
      ...all.map((path) => ["lint", path]),
      ...others.map((_, at) => ["lint", `pairs/${at}`]),
      ["lint", "one/.well-known/agents.txt", "one/agents.json"],
      ["lint", "--url", "https://mugs.example/robots.txt?x", "two/agent.json", "two/robots.txt"],
      ["lint", "mugs.example"],
      ["lint", "mugs.example/agents.txt", "mugs"],
      ["lint", "--output-format=sarif", ...all],
    ],
    folder,
  );
  rmSync(folder, { recursive: true });
});

test("explain", { skip: NO_PYTHON }, async () => {
  const known = Object.keys(EXPLAINED);
  await compare([["explain"], ["explain", "--json"], ["explain", ...known], ["explain", "--json", known[3]], ["explain", "insecure"], ["explain", "zzz"], ["explain", "--help"]]);
});

test("inspect", { skip: NO_PYTHON }, async () => compare([...samples, ...vectors].map((path) => ["inspect", path])));

test("convert", { skip: NO_PYTHON }, async () => {
  const targets = ["agents-txt", "agents-json", "agents-md", "llms-txt", "awp", "adp", "adp-capability", "robots-txt", "agents-txt-0.1", "agents-json-0.1", "json"];
  const some = [...samples, ...vectors.filter((_, at) => at % 6 === 0)];
  await compare(some.flatMap((path) => targets.map((to) => ["convert", "--to", to, path])));
  await compare(samples.flatMap((path) => [["--strict"], ["--loosen"], ["--compact"], ["--native"], ["--origin", "https://a.example"]].map((more) => ["convert", "--to=agents-json", ...more, path])));
  await compare(samples.flatMap((path) => [["--native"], ["--compact"], ["--native", "--compact"]].map((more) => ["convert", "--to=awp", ...more, path])));
  const folder = mkdtempSync(join(tmpdir(), "agentsdisc-"));
  const detailed = [["--to=adp", `--details=${folder}`], ["--to=adp-capability", "--capability=search"], ["--to=adp", "--capability=search"], ["--to=awp", "--details=x"]];
  await compare(samples.flatMap((path) => detailed.map((more) => ["convert", ...more, path])));
  rmSync(folder, { recursive: true });
});

test("decide", { skip: NO_PYTHON }, async () => {
  const cases = [...samples, ...vectors].map((path) => ["decide", "--agent", "GPTBot/1.0", "--url", "/admin/x", path]);
  const robots = vectors.filter((path) => path.includes("robots-txt"));
  cases.push(...robots.map((path) => ["decide", "--agent", "Bot", "--url", "https://a.example/x", "--purpose", "train-ai", "--robots", path, samples[0]]));
  cases.push(...[...samples, ...vectors].map((path) => ["decide", "--json", "--agent", "Bot", "--capability", "search", path]));
  await compare(cases);
  await compare([
    ["decide", "--agent", "Bot", "--url", "/", "--purpose", "trian-ai", samples[0]],
    ["decide", "--agent", "Bot", "--url", "/", "--robots-status", "404", ...samples.filter((path) => !path.endsWith("html"))],
    ["decide", "--agent", "Bot", "--url", "/", "--robots-status", "503", samples[0]],
    ["decide", "--agent", "Bot", "--capability", "search", "--approve", "https://b.example/", "--approve=https://c.example/", samples[0]],
  ]);
});

test("tools", { skip: NO_PYTHON }, async () => {
  const some = [...samples, ...vectors];
  const asked = (...more) => ["tools", "--agent", "Bot/1.0", ...more];
  await compare(some.flatMap((path) => [asked(path), asked("--json", path)]));
  await compare(some.flatMap((path) => ["openai", "anthropic", "mcp"].map((shape) => asked(`--style=${shape}`, path))));
  const [first, second] = samples.filter((path) => /agents\.(txt|json)$/.test(path));
  await compare([
    asked(first, second),
    asked("--json", first, second),
    asked("--origin", "https://a.example", "--style", "openai", first),
    asked("--approve", "https://b.example/", "--purpose", "train-ai", "--robots-status", "503", first),
    asked("--json", "--style", "mcp", first),
    asked("--style", "x", first),
    ["tools", first],
    ["tools", "--help"],
    ["decide", "--agent", "Bot", first],
    ["decide", "--agent", "Bot", "--json", first, second],
    ["decide", "--agent", "Bot", "--method", "GET", first],
  ]);
});

test("files and arguments that are wrong", { skip: NO_PYTHON }, async () => {
  const file = samples[0];
  await compare([
    ["formats"],
    ["lint"],
    ["lint", "nothing.txt"],
    ["lint", "conformance"],
    ["lint", "a\0b"],
    ["lint", "--bogus", file],
    ["lint", "--output-format", "xml", file],
    ["lint", "--out=json", file],
    ["lint", "--f=agents-txt", file],
    ["lint", "--fix=1", file],
    ["lint", "--format"],
    ["lint", "--format", "nothing", file],
    ["lint", "--max-bytes", "0", file],
    ["lint", "--max-bytes", "1T", file],
    ["lint", "--origin", "nowhere", file],
    ["lint", "--", file, "--bogus"],
    ["lint", "-", "-"],
    ["lint", "--help"],
    ["inspect", "-h"],
    ["convert", "--help"],
    ["decide", "--help"],
    ["formats", "--help"],
    ["formats", "more"],
    ["inspect", file, file],
    ["inspect", "nothing"],
    ["convert", file],
    ["convert", "--to", "html", file],
    ["convert", "--to", "awp", "samples/../samples/nothing"],
    ["decide", file],
    ["decide", "--agent", "Bot", "--url", "/", "--capability", "x", file],
    ["decide", "--agent", "Bot", "--url", "/", "--robots", "nothing", file],
    ["decide", "--agent", "Bot", "--url", "/", "--robots-status", "200", file],
  ]);
});

test("--fix and --output change files alike", { skip: NO_PYTHON }, async () => {
  const texts = vectors.filter((path) => path.includes("agents-txt/")).slice(0, 100);
  const folders = [0, 1].map(() => mkdtempSync(join(tmpdir(), "agentsdisc-")));
  for (const folder of folders) texts.forEach((path, at) => writeFileSync(join(folder, `${at}.txt`), readFileSync(join(ROOT, path))));
  const cases = texts.flatMap((_, at) => [
    ["lint", "--fix", `${at}.txt`],
    ["convert", "--to", "agents-json", "--output", `${at}.json`, `${at}.txt`],
    ["convert", "--to", "agents-json", `-o${at}.txt`, `${at}.txt`],
  ]);
  assert.deepEqual(await ours(cases, folders[0]), await python(cases, folders[1]));
  const [own, theirs] = folders.map((folder) => readdirSync(folder).sort().map((name) => [name, readFileSync(join(folder, name), "utf8"), statSync(join(folder, name)).mode]));
  assert.deepEqual(own, theirs);
  folders.forEach((folder) => rmSync(folder, { recursive: true }));
});

test("standard input, pipes that close, and the help of commands", async () => {
  const run = promisify(execFile);
  const text = readFileSync(join(ROOT, samples.find((path) => path.endsWith("agents.txt"))));
  const piped = execFileSync(process.execPath, [MAIN, "inspect", "-"], { input: text, encoding: "utf8" });
  assert.match(piped, /^<stdin>: /);
  const closed = await run("sh", ["-c", `"${process.execPath}" "${MAIN}" lint ${samples.join(" ")} | head -1; true`], { cwd: ROOT });
  assert.equal(closed.stdout.split("\n").length, 2);
  assert.doesNotMatch(closed.stderr, /EPIPE|at .*js:/);
  assert.match((await run(process.execPath, [MAIN, "--version"])).stdout, /^agentsdisc \d/);
  await assert.rejects(run(process.execPath, [MAIN, "lint", "https://a.example"]), { code: 2 });
});

test("the generated texts are those of the installed Python command", { skip: NO_PYTHON }, () => {
  execFileSync(PYTHON, [join(ROOT, "js/cli.py"), "--check"], { env: ENVIRONMENT });
});
