/** The playground: a document in an editor, and what the package says about it; or a folder, checked as a site. Everything is shown as text, and nothing is sent. */

import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { type Diagnostic as Mark, lintGutter, setDiagnostics } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { EditorView, drawSelection, keymap, lineNumbers } from "@codemirror/view";
import { ConvertError, type Diagnostic, type Document, ParseError, capabilities, decide, formats, parse } from "../dist/api.js";
import { use } from "../dist/engine.js";
import wasm from "../dist/agentsdisc.wasm?url";

// As a file of its own, the module compresses better than as base64, and is compiled while it loads.
const module = await WebAssembly.compileStreaming(fetch(wasm));
use("full", () => module);

const EXAMPLE = `Spec-Version: 1.0
Site-Name: Mug Shop
Site-URL: https://mugs.example
Description: Blue mugs, and some red ones.

Capability: search
  Endpoint: https://mugs.example/api/search
  Method: GET
  Protocol: REST
  Description: Finds mugs.
  Param: q (query, string, required)

Capability: order
  Endpoint: http://mugs.example/api/order
  Method: POST
  Protocol: REST
  Auth: bearer-token

Disallow: /admin/*
`;
/** The longest document that a link carries, and the longest text that a panel shows, in characters. */
const [MOST_SHARED, MOST_SHOWN] = [20_000, 200_000];

const find = <T extends HTMLElement = HTMLElement>(id: string): T => document.getElementById(id) as T;
const [format, target] = [find<HTMLSelectElement>("format"), find<HTMLSelectElement>("target")];
const [agent, url] = [find<HTMLInputElement>("agent"), find<HTMLInputElement>("url")];
const [status, fix, tabs] = [find("status"), find<HTMLButtonElement>("fix"), find("tabs")];
const names = ["findings", "model", "decisions", "convert", "site"] as const;

/** An element with a class and content. */
function element(name: string, kind: string, ...content: (string | Node)[]): HTMLElement {
  const made = document.createElement(name);
  made.className = kind;
  made.append(...content);
  return made;
}

const show = (panel: string, selector: string, ...content: (string | Node)[]): void => find(panel).querySelector(selector)!.replaceChildren(...content);
const shortened = (text: string): string => (text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text);

/** The bytes of an opened file, until it is edited: what is no UTF-8 is not in the editor. */
let opened: Uint8Array | undefined;

const editor = find("editor");
const root = editor.attachShadow({ mode: "open" });
const host = document.createElement("div");
root.append(host);
host.style.height = "100%";
const view = new EditorView({
  parent: host,
  // Styles of the editor belong to the shadow root, so that the page permits no inline styles.
  root,
  state: EditorState.create({
    doc: "",
    extensions: [
      ...[lineNumbers(), history(), drawSelection(), lintGutter(), EditorView.lineWrapping, keymap.of([...defaultKeymap, ...historyKeymap])],
      // A carriage return stays a character, so that offsets are those of the document.
      EditorState.lineSeparator.of("\n"),
      EditorView.contentAttributes.of({ "aria-label": "Document", spellcheck: "false", autocapitalize: "off" }),
      EditorView.updateListener.of(({ docChanged, transactions }) => {
        if (!docChanged) return;
        if (!transactions.some((each) => each.isUserEvent("open"))) opened = undefined;
        later();
      }),
      EditorView.theme({
        "&": { height: "100%", fontSize: "14px", backgroundColor: "var(--back)", color: "var(--text)" },
        "&.cm-focused": { outline: "2px solid var(--info)", outlineOffset: "-2px" },
        ".cm-scroller": { fontFamily: "ui-monospace, monospace", lineHeight: "1.5" },
        ".cm-gutters": { backgroundColor: "var(--soft)", color: "var(--dim)", borderRight: "1px solid var(--line)" },
        ".cm-cursor": { borderLeftColor: "var(--text)" },
        ".cm-tooltip": { backgroundColor: "var(--soft)", color: "var(--text)", border: "1px solid var(--line)", maxWidth: "min(32rem, 90vw)" },
        "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "color-mix(in srgb, var(--info) 30%, transparent)" },
      }),
    ],
  }),
});

/** Replaces the text. */
function load(text: string, bytes?: Uint8Array): void {
  opened = bytes;
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text }, userEvent: "open" });
}

let waiting: number | undefined;
function later(): void {
  clearTimeout(waiting);
  waiting = setTimeout(check, 120);
}

/** The positions in a text at offsets in its bytes, which are in order or not. */
function positions(text: string, offsets: readonly number[]): Map<number, number> {
  const found = new Map<number, number>();
  const order = [...new Set(offsets)].sort((a, b) => a - b);
  let [at, byte] = [0, 0];
  for (const offset of order) {
    while (byte < offset && at < text.length) {
      const code = text.codePointAt(at)!;
      byte += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
      at += code < 0x10000 ? 1 : 2;
    }
    found.set(offset, at);
  }
  return found;
}

/** The document that was read last. */
let current: Document | undefined;

function check(): void {
  const text = view.state.doc.toString();
  const started = performance.now();
  let found: readonly Pick<Diagnostic, "severity" | "code" | "message" | "line" | "column" | "offset" | "end">[];
  try {
    current = parse(opened ?? text, { format: format.value || undefined });
    found = current.check();
    const title = formats().find(({ name }) => name === current!.format)?.title ?? current.format;
    const count = (severity: string) => found.filter((each) => each.severity === severity).length;
    const counts = ["error", "warning", "info"].map((each) => [count(each), each] as const).filter(([number]) => number > 0);
    const said = counts.map(([number, each]) => `${number} ${each}${number > 1 && each !== "info" ? "s" : ""}`).join(", ");
    status.textContent = `${current.format} (${title}) · ${said || "no findings"} · ${Math.max(1, Math.round(performance.now() - started))} ms`;
  } catch (problem) {
    if (!(problem instanceof ParseError)) throw problem;
    current = undefined;
    const { kind: code, message, line, column, offset } = problem;
    found = text === "" ? [] : [{ severity: "error", code, message, line, column, offset, end: offset + 1 }];
    status.textContent = text === "" ? "Paste a document, open a file, or drop a file or the folder of a site here." : "not read";
  }
  const at = positions(text, found.flatMap(({ offset, end }) => [offset, end]));
  const marks = found.map(({ offset, end, severity, message, code }): Mark => ({ from: at.get(offset)!, to: at.get(end)!, severity, message: `${message} [${code}]` }));
  view.dispatch(setDiagnostics(view.state, marks));
  const rows = found.map(({ severity, code, message, line, column }, row) => {
    const button = element("button", "", element("span", severity, severity), ` ${message} `, element("span", "where", `${code}, line ${line}, column ${column}`));
    button.addEventListener("click", () => {
      const { from, to } = marks[row]!;
      view.dispatch({ selection: { anchor: from, head: to }, scrollIntoView: true });
      view.focus();
    });
    return element("li", "", button);
  });
  show("findings", "ul", ...(rows.length > 0 ? rows : [element("li", "good", text === "" ? "nothing to check" : "no findings")]));
  fix.hidden = current?.format !== "agents-txt";
  rest();
}

/** Fills the panel that is shown. */
function rest(): void {
  const shown = names.find((name) => !find(name).hidden);
  if (shown === "model") show("model", "pre", current === undefined ? "" : shortened(JSON.stringify(current.model, null, 2)));
  if (shown === "decisions") decisions();
  if (shown === "convert") conversion();
}

function decisions(): void {
  const document_ = current;
  if (document_ === undefined) {
    find("verdict").replaceChildren();
    return show("decisions", "ul");
  }
  const isRobots = document_.format === "robots-txt";
  const robots = isRobots ? document_.robotsTxt : undefined;
  const { allowed, message, reason, rule } = decide(isRobots ? [] : [document_], { agent: agent.value, url: url.value, robots });
  const line = rule === undefined ? "" : ` (line ${rule.line}: ${rule.text})`;
  find("verdict").replaceChildren(element("strong", allowed ? "good" : "error", allowed ? "allowed" : "not allowed"), ` ${message} [${reason}]${line}`);
  const all = isRobots ? [] : capabilities(document_, { agent: agent.value });
  const rows = all.slice(0, 500).map(({ id, description, decision }) => {
    const said = [`${decision.method ?? ""} ${decision.endpoint ?? ""}`.trim(), decision.allowed ? "" : `${decision.message} [${decision.reason}]`, description ?? ""];
    return element("li", "", element("strong", decision.allowed ? "good" : "error", decision.allowed ? "allowed" : "denied"), ` ${id}`, ...said.filter(Boolean).map((each) => element("small", "", each)));
  });
  show("decisions", "ul", ...(rows.length > 0 ? rows : [element("li", "", "none")]));
}

function conversion(): void {
  const losses = (all: ConvertError["losses"]) => all.map(({ severity, message, line }) => element("li", "", element("span", severity, severity), ` ${message} `, element("span", "where", `line ${line}`)));
  if (current === undefined) {
    show("convert", "ul");
    return show("convert", "pre");
  }
  try {
    const made = current.convert(target.value);
    show("convert", "ul", ...losses(made.losses));
    show("convert", "pre", shortened(made.text));
  } catch (problem) {
    if (!(problem instanceof ConvertError)) throw problem;
    show("convert", "ul", element("li", "error", problem.message), ...losses(problem.losses));
    show("convert", "pre");
  }
}

function choose(name: (typeof names)[number], focus = false): void {
  for (const each of names) {
    const [tab, isChosen] = [find(`tab-${each}`), each === name];
    tab.setAttribute("aria-selected", String(isChosen));
    tab.tabIndex = isChosen ? 0 : -1;
    find(each).hidden = !isChosen;
    if (isChosen && focus) tab.focus();
  }
  rest();
}

for (const name of names) find(`tab-${name}`).addEventListener("click", () => choose(name));
tabs.addEventListener("keydown", ({ key }) => {
  const at = names.findIndex((name) => find(`tab-${name}`).getAttribute("aria-selected") === "true");
  // The last tab is there after a folder was dropped.
  const count = names.length - (find("tab-site").hidden ? 1 : 0);
  const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: count - 1 }[key];
  if (next !== undefined) choose(names[(next + count) % count]!, true);
});
for (const { name, is_read, is_target, title } of formats()) {
  if (is_read) format.append(new Option(`${name}: ${title}`, name));
  if (is_target) target.append(new Option(`${name}: ${title}`, name));
}
format.addEventListener("change", check);
target.addEventListener("change", conversion);
for (const each of [agent, url]) each.addEventListener("input", decisions);
fix.addEventListener("click", () => load(current!.fix().text));

async function open(file: File): Promise<void> {
  const bytes = new Uint8Array(await file.slice(0, (1 << 20) + 1).arrayBuffer());
  load(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes), bytes);
}
const COLOURS = { pass: "good", warn: "warning", fail: "error", unknown: "info", "not-applicable": "where" } as const;

/** Checks a folder as a site. */
async function openFolder(folder: FileSystemDirectoryEntry): Promise<void> {
  find("tab-site").hidden = false;
  choose("site");
  find("result").textContent = "checking …";
  show("site", "ul");
  try {
    const { checkFolder } = await import("./folder.js");
    const { level, level_name, score, checks, rules } = await checkFolder(folder);
    find("result").textContent = `${folder.name}: level ${level} (${level_name}), score ${score.passed} of ${score.applicable} (${score.percent} %), rules of ${rules}`;
    const rows = checks.filter(({ status }) => status !== "not-applicable").map(({ id, status, message, evidence, fix, predicted }) => {
      const places = status === "warn" || status === "fail" ? evidence.filter(({ file }) => file !== null).slice(0, 10) : [];
      const shown = places.map(({ file, line, text }) => element("small", "", `${file}${line === null ? "" : `:${line}`}${text === message ? "" : `: ${text ?? ""}`}`));
      const said = Object.entries(predicted).filter(([, each]) => each.status === "fail").map(([name, each]) => element("small", "", `${name} will probably say: ${each.message}`));
      return element("li", "", element("strong", COLOURS[status], status), ` ${id}: ${message}`, ...shown, ...(fix === null ? [] : [element("pre", "", fix)]), ...said);
    });
    show("site", "ul", ...rows);
  } catch (problem) {
    find("result").textContent = String(problem instanceof Error ? problem.message : problem);
  }
}

find<HTMLInputElement>("file").addEventListener("change", ({ target: input }) => {
  const [file] = (input as HTMLInputElement).files ?? [];
  if (file !== undefined) void open(file);
});
for (const event of ["dragover", "dragleave", "drop"]) {
  editor.addEventListener(
    event,
    (given) => {
      const { dataTransfer } = given as DragEvent;
      if (!dataTransfer?.types.includes("Files")) return;
      given.preventDefault();
      given.stopPropagation();
      editor.classList.toggle("dropping", event === "dragover");
      if (event !== "drop") return;
      const entry = dataTransfer.items[0]?.webkitGetAsEntry();
      const [file] = dataTransfer.files;
      if (entry?.isDirectory) void openFolder(entry as FileSystemDirectoryEntry);
      else if (file !== undefined) void open(file);
    },
    true,
  );
}

find("share").addEventListener("click", () => {
  const text = view.state.doc.toString();
  if (text.length > MOST_SHARED) return void (status.textContent = "The document is too long for a link.");
  const bytes = new TextEncoder().encode(text);
  history_(btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")));
  status.textContent = "The address of this page now contains the document; it is behind #, which browsers do not send.";
});
const history_ = (fragment: string): void => window.history.replaceState(null, "", `#${fragment.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`);

/** The document in the address. */
function shared(): string | undefined {
  try {
    const text = atob(location.hash.slice(1).replaceAll("-", "+").replaceAll("_", "/"));
    return text === "" ? undefined : new TextDecoder().decode(Uint8Array.from(text, (c) => c.charCodeAt(0)));
  } catch {
    return undefined;
  }
}

choose("findings");
load(shared() ?? EXAMPLE);
check();
