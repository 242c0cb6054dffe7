import type { Kv, KvListOptions } from "../../platform/kv/port.ts";
import { signupKey, type SignupRecord } from "../../signup/record/row.ts";
import type { SubscriberEntry } from "../../signup/record/search_entries.ts";
import { listReadable, readReadable } from "../../platform/kv/bad_rows.ts";
import { isAddressTerm, type SubscriberQuery } from "./query.ts";
import { matches, matchesRecord, type Range, readsRecords } from "./search_range.ts";

/** Maximum number of rows read for one page, however few of them match. */
export const MAX_ROWS_PER_PAGE = 2_000;
/** The same for filters that only records can answer: each row of an index is then read together with its record. */
export const MAX_RECORDS_PER_PAGE = 1_000;
/** Records read at the same time, ten in each call of the database. */
const RECORDS_AT_ONCE = 50;
const RECORDS_PER_READ = 10;

/** Returns the maximum number of rows that a page of the search reads. */
export function maxRows(query: SubscriberQuery): number {
  return readsRecords(query) && !isAddressTerm(query.term) ? MAX_RECORDS_PER_PAGE : MAX_ROWS_PER_PAGE;
}

/** A row that a search has read. */
export interface Row {
  /** When the signup was created, Unix milliseconds. */
  at: number;
  email: string;
  list: string;
  isMatch: boolean;
  /** If it was read to see whether it matches. */
  record?: SignupRecord;
}

/** Yields the rows of a search's range, those by time newest first, and whether they match. */
export async function* scan(
  kv: Kv,
  query: SubscriberQuery,
  range: Range,
  options: KvListOptions,
): AsyncGenerator<Row> {
  if (isAddressTerm(query.term)) {
    for await (const { value: record } of listReadable<SignupRecord>(kv, range, options)) {
      if (!record) continue;
      const { createdAt: at, email, list } = record;
      const isMatch = matches(query, record, at) && matchesRecord(query, record);
      yield { at, email, list, isMatch, record };
    }
    return;
  }
  let waiting: Row[] = [];
  for await (
    const { key, value } of listReadable<SubscriberEntry>(kv, range, { ...options, reverse: true })
  ) {
    const [at, email, list] = key.slice(-3) as [number, string, string];
    const row: Row = {
      at,
      email,
      list,
      isMatch: value !== undefined && matches(query, { ...value, email }, at),
    };
    if (!readsRecords(query)) {
      yield row;
      continue;
    }
    waiting.push(row);
    if (waiting.length < RECORDS_AT_ONCE) continue;
    yield* await withRecords(kv, query, waiting);
    waiting = [];
  }
  yield* await withRecords(kv, query, waiting);
}

/** Reads the records of the rows that match so far. A record that was erased in the meantime does not match. */
async function withRecords(kv: Kv, query: SubscriberQuery, rows: readonly Row[]): Promise<Row[]> {
  const wanted = rows.filter(({ isMatch }) => isMatch);
  const reads: Promise<(SignupRecord | null)[]>[] = [];
  for (let from = 0; from < wanted.length; from += RECORDS_PER_READ) {
    reads.push(recordsOf(kv, wanted.slice(from, from + RECORDS_PER_READ)));
  }
  const records = (await Promise.all(reads)).flat();
  const found = new Map(wanted.map((row, index) => [row, records[index]]));
  return rows.map((row) => {
    const record = found.get(row);
    return record && matchesRecord(query, record) ? { ...row, record } : { ...row, isMatch: false };
  });
}

async function recordsOf(kv: Kv, rows: readonly Row[]): Promise<(SignupRecord | null)[]> {
  return await readReadable(kv, rows.map(({ email, list }) => signupKey(email, list)));
}
