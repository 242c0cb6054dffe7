import { nameOf } from "./commit_needs.ts";
import type { Entry } from "./key.ts";

/**
 * Rows as this process last read or wrote them, for commits that soon follow each other: `cas` does not read them again.
 * A row may have changed since, but then the check of the commit fails, and `cas` reads it.
 *
 * Keep one only as long as the work that it belongs to, such as one attempt of a job.
 */
export class SeenRows {
  readonly #entries = new Map<string, Entry<unknown>>();

  /** Returns the row as last seen, or undefined. */
  get(key: Deno.KvKey): Entry<unknown> | undefined {
    return this.#entries.get(nameOf(key));
  }

  note(entries: Iterable<Entry<unknown>>): void {
    for (const entry of entries) this.#entries.set(nameOf(entry.key), entry);
  }
}

/** A row that an operation sets, or deletes if the value is null. */
export type Written = Pick<Entry<unknown>, "key" | "value">;

/** Returns the rows that `write` sets and deletes in the operation. Other mutations, such as `sum`, are not noticed. */
export function recordWrites(
  tx: Deno.AtomicOperation,
  write: (tx: Deno.AtomicOperation) => void,
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
