import type { Clock, Random } from "../deps.ts";
import { cas, type Decision } from "../kv/cas.ts";
import type { Chains } from "../kv/chains.ts";
import type { LogRow, Policy } from "./policies.ts";
import { admit, type Verdict } from "./sliding_log.ts";

/**
 * A log is of no use after its span; KV may drop it some time later. Long enough for a clock that was set ahead
 * by mistake to be set back before KV, which goes by the same clock, has dropped what still counts.
 */
const LOG_GRACE_MS = 24 * 60 * 60 * 1000;

/** Write a log back, to be dropped when it can refuse nobody any more. */
export function putLog(tx: Deno.AtomicOperation, policy: Policy, times: number[]): void {
  tx.set(policy.key, { v: 1, times } satisfies LogRow, { expireIn: policy.limit.spanMs + LOG_GRACE_MS });
}

/** The times that a log's entry holds. */
export function timesOf(entry: Deno.KvEntryMaybe<unknown>): number[] {
  return (entry.value as LogRow | null)?.times ?? [];
}

/**
 * Count one request against one limit, exactly, in a commit of its own.
 *
 * @throws {Contended} when the database keeps changing underneath
 */
export function spend(
  { kv, clock, random, chains }: { kv: Deno.Kv; clock: Clock; random: Random; chains: Chains },
  policy: Policy,
): Promise<Verdict> {
  return chains.run(
    [JSON.stringify(policy.key)],
    () =>
      cas(kv, [policy.key], ([entry]: Deno.KvEntryMaybe<unknown>[]): Decision<Verdict> => {
        const verdict = admit(timesOf(entry!), clock.now(), policy.limit);
        if (!verdict.admitted) return { value: verdict };
        return { value: verdict, write: (tx) => putLog(tx, policy, verdict.log) };
      }, { clock, random }),
  );
}
