import type { SignupSource } from "../../shared/contract.ts";
import type { ListStatus, LocalStatus } from "../../shared/outcomes.ts";
import { keys } from "../kv/keys.ts";
import type { SignupRecord } from "../signup/record/row.ts";
import { decodeCursor, encodeCursor } from "./cursor.ts";
import { domainOf, type Facet, FACETS, type SubscriberEntry } from "../signup/record/search_entries.ts";

/** Whose records are looked for. */
export type Term =
  | { by: "address"; email: string }
  | { by: "prefix"; prefix: string }
  | { by: "domain"; domain: string };

/** Everything that is given must hold. */
export interface SubscriberQuery {
  term?: Term;
  status?: LocalStatus;
  listStatus?: ListStatus;
  form?: string;
  source?: SignupSource;
  /** Signed up at or after this, and before that; Unix milliseconds. */
  from?: number;
  until?: number;
}

export interface SubscriberPage {
  /** Newest signup first; by address where the beginning of one is looked for. */
  records: SignupRecord[];
  /** Leads to the next page; missing on the last. */
  next?: string;
  /** Set when it stopped for having read enough: everything back to here was looked at, and `next` goes on. */
  searchedTo?: number | string;
}

/** The most rows that one page reads, however little of what it reads fits. */
export const ROWS_A_PAGE = 2_000;
export const PAGE_SIZE = 50;
export const PAGE_MAX = 200;
const BATCH = 500;
const KEYS_A_READ = 10;
/** How far into each index is looked before one is chosen. */
const PROBE = 100;
/** Sorts behind every string that begins alike. */
const LAST = "\u{10ffff}";

/**
 * One page of a search, read from an index: what it costs follows the page, never how many records there are.
 *
 * @param after `next` of the page before
 * @throws {BadCursor} when `after` did not come from a search in this order
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

/** Records themselves, in the order of their addresses. */
async function byAddress(
  kv: Deno.Kv,
  query: SubscriberQuery,
  term: Exclude<Term, { by: "domain" }>,
  after: string | undefined,
  size: number,
): Promise<SubscriberPage> {
  const [first, behind] = term.by === "address"
    ? [keys.signupsOf(term.email), [...keys.signupsOf(term.email), true]]
    : [keys.signupsOf(term.prefix), keys.signupsOf(term.prefix + LAST)];
  const [, email, list] = after === undefined ? [] : decodeCursor(after, "a");
  // A key comes before its own continuations.
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
    const { value } of kv.list<SignupRecord>({ start, end: behind }, batched(query, size, ROWS_A_PAGE))
  ) {
    if (matches(query, value, value.createdAt)) {
      if (records.length === size) return { records, next: addressCursor(last!) };
      records.push(value);
    }
    last = value;
    if (++rows === ROWS_A_PAGE) return { records, next: addressCursor(last), searchedTo: last.email };
  }
  return { records };
}

const addressCursor = ({ email, list }: SignupRecord) => encodeCursor(["a", email, list]);

interface Place {
  at: number;
  email: string;
  list: string;
}

/** Entries of the index that leads back fastest, then the records that they stand for. */
async function byTime(
  kv: Deno.Kv,
  query: SubscriberQuery,
  after: string | undefined,
  size: number,
): Promise<SubscriberPage> {
  const [, at, email, list] = after === undefined ? [] : decodeCursor(after, "n");
  const behind: Deno.KvKeyPart[] = at === undefined
    ? query.until === undefined ? [true] : [query.until]
    : [at, email!, list!];
  // The database refuses a span that ends before it begins.
  if ((at ?? query.until ?? Infinity) < (query.from ?? 0)) return { records: [] };
  const span = (facet: Facet, value: string) => ({
    start: [...keys.subscribersBy(facet, value), query.from ?? 0],
    end: [...keys.subscribersBy(facet, value), ...behind],
  });
  const candidates = requestedFacets(query).map(([facet, value]) => span(facet, value));
  const range = candidates.length > 1 ? await sparsest(kv, candidates) : candidates[0] ?? span("all", "");

  const places: Place[] = [];
  let last: Place | undefined;
  let rows = 0;
  const options = { reverse: true, ...batched(query, size, ROWS_A_PAGE) };
  for await (const { key, value } of kv.list<SubscriberEntry>(range, options)) {
    const [at, email, list] = key.slice(-3) as [number, string, string];
    if (matches(query, { ...value, email }, at)) {
      if (places.length === size) return { records: await recordsAt(kv, places), next: newestCursor(last!) };
      places.push({ at, email, list });
    }
    last = { at, email, list };
    if (++rows === ROWS_A_PAGE) {
      return { records: await recordsAt(kv, places), next: newestCursor(last), searchedTo: at };
    }
  }
  return { records: await recordsAt(kv, places) };
}

const newestCursor = ({ at, email, list }: Place) => encodeCursor(["n", at, email, list]);

/** One filter alone fills a page with every row it reads; several pass most of them over. */
function batched(query: SubscriberQuery, size: number, limit: number): Deno.KvListOptions {
  const filters = requestedFacets(query).length + (query.term && query.term.by !== "domain" ? 1 : 0);
  return { limit, batchSize: filters > 1 ? BATCH : Math.min(size + 1, BATCH) };
}

function requestedFacets({ term, status, listStatus, form, source }: SubscriberQuery): [Facet, string][] {
  const asked: Partial<Record<Facet, string | undefined>> = {
    domain: term?.by === "domain" ? term.domain : undefined,
    form,
    list_status: listStatus,
    status,
    source,
  };
  return FACETS.flatMap((facet) => asked[facet] === undefined ? [] : [[facet, asked[facet]]]);
}

type Range = { start: Deno.KvKey; end: Deno.KvKey };

/** Of several indexes the one that reaches furthest back with the same number of rows: it has the fewest to pass over. */
async function sparsest(kv: Deno.Kv, ranges: Range[]): Promise<Range> {
  let [best, bestReach] = [ranges[0]!, Infinity];
  for (const range of ranges) {
    let reach = -Infinity;
    let rows = 0;
    for await (const { key } of kv.list(range, { reverse: true, limit: PROBE, batchSize: PROBE })) {
      reach = key.at(-3) as number;
      rows++;
    }
    if (rows < PROBE) return range;
    if (reach < bestReach) [best, bestReach] = [range, reach];
  }
  return best;
}

function matches(
  { term, status, listStatus, form, source, from, until }: SubscriberQuery,
  seen: Omit<SubscriberEntry, "v"> & { email: string },
  at: number,
): boolean {
  return (term?.by !== "domain" || domainOf(seen.email) === term.domain) &&
    (status === undefined || seen.status === status) &&
    (listStatus === undefined || seen.listStatus === listStatus) &&
    (form === undefined || seen.form === form) &&
    (source === undefined || seen.source === source) &&
    (from === undefined || at >= from) && (until === undefined || at < until);
}

/** One that was erased since its entry was read is passed over. */
async function recordsAt(kv: Deno.Kv, places: Place[]): Promise<SignupRecord[]> {
  const records: SignupRecord[] = [];
  for (let from = 0; from < places.length; from += KEYS_A_READ) {
    const page = places.slice(from, from + KEYS_A_READ);
    const entries = await kv.getMany<SignupRecord[]>(page.map(({ email, list }) => keys.signup(email, list)));
    for (const { value } of entries) if (value) records.push(value);
  }
  return records;
}
