import type { Clock, Random } from "../deps.ts";
import { cas, type Decision } from "../kv/cas.ts";
import type { Chains } from "../kv/chains.ts";
import type { Entry } from "../kv/key.ts";
import type { AtomicOperation, Kv } from "../kv/port.ts";
import { admitTo, type LimitVerdict, type LogRow, type Policy } from "./policies.ts";
import { type Admissions, NETWORK_CHARACTERS } from "./shared_log.ts";

/**
 * How long a log is kept after its span. Long enough that a clock set ahead by mistake can be set back before the
 * database, which uses the same clock, deletes times that still count.
 */
const LOG_GRACE_MS = 24 * 60 * 60 * 1000;

/** A longer log is stored as differences. */
const MOST_TIMES = 4_000;

/** Writes a log back, with an expiry after which it has no effect. */
export function putLog(tx: AtomicOperation, policy: Policy, log: Admissions): void {
  tx.set(policy.key, rowOf(log), { expireIn: policy.limit.spanMs + LOG_GRACE_MS });
}

function rowOf({ times, networks }: Admissions): LogRow {
  const [first = 0, ...later] = times;
  const noted = networks && { networks: networks.join("") };
  if (times.length <= MOST_TIMES) return { v: 1, times: [...times], ...noted };
  return { v: 2, first, gaps: later.map((time, at) => time - times[at]!), ...noted };
}

/** Returns the admissions in a log's entry. */
export function admissionsOf(entry: Entry<LogRow>): Admissions {
  const times = timesOf(entry);
  const networks = entry.value?.networks?.match(ALL_NETWORKS);
  return networks?.length === times.length ? { times, networks } : { times };
}

const ALL_NETWORKS = new RegExp(`.{${2 * NETWORK_CHARACTERS}}`, "g");

/** Returns the times in a log's entry. */
export function timesOf({ value }: Entry<LogRow>): number[] {
  if (!value) return [];
  if (value.v === 1) return value.times;
  let time = value.first;
  return [time, ...value.gaps.map((gap) => time += gap)];
}

/**
 * Counts one request against one limit, exactly, in a commit of its own.
 *
 * @throws {Contended} if the row keeps changing
 */
export function spend(
  { kv, clock, random, chains }: { kv: Kv; clock: Clock; random: Random; chains: Chains },
  policy: Policy,
): Promise<LimitVerdict> {
  return chains.run(
    [policy.id],
    () =>
      cas(kv, { log: policy.key }, ({ log }): Decision<LimitVerdict> => {
        const verdict = admitTo(policy, admissionsOf(log), clock.now());
        const counted = verdict.admitted ? verdict.log : verdict.corrected;
        return counted ? { value: verdict, write: (tx) => putLog(tx, policy, counted) } : { value: verdict };
      }, { clock, random }),
  );
}

/** A request that was counted against several limits before it is known whether it counts. */
export interface Attempt {
  /** Removes the request from every log. */
  refund(): Promise<void>;
}

/**
 * Counts one request against each limit, so that concurrent requests can't exceed any; the caller refunds a
 * request that turns out not to count. A request that one limit rejects counts toward none.
 *
 * @returns the attempt, or the milliseconds until one more would fit
 */
export async function attempt(
  deps: Parameters<typeof spend>[0],
  policies: readonly Policy[],
): Promise<Attempt | { retryAfterMs: number }> {
  const spent: { policy: Policy; at: number }[] = [];
  const refund = async () => {
    for (const { policy, at } of spent) await refundOne(deps, policy, at);
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

/** Removes one counted request from a log, unless its time is no longer in it. */
function refundOne(
  { kv, clock, random, chains }: Parameters<typeof spend>[0],
  policy: Policy,
  at: number,
): Promise<void> {
  return chains.run(
    [policy.id],
    () =>
      cas(kv, { log: policy.key }, ({ log }): Decision<void> => {
        const times = timesOf(log);
        const index = times.indexOf(at);
        if (index < 0) return { value: undefined };
        return { value: undefined, write: (tx) => putLog(tx, policy, { times: times.toSpliced(index, 1) }) };
      }, { clock, random }),
  );
}
