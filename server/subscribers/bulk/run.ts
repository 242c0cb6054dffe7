import { z } from "zod";
import type { Clock, Random } from "../../platform/deps.ts";
import { addJob } from "../../platform/jobs/add.ts";
import { jobKey } from "../../platform/jobs/row.ts";
import type { Keyring } from "../../platform/keys/keyring.ts";
import { sealedJson } from "../../platform/keys/seal.ts";
import { cas } from "../../platform/kv/cas.ts";
import { type Key, typed } from "../../platform/kv/key.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { Kv } from "../../platform/kv/port.ts";
import { plausibleTime } from "../../platform/time/stored_time.ts";
import { type ActionRefusal, DEACTIVATED } from "../person/actions.ts";
import type { BulkAct, BulkPreview } from "./preview.ts";
import { BULK_ERASURE_JOB, BULK_JOB, isRunning, latestRun, type Run } from "../person/run_jobs.ts";
import { Selection } from "./selection.ts";

/** The latest bulk action: what it does, and how far it is. There is one at a time. */
export interface BulkRunRow extends Run {
  v: 1;
  act: BulkAct;
  /** Name of the user. */
  by: string;
  /** The number to handle, as previewed. `more`: at least that many. */
  total: number;
  more: boolean;
  done: number;
  skipped: Record<string, number>;
  /** Whether to erase at the provider too. */
  provider: boolean;
  /**
   * The selection and the position in it, encrypted because they contain addresses; see `sealedWork`. Missing once it has
   * ended.
   */
  work?: string;
}

export const bulkRunKey: Key<BulkRunRow> = typed(keys.bulkRun());

const Work = z.object({
  selection: Selection,
  after: z.string().optional(),
  /** The people to erase next, and when they were chosen, Unix milliseconds: stored before the first of them is erased. */
  erasing: z.object({ emails: z.array(z.string()), at: z.number() }).optional(),
});
export type BulkWork = z.output<typeof Work>;

export const sealedWork = sealedJson("cfbe/bulk", Work);

export const bulkRun = latestRun({
  key: bulkRunKey,
  job: BULK_JOB,
  withoutAddresses: ({ work: _, ...run }) => run,
});
export const { read: readBulkRun, cancel: cancelBulk } = bulkRun;

interface Deps {
  kv: Kv;
  clock: Clock;
  random: Random;
  keyring: Keyring;
  wake: () => void;
  activation: { isActive(): boolean };
}

interface Start {
  act: BulkAct;
  selection: Selection;
  preview: Pick<BulkPreview, "total" | "more">;
  by: string;
  provider?: boolean;
}

/**
 * Starts a bulk action in a job. Signups made later are not part of it.
 *
 * @returns why it did not start, or undefined
 */
export async function startBulk(
  deps: Deps,
  { act, selection, preview, by, provider = false }: Start,
): Promise<ActionRefusal | undefined> {
  if (!deps.activation.isActive()) return DEACTIVATED;
  const now = deps.clock.now();
  const work = await sealedWork.seal(deps, { selection: before(selection, now) });
  const refusal = await cas(
    deps.kv,
    { run: bulkRunKey, job: jobKey(BULK_JOB.id) },
    ({ run: latest, job }) => {
      const last = latest.value;
      if (isRunning(last, job.value)) return { value: BUSY };
      // Later than what the last run did, and different from its start, which identifies it.
      const startedAt = Math.max(now, plausibleTime(last?.ended?.at ?? last?.startedAt ?? 0, now) + 1);
      const run: BulkRunRow = {
        ...{ v: 1, act, by, startedAt, total: preview.total, more: preview.more },
        ...{ done: 0, skipped: {}, provider, work },
      };
      return {
        value: undefined,
        write(tx) {
          tx.set(bulkRunKey, run);
          addJob(tx, job, {
            ...(act === "erase" ? BULK_ERASURE_JOB : BULK_JOB),
            payload: { startedAt },
            due: now,
          }, now);
        },
      };
    },
    deps,
  );
  if (!refusal) deps.wake();
  return refusal;
}

const BUSY: ActionRefusal = {
  reason: "Another bulk action is still running. Wait until it has ended, or cancel it.",
};

function before(selection: Selection, now: number): Selection {
  if ("rows" in selection) return selection;
  const { query } = selection;
  return { query: { ...query, until: Math.min(query.until ?? Infinity, now + 1) } };
}
