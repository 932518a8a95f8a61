// Every vector gives the answers of the native library.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as agentsdisc from "agentsdisc";
import * as light from "agentsdisc/robots";
import { NO_PYTHON, documents, name, native, questions, written } from "./vectors.mjs";

const caught = (run) => {
  try {
    return run();
  } catch (error) {
    return error;
  }
};

/** What Python writes for a document that was converted or fixed. */
function made(run, others) {
  const found = caught(run);
  if (found instanceof agentsdisc.ConvertError) return { error: found.message, losses: found.losses };
  if (found instanceof Error) throw found;
  return { bytes: Buffer.from(found.bytes).toString("base64"), [others]: found[others] };
}

function everything({ path, bytes, options, origin }, targets) {
  const answer = { path, detect: agentsdisc.detectEvidence(bytes, options), links: agentsdisc.links(bytes) };
  const document = caught(() => agentsdisc.parse(bytes, options));
  if (document instanceof agentsdisc.ParseError) {
    const { kind, offset, line, column, format, message } = document;
    return { ...answer, error: { kind, offset, line, column, format, message } };
  }
  if (document instanceof Error) throw document;
  Object.assign(answer, { format: document.format, json: document.json(), check: document.check({ origin }) });
  const both = [false, true];
  const convert = (target) => both.map((loosen) => made(() => document.convert(target, { loosen, pretty: !loosen }), "losses"));
  answer.convert = Object.fromEntries(targets.map((target) => [target, convert(target)]));
  answer.fix = made(() => document.fix(), "changes");
  answer.defaults = document.defaults;
  if (document.format === "robots-txt") {
    const rules = document.robotsTxt;
    Object.assign(answer, { preferences: rules.preferences, crawl_delay: rules.crawlDelay("GPTBot") ?? null });
  }
  return answer;
}

test("documents", () => {
  for (const { path, bytes, expected, options, origin } of documents()) {
    if (expected.requires) continue;
    const document = caught(() => agentsdisc.parse(bytes, options));
    if (expected.detect !== undefined) assert.equal(agentsdisc.detect(bytes, options), expected.detect, name(path));
    if (expected.error) {
      const { kind, offset, line, column } = document;
      assert.deepEqual({ kind, offset, line, column }, expected.error, name(path));
    } else if (expected.model) {
      assert.deepEqual(JSON.parse(JSON.stringify(document)), expected.model, name(path));
      const found = document.check({ origin }).map(({ code, severity, line, column }) => ({ code, severity, line, column }));
      assert.deepEqual(found, expected.diagnostics, name(path));
    }
    for (const { agent, url, allowed, line } of expected.decisions ?? []) {
      const { source, ...rest } = { ...document.robotsTxt.decide(agent, url) };
      assert.equal(rest.allowed, allowed, name(path));
      assert.equal(rest.rule?.line, line, name(path));
      for (const entry of [agentsdisc, light]) assert.equal(entry.robots(bytes, options).allowed(agent, url), allowed, name(path));
    }
  }
});

test("documents as the native library reads them", { skip: NO_PYTHON }, () => {
  const all = native("documents");
  const vectors = documents();
  assert.equal(all.length, vectors.length);
  for (const [at, expected] of all.entries()) {
    // Targets that are in no other order: the keys of the first answer that has any.
    const ours = everything(vectors[at], Object.keys(expected.convert ?? {}));
    assert.deepEqual(ours, expected, name(vectors[at].path));
  }
});

const fits = (value, wanted, path) => {
  if (wanted === null) assert.equal(value, undefined, path);
  else if (Array.isArray(wanted)) {
    assert.equal(value?.length, wanted.length, path);
    wanted.forEach((each, at) => fits(value[at], each, path));
  } else if (typeof wanted === "object") {
    assert.equal(typeof value, "object", path);
    for (const [key, each] of Object.entries(wanted)) fits(value[key], each, path);
  } else assert.deepEqual(value, wanted, path);
};

function* decided({ documents, robots, questions }) {
  const parsed = documents.map((part) => agentsdisc.parse(written(part), { format: part.format }));
  const rules = typeof robots === "object" ? agentsdisc.robots(written(robots)) : robots;
  for (const { expect, content_usage: contentUsage, ...asked } of questions) {
    yield [agentsdisc.decide(parsed, { ...asked, contentUsage, robots: rules }), expect];
  }
}

test("decisions", () => {
  for (const vector of questions("policy")) {
    if (vector.requires) continue;
    for (const [decision, expect] of decided(vector)) fits(decision, expect, name(vector.path));
  }
});

test("decisions as the native library makes them", { skip: NO_PYTHON }, () => {
  const all = native("decisions");
  for (const [at, vector] of questions("policy").entries()) {
    if (vector.requires) continue;
    const ours = [...decided(vector)].map(([decision]) => JSON.stringify(decision));
    const theirs = all[at].slice(1).map((text) => JSON.stringify(JSON.parse(text)));
    assert.deepEqual(ours, theirs, name(vector.path));
  }
});
