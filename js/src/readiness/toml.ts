/** Reads TOML, as far as `netlify.toml` needs it: everything but dates. */

export type Toml = string | number | boolean | Toml[] | { [name: string]: Toml };
type Table = { [name: string]: Toml };

const ESCAPES: { readonly [c: string]: string } = { b: "\b", t: "\t", n: "\n", f: "\f", r: "\r", e: "\x1b", '"': '"', "\\": "\\" };
const DEEPEST = 64;

class Invalid extends Error {}

/** The values of a text; undefined if it is not valid. */
export function readToml(text: string): Table | undefined {
  try {
    return new Reader(text.replaceAll("\r\n", "\n")).document();
  } catch (problem) {
    if (problem instanceof Invalid) return undefined;
    throw problem;
  }
}

class Reader {
  private at = 0;

  constructor(private readonly text: string) {}

  document(): Table {
    const root: Table = Object.create(null) as Table;
    let table = root;
    for (this.skip(true); this.at < this.text.length; this.skip(true)) {
      if (this.is("[[")) {
        const path = this.key();
        this.need("]]");
        const name = path.pop()!;
        const parent = this.table(root, path);
        const list = (parent[name] ??= []);
        if (!Array.isArray(list)) throw new Invalid();
        list.push((table = Object.create(null) as Table));
      } else if (this.is("[")) {
        table = this.table(root, this.key());
        this.need("]");
      } else {
        this.pair(table, 0);
      }
      this.skip(false);
      if (this.at < this.text.length && !this.is("\n")) throw new Invalid();
    }
    return root;
  }

  /** The table at a path; that of the last item of a list. */
  private table(from: Table, path: readonly string[]): Table {
    let found: Toml = from;
    for (const name of path) {
      const next: Toml = ((found as Table)[name] ??= Object.create(null) as Table);
      found = Array.isArray(next) ? next.at(-1)! : next;
      if (typeof found !== "object" || Array.isArray(found)) throw new Invalid();
    }
    return found as Table;
  }

  private pair(table: Table, depth: number): void {
    const path = this.key();
    this.need("=");
    const name = path.pop()!;
    const place = this.table(table, path);
    if (Object.hasOwn(place, name)) throw new Invalid();
    place[name] = this.value(depth);
  }

  private key(): string[] {
    const parts: string[] = [];
    do {
      this.skip(false);
      const bare = this.match(/[A-Za-z0-9_-]+/y);
      parts.push(bare ?? this.string());
      this.skip(false);
    } while (this.is("."));
    return parts;
  }

  private value(depth: number): Toml {
    if (depth > DEEPEST) throw new Invalid();
    this.skip(false);
    const next = this.text[this.at];
    if (next === '"' || next === "'") return this.string();
    if (this.is("[")) {
      const items: Toml[] = [];
      for (this.skip(true); !this.is("]"); this.skip(true)) {
        items.push(this.value(depth + 1));
        this.skip(true);
        if (!this.is(",") && this.text[this.at] !== "]") throw new Invalid();
      }
      return items;
    }
    if (this.is("{")) {
      const table: Table = Object.create(null) as Table;
      for (this.skip(true); !this.is("}"); this.skip(true)) {
        this.pair(table, depth + 1);
        this.skip(true);
        if (!this.is(",") && this.text[this.at] !== "}") throw new Invalid();
      }
      return table;
    }
    const word = this.match(/[A-Za-z0-9_.+-]+/y) ?? "";
    if (word === "true" || word === "false") return word === "true";
    if (/^[+-]?\d+(_\d+)*(\.\d+(_\d+)*)?([eE][+-]?\d+)?$/.test(word)) return Number(word.replaceAll("_", ""));
    throw new Invalid();
  }

  private string(): string {
    const quote = this.text[this.at];
    if (quote !== '"' && quote !== "'") throw new Invalid();
    const isLong = this.text.startsWith(quote.repeat(3), this.at);
    const end = isLong ? quote.repeat(3) : quote;
    this.at += end.length;
    if (isLong) this.is("\n");
    let text = "";
    while (!this.is(end)) {
      const c = this.text[this.at++];
      if (c === undefined || (c === "\n" && !isLong)) throw new Invalid();
      if (c !== "\\" || quote === "'") {
        text += c;
        continue;
      }
      const code = this.match(/u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}/y);
      if (code !== undefined) {
        const number = parseInt(code.slice(1), 16);
        if (number > 0x10ffff) throw new Invalid();
        text += String.fromCodePoint(number);
      } else if (!isLong || this.match(/[ \t]*\n\s*/y) === undefined) {
        const escaped = ESCAPES[this.text[this.at++] ?? ""];
        if (escaped === undefined) throw new Invalid();
        text += escaped;
      }
    }
    return text;
  }

  /** Skips blanks and comments; `lines`: and line ends. */
  private skip(lines: boolean): void {
    this.match(lines ? /(?:\s|#[^\n]*)*/y : /[ \t]*(?:#[^\n]*)?/y);
  }

  private match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found === null) return undefined;
    this.at = pattern.lastIndex;
    return found[0];
  }

  private is(text: string): boolean {
    const found = this.text.startsWith(text, this.at);
    if (found) this.at += text.length;
    return found;
  }

  private need(text: string): void {
    this.skip(false);
    if (!this.is(text)) throw new Invalid();
  }
}
