import { type DayOf, utcDay } from "../observe/site_days.ts";
import type { Clock, Log } from "../deps.ts";
import { Chains } from "../kv/chains.ts";
import { keys } from "../kv/keys.ts";
import { createDayCounts, type DayCount, type DayCountKeys, type FormDay } from "../observe/day_counts.ts";
import type { VariantName } from "./running.ts";

/** What is counted per variant: sessions that saw it, and what their visitors did. */
export type ExperimentStep = "seen" | "accepted" | "confirmed" | "ordered";
export type VariantCounts = Record<ExperimentStep, number>;

/** The counts of one day. */
export interface VariantDay extends VariantCounts {
  /** Days since 1970, UTC. */
  day: number;
  variant: VariantName;
}

const COUNTS_PER_COMMIT = 800;
const KEYS: DayCountKeys = {
  row: keys.experimentCounts,
  from: keys.experimentCountsFrom,
  summary: keys.experimentCountsSummary,
};

/** Counts of the variants of experiments, by day. They contain no address and no IP. */
export interface ExperimentCounts {
  /** Counts without waiting for the database. The count is written with the next flush. */
  count(variant: VariantName, step: "seen" | "accepted"): void;
  /** Lets the commit that changes a record count it too, so that it is counted exactly once. */
  add(tx: Deno.AtomicOperation, variant: VariantName, step: "confirmed" | "ordered"): void;
  /** Writes the counts since the last flush. Keeps those that could not be written. */
  flush(): Promise<void>;
  /**
   * Returns the counts of an experiment from one day to another (exclusive), in days since 1970, with those that are not
   * written yet. A variant may occur several times on a day; add up its counts.
   */
  days(experiment: string, from: number, until: number): Promise<VariantDay[]>;
}

export function createExperimentCounts(
  { kv, clock, log, dayOf = utcDay }: { kv: Deno.Kv; clock: Clock; log: Log; dayOf?: DayOf },
): ExperimentCounts {
  const rows = createDayCounts({ kv, clock, log, keys: KEYS, dayOf });
  let open = new Map<string, DayCount>();
  /** While counts are being written, nobody can know whether the database has them already. So reads wait. */
  const chains = new Chains();
  const inTurn = <T>(work: () => Promise<T>) => chains.run(["experiment_counts"], work);
  const today = () => dayOf(clock.now());

  function keep(counted: DayCount): void {
    const id = `${counted.day} ${counted.form} ${counted.entry}`;
    const found = open.get(id);
    if (found) found.count += counted.count;
    else open.set(id, { ...counted });
  }

  function addTo(tx: Deno.AtomicOperation, batch: readonly DayCount[]): void {
    for (const each of batch) rows.add(tx, each);
    for (const day of new Set(batch.map(({ day }) => day))) rows.keepCurrent(tx, day);
  }

  return {
    count: (variant, step) => keep({ day: today(), form: variant, entry: step, count: 1 }),
    add: (tx, variant, step) => addTo(tx, [{ day: today(), form: variant, entry: step, count: 1 }]),
    flush: () =>
      inTurn(async () => {
        const counts = [...open.values()];
        open = new Map();
        while (counts.length > 0) {
          const batch = counts.splice(0, COUNTS_PER_COMMIT);
          try {
            const tx = kv.atomic();
            addTo(tx, batch);
            await tx.commit();
          } catch (error) {
            log.error("experiment_counts.flush_failed", { error });
            for (const each of [...batch, ...counts.splice(0)]) keep(each);
          }
        }
      }),
    days: (experiment, from, until) =>
      inTurn(async () => {
        const unwritten = [...open.values()].filter(({ day }) => day >= from && day < until);
        const all: FormDay[] = [
          ...await rows.read(from, until),
          ...unwritten.map(({ day, form, entry, count }) => ({ day, form, entries: { [entry]: count } })),
        ];
        return all.filter(({ form }) => form.startsWith(`${experiment}/`)).map(toVariantDay);
      }),
  };
}

function toVariantDay({ day, form, entries }: FormDay): VariantDay {
  const { seen = 0, accepted = 0, confirmed = 0, ordered = 0 } = entries;
  return { day, variant: form as VariantName, seen, accepted, confirmed, ordered };
}
