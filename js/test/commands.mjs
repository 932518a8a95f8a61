// Runs the command of the package and that of Python, and compares what they print.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { join } from "node:path";
import { PYTHON, ROOT } from "./vectors.mjs";

export const ENVIRONMENT = { ...process.env, COLUMNS: "80", PYTHONUTF8: "1", NO_COLOR: "1" };

/** Runs the Python command for each line, a list of arguments, in one process, because starting takes longest. */
const PYTHON_RUNS = `
import io, json, sys
from agentsdisc import cli
for line in sys.stdin:
    given = json.loads(line)
    out, err = io.BytesIO(), io.BytesIO()
    sys.stdout, sys.stderr = io.TextIOWrapper(out, "utf-8", errors="backslashreplace", newline=""), io.TextIOWrapper(err, "utf-8", errors="backslashreplace")
    try:
        code = cli.main(given)
    except SystemExit as end:
        code = end.code
    sys.stdout.flush(); sys.stderr.flush()
    said = [code, out.getvalue().decode("latin1"), err.getvalue().decode("latin1")]
    sys.__stdout__.write(json.dumps(said) + "\\n")
`;

async function runs(program, args, cases, cwd) {
  const child = spawn(program, args, { cwd, env: ENVIRONMENT, stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.end(cases.map((each) => JSON.stringify(each)).join("\n"));
  const parts = [];
  for await (const part of child.stdout) parts.push(part);
  return Buffer.concat(parts).toString().trimEnd().split("\n").map((line) => JSON.parse(line));
}

export const python = (cases, cwd) => runs(PYTHON, ["-c", PYTHON_RUNS], cases, cwd);
export const ours = (cases, cwd) => runs(process.execPath, [join(ROOT, "js/test/cli-runs.mjs")], cases, cwd);

/** An answer without the time at which it was made, and the path that no site has. */
const untimed = (answer) => answer.map((part) => (typeof part === "string" ? part.replace(/("last_verified": ?)"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"/, '$1"now"').replace(/agentsdisc-[0-9a-f]{16}/g, "agentsdisc-nonce") : part));

export async function compare(cases, cwd = ROOT) {
  const [theirs, own] = await Promise.all([python(cases, cwd), ours(cases, cwd)]);
  assert.equal(theirs.length, cases.length);
  for (const [at, given] of cases.entries()) assert.deepEqual(untimed(own[at]), untimed(theirs[at]), given.join(" "));
}
