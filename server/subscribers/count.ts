import type { SubscriberEntry } from "../signup/record/search_entries.ts";
import type { SubscriberQuery } from "./query.ts";
import { MAX_ROWS_PER_PAGE } from "./search.ts";
import { addressRange, hasSeveralFilters, matches, timeRange } from "./search_range.ts";

/** A search with more matches is not counted to the end. */
export const MAX_COUNTED = 1_000;
const BATCH = 500;

export interface MatchCount {
  count: number;
  /** Whether there may be more matches: counting stopped at one of its limits. */
  more: boolean;
}

/**
 * Counts the matches of a search: exactly up to 1,000 (`MAX_COUNTED`), with at most as many rows read as for one page (`MAX_ROWS_PER_PAGE`), in batches of 500.
 * So the cost does not grow with the number of records.
 */
export async function countMatches(kv: Deno.Kv, query: SubscriberQuery): Promise<MatchCount> {
  const { term } = query;
  const byAddress = term && term.by !== "domain";
  const range = byAddress ? addressRange(term) : await timeRange(kv, query);
  if (!range) return { count: 0, more: false };
  let count = 0;
  let rows = 0;
  // One row more shows whether there are more. With one filter, most rows match.
  const limit = (hasSeveralFilters(query) ? MAX_ROWS_PER_PAGE : MAX_COUNTED) + 1;
  const options = { limit, batchSize: BATCH, reverse: !byAddress };
  for await (const { key, value } of kv.list<SubscriberEntry & { createdAt: number }>(range, options)) {
    if (++rows === limit && count < MAX_COUNTED) return { count, more: true };
    const [at, email] = byAddress ? [value.createdAt, String(key.at(-2))] : key.slice(-3) as [number, string];
    if (!matches(query, { ...value, email }, at)) continue;
    if (count === MAX_COUNTED) return { count, more: true };
    count++;
  }
  return { count, more: false };
}
