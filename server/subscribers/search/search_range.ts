import { keys } from "../../platform/kv/keys.ts";
import type { Kv, KvKey, KvKeyPart } from "../../platform/kv/port.ts";
import { domainOf, type Facet, FACETS, type SubscriberEntry } from "../../signup/record/search_entries.ts";
import type { SignupRecord } from "../../signup/record/row.ts";
import { matchesAnswer } from "./answer_filter.ts";
import { matchesCampaign, matchesPath } from "./page_filter.ts";
import { type AddressTerm, isAddressTerm, type SubscriberQuery } from "./query.ts";

/** Which rows a search reads, and which of them match. */

/** Number of rows read from each index to choose the sparsest one. */
const PROBE = 100;
/** Appended to a prefix, sorts after every string with that prefix. */
const LAST = "\u{10ffff}";

export interface Range {
  start: KvKey;
  end: KvKey;
}

/** Returns the records of an address, or of all addresses with a prefix. */
export function addressRange(term: AddressTerm): Range {
  return term.by === "address"
    ? { start: keys.signupsOf(term.email), end: [...keys.signupsOf(term.email), true] }
    : { start: keys.signupsOf(term.prefix), end: keys.signupsOf(term.prefix + LAST) };
}

/**
 * Returns the index entries that a search reads: those of its rarest filter, by creation time.
 *
 * @param end where to stop, in place of the query's `until`: creation time, address and list of an entry
 * @returns undefined if the range is empty
 */
export async function timeRange(
  kv: Kv,
  query: SubscriberQuery,
  end?: [number, ...string[]],
): Promise<Range | undefined> {
  // The database rejects a range that ends before it starts.
  if ((end?.[0] ?? query.until ?? Infinity) < (query.from ?? 0)) return undefined;
  const last: KvKeyPart[] = end ?? (query.until === undefined ? [true] : [query.until]);
  const rangeOf = (facet: Facet, value: string) => ({
    start: [...keys.subscribersBy(facet, value), query.from ?? 0],
    end: [...keys.subscribersBy(facet, value), ...last],
  });
  const candidates = requestedFacets(query).map(([facet, value]) => rangeOf(facet, value));
  return candidates.length > 1 ? await sparsest(kv, candidates) : candidates[0] ?? rangeOf("all", "");
}

/** Returns whether rows that a search reads may not match. With one filter, the index has only matching rows. */
export function hasSeveralFilters(query: SubscriberQuery): boolean {
  if (query.unnamedFrom !== undefined || readsRecords(query)) return true;
  if (query.term?.by === "part") return true;
  return requestedFacets(query).length + (isAddressTerm(query.term) ? 1 : 0) > 1;
}

/** Returns the indexes that a search can read, each with the value to look up. */
function requestedFacets(
  { term, status, listStatus, form, unnamedFrom, source = unnamedFrom }: SubscriberQuery,
): [Facet, string][] {
  const values: Partial<Record<Facet, string | undefined>> = {
    domain: term?.by === "domain" ? term.domain : undefined,
    form,
    list_status: listStatus,
    status,
    source,
  };
  return FACETS.flatMap((facet) => values[facet] === undefined ? [] : [[facet, values[facet]]]);
}

/** Returns the index whose first rows reach furthest back in time: it has the fewest rows to skip. */
async function sparsest(kv: Kv, ranges: Range[]): Promise<Range> {
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

/** Returns whether a search has filters that only records can answer, because no index contains them. */
export function readsRecords({ answer, path, campaign }: SubscriberQuery): boolean {
  return answer !== undefined || path !== undefined || campaign !== undefined;
}

/** Returns whether a record matches those filters. */
export function matchesRecord(
  { answer, path, campaign }: SubscriberQuery,
  { fields, page }: Pick<SignupRecord, "fields" | "page">,
): boolean {
  return (answer === undefined || matchesAnswer(answer, fields)) &&
    (path === undefined || matchesPath(path, page)) &&
    (campaign === undefined || matchesCampaign(campaign, page));
}

/**
 * Returns whether a record matches the filters, apart from an address or prefix, and those that only records can answer.
 *
 * @param at when it was created
 */
export function matches(
  { term, status, listStatus, form, source, unnamedFrom, from, until }: SubscriberQuery,
  seen: Omit<SubscriberEntry, "v"> & { email: string },
  at: number,
): boolean {
  return (term?.by !== "domain" || domainOf(seen.email) === term.domain) &&
    (term?.by !== "part" || seen.email.includes(term.part)) &&
    (status === undefined || seen.status === status) &&
    (listStatus === undefined || seen.listStatus === listStatus) &&
    (form === undefined || seen.form === form) &&
    (source === undefined || seen.source === source) &&
    (unnamedFrom === undefined || (seen.source === unnamedFrom && seen.form === undefined)) &&
    (from === undefined || at >= from) && (until === undefined || at < until);
}
