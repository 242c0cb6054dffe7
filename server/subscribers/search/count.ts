import type { Kv } from "../../platform/kv/port.ts";
import { isAddressTerm, type SubscriberQuery } from "./query.ts";
import { maxRows, scan } from "./scan.ts";
import { addressRange, hasSeveralFilters, timeRange } from "./search_range.ts";

/** A search with more matches is not counted to the end. */
export const MAX_COUNTED = 1_000;
const BATCH = 500;

export interface MatchCount {
  count: number;
  /** Whether there may be more matches: counting stopped at one of its limits. */
  more: boolean;
}

/**
 * Counts the matches of a search: exactly up to 1,000 (`MAX_COUNTED`), with at most as many rows read as for one page
 * (`maxRows`), in batches of 500. So the cost does not grow with the number of records.
 */
export async function countMatches(kv: Kv, query: SubscriberQuery): Promise<MatchCount> {
  const { term } = query;
  const range = isAddressTerm(term) ? addressRange(term) : await timeRange(kv, query);
  if (!range) return { count: 0, more: false };
  let count = 0;
  let rows = 0;
  // One row more shows whether there are more. With one filter, most rows match.
  const limit = (hasSeveralFilters(query) ? maxRows(query) : MAX_COUNTED) + 1;
  for await (const { isMatch } of scan(kv, query, range, { limit, batchSize: BATCH })) {
    if (++rows === limit && count < MAX_COUNTED) return { count, more: true };
    if (!isMatch) continue;
    if (count === MAX_COUNTED) return { count, more: true };
    count++;
  }
  return { count, more: false };
}
