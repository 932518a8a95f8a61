import { type Data, type Limits, data, maybe, options, source, text } from "./arguments.js";
import { type Source, NONE, decoded, encoded, engine, split, wellFormed } from "./engine.js";
import { ConvertError, type Loss } from "./errors.js";
import { Members, type Model } from "./model.js";
import { type Decision, type Request, decide } from "./policy.js";
import { RobotsTxt } from "./robots-txt.js";

/** One problem that the check of a document found. */
export interface Diagnostic {
  /** A stable name, such as `missing-required-field`. */
  readonly code: string;
  readonly severity: "error" | "warning" | "info";
  /** The line, from 1. */
  readonly line: number;
  /** The column in bytes, from 1. */
  readonly column: number;
  /** The offset of the first byte, from 0. */
  readonly offset: number;
  /** The offset after the last byte. */
  readonly end: number;
  /** The problem, in a sentence. */
  readonly message: string;
  /** The specification that states the rule. */
  readonly spec: string;
  /** The section of that specification; empty if none applies. */
  readonly section: string;
}

/** A URL in a document. It says where something is, and never allows or denies a request. */
export interface Link {
  readonly url: string;
  /** The name beside it; may be empty. */
  readonly label: string;
  /** What it probably leads to, such as `openapi` or `other`. */
  readonly kind: string;
  readonly line: number;
  readonly column: number;
  readonly offset: number;
  readonly end: number;
}

/** One automatic fix. */
export interface Change {
  /** A stable name, such as `indentation`. */
  readonly fix: string;
  readonly line: number;
  readonly message: string;
}

/** A place in a document. */
export interface Place {
  readonly line: number;
  readonly column: number;
  readonly offset: number;
  readonly end: number;
}

/** A value in which two documents differ. */
export interface Difference {
  /** The member of the model, such as `capabilities.endpoint`. */
  readonly field: string;
  /** The capability or agent that it belongs to; empty for other members. */
  readonly subject: string;
  /** The list item or parameter; empty for other members. */
  readonly item: string;
  /** Where it is in the first document; null if it is absent there. */
  readonly first: Place | null;
  readonly second: Place | null;
}

/** What is known about a format. */
export interface Format {
  /** Its name, such as `agents-txt`. */
  readonly name: string;
  readonly number: number;
  readonly title: string;
  /** Whether documents of it are read; others are only recognized. */
  readonly is_read: boolean;
  readonly is_json: boolean;
  /** Whether documents can be converted to it. */
  readonly is_target: boolean;
  /** Whether it states rules or services of its site. */
  readonly is_manifest: boolean;
  /** Its well-known paths. */
  readonly locations: readonly string[];
  /** Its own media types. */
  readonly media_types: readonly string[];
  /** The relations of links to its documents, the usual one first. */
  readonly relations: readonly string[];
  /** How long a document without Cache-Control is used, in seconds. */
  readonly lifetime: number;
  /** How a server must send it; null if it has no location of its own. */
  readonly serving: { readonly types: readonly string[]; readonly charset: boolean; readonly methods: readonly string[] } | null;
}

/** The format of a document, with the evidence. */
export interface Detection {
  readonly format: string;
  /** The signs that were found. */
  readonly signs: readonly string[];
  /** Whether `url` or `contentType` was needed. */
  readonly by_hint: boolean;
  /** The number of signs of each format that has any. */
  readonly fields: { readonly [format: string]: number };
}

type Facts = { formats: Format[]; codes: { [code: string]: string } };

let known: Facts | undefined;

function facts(): Facts {
  return (known ??= engine().json<Facts>("facts", undefined));
}

/** Every format, those that are read first. */
export function formats(): readonly Format[] {
  return facts().formats.map((format) => ({ ...format }));
}

/** Every diagnostic code with its usual severity. */
export function codes(): { readonly [code: string]: string } {
  return { ...facts().codes };
}

function numberOf(name: unknown): number {
  const wanted = maybe(name, "format");
  if (wanted === undefined) return NONE;
  const readable = facts().formats.filter((format) => format.is_read);
  const found = wanted === "unknown" ? { number: 0 } : readable.find((format) => format.name === wanted);
  if (found === undefined) {
    const names = readable.map((format) => format.name).join(", ");
    throw new TypeError(`${JSON.stringify(wanted)} is not a format that can be parsed; use one of: ${names}`);
  }
  return found.number;
}

/** The document in another format. */
export interface Converted {
  readonly bytes: Uint8Array;
  readonly text: string;
  /** What was lost, in the order of the document. */
  readonly losses: readonly Loss[];
}

/** A document with automatic fixes. */
export interface Fixed {
  readonly bytes: Uint8Array;
  readonly text: string;
  readonly changes: readonly Change[];
}

/** The options of `parse`. */
export interface ParseOptions {
  /** Where the document is from, which helps to detect the format. */
  readonly url?: string | undefined;
  /** The Content-Type of the response. */
  readonly contentType?: string | undefined;
  /** The format, if it is known; `unknown` for a document that is not read. */
  readonly format?: string | undefined;
  readonly limits?: Limits | undefined;
}

/** The options of `convert`. */
export interface ConvertOptions {
  /** The origin of the document: the URL of the site, if it states none. */
  readonly origin?: string | undefined;
  /** Whether JSON is indented. Default: true. */
  readonly pretty?: boolean | undefined;
  /** Whether restrictions that the target cannot express are dropped. Default: false; the conversion is refused or omits the capability. */
  readonly loosen?: boolean | undefined;
  /** The tool that makes an agent.json which the owner of the site does not publish. Counts with `lastVerified`. */
  readonly generatedBy?: string | undefined;
  /** When the source of that agent.json was fetched: a date and time in ISO 8601. */
  readonly lastVerified?: string | undefined;
  /** The id of the capability whose detail `adp-capability` is. Default: the only one. */
  readonly capability?: string | undefined;
}

/** An origin, if it is one. */
function origin(value: unknown): string | undefined {
  const found = maybe(value, "origin");
  if (found !== undefined && engine().number("is_url", undefined, wellFormed(found, "\ufffd")) !== 1) {
    throw new TypeError(`origin must be a URL such as https://example.com, not ${JSON.stringify(found)}`);
  }
  return found;
}

/** A parsed document: the unified model of any format. It was validated and its format is known; members are read when they are asked for. */
export class Document extends Members {
  /** @internal */
  readonly _source: Source;
  /** The format: `agents-txt`, `agents-json`, `awp`, … */
  readonly format: string;
  readonly #data: Uint8Array | string;
  #model: Model | undefined;

  /** @internal Use `parse`. */
  constructor(document: unknown, given: ParseOptions | undefined) {
    super();
    const { url, contentType, format, limits } = options(given);
    const read = source(document, numberOf(format), { url, contentType, limits });
    const number = engine().load([read.source]);
    this._source = read.source;
    this.#data = read.whole;
    this.format = NAMES.get(number) ?? "unknown";
  }

  /** The unified model (docs/model.md) as an object, which is made once. */
  get model(): Model {
    return (this.#model ??= JSON.parse(this.json()) as Model);
  }

  /** The unified model as JSON, on one line. */
  json(): string {
    return engine().said("model", [this._source]);
  }

  /** The unified model, for `JSON.stringify`. */
  toJSON(): Model {
    return JSON.parse(this.json()) as Model;
  }

  /** The bytes of the document: a copy. */
  get bytes(): Uint8Array {
    return typeof this.#data === "string" ? encoded(this.#data) : this.#data.slice();
  }

  /** What the format implies: the URL of the companion, whether one is needed, the lifetime of a session, whether actions are recorded, the first server of an OpenAPI description. */
  get defaults(): {
    readonly companion_url: string | null;
    readonly needs_companion: boolean;
    readonly session_seconds: number | null;
    readonly is_audited: boolean | null;
    readonly server_url: string | null;
  } {
    return engine().json("defaults", [this._source]);
  }

  /** Checks the document against its specification. `origin` is where it was fetched from. The diagnostics are sorted by offset. */
  check(given?: { readonly origin?: string | undefined }): Diagnostic[] {
    const from = origin(options(given).origin);
    return engine().json("check", [this._source], from);
  }

  /** The http and https URLs in the document. */
  links(): Link[] {
    return engine().json("links", undefined, this.#data);
  }

  /** Decides a request by this document alone. */
  decide(request: Request): Decision {
    return decide(this, request);
  }

  /** The document in another format, or `json`. Throws a ConvertError if that is impossible, or would allow agents more. */
  convert(target: string, given?: ConvertOptions): Converted {
    const { origin: from, pretty, loosen, generatedBy, lastVerified, capability } = options(given);
    const made = [maybe(generatedBy, "generatedBy"), maybe(lastVerified, "lastVerified"), maybe(capability, "capability")].map((said) => (said === undefined ? said : wellFormed(said, "\ufffd")));
    const format = wellFormed(text(target, "target"), "\ufffd");
    const [bytes, losses] = this.#written<Loss>("convert", format, origin(from), pretty !== false, loosen === true, ...made);
    return { bytes, text: decoded(bytes), losses };
  }

  /** An agents.txt with automatic fixes. Throws a ConvertError for other formats. */
  fix(): Fixed {
    const [bytes, changes] = this.#written<Change>("fix");
    return { bytes, text: decoded(bytes), changes };
  }

  /** The bytes of an answer, and the list before them. */
  #written<T>(name: string, ...given: (string | boolean | undefined)[]): [Uint8Array, T[]] {
    const [answer, isError] = engine().answer(name, [this._source], ...given);
    if (isError) throw new ConvertError(JSON.parse(decoded(answer)));
    const [list, bytes] = split<T[]>(answer);
    return [bytes, list];
  }

  /** The rules of a robots.txt. Throws a TypeError for another format. */
  get robotsTxt(): RobotsTxt {
    if (this.format !== "robots-txt") throw new TypeError(`the document has the format ${this.format}, not robots-txt`);
    const [document, depth, line, robots] = this._source.limits.map((limit) => (limit === NONE ? undefined : limit));
    return new RobotsTxt(this.#data, { limits: { document, depth, line, robots } });
  }
}

/** The names of the formats by their numbers. */
const NAMES = {
  get: (number: number): string | undefined => facts().formats.find((format) => format.number === number)?.name,
};

/** Reads a document of any format. Throws a ParseError if it cannot be read, and a TypeError for arguments of other types. */
export function parse(document: Data, given?: ParseOptions): Document {
  return new Document(document, given);
}

/** The format of a document; `unknown` if it is none. */
export function detect(document: Data, given?: Pick<ParseOptions, "url" | "contentType">): string {
  return detectEvidence(document, given).format;
}

/** The format of a document, with the evidence. */
export function detectEvidence(document: Data, given?: Pick<ParseOptions, "url" | "contentType">): Detection {
  const { url, contentType } = options(given);
  const { source: read, whole } = source(document, NONE, { url, contentType });
  return engine().json("detect", undefined, NONE, NONE, NONE, NONE, NONE, read.url, read.contentType, whole);
}

/** The document in an argument: one that is parsed, or its text or bytes. */
function document(value: Document | Data): Document {
  return value instanceof Document ? value : parse(value);
}

/** Checks a document against its specification: `parse(document).check(…)`. */
export function check(value: Document | Data, given?: { readonly origin?: string | undefined }): Diagnostic[] {
  return document(value).check(given);
}

/** Converts a document: `parse(document).convert(…)`. */
export function convert(value: Document | Data, target: string, given?: ConvertOptions): Converted {
  return document(value).convert(target, given);
}

/** Fixes an agents.txt: `parse(document).fix()`. */
export function fix(value: Document | Data): Fixed {
  return document(value).fix();
}

/** The http and https URLs in any document, known or not. */
export function links(value: Document | Data): Link[] {
  return value instanceof Document ? value.links() : engine().json("links", undefined, data(value));
}

/** Compares two documents of one site, such as an agents.txt and the agents.json beside it. */
export function differences(first: Document, second: Document): { readonly complete: boolean; readonly differences: readonly Difference[] } {
  for (const each of [first, second]) {
    if (!(each instanceof Document)) throw new TypeError("differences compares two Documents");
  }
  return engine().json("differences", [first._source, second._source]);
}
