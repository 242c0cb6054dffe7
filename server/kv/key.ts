/**
 * A database key that knows the type of its row. It exists for the type checker alone: while the program runs, it is the
 * plain key.
 */
export type Key<Row> = Deno.KvKey & { readonly [row]: Row };
declare const row: unique symbol;

/** What a read finds under a key: a row and its version, or null for both. */
export type Entry<Row> = Deno.KvEntryMaybe<Row>;

/**
 * Returns `shape` as the key of rows of one type. Each shape of `keys.ts` is given its type once, beside that type:
 * `server/kv` knows no feature, and a feature knows its own rows. Read such a key with `readRow`, several with
 * `readEntries` or, to write, with `cas`.
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
export function typed<Row>(shape: Deno.KvKey): Key<Row> {
  return shape as Key<Row>;
}

/** Reads one row; null where there is none. */
export async function readRow<Row>(kv: Deno.Kv, key: Key<Row>): Promise<Row | null> {
  return (await kv.get<Row>(key)).value;
}
