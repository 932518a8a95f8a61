// The conformance vectors, and Python as the native implementation.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
/** Python with the package installed, with which answers are compared byte by byte. */
export const PYTHON = process.env.AGENTSDISC_PYTHON ?? join(ROOT, ".venv/bin/python");
export const NO_PYTHON = existsSync(PYTHON) ? false : `there is no ${PYTHON}; set AGENTSDISC_PYTHON`;

export function files(folder, ending = "") {
  const all = readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true });
  return all
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();
}

export const name = (path) => relative(ROOT, path);

/** Documents with their expectations. */
export function documents() {
  return files("conformance", ".in").map((path) => {
    const expected = JSON.parse(readFileSync(path.replace(/\.in$/, ".json"), "utf8"));
    const { url, content_type: contentType, format, limits, origin } = expected.options ?? {};
    return { path, bytes: readFileSync(path), expected, options: { url, contentType, format, limits }, origin };
  });
}

/** Questions about documents: `policy` or `call`. */
export function questions(folder) {
  return files(`conformance/${folder}`, ".json").map((path) => ({ path, ...JSON.parse(readFileSync(path, "utf8")) }));
}

/** The text of a document in a question. */
export const written = (part) => ("json" in part ? JSON.stringify(part.json) : part.lines.map((line) => `${line}\n`).join(""));

/** What native.py prints, line by line. */
export function native(...args) {
  const script = join(ROOT, "js/test/native.py");
  const text = execFileSync(PYTHON, [script, ...args], { maxBuffer: 1 << 30, encoding: "utf8", cwd: "/" });
  return text.trimEnd().split("\n").map((line) => JSON.parse(line));
}
