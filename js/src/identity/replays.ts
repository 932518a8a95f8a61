/** Signatures that were used: none is accepted twice. */

/** What a memory of signatures has to be able to do. One that several servers share can be asynchronous. */
export interface Memory {
  /** `valid` for a signature that is new, which is remembered until it expires (seconds since 1970); otherwise why it is refused. `name` is one for each signed text. */
  take(keyId: string, name: string, expires: number, now: number): Refusal | Promise<Refusal>;
}

export type Refusal = "valid" | "replayed" | "replay-unknown";

/**
 * Remembers signatures in the memory of this program until they expire.
 *
 * At most `size` are kept, and `perAgent` of each key. If there is no room, a signature is refused (`replay-unknown`), because nobody could tell
 * whether it is new. Only valid signatures are kept.
 */
export class Replays implements Memory {
  readonly #seen = new Map<string, { readonly keyId: string; readonly expires: number }>();
  readonly #counts = new Map<string, number>();
  readonly #size: number;
  readonly #perAgent: number;
  #swept = 0;

  constructor({ size = 200_000, perAgent = 20_000 }: { readonly size?: number; readonly perAgent?: number } = {}) {
    this.#size = size;
    this.#perAgent = perAgent;
  }

  take(keyId: string, name: string, expires: number, now: number): Refusal {
    const known = this.#seen.get(name);
    if (known !== undefined && known.expires > now) return "replayed";
    if (known === undefined && this.#isFull(keyId)) {
      this.#sweep(now);
      if (this.#isFull(keyId)) return "replay-unknown";
    }
    if (known === undefined) this.#counts.set(keyId, (this.#counts.get(keyId) ?? 0) + 1);
    this.#seen.set(name, { keyId, expires });
    return "valid";
  }

  #isFull(keyId: string): boolean {
    return this.#seen.size >= this.#size || (this.#counts.get(keyId) ?? 0) >= this.#perAgent;
  }

  /** Forgets what has expired, at most once a second, because it looks at everything. */
  #sweep(now: number): void {
    if (this.#swept <= now && now < this.#swept + 1) return;
    this.#swept = now;
    for (const [name, { keyId, expires }] of this.#seen) {
      if (expires > now) continue;
      this.#seen.delete(name);
      const left = this.#counts.get(keyId)! - 1;
      if (left > 0) this.#counts.set(keyId, left);
      else this.#counts.delete(keyId);
    }
  }
}
