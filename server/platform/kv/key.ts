import type { Kv, KvEntryMaybe, KvKey } from "./port.ts";
/**
 * A database key with the type of its row. The type exists only for the type checker; at run time it is a plain key.
 */
export type Key<Row> = KvKey & { readonly [row]: Row };
declare const row: unique symbol;

/** The result of reading a key: the row and its version, or null for both. */
export type Entry<Row> = KvEntryMaybe<Row>;

/**
 * Returns `shape` as a key with a row type. Each shape in `keys.ts` gets its type once, next to the definition of that
 * type, because `server/platform/kv` knows no feature. Read one key with `readRow`, several with `readEntries`, and use `cas` to
 * write.
 *
 * @example
 * ```ts
 * import { type Key, typed } from "./key.ts";
 * import { keys } from "./keys.ts";
 *
 * interface SlotRow {
 *   v: 1;
 *   at: number;
 * }
 * export const slotKey = (name: string): Key<SlotRow> => typed(keys.slot(name));
 * ```
 */
export function typed<Row>(shape: KvKey): Key<Row> {
  return shape as Key<Row>;
}

/** Reads one row; null if it does not exist. */
export async function readRow<Row>(kv: Kv, key: Key<Row>): Promise<Row | null> {
  return (await kv.get<Row>(key)).value;
}

/** Returns whether a key is one of `roots` or begins with it. */
export function isBelow(key: KvKey, roots: readonly KvKey[]): boolean {
  return roots.some((root) => root.every((part, at) => key[at] === part));
}
