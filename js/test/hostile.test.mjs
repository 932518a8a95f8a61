// Nothing but ParseError and TypeError is thrown, whatever is passed; nothing traps, and memory does not grow.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as agentsdisc from "agentsdisc";
import { engine } from "../dist/engine.js";
import { documents, files, name } from "./vectors.mjs";

// Without --long, fewer inputs and calls.
const SHARE = process.env.AGENTSDISC_LONG ? 1 : 4;
const TEXT = "Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: https://mugs.example\nCapability: search\n  Endpoint: https://mugs.example/s\n  Protocol: REST\nDisallow: /admin/*\n";

const detached = () => {
  const bytes = new Uint8Array(8);
  structuredClone(bytes, { transfer: [bytes.buffer] });
  return bytes;
};

class Liar extends Uint8Array {
  get byteLength() {
    return 1e9;
  }
  get length() {
    return -1;
  }
  get buffer() {
    throw new Error("never asked");
  }
}

const ODD = {
  undefined,
  null: null,
  zero: 0,
  "not a number": NaN,
  bigint: 1n,
  truth: true,
  symbol: Symbol("x"),
  function: () => TEXT,
  object: {},
  array: [1, 2, 3],
  "array-like": { length: 3, 0: 1 },
  "a String": new String(TEXT),
  "a proxy of bytes": new Proxy(new Uint8Array(4), {}),
  "a proxy of everything": new Proxy({}, { get: () => () => TEXT }),
  "detached bytes": detached(),
  "a detached buffer": detached().buffer,
  "a view of a detached buffer": (() => {
    const view = new DataView(new ArrayBuffer(8));
    structuredClone(view.buffer, { transfer: [view.buffer] });
    return view;
  })(),
  "an object that says that it is bytes": { __proto__: Uint8Array.prototype, length: 5, buffer: new ArrayBuffer(5) },
  date: new Date(),
  map: new Map(),
};
const ALLOWED = [agentsdisc.ParseError, TypeError];

/** Runs a call; only the two errors may leave it. */
function safely(run, about) {
  try {
    return run();
  } catch (error) {
    assert.ok(ALLOWED.some((one) => error instanceof one), `${about}: ${error.stack}`);
    return error;
  }
}

test("a document that is no text and no bytes is a TypeError", () => {
  for (const [about, value] of Object.entries(ODD)) {
    for (const call of [agentsdisc.parse, agentsdisc.detect, agentsdisc.links, agentsdisc.check, agentsdisc.fix, agentsdisc.robots]) {
      assert.throws(() => call(value), TypeError, `${call.name}(${about})`);
    }
  }
  assert.equal(agentsdisc.parse(TEXT).service.name, "Mugs");
});

test("bytes of every kind are read", () => {
  const bytes = new TextEncoder().encode(TEXT);
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  const inside = new Uint8Array(bytes.length + 8);
  inside.set(bytes, 4);
  const kinds = [
    bytes,
    Buffer.from(bytes),
    bytes.buffer,
    new DataView(bytes.buffer),
    shared,
    shared.buffer,
    inside.subarray(4, -4),
    new Liar(bytes),
  ];
  for (const each of kinds) assert.equal(agentsdisc.parse(each).json(), agentsdisc.parse(TEXT).json());
  // Bytes that change afterwards do not change the document.
  const document = agentsdisc.parse(bytes);
  bytes.fill(0);
  assert.equal(document.json(), agentsdisc.parse(TEXT).json());
  assert.equal(new TextDecoder().decode(document.bytes), TEXT);
});

test("options of every kind", () => {
  const document = agentsdisc.parse(TEXT);
  const thrower = { get url() { throw new TypeError("mine"); } };
  const caller = { get url() { return agentsdisc.parse(TEXT).service.url; } };
  for (const value of [...Object.values(ODD), thrower, caller, "x".repeat(1 << 20)]) {
    const calls = {
      parse: () => agentsdisc.parse(TEXT, value),
      format: () => agentsdisc.parse(TEXT, { format: value }),
      url: () => agentsdisc.parse(TEXT, { url: value, contentType: value }),
      limits: () => agentsdisc.parse(TEXT, { limits: value }),
      limit: () => agentsdisc.parse(TEXT, { limits: { document: value, depth: value, line: value, robots: value } }),
      origin: () => document.check({ origin: value }),
      convert: () => document.convert(value),
      pretty: () => document.convert("json", value),
      from: () => document.convert("agents-json", { origin: value, pretty: value, loosen: value }),
      decide: () => agentsdisc.decide(value, { agent: "Bot", url: "/" }),
      request: () => agentsdisc.decide([document], value),
      agent: () => agentsdisc.decide([document], { agent: value, url: value, method: value }),
      capability: () => agentsdisc.decide([document], { agent: "Bot", capability: value, robots: value }),
      approved: () => agentsdisc.decide([document], { agent: "Bot", url: "/", approved: value, purpose: value, contentUsage: value }),
      robots: () => agentsdisc.robots("").allowed(value, value),
      preference: () => agentsdisc.robots("").preference("a", "/", value, { contentUsage: value }),
      differences: () => agentsdisc.differences(document, value),
    };
    for (const [about, call] of Object.entries(calls)) safely(call, about);
    assert.equal(document.check().length, 0);
  }
  assert.throws(() => agentsdisc.parse(TEXT, { limits: { document: 10 } }), { name: "ParseError", kind: "too-large", offset: 10 });
  assert.throws(() => agentsdisc.parse(TEXT, { limits: { document: 1.5 } }), TypeError);
});

test("lone surrogates are invalid in a document, and in no URL that is allowed", () => {
  const lone = `${TEXT}# \uD800`;
  const error = safely(() => agentsdisc.parse(lone));
  assert.equal(error.kind, "invalid-utf8");
  assert.equal(error.offset, TEXT.length + 2);
  assert.equal(agentsdisc.decide([], { agent: "Bot", url: "https://a.example/\uDC00" }).reason, "invalid-url");
  assert.equal(agentsdisc.decide([], { agent: "Bot\uDC00", url: "https://a.example/" }).reason, "invalid-agent");
  assert.equal(agentsdisc.parse(`${TEXT}# \uD83D\uDE00`).service.name, "Mugs");
});

test("a document far over the limit is not copied whole", () => {
  const before = engine().memory;
  for (const huge of ["x".repeat(1 << 28), new Uint8Array(1 << 28), "\uD83D\uDE00".repeat(1 << 26)]) {
    assert.equal(safely(() => agentsdisc.parse(huge, { format: "agents-txt" })).kind, "too-large");
  }
  assert.ok(engine().memory - before < 64 << 20, `${engine().memory - before} bytes`);
});

test("seeds of the fuzz targets do not trap", () => {
  const folders = ["fuzz/seeds", ...(process.env.AGENTSDISC_FUZZ_CORPORA ?? "").split(":").filter(Boolean)];
  const seeds = folders.flatMap((folder) => files(folder));
  assert.ok(seeds.length > 100);
  for (const [at, path] of seeds.entries()) if (at % SHARE === 0) everything(readFileSync(path), name(path));
});

test("vectors of every format, cut anywhere, do not trap", () => {
  for (const [at, { bytes, path }] of documents().entries()) {
    if (at % (16 * SHARE) === 0) for (let end = 0; end < Math.min(bytes.length, 2000); end += 41) everything(bytes.subarray(0, end), name(path), true);
  }
});

/** Asks everything about bytes. */
function everything(bytes, about, few = false) {
  safely(() => agentsdisc.detectEvidence(bytes), about);
  safely(() => agentsdisc.links(bytes), about);
  const formats = few ? [undefined] : [undefined, "unknown", ...agentsdisc.formats().filter((each) => each.is_read).map((each) => each.name)];
  for (const format of formats) {
    const document = safely(() => agentsdisc.parse(bytes, { format }), about);
    if (document instanceof Error) continue;
    safely(() => document.model, about);
    safely(() => document.check({ origin: "https://a.example" }), about);
    for (const target of few ? ["agents-json"] : ["agents-txt", "agents-json", "agents-md", "llms-txt", "awp", "adp"]) safely(() => document.convert(target, { loosen: true }), about);
    safely(() => document.fix(), about);
    safely(() => document.decide({ agent: "Bot", url: "https://a.example/x", purpose: "search" }), about);
    safely(() => agentsdisc.differences(document, document), about);
  }
}

test("memory stays the same over a million calls", () => {
  const bytes = new TextEncoder().encode(TEXT);
  const large = `${TEXT}${"# a line\n".repeat(100_000)}`;
  const round = () => {
    const document = agentsdisc.parse(bytes);
    document.json();
    agentsdisc.decide([document, agentsdisc.parse(TEXT)], { agent: "Bot", capability: "search" });
  };
  const heavy = () => {
    const document = agentsdisc.parse(large);
    document.check();
    document.convert("agents-json");
    document.fix();
  };
  heavy();
  round();
  const before = engine().memory;
  for (let at = 0; at < 250_000 / SHARE; at++) round();
  heavy();
  const robots = agentsdisc.robots("User-agent: *\nDisallow: /a\n");
  for (let at = 0; at < 1_000_000 / SHARE; at++) robots.allowed("Bot", "/a/b");
  assert.equal(engine().memory, before);
});

test("a trap does not leave the package unusable", () => {
  const robots = agentsdisc.robots("User-agent: *\nDisallow: /a\n");
  assert.throws(() => engine().number("no such question", []));
  assert.equal(robots.allowed("Bot", "/a"), false);
});
