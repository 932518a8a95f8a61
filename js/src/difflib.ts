/** Compares sequences as Python's difflib does, so that both command lines print the same differences. */

type Match = readonly [number, number, number];
type Step = readonly ["replace" | "delete" | "insert" | "equal", number, number, number, number];

class Matcher<T> {
  private readonly places = new Map<T, number[]>();

  constructor(
    private readonly a: readonly T[],
    private readonly b: readonly T[],
  ) {
    b.forEach((each, at) => {
      const places = this.places.get(each);
      if (places === undefined) this.places.set(each, [at]);
      else places.push(at);
    });
    if (b.length >= 200) {
      const most = Math.floor(b.length / 100) + 1;
      for (const [each, places] of this.places) if (places.length > most) this.places.delete(each);
    }
  }

  private longest(alo: number, ahi: number, blo: number, bhi: number): Match {
    let [i, j, size] = [alo, blo, 0];
    let lengths = new Map<number, number>();
    for (let at = alo; at < ahi; at++) {
      const next = new Map<number, number>();
      for (const place of this.places.get(this.a[at]!) ?? []) {
        if (place < blo) continue;
        if (place >= bhi) break;
        const length = (lengths.get(place - 1) ?? 0) + 1;
        next.set(place, length);
        if (length > size) [i, j, size] = [at - length + 1, place - length + 1, length];
      }
      lengths = next;
    }
    const { a, b } = this;
    while (i > alo && j > blo && a[i - 1] === b[j - 1]) [i, j, size] = [i - 1, j - 1, size + 1];
    while (i + size < ahi && j + size < bhi && a[i + size] === b[j + size]) size++;
    return [i, j, size];
  }

  matches(): Match[] {
    const waiting = [[0, this.a.length, 0, this.b.length]];
    const found: Match[] = [];
    for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
      const [alo, ahi, blo, bhi] = part as [number, number, number, number];
      const [i, j, size] = this.longest(alo, ahi, blo, bhi);
      if (size === 0) continue;
      found.push([i, j, size]);
      if (alo < i && blo < j) waiting.push([alo, i, blo, j]);
      if (i + size < ahi && j + size < bhi) waiting.push([i + size, ahi, j + size, bhi]);
    }
    found.sort((x, y) => x[0] - y[0] || x[1] - y[1]);
    const joined: Match[] = [];
    let [i1, j1, length] = [0, 0, 0];
    for (const [i, j, size] of found) {
      if (i1 + length === i && j1 + length === j) length += size;
      else {
        if (length > 0) joined.push([i1, j1, length]);
        [i1, j1, length] = [i, j, size];
      }
    }
    if (length > 0) joined.push([i1, j1, length]);
    joined.push([this.a.length, this.b.length, 0]);
    return joined;
  }

  ratio(): number {
    const total = this.a.length + this.b.length;
    return total === 0 ? 1 : (2 * this.matches().reduce((sum, [, , size]) => sum + size, 0)) / total;
  }

  steps(): Step[] {
    const steps: Step[] = [];
    let [i, j] = [0, 0];
    for (const [ai, bj, size] of this.matches()) {
      if (i < ai && j < bj) steps.push(["replace", i, ai, j, bj]);
      else if (i < ai) steps.push(["delete", i, ai, j, bj]);
      else if (j < bj) steps.push(["insert", i, ai, j, bj]);
      [i, j] = [ai + size, bj + size];
      if (size > 0) steps.push(["equal", ai, i, bj, j]);
    }
    return steps;
  }

  groups(around: number): Step[][] {
    const steps = this.steps();
    if (steps.length === 0) return [];
    const first = steps[0]!;
    if (first[0] === "equal") {
      const [, i1, i2, j1, j2] = first;
      steps[0] = ["equal", Math.max(i1, i2 - around), i2, Math.max(j1, j2 - around), j2];
    }
    const last = steps.at(-1)!;
    if (last[0] === "equal") {
      const [, i1, i2, j1, j2] = last;
      steps[steps.length - 1] = ["equal", i1, Math.min(i2, i1 + around), j1, Math.min(j2, j1 + around)];
    }
    const groups: Step[][] = [];
    let group: Step[] = [];
    for (const [tag, i1, i2, j1, j2] of steps) {
      let [from, other] = [i1, j1];
      if (tag === "equal" && i2 - i1 > 2 * around) {
        group.push([tag, i1, Math.min(i2, i1 + around), j1, Math.min(j2, j1 + around)]);
        groups.push(group);
        group = [];
        [from, other] = [Math.max(i1, i2 - around), Math.max(j1, j2 - around)];
      }
      group.push([tag, from, i2, other, j2]);
    }
    if (group.length > 0 && !(group.length === 1 && group[0]![0] === "equal")) groups.push(group);
    return groups;
  }
}

const range = (start: number, stop: number): string => {
  const length = stop - start;
  if (length === 1) return `${start + 1}`;
  return `${length === 0 ? start : start + 1},${length}`;
};

/** The lines of a unified diff. */
export function* unified(a: readonly string[], b: readonly string[], from: string, to: string): Generator<string> {
  let started = false;
  for (const group of new Matcher(a, b).groups(3)) {
    if (!started) yield* [`--- ${from}`, `+++ ${to}`];
    started = true;
    const [first, last] = [group[0]!, group.at(-1)!];
    yield `@@ -${range(first[1], last[2])} +${range(first[3], last[4])} @@`;
    for (const [tag, i1, i2, j1, j2] of group) {
      if (tag === "equal") for (const line of a.slice(i1, i2)) yield ` ${line}`;
      if (tag === "replace" || tag === "delete") for (const line of a.slice(i1, i2)) yield `-${line}`;
      if (tag === "replace" || tag === "insert") for (const line of b.slice(j1, j2)) yield `+${line}`;
    }
  }
}

/** The words that are like another one, the most similar first. */
export function nearest(word: string, words: readonly string[], most: number): string[] {
  const rated = words.map((each) => [new Matcher([...each], [...word]).ratio(), each] as const).filter(([ratio]) => ratio >= 0.6);
  rated.sort((x, y) => y[0] - x[0] || (y[1] > x[1] ? 1 : -1));
  return rated.slice(0, most).map(([, each]) => each);
}
