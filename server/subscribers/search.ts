import type { SignupSource } from "../../shared/contract.ts";
import type { ListStatus, LocalStatus } from "../../shared/outcomes.ts";
import { keys } from "../kv/keys.ts";
import { withoutConsent } from "../signup/record/consents.ts";
import type { SignupRecord } from "../signup/record/row.ts";
import { decodeCursor, encodeCursor } from "./cursor.ts";
import { domainOf, type Facet, FACETS, type SubscriberEntry } from "../signup/record/search_entries.ts";

/** What `q` searches for. */
export type Term =
  | { by: "address"; email: string }
  | { by: "prefix"; prefix: string }
  | { by: "domain"; domain: string };

/** The filters of a search. A record must match all that are given. */
export interface SubscriberQuery {
  term?: Term;
  status?: LocalStatus;
  listStatus?: ListStatus;
  form?: string;
  source?: SignupSource;
  /** First signed up at `from` or later, and before `until`; Unix milliseconds. */
  from?: number;
  until?: number;
}

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
/** Number of rows read from each index to choose the sparsest one. */
const PROBE = 100;
/** Appended to a prefix, sorts after every string with that prefix. */
const LAST = "\u{10ffff}";

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
  const [first, end] = term.by === "address"
    ? [keys.signupsOf(term.email), [...keys.signupsOf(term.email), true]]
    : [keys.signupsOf(term.prefix), keys.signupsOf(term.prefix + LAST)];
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
  const end: Deno.KvKeyPart[] = at === undefined
    ? query.until === undefined ? [true] : [query.until]
    : [at, email!, list!];
  // The database rejects a range that ends before it starts.
  if ((at ?? query.until ?? Infinity) < (query.from ?? 0)) return { records: [] };
  const rangeOf = (facet: Facet, value: string) => ({
    start: [...keys.subscribersBy(facet, value), query.from ?? 0],
    end: [...keys.subscribersBy(facet, value), ...end],
  });
  const candidates = requestedFacets(query).map(([facet, value]) => rangeOf(facet, value));
  const range = candidates.length > 1 ? await sparsest(kv, candidates) : candidates[0] ?? rangeOf("all", "");

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
  const filters = requestedFacets(query).length + (query.term && query.term.by !== "domain" ? 1 : 0);
  return { limit, batchSize: filters > 1 ? BATCH : Math.min(size + 1, BATCH) };
}

function requestedFacets({ term, status, listStatus, form, source }: SubscriberQuery): [Facet, string][] {
  const values: Partial<Record<Facet, string | undefined>> = {
    domain: term?.by === "domain" ? term.domain : undefined,
    form,
    list_status: listStatus,
    status,
    source,
  };
  return FACETS.flatMap((facet) => values[facet] === undefined ? [] : [[facet, values[facet]]]);
}

type Range = { start: Deno.KvKey; end: Deno.KvKey };

/** Returns the index whose first rows reach furthest back in time: it has the fewest rows to skip. */
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
