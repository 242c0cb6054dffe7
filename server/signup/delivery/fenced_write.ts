import type { Clock, Random } from "../../platform/deps.ts";
import type { Finished } from "../../platform/jobs/handler.ts";
import { cas } from "../../platform/kv/cas.ts";
import type { EntriesOf, NamedKeys } from "../../platform/kv/entries.ts";
import type { AtomicOperation, Kv } from "../../platform/kv/port.ts";
import type { DeliveryPayload } from "./payload.ts";
import type { DeliveryRun } from "./run.ts";

/** What a write of a delivery changes, besides its value. */
interface Decision<T> {
  value: T;
  /** New members of the job's payload. If missing, nothing is written. */
  progress?: Partial<DeliveryPayload>;
  /** Whether the commit also ends the job. */
  endJob?: boolean;
  write?: (tx: AtomicOperation) => void;
}

/**
 * Runs a `cas` with the fence of a delivery's job. In the same commit, stores the progress in the job's payload, or ends
 * the job.
 *
 * @returns the value, and the job's result if it has ended
 */
export async function fencedWrite<Keys extends NamedKeys, T>(
  { kv, clock, random }: { kv: Kv; clock: Clock; random: Random },
  run: DeliveryRun,
  read: Keys,
  decide: (entries: EntriesOf<Keys>, now: number) => Decision<T>,
): Promise<{ value: T; finished?: Finished }> {
  const { fence, seen } = run.job;
  let finished: Finished | undefined;
  const { value, payload } = await cas(kv, { job: fence.key, read }, ({ job, read }) => {
    const now = clock.now();
    const { value, progress, endJob, write } = decide(read, now);
    if (!progress) return { value: { value, payload: run.payload } };
    const payload = { ...run.payload, ...progress };
    return {
      value: { value, payload },
      write(tx) {
        write?.(tx);
        if (endJob) finished = fence.finish(tx, job, now);
        else fence.update(tx, job, { payload });
      },
    };
  }, { clock, random, fence, seen });
  run.payload = payload;
  return { value, ...(finished && { finished }) };
}
