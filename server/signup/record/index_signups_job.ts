import { z } from "zod";
import type { Clock, Log, Random } from "../../platform/deps.ts";
import { addJob } from "../../platform/jobs/add.ts";
import type { Fence, JobDefinition } from "../../platform/jobs/handler.ts";
import { createPass } from "../../platform/jobs/pass.ts";
import { jobKey } from "../../platform/jobs/row.ts";
import { listReadable } from "../../platform/kv/bad_rows.ts";
import { cas } from "../../platform/kv/cas.ts";
import { divide } from "../../platform/kv/divide.ts";
import type { Key } from "../../platform/kv/key.ts";
import { keys } from "../../platform/kv/keys.ts";
import { sizeOf } from "../../platform/kv/limits.ts";
import type { AtomicOperation, Kv } from "../../platform/kv/port.ts";
import { NOT_INDEXED, putRecord, type StatusEntry } from "./record.ts";
import { signupKey, type SignupRecord } from "./row.ts";

const Payload = z.object({
  /** List, time and address of the last index entry that was read. */
  after: z.tuple([z.string(), z.number(), z.string()]).optional(),
  /** How many signups were skipped. */
  skipped: z.number().optional(),
});
type Payload = z.output<typeof Payload>;
type Position = NonNullable<Payload["after"]>;

/** A pass that is in progress keeps its position when another one is due. */
const merge = (older: Payload): Payload => older;

const JOB = { id: "index_signups", name: "cfbe_index_signups", payload: {} as Payload, merge } as const;

/** Maximum number of index entries that one attempt reads; the next attempt continues there. */
export const ENTRIES_PER_ATTEMPT = 5_000;
/** Maximum number of queued signups that `startIndexing` reads to find one without search entries. */
const PROBED_ENTRIES = 1_000;
const BATCH = 500;
/** So many records usually fit into one commit. */
const MOST_PER_COMMIT = 16;

interface Deps {
  kv: Kv;
  clock: Clock;
  random: Random;
}

/** Adds the job if a queued signup may have no search entries. Called every minute. */
export async function startIndexing(deps: Deps): Promise<void> {
  if (!(await mayHaveWork(deps.kv))) return;
  await cas(deps.kv, { job: jobKey(JOB.id) }, ({ job }) => {
    const now = deps.clock.now();
    return { value: undefined, write: (tx) => void addJob(tx, job, { ...JOB, due: now }, now) };
  }, deps);
}

async function mayHaveWork(kv: Kv): Promise<boolean> {
  let read = 0;
  const queued = { prefix: keys.byStatusAll("queued") };
  const probed = { limit: PROBED_ENTRIES, batchSize: BATCH };
  for await (const { value } of listReadable<StatusEntry>(kv, queued, probed)) {
    if (value === NOT_INDEXED) return true;
    read++;
  }
  return read === PROBED_ENTRIES;
}

/**
 * Writes the search entries of signups that are still queued, because the provider is down or slow (see `putRecord`).
 * Reads the queued signups once, oldest first, and continues where an interrupted attempt stopped.
 */
export function indexSignups({ log, ...deps }: Deps & { log: Log }): JobDefinition<Payload> {
  const { clock, random } = deps;
  // The commit also checks the job.
  const perCommit = Math.min(MOST_PER_COMMIT, deps.kv.engine.limits.checks - 1);

  async function indexAll(kv: Kv, targets: readonly Position[], fence: Fence): Promise<void> {
    let left = targets.map(([list, , email]) => signupKey(email, list));
    while (left.length > 0) left = await indexFirst(kv, left, fence);
  }

  /** Indexes the first records, as many as fit into one commit. Returns the keys of the others. */
  function indexFirst(
    kv: Kv,
    records: readonly Key<SignupRecord>[],
    fence: Fence,
  ): Promise<Key<SignupRecord>[]> {
    const checks = [...records, fence.key].map((key) => ({ key, versionstamp: null }));
    const put = (tx: AtomicOperation, record: SignupRecord) => void putRecord(tx, record, record);
    return cas(kv, { records }, ({ records }) => {
      const added = records.flatMap(({ value }) => value?.v === 1 ? [value] : []);
      const [first, ...others] = divide(kv, added, put, sizeOf({ checks }));
      if (!first) return { value: [] };
      return {
        value: others.flat().map(({ email, list }) => signupKey(email, list)),
        write(tx) {
          for (const record of first) put(tx, record);
        },
      };
    }, { clock, random, fence });
  }

  async function savePosition(payload: Payload, fence: Fence): Promise<void> {
    await cas(deps.kv, { job: fence.key }, ({ job }) => ({
      value: undefined,
      write: (tx) => fence.update(tx, job, { payload }),
    }), { clock, random, fence });
  }

  return {
    name: JOB.name,
    payload: Payload,
    runsWhileDeactivated: true,
    merge,
    async handle({ payload: { after, skipped }, fence, signal }) {
      const pass = createPass({ ...deps, log }, JOB.name, skipped);
      const index = (targets: readonly Position[]) => indexAll(pass.kv, targets, fence);
      const prefix = keys.byStatusAll("queued");
      const range = after ? { prefix, start: [...prefix, ...after, false] } : { prefix };
      let waiting: Position[] = [];
      let last: Position | undefined;
      let read = 0;
      for await (
        const { key, value } of pass.list<StatusEntry>(range, {
          limit: ENTRIES_PER_ATTEMPT,
          batchSize: BATCH,
        })
      ) {
        if (signal.aborted) break;
        last = key.slice(-3) as Position;
        read++;
        if (value === NOT_INDEXED) waiting.push(last);
        if (waiting.length < perCommit) continue;
        await pass.all(waiting, index);
        waiting = [];
      }
      await pass.all(waiting, index);
      if (!signal.aborted && read < ENTRIES_PER_ATTEMPT) {
        await pass.end();
        return { kind: "done" };
      }
      if (last) await savePosition({ after: last, skipped: pass.skipped }, fence);
      return { kind: "snooze", until: clock.now(), reason: "More to index." };
    },
  };
}
