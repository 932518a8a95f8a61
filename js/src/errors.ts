/** A document cannot be read. */
export class ParseError extends Error {
  override readonly name = "ParseError";
  /** What is wrong: a stable name, such as `invalid-json`. */
  readonly kind: string;
  /** The offset in bytes, from 0. */
  readonly offset: number;
  /** The line, from 1. */
  readonly line: number;
  /** The column in bytes, from 1. */
  readonly column: number;
  /** The format, if the error depends on it, such as `html`; otherwise `unknown`. */
  readonly format: string;

  /** @internal */
  constructor(found: { kind: string; offset: number; line: number; column: number; format: string; message: string }) {
    super(found.message);
    this.kind = found.kind;
    this.offset = found.offset;
    this.line = found.line;
    this.column = found.column;
    this.format = found.format;
  }
}

/** Something that a conversion loses. */
export interface Loss {
  /** Why: a stable name, such as `no-place`. */
  readonly reason: string;
  /** `error` (nothing is written), `warning` or `info`. */
  readonly severity: "error" | "warning" | "info";
  /** The line, from 1. */
  readonly line: number;
  /** The column in bytes, from 1. */
  readonly column: number;
  /** The offset of the first byte, from 0. */
  readonly offset: number;
  /** The offset after the last byte. */
  readonly end: number;
  /** What is lost, in a sentence. */
  readonly message: string;
  /** The member of the model, such as `capabilities[0].description`. */
  readonly path: string;
}

/** A document cannot be converted to a format, or fixed; or the result would allow agents more. */
export class ConvertError extends TypeError {
  override readonly name = "ConvertError";
  /** What is lost. If the target cannot express a restriction, the losses of severity `error` say which. */
  readonly losses: readonly Loss[];

  /** @internal */
  constructor(found: { message: string; losses: readonly Loss[] }) {
    super(found.message);
    this.losses = found.losses;
  }
}
