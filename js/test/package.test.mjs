// What is published: the files, the types, the size.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { brotliCompressSync } from "node:zlib";
import * as agentsdisc from "agentsdisc";
import * as identity from "agentsdisc/identity";
import * as readiness from "agentsdisc/readiness";
import * as robots from "agentsdisc/robots";
import { VERSION } from "../dist/version.js";
import { ROOT } from "./vectors.mjs";

const run = promisify(execFile);
const JS = join(ROOT, "js");
const tool = (name) => join(JS, "node_modules/.bin", name);

test("one version", () => {
  const { version } = JSON.parse(readFileSync(join(JS, "package.json")));
  const [, workspace] = /\[workspace\.package\]\nversion = "(.*)"/.exec(readFileSync(join(ROOT, "Cargo.toml"), "utf8"));
  assert.deepEqual([version, VERSION], [workspace, workspace]);
});

test("the names of all entries", () => {
  const names = [
    ...["Answer", "CallError", "CallFailed", "CallRefused", "ClientNeeded", "ConfirmationRefused", "ConnectionFailed", "ConvertError", "CredentialsNeeded"],
    ...["CredentialsRefused", "Document", "HttpRequest", "LimitExceeded", "Limiter", "NotDeclared", "OAuth2", "Operation", "ParseError", "PaymentRequired", "Planned"],
    ...["PolicyDenied", "PrerequisitesMissing", "RateLimited", "RobotsTxt", "Site", "Tool", "Tools", "call", "capabilities", "check", "codes", "convert"],
    ...["decide", "detect", "detectEvidence", "differences", "discover", "fix", "forNode", "formats", "links", "parse", "robots", "serve", "tools"],
  ];
  assert.deepEqual(Object.keys(agentsdisc).sort(), names);
  assert.deepEqual(Object.keys(robots).sort(), ["ParseError", "RobotsTxt", "decide", "robots"]);
  assert.deepEqual(Object.keys(readiness).sort(), ["checkSite", "readReport"]);
  assert.deepEqual(Object.keys(identity).sort(), ["Directory", "Identity", "Key", "Replays", "gate", "reasons", "sign", "thumbprint", "verify"]);
});

test("the packed files", async () => {
  const { stdout } = await run("npm", ["publish", "--dry-run", "--json", "--ignore-scripts", "--tag", "test"], { cwd: JS });
  const packed = JSON.parse(stdout);
  const { files } = packed.agentsdisc ?? (Array.isArray(packed) ? packed[0] : packed);
  const others = files.map(({ path }) => path).filter((path) => !/^dist\/(cli\/|call\/|identity\/|readiness\/)?[a-z0-9.-]+\.(js|d\.ts|wasm)$/.test(path));
  assert.deepEqual(others.sort(), ["LICENSE-APACHE", "LICENSE-MIT", "README.md", "THIRD-PARTY.md", "package.json"]);
  assert.ok(files.every(({ path }) => !path.startsWith("dist/cli/") || path.endsWith(".js")));
});

test("publint and arethetypeswrong have nothing to say", async () => {
  await run(tool("publint"), ["--strict", JS]);
  await run(tool("attw"), ["--pack", JS, "--profile", "esm-only"], { cwd: JS });
});

// Sizes as they are downloaded. The aims are 300 and 35 KB.
for (const [name, most] of Object.entries({ agentsdisc: 487_000, robots: 40_400, identity: 44_000, readiness: 390_000 })) {
  test(`the size of ${name}.wasm`, () => {
    const size = brotliCompressSync(readFileSync(join(JS, `dist/${name}.wasm`))).length;
    assert.ok(size <= most, `${size} bytes`);
  });
}
