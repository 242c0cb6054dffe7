import type { Clock, Random } from "../deps.ts";
import { cas } from "../kv/cas.ts";
import { type Key, typed } from "../kv/key.ts";
import { keys } from "../kv/keys.ts";
import type { Kv } from "../kv/port.ts";
import { isFarAhead } from "../time/stored_time.ts";
import { addJob, type NewJob } from "./add.ts";
import { jobKey } from "./row.ts";

/** The newest slot of a recurring job that was started. */
interface SlotRow {
  v: 1;
  /** When the slot begins, in Unix milliseconds. */
  at: number;
}

export const slotKey = (name: string): Key<SlotRow> => typed(keys.slot(name));

/**
 * Starts a recurring job once per slot of `everyMs`, no matter how many processes call this: only one of them advances
 * the slot row, and it adds the job in the same commit. Called every minute and when the process starts. Slots missed
 * while nothing ran are made up for by one run. After the clock was set back, nothing starts until it has passed the
 * newest slot again; a slot so far ahead that the clock was wrong counts as none (`stored_time.ts`).
 *
 * Give the job a fixed ID, such as its name. If the job is still waiting or running when the next slot begins, it runs
 * once more, not twice.
 *
 * @param slot `now` in Unix milliseconds.
 * @returns whether this call started the slot; if so, wake the runner.
 * @throws {RangeError} when `everyMs` is not positive.
 *
 * @example
 * ```ts
 * const slot = { name: "poll", everyMs: 15 * 60_000, now: clock.now() };
 * if (await startSlot({ kv, clock, random }, slot, { id: "poll", name: "cfbe_poll", payload: {} })) runner.wake();
 * ```
 */
export function startSlot<P>(
  deps: { kv: Kv; clock: Clock; random: Random },
  { name, everyMs, now }: { name: string; everyMs: number; now: number },
  job: Omit<NewJob<P>, "due">,
): Promise<boolean> {
  if (!(everyMs > 0)) throw new RangeError(`the slot length must be positive, not ${everyMs} ms`);
  // The time, not the number of the slot, so that a new version may change `everyMs`.
  const at = Math.floor(now / everyMs) * everyMs;
  return cas(deps.kv, { slot: slotKey(name), existing: jobKey(job.id) }, ({ slot, existing }) => {
    if (slot.value && !isFarAhead(slot.value.at, now) && slot.value.at >= at) return { value: false };
    return {
      value: true,
      write(tx) {
        const started: SlotRow = { v: 1, at };
        tx.set(slotKey(name), started);
        addJob(tx, existing, { ...job, due: now }, now);
      },
    };
  }, deps);
}
