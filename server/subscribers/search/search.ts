import { readReadable } from "../../platform/kv/bad_rows.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { Kv } from "../../platform/kv/port.ts";
import { withoutConsent } from "../../signup/record/consents.ts";
import { signupKey, type SignupRecord } from "../../signup/record/row.ts";
import { decodeCursor, encodeCursor } from "./cursor.ts";
import { type AddressTerm, isAddressTerm, type SubscriberQuery } from "./query.ts";
import { maxRows, type Row, scan } from "./scan.ts";
import { addressRange, hasSeveralFilters, type Range, timeRange } from "./search_range.ts";

export interface SubscriberPage {
  /** Newest signup first; sorted by address for a search by address or prefix. */
  records: SignupRecord[];
  /** Cursor of the next page; missing on the last page. */
  next?: string;
  /** Set if the search stopped at its maximum number of rows (`maxRows`): how far it got. `next` continues there. */
  searchedTo?: number | string;
}

export const PAGE_SIZE = 50;
export const PAGE_MAX = 200;
const BATCH = 500;

/**
 * Returns one page of a search. It reads an index, so its cost depends on the page and not on the number of records.
 *
 * @param after `next` of the previous page
 * @throws {BadCursor} if `after` is invalid or belongs to a search in another order
 */
export async function search(
  kv: Kv,
  query: SubscriberQuery,
  { after, limit = PAGE_SIZE }: { after?: string | undefined; limit?: number } = {},
): Promise<SubscriberPage> {
  const size = Math.min(Math.max(1, limit), PAGE_MAX);
  const { term } = query;
  return isAddressTerm(term)
    ? await byAddress(kv, query, term, after, size)
    : await byTime(kv, query, after, size);
}

/** Searches the records themselves, which are sorted by address. */
async function byAddress(
  kv: Kv,
  query: SubscriberQuery,
  term: AddressTerm,
  after: string | undefined,
  size: number,
): Promise<SubscriberPage> {
  const { start: first, end } = addressRange(term);
  const [, email, list] = after === undefined ? [] : decodeCursor(after, "a");
  // Start right after this key: a key sorts before all keys that extend it.
  const start = email === undefined ? first : [...keys.signup(email, list!), false];
  if (
    email !== undefined && !(term.by === "address" ? email === term.email : email.startsWith(term.prefix))
  ) {
    return { records: [] };
  }
  const cursorOf = ({ email, list }: Row) => encodeCursor(["a", email, list]);
  return await pageOf(kv, query, { start, end }, size, cursorOf, ({ email }) => email);
}

/** Searches the entries of the sparsest index, and the records of its matches. */
async function byTime(
  kv: Kv,
  query: SubscriberQuery,
  after: string | undefined,
  size: number,
): Promise<SubscriberPage> {
  const [, at, email, list] = after === undefined ? [] : decodeCursor(after, "n");
  const end: [number, ...string[]] | undefined = at === undefined ? undefined : [at, email!, list!];
  const range = await timeRange(kv, query, end);
  if (!range) return { records: [] };
  const cursorOf = ({ at, email, list }: Row) => encodeCursor(["n", at, email, list]);
  return await pageOf(kv, query, range, size, cursorOf, ({ at }) => at);
}

/** Reads a range until the page is full. @param placeOf returns where a row is, for `searchedTo` */
async function pageOf(
  kv: Kv,
  query: SubscriberQuery,
  range: Range,
  size: number,
  cursorOf: (row: Row) => string,
  placeOf: (row: Row) => number | string,
): Promise<SubscriberPage> {
  const limit = maxRows(query);
  const found: Row[] = [];
  let last: Row | undefined;
  let rows = 0;
  // With one filter every row matches, so a page needs few.
  const batchSize = hasSeveralFilters(query) ? BATCH : Math.min(size + 1, BATCH);
  for await (const row of scan(kv, query, range, { limit, batchSize })) {
    if (row.isMatch) {
      if (found.length === size) return { records: await recordsOf(kv, found), next: cursorOf(last!) };
      found.push(row);
    }
    last = row;
    if (++rows === limit) {
      return { records: await recordsOf(kv, found), next: cursorOf(row), searchedTo: placeOf(row) };
    }
  }
  return { records: await recordsOf(kv, found) };
}

/** Returns the records of rows, and reads those that are not in their row. Those that were erased or can't be read are left out. */
async function recordsOf(kv: Kv, rows: readonly Row[]): Promise<SignupRecord[]> {
  const unread = rows.filter(({ record }) => !record);
  const records = await readReadable(kv, unread.map(({ email, list }) => signupKey(email, list)));
  const read = new Map(unread.map((row, index) => [row, records[index]]));
  return rows.flatMap((row) => row.record ?? read.get(row) ?? []).map(withoutConsent);
}
