import { Buffer } from "node:buffer";
import { Checksum, hashOf, type Pace, type Row, rowsOf, type Stored } from "./rows.ts";
import { type Kv, type KvKey, KvU64 } from "../../platform/kv/port.ts";

/** A row that differs: the hashes of its values, undefined where it does not exist. */
interface Difference {
  key: KvKey;
  source: bigint | undefined;
  target: bigint | undefined;
}

/** What is known about the rows of both databases: a checksum of each, and the rows that differ. */
export interface Comparison {
  readonly source: Checksum;
  readonly target: Checksum;
  /** By the names of their keys. */
  readonly different: ReadonlyMap<string, Difference>;
  /**
   * Corrects the checksums after a row was copied again.
   *
   * @param before the value in the new database when it was last compared
   * @param source the value that was copied
   * @param target the value that was read back
   */
  again(
    key: { key: KvKey; name: string },
    values: { before: Stored | undefined; source: Stored | undefined; target: Stored | undefined },
  ): void;
}

/** Comparing bytes takes less time than a second hash. */
function isSame(a: Stored, b: Stored): boolean {
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.compare(a, b) === 0;
  return a instanceof KvU64 && b instanceof KvU64 && a.value === b.value;
}

/**
 * Compares all rows of two databases. Nobody writes to the target meanwhile; rows that change in the source may differ, and
 * are named among its changes.
 */
export async function compareAll(
  source: Kv,
  target: Kv,
  pace: Pace,
  progress: (rows: number) => void,
): Promise<Comparison> {
  const sums = { source: new Checksum(), target: new Checksum() };
  const different = new Map<string, Difference>();
  const note = (
    row: Pick<Row, "key" | "name">,
    found: { source?: Row | undefined; target?: Row | undefined },
  ) => {
    const source = found.source && hashOf(row.name, found.source.value);
    const target = found.target &&
      (found.source && isSame(found.source.value, found.target.value)
        ? source
        : hashOf(row.name, found.target.value));
    const hashes = { source, target };
    for (const side of ["source", "target"] as const) {
      if (hashes[side] !== undefined) sums[side].add(hashes[side]);
    }
    if (hashes.source !== hashes.target) different.set(row.name, { key: row.key, ...hashes });
  };
  const [left, right] = [rowsOf(source, pace), rowsOf(target, pace)];
  let [a, b] = [await left.next(), await right.next()];
  for (let rows = 0; !a.done || !b.done; rows++) {
    const isLeft = !a.done && (b.done || a.value.name <= b.value.name);
    const isRight = !b.done && (a.done || b.value.name <= a.value.name);
    const [one, other]: [Row | undefined, Row | undefined] = [
      isLeft ? a.value as Row : undefined,
      isRight ? b.value as Row : undefined,
    ];
    note((one ?? other)!, { source: one, target: other });
    if (isLeft) a = await left.next();
    if (isRight) b = await right.next();
    if (rows % 1_000 === 999) progress(rows + 1);
  }
  return {
    ...sums,
    different,
    again({ key, name }, { before, source, target }) {
      const hash = (value: Stored | undefined) => value && hashOf(name, value);
      const was = hash(before);
      const known = different.get(name) ?? { source: was, target: was };
      if (known.source !== undefined) sums.source.subtract(known.source);
      if (known.target !== undefined) sums.target.subtract(known.target);
      const now = { source: hash(source), target: hash(target) };
      if (now.source !== undefined) sums.source.add(now.source);
      if (now.target !== undefined) sums.target.add(now.target);
      if (now.source === now.target) different.delete(name);
      else different.set(name, { key, ...now });
    },
  };
}
