import { type Deadline, NotBegun } from "./deadline.ts";

/**
 * Queues callers of this process that check-and-set the same key. Fifty callers that race for one row mostly fail and
 * retry; fifty that queue for it each succeed at once (37 ms instead of 842 ms for 500 calls). This is an optimization
 * within one process; correctness depends only on the check of each commit.
 *
 * @example
 * ```ts
 * const chains = new Chains();
 * await chains.run(["ip:192.0.2.1", "site"], () => cas(kv, { ip: ipLog, site: siteLog }, decide, deps));
 * ```
 */
export class Chains {
  /** The end of each chain by name. A name without tasks has no entry. */
  readonly #ends = new Map<string, Promise<void>>();
  readonly #deadline: Deadline | undefined;

  /** @param deadline a task that has waited this long for its turn does not run, and rejects with `NotBegun` */
  constructor(deadline?: Deadline) {
    this.#deadline = deadline;
  }

  /** The number of names with tasks. */
  get size(): number {
    return this.#ends.size;
  }

  /**
   * Runs `task` when all earlier tasks that share one of its names have ended. Returns its result, or rejects with its
   * error, which does not affect later tasks. A task must settle, or it blocks its names forever; calls of the database do
   * (`withDeadline`).
   *
   * Tasks with several names cannot deadlock, because a task joins all its chains in one synchronous step: the earlier
   * task is first in every chain that both share. Therefore nothing may be awaited between the two loops below.
   */
  run<T>(names: readonly string[], task: () => Promise<T>): Promise<T> {
    const mine = new Set(names);
    const before: Promise<void>[] = [];
    for (const name of mine) {
      const end = this.#ends.get(name);
      if (end) before.push(end);
    }
    const deadline = this.#deadline;
    const latest = deadline ? deadline.clock.now() + deadline.ms : Infinity;
    const result = Promise.all(before).then(() => {
      if (deadline && deadline.clock.now() >= latest) throw new NotBegun(deadline);
      return task();
    });
    const end: Promise<void> = result.then(() => {}, () => {}).then(() => {
      for (const name of mine) {
        if (this.#ends.get(name) === end) this.#ends.delete(name);
      }
    });
    for (const name of mine) this.#ends.set(name, end);
    return result;
  }
}
