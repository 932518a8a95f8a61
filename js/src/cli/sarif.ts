/** Logs in the Static Analysis Results Interchange Format (SARIF) 2.1.0, and workflow commands of GitHub Actions. */

import { sep } from "node:path";
import { VERSION } from "../version.js";
import { visible } from "./text.js";

/** The log of one run. `notices` say what the run could not decide. */
export function log<Rule, Result>(rules: readonly Rule[], results: readonly Result[], notices: readonly string[] = []) {
  const driver = { name: "agentsdisc", semanticVersion: VERSION, rules: [...rules] };
  const told = notices.map((text) => ({ level: "note", message: { text } }));
  const invocations = told.length > 0 ? { invocations: [{ executionSuccessful: true, toolExecutionNotifications: told }] } : {};
  const run = { tool: { driver }, columnKind: "unicodeCodePoints", results: [...results], ...invocations };
  return { $schema: "https://json.schemastore.org/sarif-2.1.0.json", version: "2.1.0", runs: [run] };
}

const quoted = (text: string): string => encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

/** A path as a URI reference. */
export function uri(file: string): string {
  if (file === "<stdin>") return "stdin";
  if (file.includes("://")) return file.replace(/[^A-Za-z0-9_.~:/?#[\]@!$&'()*+,;=%-]+/g, quoted);
  const path = quoted(file.split(sep).join("/")).replaceAll("%2F", "/");
  return path.startsWith("/") ? `file://${path}` : path;
}

const ESCAPES: { readonly [c: string]: string } = { "%": "%25", "\r": "%0D", "\n": "%0A" };
// Escapes line breaks, so that GitHub finds the file by its name.
const value = (text: string): string => text.split(/([%\r\n])/).map((part) => ESCAPES[part] ?? visible(part)).join("");
const parameter = (text: string): string => value(text).replaceAll(":", "%3A").replaceAll(",", "%2C");

/** One workflow command, which GitHub shows as an annotation. Properties that are null are left out. */
export function annotation(kind: "error" | "warning" | "notice", message: string, properties: { readonly [name: string]: string | number | null }): string {
  const named = Object.entries(properties).flatMap(([name, given]) => (given === null ? [] : [`${name}=${parameter(String(given))}`]));
  return `::${kind}${named.length > 0 ? " " : ""}${named.join(",")}::${value(message)}`;
}
