import { systemRandom } from "../../platform/deps.ts";
import type { Kv } from "../../platform/kv/port.ts";
import { createPageCounts } from "../../signup/attribution/page_counts.ts";
import { DAY_MS } from "../../platform/observe/counters.ts";
import { memoryLog } from "../../../dev/testing/memory_log.ts";
import { ManualClock } from "../../../dev/testing/manual_clock.ts";

const FORMS = ["footer", "sidebar", "landing"];
const PATHS = 40;

/** Inserts counts of signups by page, campaign and linking site for the `days` before `now`, as the program counts them. */
export async function insertSamplePageCounts(kv: Kv, now: number, days: number): Promise<void> {
  for (let day = days - 1; day >= 0; day--) {
    const clock = new ManualClock(now - day * DAY_MS);
    const counts = createPageCounts({ kv, clock, random: systemRandom, log: memoryLog() });
    for (const form of FORMS) {
      for (let i = 0; i < PATHS; i++) {
        const page = {
          path: `/posts/${i}`,
          referrer: `https://site${i % 10}.example`,
          utm: { source: "mail", campaign: `campaign ${i % 8}` },
        };
        counts.count(form, page, "signups");
        counts.count(form, page, "confirmed");
      }
    }
    await counts.flush();
  }
}
