/** How to correct what is wrong with how a site is served, for the host that serves it: the texts of `recipes.json` of the Python package. */

import { isObject } from "../arguments.js";
import { decoded } from "../engine.js";
import { TYPES } from "./generated.js";
import { type Files, lines } from "./hosts.js";
import RECIPES from "./recipes.json.js";
import { type Check, NOTHING, type Report } from "./report.js";

interface Server {
  readonly title: string;
  /** What to edit: a file, or a description of the place. */
  readonly edit: string;
  readonly files: readonly string[];
  readonly headers: { readonly [name: string]: string };
  readonly packages: readonly string[];
  /** What to write for each need. */
  readonly recipes: { readonly [need: string]: readonly string[] };
}

const { needs: NEEDS, hosts: HOSTS } = RECIPES as { needs: { readonly [need: string]: readonly string[] }; hosts: { readonly [id: string]: Server } };
/** The number of bytes of a file of a host that are read. */
const MOST = 1 << 20;
/** The maximum number of documents for which the text is shown. */
const SHOWN = 5;
const LINK = '</.well-known/api-catalog>; rel="api-catalog"';

const bytesOf = (files: Files, path: string): Uint8Array | undefined => {
  const data = files.read(path, MOST);
  return typeof data === "string" ? undefined : data;
};

/** The host for which a folder, or the project around it, has files. A `_headers` alone means one that reads it. */
export function hostOfFolder(files: Files): Server | undefined {
  const isThere = (name: string) => files.read(name, 0) !== undefined;
  const around = (name: string) => [name, `../${name}`];
  for (const host of Object.values(HOSTS)) if (host.files.flatMap(around).some(isThere)) return host;
  if (["_headers", "_redirects"].some(isThere)) return HOSTS.netlify;
  const named = ["", "../"].map((place) => dependencies(files, place)).join(" ");
  return Object.values(HOSTS).find((host) => host.packages.some((name) => new RegExp(`(?<![\\w/@-])${name}(?![\\w/-])`).test(named)));
}

/** The names in the files that list the packages of a project. */
function dependencies(files: Files, place: string): string {
  let found = "";
  for (const name of ["package.json", "requirements.txt", "pyproject.toml"]) {
    const data = bytesOf(files, place + name);
    if (data === undefined) continue;
    let text = decoded(data);
    if (name === "package.json") {
      try {
        const read: unknown = JSON.parse(text);
        text = isObject(read) && isObject(read.dependencies) ? Object.keys(read.dependencies).join(" ") : "";
      } catch {
        continue;
      }
    }
    found += ` ${text.toLowerCase()}`;
  }
  return found;
}

/** The host that the headers of an answer name. A service in front of a server comes first. */
export function hostOfHeaders(headers: readonly (readonly [string, string])[]): Server | undefined {
  const sent = new Map(headers.map(([name, value]) => [name.toLowerCase(), value]));
  return Object.values(HOSTS).find((host) => Object.entries(host.headers).some(([name, pattern]) => sent.has(name) && new RegExp(pattern, "i").test(sent.get(name)!)));
}

/** The report with what to write for the host in the fix of each check that needs it, and with file and line in its evidence. */
export function withRecipes(report: Report, host: Server | undefined, files: Files | undefined): Report {
  return host === undefined ? report : { ...report, checks: report.checks.map((check) => corrected(check, host, files)) };
}

function corrected(check: Check, host: Server, files: Files | undefined): Check {
  const need = Object.keys(NEEDS).find((name) => NEEDS[name]!.includes(check.id));
  if (need === undefined || (check.status !== "fail" && check.status !== "warn")) return check;
  const paths = need === "headers" ? pathsOf(check) : ["/"];
  if (paths.length === 0) return check;
  const text = paths.slice(0, SHOWN).map((path) => recipe(host, need, path)).join("\n");
  let place = `${host.title}, in ${host.edit}`;
  let { evidence } = check;
  if (files !== undefined && !host.edit.includes(" ")) {
    const [line, file] = lineOf(files, host.edit, paths[0]!);
    place += `, line ${line}`;
    if (file !== undefined) evidence = [...evidence, { ...NOTHING, file, line, text: "what to edit" }];
  }
  return { ...check, evidence, fix: `${check.fix === null ? "" : `${check.fix}\n\n`}${place}:\n${text}` };
}

/** The paths of the documents whose headers are wrong; none if other things are. */
function pathsOf(check: Check): string[] {
  const found = check.evidence.flatMap(({ file, url, header, text }) => {
    const path = file !== null ? `/${file}` : (/^[a-z]+:\/\/[^/?#]*([^?#]*)/i.exec(url ?? "")?.[1] ?? "");
    return Object.hasOwn(TYPES, path) && /content-type|access-control|cache-control|cors/i.test(`${header ?? ""} ${text ?? ""}`) ? [path] : [];
  });
  return [...new Set(found)];
}

/** What to write for a need, `headers` for the document at a path. */
function recipe(host: Server, need: string, path: string): string {
  const values = {
    "%PATH_REST%": path.replace(/^\/+/, ""),
    "%PATH%": path,
    "%NAME%": path.slice(path.lastIndexOf("/") + 1),
    "%TYPE%": TYPES[path] ?? "text/html; charset=utf-8",
    "%LINK_JSON%": LINK.replaceAll('"', '\\"'),
    "%LINK_HTML%": '<link rel="api-catalog" href="/.well-known/api-catalog">',
    "%LINK_QUOTED%": LINK,
    "%LINK%": LINK,
  };
  let text = host.recipes[need]!.join("\n");
  for (const [name, value] of Object.entries(values)) text = text.replaceAll(name, () => value);
  return text;
}

/** The line of a file that is about a path, else the one behind the last; and the file, if there is one. */
function lineOf(files: Files, name: string, path: string): [number, string | undefined] {
  for (const file of [name, `../${name}`]) {
    const data = bytesOf(files, file);
    if (data === undefined) continue;
    const all = lines(decoded(data));
    const whole = new RegExp(`(?<![\\w./-])${path.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")}(?![\\w./*-])`);
    const at = all.findIndex((line) => whole.test(line));
    return [(at < 0 ? all.length : at) + 1, file];
  }
  return [1, undefined];
}
