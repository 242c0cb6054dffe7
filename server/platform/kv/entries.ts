import type { Entry, Key } from "./key.ts";
import type { Kv, KvKey } from "./port.ts";

/** Keys to read together: by name, in lists, or nested in both. `undefined` means that no key is needed there. */
export interface NamedKeys {
  readonly [name: string]: KeyTree;
}
type KeyTree = Key<unknown> | undefined | NamedKeys | readonly (Key<unknown> | NamedKeys)[];

/** The entries read: the same names and lists as the keys, with an entry instead of each key. */
export type EntriesOf<Keys> = Keys extends Key<infer Row> ? Entry<Row>
  : Keys extends undefined ? undefined
  : { readonly [Name in keyof Keys]: EntriesOf<Keys[Name]> };

/**
 * Reads rows together, without writing. As many keys as one read may have are read consistently; with more, a commit may
 * happen between two reads.
 *
 * @example
 * ```ts
 * import { readEntries } from "./entries.ts";
 * import { type Key, typed } from "./key.ts";
 * import type { Kv } from "./port.ts";
 *
 * const seatsKey: Key<number> = typed(["seats"]);
 * const takenKey = (person: string): Key<true> => typed(["taken", person]);
 *
 * export async function areAllIn(kv: Kv, people: string[]): Promise<boolean> {
 *   const { seats, taken } = await readEntries(kv, { seats: seatsKey, taken: people.map(takenKey) });
 *   return seats.value === 0 && taken.every(({ value }) => value === true);
 * }
 * ```
 */
export async function readEntries<Keys extends NamedKeys>(kv: Kv, keys: Keys): Promise<EntriesOf<Keys>> {
  return entriesOf(keys, await readAll(kv, keysIn(keys)));
}

/** Reads keys in as few calls as possible, all at once. */
export async function readAll(kv: Kv, keys: readonly KvKey[]): Promise<Entry<unknown>[]> {
  const { keysPerRead } = kv.engine.limits;
  const reads: Promise<Entry<unknown>[]>[] = [];
  for (let from = 0; from < keys.length; from += keysPerRead) {
    reads.push(kv.getMany<unknown[]>(keys.slice(from, from + keysPerRead)));
  }
  return (await Promise.all(reads)).flat();
}

/** Returns the keys of a tree, in the order in which `entriesOf` expects their entries. */
export function keysIn(tree: KeyTree): Key<unknown>[] {
  if (tree === undefined) return [];
  return isKey(tree) ? [tree] : Object.values(tree).flatMap(keysIn);
}

/** Returns the tree with entries instead of keys. */
export function entriesOf<Keys extends NamedKeys>(
  tree: Keys,
  entries: Iterable<Entry<unknown>>,
): EntriesOf<Keys> {
  const rest = Iterator.from(entries);
  const fill = (part: KeyTree): unknown => {
    if (part === undefined) return undefined;
    if (isKey(part)) return rest.next().value;
    if (Array.isArray(part)) return part.map(fill);
    return Object.fromEntries(Object.entries(part).map(([name, below]) => [name, fill(below)]));
  };
  return fill(tree) as EntriesOf<Keys>;
}

/** Returns whether a part of the tree is a key: a non-empty array whose parts are neither arrays nor plain objects. */
function isKey(tree: KeyTree): tree is Key<unknown> {
  if (!Array.isArray(tree) || tree.length === 0) return false;
  const first: unknown = tree[0];
  return typeof first !== "object" || first instanceof Uint8Array;
}
