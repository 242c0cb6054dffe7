import type { ExperimentCounts } from "../../forms/experiments/counts.ts";
import type { VariantName } from "../../forms/experiments/running.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { Kv } from "../../platform/kv/port.ts";
import { isPurchase } from "../systems/order.ts";
import { putRecord } from "../../signup/record/record.ts";
import { signupKey, type SignupRecord } from "../../signup/record/row.ts";
import { type OrderEffect, preparedEffect } from "./orders.ts";

/** How long after a signup an order counts for the variants that the visitor saw. */
export const COUNTED_FOR_MS = 30 * 24 * 60 * 60 * 1000;

/**
 * Returns the effect that counts a subscriber's first order for the variants that they saw, once per signup. Signups that
 * the database can't check in the order's commit are left to the next order, or the next state of this one.
 */
export function countOrderedVariants(
  { kv, experimentCounts }: { kv: Kv; experimentCounts: Pick<ExperimentCounts, "add"> },
): OrderEffect {
  return {
    async prepare({ order, email }, room) {
      if (!isPurchase(order)) return undefined;
      const found: SignupRecord[] = [];
      for await (const { value } of kv.list<SignupRecord>({ prefix: keys.signupsOf(email) })) {
        if (value.variants && !value.variantsOrdered) found.push(value);
      }
      const latest = found.toSorted((a, b) => b.createdAt - a.createdAt).slice(0, Math.max(0, room));
      if (latest.length === 0) return undefined;
      return preparedEffect({
        keys: { records: latest.map(({ list }) => signupKey(email, list)) },
        decide({ records }, _known, now) {
          const counted = records.flatMap(({ value }) => value && isCounted(value, now) ? [value] : []);
          return (tx) => {
            for (const record of counted) {
              putRecord(tx, record, { ...record, variantsOrdered: true });
              for (const variant of record.variants!) {
                experimentCounts.add(tx, variant as VariantName, "ordered");
              }
            }
          };
        },
      });
    },
  };
}

function isCounted({ variants, variantsOrdered, createdAt }: SignupRecord, now: number): boolean {
  return variants !== undefined && !variantsOrdered && now - createdAt <= COUNTED_FOR_MS;
}
