// Runs the command for each line of standard input, a list of arguments, in one process. Prints exit code, output and errors of each.
import { readFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import fs from "node:fs";

const cases = readFileSync(0, "utf8").split("\n").map((line) => JSON.parse(line));
const results = [];
let caught = { 1: [], 2: [] };
const { writeSync } = fs;
fs.writeSync = (descriptor, data, at = 0) => {
  if (descriptor > 2) return writeSync(descriptor, data, at);
  const rest = Buffer.from(data.subarray(at));
  caught[descriptor].push(rest);
  return rest.length;
};
syncBuiltinESMExports();
process.stdout.write = (text) => caught[1].push(Buffer.from(text));
process.stderr.write = (text) => caught[2].push(Buffer.from(text));
const { main } = await import("../dist/cli/program.js");
for (const given of cases) {
  caught = { 1: [], 2: [] };
  const code = await main(given);
  results.push(JSON.stringify([code, Buffer.concat(caught[1]).toString("latin1"), Buffer.concat(caught[2]).toString("latin1")]));
}
const out = Buffer.from(`${results.join("\n")}\n`);
for (let at = 0; at < out.length; ) {
  try {
    at += writeSync(1, out, at);
  } catch (problem) {
    if (problem.code !== "EAGAIN") throw problem;
  }
}
