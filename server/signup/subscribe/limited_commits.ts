import type { Clock, Random } from "../../platform/deps.ts";
import type { Fence } from "../../platform/jobs/handler.ts";
import { cas, type Decision } from "../../platform/kv/cas.ts";
import type { Chains } from "../../platform/kv/chains.ts";
import type { EntriesOf, NamedKeys } from "../../platform/kv/entries.ts";
import type { AtomicOperation, Kv } from "../../platform/kv/port.ts";
import type { FullLimits } from "../../platform/limits/full_limits.ts";
import type { Policy } from "../../platform/limits/policies.ts";
import { admissionsOf, putLog } from "../../platform/limits/spend.ts";
import {
  checkLimits,
  type LimitCheck,
  type Limited,
  limitedBy,
  type LimitWrite,
  writesWhenRefused,
} from "./admission.ts";

export interface LimitedCommitsDeps {
  kv: Kv;
  clock: Clock;
  random: Random;
  chains: Chains;
  fullLimits: FullLimits;
}

/** Commits that depend on the logs of limits. */
export interface LimitedCommits {
  /**
   * Reads the logs of limits together with other rows, and decides with the result of the check. Requests with the same
   * limits run one after the other here, instead of conflicting in the database.
   */
  decide<Rows extends NamedKeys, T>(
    limits: readonly Policy[],
    keys: Rows,
    decideOn: (check: LimitCheck, rows: EntriesOf<Rows>, now: number) => Decision<T>,
    fence?: Fence,
  ): Promise<T>;
  /** Returns the result of a request over a limit that is known to be full; undefined if the database must decide. */
  overFullLimit(limit: Policy): Limited | undefined;
  /**
   * Refuses a request over a limit that is known to be full. Reads only the limits before it, which may still count the
   * request. Returns undefined if the database must decide.
   */
  refuseOverFullLimit(limits: readonly Policy[]): Promise<Limited | undefined>;
}

/** Creates the commits of one process, which share its chains and its known full limits. */
export function createLimitedCommits(
  { kv, clock, random, chains, fullLimits }: LimitedCommitsDeps,
): LimitedCommits {
  const decide: LimitedCommits["decide"] = (limits, keys, decideOn, fence) => {
    const read = { logs: limits.map(({ key }) => key), rows: keys };
    return chains.run(limits.map(({ id }) => id), async () => {
      let verdicts: LimitCheck["verdicts"] = [];
      const result = await cas(kv, read, ({ logs, rows }) => {
        const now = clock.now();
        const check = checkLimits(limits, logs.map(admissionsOf), now);
        ({ verdicts } = check);
        return decideOn(check, rows, now);
      }, { clock, random, fence });
      for (const { policy, verdict } of verdicts) fullLimits.note(policy, verdict);
      return result;
    });
  };

  function overFullLimit(limit: Policy): Limited | undefined {
    const retryAfterMs = fullLimits.retryAfterMs(limit, clock.now());
    return retryAfterMs === undefined ? undefined : limitedBy(limit, retryAfterMs);
  }

  async function refuseOverFullLimit(limits: readonly Policy[]): Promise<Limited | undefined> {
    const full = limits.findIndex((limit) => overFullLimit(limit) !== undefined);
    if (full < 0) return undefined;
    const before = limits.slice(0, full);
    if (before.length === 0) return overFullLimit(limits[full]!);
    return await decide(before, {}, ({ limited, writes }): Decision<Limited | undefined> => {
      if (limited) return writeLogs(limited, writes);
      const refused = overFullLimit(limits[full]!);
      return refused ? writeLogs(refused, writesWhenRefused(writes)) : { value: undefined };
    });
  }

  return { decide, overFullLimit, refuseOverFullLimit };
}

/** Returns the decision to return `value` and to write only the logs of limits. */
export function writeLogs<T>(value: T, writes: LimitWrite[]): Decision<T> {
  return writes.length > 0 ? { value, write: (tx) => putLogs(tx, writes) } : { value };
}

/** Writes back the logs of several limits. */
export function putLogs(tx: AtomicOperation, writes: readonly LimitWrite[]): void {
  for (const { policy, log } of writes) putLog(tx, policy, log);
}
