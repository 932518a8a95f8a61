/** Answers the requests of a check from the files of a folder, as the host would that will serve them. */

import { decoded, encoded, readiness } from "../engine.js";
import { completed } from "./completion.js";
import { type Files, type Host, MOST, hostOf } from "./hosts.js";
import { requests } from "./prediction.js";
import type { Report } from "./report.js";
import { type Answer, type Measure, type Probe, type Subject, answered, missing, nonce, originOf, spelled } from "./survey.js";

/** The origin of a folder whose site is not known. */
const NOWHERE = "https://folder.invalid";

/** The types that hosts of static files send by default. Others, and files without an ending, are sent as bytes. */
const TYPES: { readonly [ending: string]: string } = {
  css: "text/css; charset=utf-8",
  htm: "text/html; charset=utf-8",
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  json: "application/json; charset=utf-8",
  md: "text/markdown; charset=utf-8",
  txt: "text/plain; charset=utf-8",
  xml: "application/xml; charset=utf-8",
  yaml: "application/yaml",
  yml: "application/yaml",
};

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Checks the files of a folder; `target` is its name in the report. */
export function checkFolder(target: string, files: Files, measure: Measure, most: number): Report {
  const host = hostOf(files);
  const canonical = measure.canonical ?? statedOrigin(files);
  const subject: Subject = {
    ...{ target, measure, isFolder: true, nonce: nonce(), agent: "agentsdisc" },
    ...{ origin: canonical ?? NOWHERE, canonical: canonical ?? "" },
  };
  const answers: Answer[] = [];
  for (let probes = missing(subject, answers); probes.length > 0; probes = missing(subject, answers)) {
    answers.push(...probes.map((probe) => answer(files, host, probe, most)));
  }
  answers.push(...requests(subject.origin, answers, undefined).map((probe) => answer(files, host, probe, most)));
  return completed(subject, answers, files);
}

/** The origin that the files state: in `CNAME`, or in a `Sitemap` line. */
function statedOrigin(files: Files): string | undefined {
  const text = (path: string) => {
    const data = files.has(path) ? files.read(path, MOST) : undefined;
    return data instanceof Uint8Array ? data : undefined;
  };
  const [name, robots] = [text("CNAME"), text("robots.txt")];
  const stated = name === undefined ? [] : [decoded(name).trim()];
  if (robots !== undefined) stated.push(...readiness().json<string[]>("readiness_sitemaps", undefined, robots));
  for (const each of stated) {
    try {
      return originOf(each);
    } catch {
      continue;
    }
  }
  return undefined;
}

/** What the host would answer. */
function answer(files: Files, host: Host, probe: Probe, most: number): Answer {
  let path = unquoted(/^[a-z]+:\/\/[^/?#]*([^?#]*)/i.exec(probe.url)?.[1] ?? "");
  let file: string | undefined;
  for (let hops = 0; hops < 5; hops++) {
    const forced = host.rewrite(path, true);
    file = forced === undefined ? fileOf(files, path) : undefined;
    const rule = forced ?? (file === undefined ? host.rewrite(path, false) : undefined);
    if (rule === undefined) break;
    if (REDIRECTS.has(rule.status)) return answered(probe, { status: rule.status, headers: [["location", spelled(rule.target)]], file: rule.file });
    if (rule.status !== 200) return answered(probe, { status: rule.status, file: rule.file });
    file = fileOf(files, rule.target);
    if (file !== undefined || rule.target === path) break;
    path = rule.target;
  }
  if (file === undefined) return answered(probe, { status: 404, hidesHeaders: !host.isKnown });
  return sent(files, host, probe, path, file, most);
}

function sent(files: Files, host: Host, probe: Probe, path: string, file: string, most: number): Answer {
  const body = files.read(file, most + 1);
  if (!(body instanceof Uint8Array)) return answered(probe, { failure: `it cannot be read: ${body ?? "no such file"}` });
  const name = file.slice(file.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  const headers = new Map([["content-type", (dot > 0 ? TYPES[name.slice(dot + 1).toLowerCase()] : undefined) ?? "application/octet-stream"]]);
  for (const [name, value] of host.headers(path)) {
    const key = name.toLowerCase();
    const before = key === "content-type" || key === "cache-control" ? undefined : headers.get(key);
    headers.set(key, before === undefined ? value : `${before}, ${value}`);
  }
  return answered(probe, {
    ...{ status: 200, file, isCut: body.length > most, hidesHeaders: !host.isKnown },
    headers: [...headers].map(([name, value]) => [spelled(name), spelled(value)] as const),
    body: probe.method === "HEAD" ? new Uint8Array() : body.subarray(0, most),
  });
}

/** The file of a path, as hosts of static files find it; undefined if there is none inside of the folder. */
function fileOf(files: Files, path: string): string | undefined {
  if (path.includes("\0") || path.includes("\\")) return undefined;
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  if (parts.includes("..")) return undefined;
  const place = parts.join("/");
  const index = place === "" ? "index.html" : `${place}/index.html`;
  const found = path.endsWith("/") || place === "" ? [index] : [place, `${place}.html`, index];
  return found.find((file) => files.has(file));
}

/** A path without its percent-encoding. */
function unquoted(path: string): string {
  if (!path.includes("%")) return path;
  const bytes: number[] = [];
  for (const [part, pair] of path.matchAll(/%([0-9a-fA-F]{2})|[^]/gu)) {
    if (pair === undefined) bytes.push(...encoded(part));
    else bytes.push(parseInt(pair, 16));
  }
  return decoded(Uint8Array.from(bytes));
}

