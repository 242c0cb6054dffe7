import type { PageCounts } from "../attribution/page_counts.ts";
import type { Counters } from "../../platform/observe/counters.ts";
import type { Meters } from "../../platform/observe/meters.ts";
import type { OnConfirmed } from "../record/record.ts";

/** Returns a function that counts confirmations, by the form and the page with which the address first signed up. */
export function countConfirmed(
  { meters, counters, pageCounts }: { meters: Meters; counters: Counters; pageCounts: PageCounts },
): OnConfirmed {
  return ({ form, source, page }, by, afterMs) => {
    meters.confirmed(by, afterMs);
    counters.note(`confirmed.${by}`, form ?? source);
    if (page) pageCounts.count(form ?? source, page, "confirmed");
  };
}
