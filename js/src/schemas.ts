/**
 * JSON Schemas for the tools of models: bounded, without hidden characters, and in the part of JSON Schema that every API accepts.
 *
 * The core writes the schemas. What is in them comes from strangers: an instruction in the description of a parameter reaches the model, and one name or
 * keyword that an API does not accept makes it refuse the whole request.
 */

import { encoded } from "./engine.js";
import { Numeral, type Value, dumps } from "./json.js";
import { sha256 } from "./sha256.js";
import { beginning, isHidden, masked, oneLine, shown, start } from "./visible.js";

export type Schema = Map<string, Value>;

/** The names of tools and of parameters that every API accepts. */
const NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;
const LONGEST = 64;
const [MOST_TEXT, MOST_BYTES, MOST_VALUE] = [200, 16_000, 200];
const [DEPTH, STRICT_DEPTH, STRICT_COUNT] = [12, 5, 100];
/** Keywords whose values are kept as they are. Those that are not known are dropped, because models read them as well. */
const KEPT = [
  ...["type", "format", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  ...["minLength", "maxLength", "minItems", "maxItems", "uniqueItems", "$ref"],
];
const ONE = ["items", "not", "contains"];
const SEVERAL = ["anyOf", "oneOf", "allOf", "prefixItems"];
const NAMED = ["$defs", "definitions"];
const SCALARS = ["string", "integer", "number", "boolean"];

/** The text without hidden characters, and without the marks around foreign texts. */
export const cleaned = (text: string): string => shown(text, " ").replace(/[«»]/g, "");

/** A text of a stranger on one line between « and »: bounded, without secrets, hidden characters and these marks. */
export const foreign = (text: string, most: number): string => `«${beginning(masked(oneLine(cleaned(text))), most)}»`;

/** The name itself if every API accepts it; otherwise similar characters and the beginning of a digest, which is not in `known`. */
export function acceptedName(name: string, known?: ReadonlySet<string>): string {
  if (NAME.test(name)) return name;
  const digest = sha256(encoded(name));
  let similar = start(name, 4 * LONGEST).replace(/[^A-Za-z0-9-]+/g, "_").replace(/^[_-]+|[_-]+$/g, "");
  if (!/^[A-Za-z]/.test(similar)) similar = `_${similar}`;
  for (let length = 6; length < LONGEST - 1; length += 4) {
    const made = `${similar.slice(0, LONGEST - 1 - length)}_${digest.slice(0, length)}`;
    if (known?.has(made) !== true) return made;
  }
  return digest;
}

const isText = (value: Value | undefined): value is string => typeof value === "string";
const isMap = (value: Value | undefined): value is Schema => value instanceof Map;
const texts = (value: Value | undefined): string[] => (Array.isArray(value) ? value.filter(isText) : []);

/** Whether a value in a schema is shown to models as it is: it is short, and its text has no hidden characters. */
function isPlain(value: Value): boolean {
  if (typeof value !== "string") return value === null || typeof value === "boolean" || value instanceof Numeral;
  const characters = [...value];
  return characters.length <= MOST_VALUE && !characters.some(isHidden);
}

/** The schema of the arguments of a tool as a model gets it, and the names in it that differ from those of the document. */
export class Arguments {
  /** The document's names, by those in the schema. */
  private readonly renamed = new Map<string, string>();
  readonly schema: Schema;
  /** The schema in the form that strict modes accept: every member required, none besides them. Undefined if it cannot be written so. */
  readonly strict: Schema | undefined;

  constructor(given: Value) {
    const made = this.made(given, 0, true) as Schema;
    this.schema = dumps(made).length > MOST_BYTES ? bare(made) : made;
    this.strict = strict(this.schema);
  }

  /** Arguments of a model with the names of the document. */
  read(given: unknown): unknown {
    if (this.renamed.size === 0 || typeof given !== "object" || given === null) return given;
    if (Array.isArray(given)) return given.map((each) => this.read(each));
    return Object.fromEntries(Object.entries(given).map(([name, value]) => [this.renamed.get(name) ?? name, this.read(value)]));
  }

  private name(name: string): string {
    const made = acceptedName(name);
    if (made !== name) this.renamed.set(made, name);
    return made;
  }

  /** A schema with what is kept of it. */
  private made(given: Value, depth: number, isTop = false): Value {
    if (typeof given === "boolean") return given;
    if (!isMap(given) || depth > DEPTH) return new Map();
    const made: Schema = new Map();
    const inner = (value: Value) => this.made(value, depth + 1);
    for (const name of KEPT) if (given.has(name)) made.set(name, given.get(name)!);
    const said = given.has("description") ? given.get("description") : given.get("title");
    if (isText(said) && oneLine(said) !== "") made.set("description", foreign(said, MOST_TEXT));
    const options = given.get("enum");
    const known = Array.isArray(options) ? options.filter(isPlain) : [];
    if (known.length > 0) made.set("enum", known);
    for (const name of ["const", "default"]) if (given.has(name) && isPlain(given.get(name)!)) made.set(name, given.get(name)!);
    const properties = given.get("properties");
    if (isMap(properties)) {
      made.set("properties", new Map([...properties].map(([name, each]) => [this.name(name), inner(each)])));
      const required = texts(given.get("required")).filter((name) => properties.has(name));
      if (required.length > 0) made.set("required", required.map((name) => this.name(name)));
    }
    for (const name of ONE) if (given.has(name)) made.set(name, inner(given.get(name)!));
    for (const name of NAMED) {
      const all = given.get(name);
      if (isMap(all)) made.set(name, new Map([...all].map(([key, each]) => [key, inner(each)])));
    }
    for (const name of SEVERAL) {
      const all = given.get(name);
      // No API accepts alternatives at the top.
      if (Array.isArray(all) && !isTop) made.set(name, all.map(inner));
    }
    if (given.get("additionalProperties") === false && !given.has("patternProperties")) made.set("additionalProperties", false);
    if (made.get("type") === "array" && !made.has("items")) made.set("items", new Map());
    if (!isTop) return made;
    made.delete("$ref");
    return new Map<string, Value>([["type", "object"], ["properties", new Map()], ...made]);
  }
}

/** A long schema with no more than the types of its required members. */
function bare(schema: Schema): Schema {
  const required = texts(schema.get("required")).slice(0, STRICT_COUNT);
  const properties = schema.get("properties") as Schema;
  const types = required.map((name): [string, Value] => {
    const each = properties.get(name);
    const kind = isMap(each) ? each.get("type") : undefined;
    return [name, new Map(isText(kind) && SCALARS.includes(kind) ? [["type", kind]] : [])];
  });
  const made: Schema = new Map<string, Value>([["type", "object"], ["properties", new Map(types)]]);
  if (required.length > 0) made.set("required", required);
  return made;
}

class NotStrict extends Error {}

/**
 * A schema in the form that the strict modes of models' APIs accept; undefined if it has none.
 *
 * There, each object names all its members as required, and permits no others. A member that was not required may be null, which
 * counts as absent. What else a schema says becomes a part of its description.
 */
function strict(schema: Schema): Schema | undefined {
  if (schema.get("additionalProperties") !== false) return undefined;
  try {
    return new Strict().object(schema, 1);
  } catch (problem) {
    if (problem instanceof NotStrict) return undefined;
    throw problem;
  }
}

/** How what is no part of a strict schema is said in words. */
const WORDS: readonly (readonly [string, string])[] = [
  ...([["default", "default: {}"], ["minimum", "at least {}"], ["maximum", "at most {}"], ["exclusiveMinimum", "more than {}"]] as const),
  ...([["exclusiveMaximum", "less than {}"], ["multipleOf", "a multiple of {}"], ["minLength", "at least {} characters"]] as const),
  ...([["maxLength", "at most {} characters"], ["minItems", "at least {} items"], ["maxItems", "at most {} items"]] as const),
  ...([["uniqueItems", "no item twice"], ["format", "format: {}"]] as const),
];

/** Makes strict schemas; counts the members. */
class Strict {
  private count = 0;

  object(schema: Schema, depth: number): Schema {
    const properties = schema.get("properties");
    if (!isMap(properties) || depth > STRICT_DEPTH || [...SEVERAL, ...NAMED, "not"].some((name) => schema.has(name))) throw new NotStrict();
    this.count += properties.size;
    if (this.count > STRICT_COUNT) throw new NotStrict();
    const required = texts(schema.get("required"));
    const made = new Map([...properties].map(([name, each]) => [name, this.member(each, depth, !required.includes(name))]));
    const said = schema.get("description");
    const head: [string, Value][] = said === undefined || said === "" ? [] : [["description", said]];
    return new Map<string, Value>([["type", "object"], ...head, ["properties", made], ["required", [...made.keys()]], ["additionalProperties", false]]);
  }

  private member(schema: Value, depth: number, isOptional: boolean): Schema {
    if (!isMap(schema) || ["$ref", "not", "contains", ...SEVERAL, ...NAMED].some((name) => schema.has(name))) throw new NotStrict();
    const options = schema.has("const") ? [schema.get("const")!] : (schema.get("enum") as Value[] | undefined);
    const stated = schema.get("type") ?? (options?.length ? typesOf(options) : ["string", "number", "boolean"]);
    const kinds = isText(stated) ? [stated] : texts(stated);
    const made: Schema = new Map();
    const words = WORDS.filter(([name]) => schema.has(name)).map(([name, text]) => text.replace("{}", () => dumps(schema.get(name)!)));
    const said = schema.get("description");
    if (isText(said)) words.unshift(said);
    if (words.length > 0) made.set("description", words.join("; "));
    if (kinds.includes("object")) {
      if (kinds.length !== 1) throw new NotStrict();
      const inner = this.object(new Map([...schema, ["description", made.get("description") ?? ""]]), depth + 1);
      return isOptional ? new Map([["anyOf", [inner, new Map([["type", "null"]])]]]) : inner;
    }
    if (kinds.includes("array")) {
      const items = schema.get("items");
      if (!kinds.every((kind) => kind === "array" || kind === "null") || !isMap(items) || items.size === 0) throw new NotStrict();
      made.set("items", this.member(items, depth + 1, false));
    }
    if (isOptional && !kinds.includes("null")) kinds.push("null");
    if (options !== undefined) made.set("enum", isOptional && !options.includes(null) ? [...options, null] : options);
    return new Map<string, Value>([["type", kinds.length > 1 ? kinds : kinds[0]!], ...made]);
  }
}

/** The types of options. */
function typesOf(options: readonly Value[]): string[] {
  const names = options.map((each) => (each === null ? "null" : each instanceof Numeral ? "number" : typeof each));
  return [...new Set(names)];
}
