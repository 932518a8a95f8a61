/** JSON with its numbers and the order of its members as written, as Python reads and writes it. */

/** A number of JSON as Python shows it. */
export class Numeral {
  constructor(readonly source: string) {}

  get isWhole(): boolean {
    return /^-?\d+$/.test(this.source);
  }

  get value(): number {
    return Number(this.source);
  }

  toString(): string {
    return this.isWhole ? BigInt(this.source).toString() : float(this.value);
  }
}

/** A floating-point number as Python shows it. */
export function float(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  if (Object.is(value, -0)) return "-0.0";
  const [digits = "", exponent = "0"] = value.toExponential().split("e");
  const power = Number(exponent);
  if (power >= -4 && power < 16) {
    const plain = power >= 0 ? BigInt(Math.trunc(Math.abs(value))).toString().length : 0;
    const text = plain > 0 && Number.isInteger(value) ? `${value < 0 ? "-" : ""}${BigInt(Math.abs(value))}.0` : decimal(value);
    return text;
  }
  return `${digits}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
}

/** A number without an exponent. */
function decimal(value: number): string {
  const text = String(value);
  if (!text.includes("e")) return text;
  const [digits = "", exponent = "0"] = text.split("e");
  const whole = digits.replace("-", "").replace(".", "");
  return `${value < 0 ? "-" : ""}0.${"0".repeat(-Number(exponent) - 1)}${whole}`;
}

/** A value of JSON with its numbers as written, and objects as maps, which keep their order. */
export type Value = string | boolean | null | Numeral | Value[] | Map<string, Value>;

/** Reads JSON that the core has written. A name that occurs more than once in the metadata of an object has the list of its values. */
export function read(text: string): Value {
  const token = /\s*(?:([{}[\]:,])|("(?:[^"\\]|\\.)*")|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(true|false|null))/gy;
  const next = () => token.exec(text) as RegExpExecArray;
  const value = (found: RegExpExecArray, name = "", inside = false): Value => {
    const [, mark, string, number, word] = found;
    if (string !== undefined) return JSON.parse(string) as string;
    if (number !== undefined) return new Numeral(number);
    if (word !== undefined) return JSON.parse(word) as boolean | null;
    if (mark === "[") {
      const items: Value[] = [];
      for (let each = next(); each[1] !== "]"; each = next()) if (each[1] !== ",") items.push(value(each, "", inside));
      return items;
    }
    const members = new Map<string, Value>();
    const repeated = new Map<string, Value[]>();
    const isMetadata = name === "metadata" && !inside;
    for (let each = next(); each[1] !== "}"; each = next()) {
      if (each[1] === ",") continue;
      next();
      const key = JSON.parse(each[2]!) as string;
      const item = value(next(), key, inside || name === "metadata");
      const first = members.get(key);
      const values = repeated.get(key);
      if (first === undefined || !isMetadata) members.set(key, item);
      else if (values !== undefined) values.push(item);
      else {
        repeated.set(key, [first, item]);
        members.set(key, repeated.get(key)!);
      }
    }
    return members;
  };
  return value(next());
}

/** Any value that `dumps` writes. */
type Plain = Value | number | undefined | Plain[] | { [name: string]: Plain } | Map<string, Plain>;

/** Writes JSON as Python's `json.dumps`. Numbers outside the range of floats are null. */
export function dumps(value: Plain, indent?: number, ascii = true): string {
  const string = (text: string) => {
    const written = JSON.stringify(text);
    return ascii ? written.replace(/[\x7f-\uffff]/g, (c) => (c === "\x7f" ? c : `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`)) : written;
  };
  const write = (each: Plain, depth: number): string => {
    if (typeof each === "string") return string(each);
    if (each instanceof Numeral) return !each.isWhole && !Number.isFinite(each.value) ? "null" : String(each);
    if (typeof each !== "object" || each === null) return String(each);
    const items = Array.isArray(each)
      ? each.map((item) => write(item, depth + 1))
      : [...(each instanceof Map ? each : Object.entries(each))].map(([name, item]) => `${string(name)}: ${write(item, depth + 1)}`);
    const [open, close] = Array.isArray(each) ? "[]" : "{}";
    if (items.length === 0) return `${open}${close}`;
    if (indent === undefined) return `${open}${items.join(", ")}${close}`;
    const line = (level: number) => `\n${" ".repeat(indent * level)}`;
    return `${open}${line(depth + 1)}${items.join(`,${line(depth + 1)}`)}${line(depth)}${close}`;
  };
  return write(value, 0);
}

/** The plain value. */
export function plain(value: Value): unknown {
  if (value instanceof Numeral) return value.value;
  if (Array.isArray(value)) return value.map(plain);
  return value instanceof Map ? Object.fromEntries([...value].map(([name, each]) => [name, plain(each)])) : value;
}
