/**
 * Reads the files in which hosts of static files are configured: headers, redirects, fallbacks.
 *
 * Read are `_headers` and `_redirects` (Netlify, Cloudflare), `netlify.toml`, `vercel.json`, `.htaccess` (Apache) and `staticwebapp.config.json` (Azure). What
 * these files say in ways that are not read here is skipped.
 */

import { isObject } from "../arguments.js";
import { decoded } from "../engine.js";
import { readToml } from "./toml.js";

/** The files of a site. Paths are relative to its folder, with `/`; those that begin with `../` are in the folder above, which there may not be. */
export interface Files {
  /** Whether a file of the site is there: not a folder, and not outside. */
  has(path: string): boolean;
  /** The first bytes of a file; a text, why they cannot be read; undefined if there is no file. */
  read(path: string, most: number): Uint8Array | string | undefined;
}

/** The size of the largest file that is read, in bytes. */
export const MOST = 1 << 20;

/** A redirect, or another file for a path. */
export interface Rewrite {
  readonly path: RegExp;
  readonly target: string;
  readonly status: number;
  /** The file that states it. */
  readonly file: string;
  /** Whether it applies although there is a file. */
  readonly forced: boolean;
}

/** A header of some paths. */
interface Rule {
  readonly path: RegExp;
  readonly name: string;
  readonly value: string;
}

/** What the configuration in a folder says. */
export class Host {
  rules: Rule[] = [];
  readonly rewrites: Rewrite[] = [];
  /** Whether a file states headers, so that those of other files are the host's own. */
  isKnown = false;

  /** The headers of a path, in the order of the rules. */
  headers(path: string): (readonly [string, string])[] {
    return this.rules.filter((rule) => rule.path.test(path)).map(({ name, value }) => [name, value] as const);
  }

  /** The rule for a path: one that applies although there is a file, or one for paths without a file. */
  rewrite(path: string, forced: boolean): Rewrite | undefined {
    return this.rewrites.find((rule) => rule.forced === forced && rule.path.test(path));
  }
}

/** Reads the configuration in a folder; some files also from the folder above it. */
export function hostOf(files: Files): Host {
  const host = new Host();
  for (const [name, read] of Object.entries(READERS)) {
    const data = files.read(name, MOST) ?? (ABOVE.has(name) ? files.read(`../${name}`, MOST) : undefined);
    if (data === undefined || typeof data === "string") continue;
    read(host, decoded(data));
    if (name !== "_redirects") host.isKnown = true;
  }
  return host;
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
const whole = (pattern: string): RegExp => new RegExp(`^(?:${pattern})$`);

/** The source of a pattern with `*` and `:name`. */
function glob(pattern: string): string {
  const parts = pattern.split(/(\*|\/:[A-Za-z_]\w*)/);
  const text = parts.map((part) => (part === "*" ? ".*" : part.startsWith("/:") ? "/[^/]+" : escaped(part))).join("");
  // `/docs/*` also is `/docs`.
  const end = "\\/.*";
  return text.endsWith(end) ? `${text.slice(0, -end.length)}(?:/.*)?` : text;
}

/** The lines of a text, as Python splits them. */
export function lines(text: string): string[] {
  const found = text.split(/\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/);
  if (found.at(-1) === "") found.pop();
  return found;
}

function headersFile(host: Host, text: string): void {
  let pattern: RegExp | undefined;
  for (const line of lines(text)) {
    const trimmed = line.trim();
    if (trimmed === "" || trimmed.startsWith("#")) continue;
    if (!/^\s/.test(line)) {
      pattern = whole(glob(trimmed.replace(/^https?:\/\/[^/]*/, "")));
      continue;
    }
    const colon = trimmed.indexOf(":");
    const name = colon < 0 ? trimmed : trimmed.slice(0, colon);
    if (pattern !== undefined && name.startsWith("!")) {
      const gone = name.replace(/^[! ]+/, "").toLowerCase();
      host.rules = host.rules.filter((rule) => rule.name.toLowerCase() !== gone);
    } else if (pattern !== undefined && colon >= 0) {
      host.rules.push({ path: pattern, name: name.trim(), value: trimmed.slice(colon + 1).trim() });
    }
  }
}

function redirectsFile(host: Host, text: string): void {
  for (const line of lines(text)) {
    const parts = line.split("#")[0]!.split(/\s+/).filter((part) => part !== "");
    const [source, target, ...rest] = parts;
    if (source === undefined || target === undefined || !source.startsWith("/") || target.includes("=")) continue;
    const code = rest.find((part) => /^\d{3}!?$/.test(part)) ?? "301";
    // Conditions, such as a country, cannot be decided.
    if (rest.some((part) => part.includes("="))) continue;
    addRewrite(host, source, target, Number(code.replace("!", "")), "_redirects", code.endsWith("!"));
  }
}

function addRewrite(host: Host, source: string, target: string, status: number, file: string, forced: boolean): void {
  // A target that depends on the path is not computed.
  if (/:[A-Za-z]|\$\d/.test(target.replace(/^https?:\/\/[^/]*/, ""))) return;
  host.rewrites.push({ path: whole(glob(source)), target, status, file, forced });
}

type Members = { readonly [name: string]: unknown };

const objects = (value: unknown): Members[] => (Array.isArray(value) ? value.filter(isObject) : []);
const shown = (value: unknown): string => (typeof value === "boolean" ? (value ? "True" : "False") : value === null ? "None" : String(value));

function netlify(host: Host, text: string): void {
  const read = readToml(text);
  for (const each of objects(read?.headers)) {
    if (typeof each.for !== "string" || !isObject(each.values)) continue;
    const path = whole(glob(each.for));
    for (const [name, value] of Object.entries(each.values)) host.rules.push({ path, name, value: shown(value) });
  }
  for (const each of objects(read?.redirects)) {
    const { from, to, conditions, status = 301, force } = each;
    const isPlain = !isObject(conditions) || Object.keys(conditions).length === 0;
    if (typeof from !== "string" || typeof to !== "string" || !isPlain || typeof status !== "number") continue;
    addRewrite(host, from, to, status, "netlify.toml", Boolean(force));
  }
}

function json(text: string): Members {
  try {
    const read: unknown = JSON.parse(text);
    return isObject(read) ? read : {};
  } catch {
    return {};
  }
}

/** Whether Python takes a value as true. */
const isFilled = (value: unknown): boolean => (Array.isArray(value) ? value.length > 0 : isObject(value) ? Object.keys(value).length > 0 : Boolean(value));

function vercel(host: Host, text: string): void {
  const read = json(text);
  for (const each of objects(read.headers)) {
    // With conditions, nothing is certain.
    if (typeof each.source !== "string" || isFilled(each.has) || isFilled(each.missing)) continue;
    const path = vercelPattern(each.source);
    if (path === undefined) continue;
    for (const { key = "", value = "" } of objects(each.headers)) host.rules.push({ path, name: shown(key), value: shown(value) });
  }
  for (const [kind, usual] of [["redirects", 308], ["rewrites", 200]] as const) {
    for (const each of objects(read[kind])) {
      const { source, destination: target } = each;
      if (typeof source !== "string" || typeof target !== "string") continue;
      const behind = target.indexOf("://");
      const isComputed = (behind >= 0 && target.slice(behind + 3).includes(":")) || target.includes("$");
      if (isFilled(each.has) || isFilled(each.missing) || isComputed) continue;
      const status = each.statusCode ?? ((each.permanent ?? true) ? usual : 307);
      const path = vercelPattern(source);
      if (path !== undefined && typeof status === "number") host.rewrites.push({ path, target, status, file: "vercel.json", forced: kind === "redirects" });
    }
  }
}

/** Converts a pattern of path-to-regexp: `/:name`, `/:name*` and groups of regular expressions. */
function vercelPattern(source: string): RegExp | undefined {
  const text = source
    .replace(/\/:\w+\((.*?)\)\*?/g, "/(?:$1)")
    .replace(/\/:\w+\*/g, "(?:/.*)?")
    .replace(/\/:\w+/g, "/[^/]+")
    .replace(/(?<![\\*)\]])\.(?![*+?])/g, "\\.");
  if (text.length > 512) return undefined;
  try {
    return whole(text);
  } catch {
    return undefined;
  }
}

function azure(host: Host, text: string): void {
  const read = json(text);
  const file = "staticwebapp.config.json";
  const add = (path: RegExp, values: Members) => {
    for (const [name, value] of Object.entries(values)) host.rules.push({ path, name, value: shown(value) });
  };
  if (isObject(read.globalHeaders)) add(whole(glob("/*")), read.globalHeaders);
  if (isObject(read.mimeTypes)) {
    for (const [ending, value] of Object.entries(read.mimeTypes)) host.rules.push({ path: whole(`.*${escaped(ending)}`), name: "Content-Type", value: shown(value) });
  }
  for (const { route, headers, redirect, rewrite, statusCode: status = 302 } of objects(read.routes)) {
    if (typeof route !== "string") continue;
    const path = whole(glob(route));
    if (isObject(headers)) add(path, headers);
    if (typeof redirect === "string") {
      if (typeof status === "number") host.rewrites.push({ path, target: redirect, status, file, forced: true });
    } else if (typeof rewrite === "string") {
      host.rewrites.push({ path, target: rewrite, status: 200, file, forced: true });
    }
  }
  const fallback = read.navigationFallback;
  if (isObject(fallback) && typeof fallback.rewrite === "string") {
    const spared = (Array.isArray(fallback.exclude) ? fallback.exclude : []).filter((each): each is string => typeof each === "string");
    // A rule without a path, but with its exceptions.
    const apart = spared.map((each) => `(?!(?:${glob(each)})$)`).join("");
    host.rewrites.push({ path: whole(`${apart}/.*`), target: fallback.rewrite, status: 200, file, forced: false });
  }
}

/** The words of a line, as a shell reads them; undefined if a quote does not end. */
function wordsOf(line: string): string[] | undefined {
  const words: string[] = [];
  const token = /\s+|#.*|(?:[^\s#'"\\]|\\[^]|'[^']*'|"(?:[^"\\]|\\[^])*")+/gy;
  let at = 0;
  while (at < line.length) {
    token.lastIndex = at;
    const found = token.exec(line)?.[0];
    if (found === undefined) return undefined;
    at = token.lastIndex;
    if (found.startsWith("#")) break;
    if (/^\s/.test(found)) continue;
    const part = /\\([^])|'([^']*)'|"((?:[^"\\]|\\[^])*)"|[^]/g;
    words.push(found.replace(part, (one, plain?: string, single?: string, double?: string) => plain ?? single ?? double?.replace(/\\(["\\])/g, "$1") ?? one));
  }
  return words;
}

function apache(host: Host, text: string): void {
  const everything = whole("/.*");
  const scope = [everything];
  const isCertain = [true];
  for (const line of lines(text)) {
    const [first, ...rest] = wordsOf(line) ?? [];
    if (first === undefined) continue;
    const name = first.toLowerCase();
    const here = scope.at(-1)!;
    if (name.startsWith("</")) {
      if (scope.length > 1) {
        scope.pop();
        isCertain.pop();
      }
    } else if (name.startsWith("<")) {
      const kind = name.replace(/^[<>]+|[<>]+$/g, "");
      const opened = section(kind, rest.map((word) => word.replace(/>+$/, "")));
      scope.push(opened ?? here);
      isCertain.push(isCertain.at(-1)! && (opened !== undefined || kind === "ifmodule"));
    } else if (isCertain.at(-1)) {
      directive(host, name, rest, here);
      const [one = "", two = ""] = rest;
      if (name === "fallbackresource" && one !== "" && one !== "disabled") {
        host.rewrites.push({ path: everything, target: one, status: 200, file: ".htaccess", forced: false });
      } else if (name === "redirect" && rest.length >= 2) {
        const [word = "", source = "", target] = one.startsWith("/") ? ["302", ...rest] : rest;
        const status = { permanent: "301", temp: "302", seeother: "303" }[word] ?? word;
        if (/^\d+$/.test(status) && target !== undefined) addRewrite(host, source, target, Number(status), ".htaccess", true);
      } else if (name === "rewriterule" && rest.length >= 2 && [".", "^", ".*", "^.*$", "^(.*)$", "(.*)"].includes(one)) {
        const target = two.startsWith("/") ? two : `/${two}`;
        if (/^\/[\w./-]+\.html?$/.test(target)) host.rewrites.push({ path: everything, target, status: 200, file: ".htaccess", forced: false });
      }
    }
  }
}

/** The paths of a section `<Files>` or `<FilesMatch>`. */
function section(given: string, all: readonly string[]): RegExp | undefined {
  let [kind, words] = [given, all];
  if (kind === "files" && words[0] === "~") [kind, words] = ["filesmatch", words.slice(1)];
  const [text] = words;
  if (text === undefined) return undefined;
  if (kind === "files") return whole(`.*/${[...text].map((c) => (c === "*" ? ".*" : c === "?" ? "[^/]" : escaped(c))).join("")}`);
  if (kind !== "filesmatch") return undefined;
  const begins = text.startsWith("^");
  const ends = text.endsWith("$") && !text.endsWith("\\$");
  const inside = (ends ? text.slice(0, -1) : text).replace(/^\^/, "");
  try {
    return whole(`.*/${begins ? "" : "[^/]*"}(?:${inside})${ends ? "" : "[^/]*"}`);
  } catch {
    return undefined;
  }
}

/** Adds the headers of a directive. */
function directive(host: Host, name: string, given: readonly string[], path: RegExp): void {
  const rest = name === "header" && given[0] === "always" ? given.slice(1) : given;
  const [one = "", two = "", three = ""] = rest;
  if (name === "header" && rest.length === 3 && ["set", "append", "merge", "add"].includes(one.toLowerCase())) {
    host.rules.push({ path, name: two.replace(/:+$/, ""), value: three });
  } else if ((name === "forcetype" || name === "defaulttype") && rest.length > 0) {
    host.rules.push({ path, name: "Content-Type", value: one });
  } else if (name === "addtype") {
    for (const ending of rest.slice(1)) host.rules.push({ path: whole(`.*\\.${escaped(ending.replace(/^\.+/, ""))}`), name: "Content-Type", value: one });
  }
}

const READERS: { readonly [name: string]: (host: Host, text: string) => void } = {
  _headers: headersFile,
  _redirects: redirectsFile,
  "netlify.toml": netlify,
  "vercel.json": vercel,
  ".htaccess": apache,
  "staticwebapp.config.json": azure,
};
/** Files that also stand beside the folder that is published. */
const ABOVE = new Set(["netlify.toml", "vercel.json", "staticwebapp.config.json"]);
