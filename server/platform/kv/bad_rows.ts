import { aroundCalls } from "./around_calls.ts";
import { Contended } from "./cas.ts";
import { readAll } from "./entries.ts";
import type { Key } from "./key.ts";
import { isRefused } from "./limits.ts";
import { type Kv, type KvKey, type KvListOptions, type KvListSelector, UnreadableRow } from "./port.ts";

/** A row as listed; its value is undefined if it can't be read. */
export interface ListedRow<Row> {
  key: KvKey;
  value: Row | undefined;
}

/**
 * Yields the rows of a range, like `kv.list`, but does not end at a row whose value can't be read: for work that needs only
 * the key, or that must reach all other rows.
 */
export async function* listReadable<Row>(
  kv: Kv,
  selector: KvListSelector,
  options?: KvListOptions,
): AsyncGenerator<ListedRow<Row>, void> {
  const rows = kv.list<Row>(selector, options);
  for (;;) {
    const next = await rows.next().catch((error: unknown) => {
      if (error instanceof UnreadableRow) return { done: false, value: { key: error.key, value: undefined } };
      throw error;
    });
    if (next.done) return;
    yield next.value as ListedRow<Row>;
  }
}

/** Reads rows, in the order of their keys. One that can't be read counts as missing. */
export async function readReadable<Row>(kv: Kv, keys: readonly Key<Row>[]): Promise<(Row | null)[]> {
  try {
    return (await readAll(kv, keys)).map(({ value }) => value as Row | null);
  } catch (error) {
    if (!(error instanceof UnreadableRow)) throw error;
    if (keys.length === 1) return [null];
  }
  return (await Promise.all(keys.map((key) => readReadable(kv, [key])))).flat();
}

/** Returns the result of work or, if a row that it needs can't be read, that of `instead`. */
export async function orIfUnreadable<Result>(
  work: Promise<Result>,
  instead: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof UnreadableRow)) throw error;
    return await instead();
  }
}

/** Tells errors of rows from those of the database. */
export interface BadRows {
  /** The database, for all work whose errors are judged. */
  readonly kv: Kv;
  /**
   * Does work for several rows together. If a row makes it fail, does it for each alone, and passes over those that fail.
   * The work must be safe to repeat.
   *
   * @returns the results
   */
  each<Item, Result>(
    items: readonly Item[],
    work: (items: readonly Item[]) => Promise<Result>,
    onBad?: (error: unknown) => void,
  ): Promise<Result[]>;
}

export function createBadRows(inner: Kv): BadRows {
  const failures = new WeakSet<object>();

  function note(error: unknown): never {
    const isOfRow = error instanceof UnreadableRow || isRefused(error);
    if (error instanceof Error && !isOfRow) failures.add(error);
    throw error;
  }

  // A value can't be read, is not what the work expects, or can't be written again. After any other error, other rows would
  // fail too, or the same work may succeed later.
  const isAboutRow = (error: unknown) =>
    error instanceof Error && !(error instanceof Contended) && !failures.has(error);

  async function each<Item, Result>(
    items: readonly Item[],
    work: (items: readonly Item[]) => Promise<Result>,
    onBad: (error: unknown) => void = () => {},
  ): Promise<Result[]> {
    if (items.length === 0) return [];
    try {
      return [await work(items)];
    } catch (error) {
      if (!isAboutRow(error)) throw error;
      if (items.length === 1) {
        onBad(error);
        return [];
      }
    }
    const results: Result[] = [];
    for (const item of items) results.push(...await each([item], work, onBad));
    return results;
  }

  return { kv: aroundCalls(inner, (call) => call.catch(note)), each };
}
