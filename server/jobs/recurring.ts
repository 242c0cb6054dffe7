import type { Clock, Random } from "../deps.ts";
import { cas } from "../kv/cas.ts";
import { type Key, typed } from "../kv/key.ts";
import { keys } from "../kv/keys.ts";
import { addJob, type NewJob } from "./add.ts";
import { jobKey } from "./row.ts";

/** The newest slot of a recurring job that was started, by its beginning (Unix milliseconds). */
interface SlotRow {
  v: 1;
  at: number;
}

const slotKey = (name: string): Key<SlotRow> => typed(keys.slot(name));

/**
 * Starts recurring work once a slot of `everyMs`, however many processes call: the row of the slot has one
 * winner, which adds the job in the same commit. Meant for a cron a minute and for the start of the process,
 * where a slot that was missed while nothing ran is made up for, once. When the clock went back, nothing is
 * started until it is past the newest slot again.
 *
 * Give the job an id of its own, such as its name: if it is still waiting, or running, when the next slot
 * comes, there will be one more run, not two.
 *
 * @param slot `now` in Unix milliseconds.
 * @returns whether this call started the slot; then wake the runner.
 * @throws {RangeError} when `everyMs` is not positive.
 *
 * @example
 * ```ts
 * const slot = { name: "poll", everyMs: 15 * 60_000, now: clock.now() };
 * if (await startSlot({ kv, clock, random }, slot, { id: "poll", name: "cfbe_poll", payload: {} })) runner.wake();
 * ```
 */
export function startSlot<P>(
  deps: { kv: Deno.Kv; clock: Clock; random: Random },
  { name, everyMs, now }: { name: string; everyMs: number; now: number },
  job: Omit<NewJob<P>, "due">,
): Promise<boolean> {
  if (!(everyMs > 0)) throw new RangeError(`a slot of ${everyMs} ms`);
  // The time, not the number of the slot: so `everyMs` may change from one version to the next.
  const at = Math.floor(now / everyMs) * everyMs;
  return cas(deps.kv, { slot: slotKey(name), existing: jobKey(job.id) }, ({ slot, existing }) => {
    if (slot.value && slot.value.at >= at) return { value: false };
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
