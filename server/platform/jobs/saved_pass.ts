import type { Clock, Random } from "../deps.ts";
import { cas } from "../kv/cas.ts";
import type { KvKey, KvListSelector } from "../kv/port.ts";
import type { RunningJob } from "./handler.ts";
import type { Pass } from "./pass.ts";

/** Progress is saved after this many rows. */
const SAVE_EVERY = 500;
/** Well below the limit for an attempt. */
const RUN_FOR_MS = 60_000;

/** The rows of a pass, and what it does with them. */
export interface Family<Row, Payload> {
  range: KvListSelector;
  /** Does the work of a row. It must be safe to repeat. */
  work(key: KvKey, row: Row): Promise<void>;
  /** Returns the job's payload once a row is done, with which a later attempt goes on after it. */
  progress(key: KvKey): Payload;
}

/**
 * Goes over the rows of a family for a minute, and saves the job's progress meanwhile.
 *
 * @returns whether all rows were done in time, and how many
 */
export async function passOver<Row, Payload>(
  pass: Pass,
  { fence, signal }: Pick<RunningJob<Payload>, "fence" | "signal">,
  { range, work, progress }: Family<Row, Payload>,
  { clock, random }: { clock: Clock; random: Random },
): Promise<{ isDone: boolean; count: number }> {
  const end = clock.now() + RUN_FOR_MS;
  let count = 0;
  for await (const { key, value } of pass.rows<Row>(range, { batchSize: SAVE_EVERY })) {
    await pass.row(() => work(key, value));
    if (++count % SAVE_EVERY !== 0) continue;
    const payload = { ...progress(key), skipped: pass.skipped };
    await cas(pass.kv, { row: fence.key }, ({ row }) => ({
      value: undefined,
      write: (tx) => fence.update(tx, row, { payload }),
    }), { clock, random, fence });
    if (signal.aborted || clock.now() > end) return { isDone: false, count };
  }
  return { isDone: true, count };
}
