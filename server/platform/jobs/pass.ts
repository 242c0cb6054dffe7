import type { Clock, Log } from "../deps.ts";
import { createBadRows, type ListedRow, listReadable } from "../kv/bad_rows.ts";
import { type Key, readRow, typed } from "../kv/key.ts";
import { keys } from "../kv/keys.ts";
import type { Kv, KvKey, KvListOptions, KvListSelector } from "../kv/port.ts";
import { isFarAhead } from "../time/stored_time.ts";
import { LeaseLost } from "./handler.ts";

/** How many rows the latest pass of a kind has skipped. No row: none. */
export interface SkippedRow {
  v: 1;
  /** When it ended, Unix milliseconds. */
  at: number;
  rows: number;
}

const skippedKey = (name: string): Key<SkippedRow> => typed(keys.skippedRows(name));

/** A pass that is never repeated, such as a migration, is reported for this long, in milliseconds. */
const REPORTED_MS = 7 * 24 * 60 * 60 * 1000;

/**
 * A pass over stored rows, in which a row that can't be read or used keeps no other from its turn: it is skipped, counted
 * and reported. An error of the database ends the pass.
 */
export interface Pass {
  /** The database, for all work of the pass. */
  readonly kv: Kv;
  /** How many rows were skipped. */
  readonly skipped: number;
  /** Yields all rows of a range; the value of a row that can't be read is undefined. */
  list<Row>(
    selector: KvListSelector,
    options?: KvListOptions,
  ): AsyncGenerator<ListedRow<Row>, void>;
  /** Yields the rows of a range, and skips those that can't be read. */
  rows<Row>(
    selector: KvListSelector,
    options?: KvListOptions,
  ): AsyncGenerator<{ key: KvKey; value: Row }, void>;
  /** Does the work of one row, and skips the row if it makes the work fail. @returns the result, if any */
  row<Result>(work: () => Promise<Result>): Promise<Result | undefined>;
  /** Does work for several rows together; if one of them makes it fail, for each alone. It must be safe to repeat. */
  all<Item>(items: readonly Item[], work: (items: readonly Item[]) => Promise<void>): Promise<void>;
  /** Reports how many rows were skipped, or that none were. */
  end(): Promise<void>;
}

/**
 * Begins a pass.
 *
 * @param name of the job, for the report
 * @param before how many rows earlier attempts of the pass have skipped
 */
export function createPass(
  { kv: inner, clock, log }: { kv: Kv; clock: Clock; log: Log },
  name: string,
  before = 0,
): Pass {
  const { kv, each } = createBadRows(inner);
  let skipped = before;
  let reason: string | undefined;

  function skip(error: unknown) {
    if (error instanceof LeaseLost) throw error;
    skipped++;
    // Not the message of an error that may quote a value.
    reason ??= error instanceof SyntaxError ? error.name : String(error);
  }

  return {
    kv,
    get skipped() {
      return skipped;
    },
    list: (selector, options) => listReadable(kv, selector, options),
    async *rows<Row>(selector: KvListSelector, options?: KvListOptions) {
      for await (const { key, value } of listReadable<Row>(kv, selector, options)) {
        if (value === undefined) skip(new TypeError(`a row of the kind ${String(key[2])} can't be read`));
        else yield { key, value };
      }
    },
    row: async (work) => (await each([undefined], work, skip))[0],
    async all(items, work) {
      await each(items, work, skip);
    },
    async end() {
      if (skipped > 0) {
        log.error("job.rows_skipped", { job: name, rows: skipped, ...(reason !== undefined && { reason }) });
        await inner.set(skippedKey(name), { v: 1, at: clock.now(), rows: skipped } satisfies SkippedRow);
      } else if (await readRow(inner, skippedKey(name))) await inner.delete(skippedKey(name));
    },
  };
}

/** Returns how many rows the latest passes of all kinds have skipped. @param now Unix milliseconds */
export async function countSkipped(kv: Kv, now: number): Promise<number> {
  let skipped = 0;
  for await (const { value } of kv.list<SkippedRow>({ prefix: keys.skippedRowsAll() })) {
    if (now - value.at < REPORTED_MS && !isFarAhead(value.at, now)) skipped += value.rows;
  }
  return skipped;
}
