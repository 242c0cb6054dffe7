import { addJob, type AddResult, type NewJob } from "../../server/platform/jobs/add.ts";
import { createQueue, type Queue } from "../../server/platform/jobs/queue.ts";
import { indexKey, jobKey } from "../../server/platform/jobs/row.ts";
import { cas } from "../../server/platform/kv/cas.ts";
import { keys } from "../../server/platform/kv/keys.ts";
import type { Kv } from "../../server/platform/kv/port.ts";
import { ManualClock } from "./manual_clock.ts";
import { seededRandom } from "./seeded_random.ts";

/** A queue with a manual clock. */
export interface QueueHarness {
  readonly kv: Kv;
  readonly clock: ManualClock;
  readonly random: ReturnType<typeof seededRandom>;
  readonly queue: Queue;
  /** Adds a job in its own commit; by default named `cfbe_test`, with payload `null`, due now. */
  add<P>(job: Partial<NewJob<P>> & { id: string }): Promise<AddResult>;
  /**
   * Returns all entries of the due, dead and parked indexes, as "<id> <state>", in order.
   *
   * @throws {Error} when an entry belongs to no row, or a row has no entry.
   */
  index(): Promise<string[]>;
}

/**
 * Creates a queue harness.
 *
 * @example
 * ```ts
 * const { queue, add } = queueHarness(temp.kv);
 * await add({ id: "a" });
 * (await queue.claim(1)).length; // 1
 * ```
 */
export function queueHarness(kv: Kv, clock: ManualClock = new ManualClock(), seed = 1): QueueHarness {
  const random = seededRandom(seed);
  const queue = createQueue({ kv, clock, random });
  return {
    kv,
    clock,
    random,
    queue,
    add(job) {
      const now = clock.now();
      const whole = { name: "cfbe_test", payload: null as never, due: now, ...job } as const;
      return cas(kv, { row: jobKey(job.id) }, ({ row }) => {
        // Called once without a commit for its return value, because the value must be known before the write.
        const value = addJob(kv.atomic(), row, whole, now);
        return { value, write: (tx) => addJob(tx, row, whole, now) };
      }, { clock, random });
    },
    async index() {
      const found: string[] = [];
      for (const prefix of [keys.dueAll(), keys.deadAll(), keys.parkedAll()]) {
        for await (const { key } of kv.list({ prefix })) {
          const row = await queue.get(String(key.at(-1)));
          if (!row || indexKey(row).join() !== key.join()) throw new Error(`${key} has no row`);
          found.push(`${row.id} ${row.state}`);
        }
      }
      for await (const { key } of kv.list({ prefix: keys.job("").slice(0, -1) })) {
        const id = String(key.at(-1));
        if (!found.some((entry) => entry.startsWith(`${id} `))) throw new Error(`${id} is in no index`);
      }
      return found;
    },
  };
}
