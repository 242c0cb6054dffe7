import type { Entry } from "./key.ts";
import type { AtomicOperation, KvKey } from "./port.ts";

/**
 * Rows as this process last read or wrote them, for commits that soon follow each other: `cas` does not read them again.
 * A row may have changed since, but then the check of the commit fails, and `cas` reads it.
 *
 * Keep one only as long as the work that it belongs to, such as one attempt of a job. Looking up a row takes time in
 * proportion to their number.
 */
export class SeenRows {
  readonly #entries: Entry<unknown>[] = [];

  /** Returns the row as last seen, or undefined. */
  get(key: KvKey): Entry<unknown> | undefined {
    return this.#entries.find((entry) => isSameKey(entry.key, key));
  }

  /** Notes rows that were read. */
  note(entries: Iterable<Entry<unknown>>): void {
    for (const entry of entries) {
      const at = this.#indexOf(entry.key);
      this.#entries[at < 0 ? this.#entries.length : at] = entry;
    }
  }

  /** Notes what a commit wrote to the rows. Rows that were never read are skipped. */
  update(written: readonly Written[], versionstamp: string): void {
    for (const { key, value } of written) {
      const at = this.#indexOf(key);
      if (at < 0) continue;
      this.#entries[at] = value === null ? { key, value, versionstamp: null } : { key, value, versionstamp };
    }
  }

  #indexOf(key: KvKey): number {
    return this.#entries.findIndex((entry) => isSameKey(entry.key, key));
  }
}

/** Compares from the end, because keys differ there. Keys with bytes are never the same. */
function isSameKey(a: KvKey, b: KvKey): boolean {
  let at = a.length;
  if (at !== b.length) return false;
  while (--at >= 0) if (a[at] !== b[at]) return false;
  return true;
}

/** A row that an operation sets, or deletes if the value is null. */
export type Written = Pick<Entry<unknown>, "key" | "value">;

/** Returns the rows that `write` sets and deletes in the operation. Other mutations, such as `sum`, are not noticed. */
export function recordWrites(
  tx: AtomicOperation,
  write: (tx: AtomicOperation) => void,
): Written[] {
  const written: Written[] = [];
  const { set, delete: remove } = tx;
  tx.set = (key, value, options) => {
    written.push({ key, value });
    return set.call(tx, key, value, options);
  };
  tx.delete = (key) => {
    written.push({ key, value: null });
    return remove.call(tx, key);
  };
  write(tx);
  return written;
}
