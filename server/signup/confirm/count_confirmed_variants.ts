import type { ExperimentCounts } from "../../forms/experiments/counts.ts";
import type { VariantName } from "../../forms/experiments/running.ts";
import type { OnActive } from "../record/record.ts";

/** Returns a hook that counts a confirmation for the variants that the visitor saw, also after their experiment ended. */
export function countConfirmedVariants(
  { experimentCounts }: { experimentCounts: Pick<ExperimentCounts, "add"> },
): OnActive {
  return (tx, { variants = [] }) => {
    for (const variant of variants) experimentCounts.add(tx, variant as VariantName, "confirmed");
  };
}
