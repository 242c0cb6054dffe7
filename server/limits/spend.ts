import type { Clock, Random } from "../deps.ts";
import { cas, type Decision } from "../kv/cas.ts";
import type { Chains } from "../kv/chains.ts";
import type { Entry } from "../kv/key.ts";
import { admitTo, type LogRow, type Policy } from "./policies.ts";
import type { Verdict } from "./sliding_log.ts";

/**
 * A log is of no use after its span; KV may drop it some time later. Long enough for a clock that was set ahead
 * by mistake to be set back before KV, which goes by the same clock, has dropped what still counts.
 */
const LOG_GRACE_MS = 24 * 60 * 60 * 1000;

/** Writes a log back, to be dropped when it can refuse nobody any more. */
export function putLog(tx: Deno.AtomicOperation, policy: Policy, times: number[]): void {
  tx.set(policy.key, { v: 1, times } satisfies LogRow, { expireIn: policy.limit.spanMs + LOG_GRACE_MS });
}

/** Returns the times that a log's entry holds. */
export function timesOf({ value }: Entry<LogRow>): number[] {
  return value?.times ?? [];
}

/**
 * Counts one request against one limit, exactly, in a commit of its own.
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
      cas(kv, { log: policy.key }, ({ log }): Decision<Verdict> => {
        const verdict = admitTo(policy, timesOf(log), clock.now());
        const times = verdict.admitted ? verdict.log : verdict.corrected;
        return times ? { value: verdict, write: (tx) => putLog(tx, policy, times) } : { value: verdict };
      }, { clock, random }),
  );
}

/** A request that was counted against several limits before it was known whether it counts. */
export interface Attempt {
  /** Takes the request out of every log again. */
  refund(): Promise<void>;
}

/**
 * Counts one request against each limit, so that requests at the same instant can't exceed one; the caller refunds what
 * turns out not to count. A request that one limit refuses counts toward none.
 *
 * @returns the attempt, or the milliseconds until one more would fit
 */
export async function attempt(
  deps: Parameters<typeof spend>[0],
  policies: readonly Policy[],
): Promise<Attempt | { retryAfterMs: number }> {
  const spent: { policy: Policy; at: number }[] = [];
  const refund = async () => {
    for (const { policy, at } of spent) await giveBack(deps, policy, at);
  };
  for (const policy of policies) {
    const verdict = await spend(deps, policy);
    if (!verdict.admitted) {
      await refund();
      return verdict;
    }
    spent.push({ policy, at: verdict.at });
  }
  return { refund };
}

function giveBack(
  { kv, clock, random, chains }: Parameters<typeof spend>[0],
  policy: Policy,
  at: number,
): Promise<void> {
  return chains.run(
    [JSON.stringify(policy.key)],
    () =>
      cas(kv, { log: policy.key }, ({ log }): Decision<void> => {
        const times = timesOf(log);
        const index = times.indexOf(at);
        if (index < 0) return { value: undefined };
        return { value: undefined, write: (tx) => putLog(tx, policy, times.toSpliced(index, 1)) };
      }, { clock, random }),
  );
}
