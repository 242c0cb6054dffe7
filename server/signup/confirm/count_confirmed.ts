import type { AttackMode } from "../../platform/attack/attack_mode.ts";
import type { PageCounts } from "../attribution/page_counts.ts";
import type { Counters } from "../../platform/observe/counters.ts";
import type { Meters } from "../../platform/observe/meters.ts";
import type { ExperimentCounts } from "../../forms/experiments/counts.ts";
import type { VariantName } from "../../forms/experiments/running.ts";
import type { OnActive, OnConfirmed } from "../record/record.ts";

/** Returns a function that counts confirmations, by the form and the page with which the address first signed up. */
export function countConfirmed(
  { meters, counters, pageCounts, attackMode }: {
    meters: Meters;
    counters: Counters;
    pageCounts: PageCounts;
    attackMode: Pick<AttackMode, "noteConfirmed">;
  },
): OnConfirmed {
  return ({ form, source, page }, by, afterMs) => {
    attackMode.noteConfirmed(form ?? source);
    meters.confirmed(by, afterMs);
    counters.note(`confirmed.${by}`, form ?? source);
    if (page) pageCounts.count(form ?? source, page, "confirmed");
  };
}

/** Returns a hook that counts a confirmation for the variants that the visitor saw, also after their experiment ended. */
export function countConfirmedVariants(
  { experimentCounts }: { experimentCounts: Pick<ExperimentCounts, "add"> },
): OnActive {
  return (tx, { variants = [] }) => {
    for (const variant of variants) experimentCounts.add(tx, variant as VariantName, "confirmed");
  };
}
