import { keys } from "../kv/keys.ts";
import { withoutConsent } from "../signup/record/consents.ts";
import type { SignupRecord } from "../signup/record/row.ts";
import { decodeCursor, encodeCursor } from "./cursor.ts";
import type { SubscriberEntry } from "../signup/record/search_entries.ts";
import type { SubscriberQuery, Term } from "./query.ts";
import { addressRange, hasSeveralFilters, matches, timeRange } from "./search_range.ts";

export interface SubscriberPage {
  /** Newest signup first; sorted by address for a search by address or prefix. */
  records: SignupRecord[];
  /** Cursor of the next page; missing on the last page. */
  next?: string;
  /** Set if the search stopped at `MAX_ROWS_PER_PAGE`: how far it got. `next` continues there. */
  searchedTo?: number | string;
}

/** Maximum number of rows read for one page, however few of them match. */
export const MAX_ROWS_PER_PAGE = 2_000;
export const PAGE_SIZE = 50;
export const PAGE_MAX = 200;
const BATCH = 500;
const KEYS_PER_READ = 10;

/**
 * Returns one page of a search. It reads an index, so its cost depends on the page and not on the number of records.
 *
 * @param after `next` of the previous page
 * @throws {BadCursor} if `after` is invalid or belongs to a search in another order
 */
export async function search(
  kv: Deno.Kv,
  query: SubscriberQuery,
  { after, limit = PAGE_SIZE }: { after?: string | undefined; limit?: number } = {},
): Promise<SubscriberPage> {
  const size = Math.min(Math.max(1, limit), PAGE_MAX);
  const { term } = query;
  return term && term.by !== "domain"
    ? await byAddress(kv, query, term, after, size)
    : await byTime(kv, query, after, size);
}

/** Searches the records themselves, which are sorted by address. */
async function byAddress(
  kv: Deno.Kv,
  query: SubscriberQuery,
  term: Exclude<Term, { by: "domain" }>,
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
  const records: SignupRecord[] = [];
  let last: SignupRecord | undefined;
  let rows = 0;
  for await (
    const { value } of kv.list<SignupRecord>({ start, end }, batched(query, size, MAX_ROWS_PER_PAGE))
  ) {
    if (matches(query, value, value.createdAt)) {
      if (records.length === size) return { records, next: addressCursor(last!) };
      records.push(withoutConsent(value));
    }
    last = value;
    if (++rows === MAX_ROWS_PER_PAGE) return { records, next: addressCursor(last), searchedTo: last.email };
  }
  return { records };
}

const addressCursor = ({ email, list }: SignupRecord) => encodeCursor(["a", email, list]);

interface Position {
  at: number;
  email: string;
  list: string;
}

/** Searches the entries of the sparsest index, then reads their records. */
async function byTime(
  kv: Deno.Kv,
  query: SubscriberQuery,
  after: string | undefined,
  size: number,
): Promise<SubscriberPage> {
  const [, at, email, list] = after === undefined ? [] : decodeCursor(after, "n");
  const end: [number, ...string[]] | undefined = at === undefined ? undefined : [at, email!, list!];
  const range = await timeRange(kv, query, end);
  if (!range) return { records: [] };

  const positions: Position[] = [];
  let last: Position | undefined;
  let rows = 0;
  const options = { reverse: true, ...batched(query, size, MAX_ROWS_PER_PAGE) };
  for await (const { key, value } of kv.list<SubscriberEntry>(range, options)) {
    const [at, email, list] = key.slice(-3) as [number, string, string];
    if (matches(query, { ...value, email }, at)) {
      if (positions.length === size) {
        return { records: await recordsAt(kv, positions), next: newestCursor(last!) };
      }
      positions.push({ at, email, list });
    }
    last = { at, email, list };
    if (++rows === MAX_ROWS_PER_PAGE) {
      return { records: await recordsAt(kv, positions), next: newestCursor(last), searchedTo: at };
    }
  }
  return { records: await recordsAt(kv, positions) };
}

const newestCursor = ({ at, email, list }: Position) => encodeCursor(["n", at, email, list]);

/** Returns list options with a small batch for one filter, which matches every row, and a large one for several. */
function batched(query: SubscriberQuery, size: number, limit: number): Deno.KvListOptions {
  return { limit, batchSize: hasSeveralFilters(query) ? BATCH : Math.min(size + 1, BATCH) };
}

/** Reads the records of entries. Records that were erased in the meantime are skipped. */
async function recordsAt(kv: Deno.Kv, positions: Position[]): Promise<SignupRecord[]> {
  const records: SignupRecord[] = [];
  for (let from = 0; from < positions.length; from += KEYS_PER_READ) {
    const page = positions.slice(from, from + KEYS_PER_READ);
    const entries = await kv.getMany<SignupRecord[]>(page.map(({ email, list }) => keys.signup(email, list)));
    for (const { value } of entries) if (value) records.push(withoutConsent(value));
  }
  return records;
}
