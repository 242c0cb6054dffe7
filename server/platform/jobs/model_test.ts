/**
 * Checks the queue against a model: random sequences of operations, including crashes and attempts that lost their
 * lease. After each step, no job may run twice under valid leases, no cause may be lost, and indexes and rows must agree.
 */
import assert from "node:assert/strict";
import fc from "fast-check";
import { cas } from "../kv/cas.ts";
import { keys } from "../kv/keys.ts";
import { type QueueHarness, queueHarness } from "../../../dev/testing/queue_harness.ts";
import { tempKv } from "../../../dev/testing/temp_kv.ts";
import { createParking } from "./parking.ts";
import type { ClaimedJob } from "./claim.ts";
import { fenceOf, LeaseLost } from "./handler.ts";
import { LEASE_MS } from "./row.ts";
import type { AttemptResult, JobOutcome } from "./result.ts";

type Step =
  | { do: "add"; id: string; delay: number }
  | { do: "claim"; max: number; claimers: number }
  | { do: "finish"; which: number; result: ResultKind }
  | { do: "renew" | "release"; which: number }
  | { do: "advance"; ms: number }
  | { do: "reclaim" }
  | { do: "switch"; active: boolean; dies: boolean }
  | { do: "retryDead" | "cancel"; id: string };

/** `finished`: the handler ends the job in its own commit. */
type ResultKind = AttemptResult["kind"] | "finished";

const id = fc.constantFrom("a", "b", "c");
const which = fc.nat(20);
const result = fc.constantFrom<ResultKind>(
  "done",
  "finished",
  "retry",
  "cancel",
  "snooze",
  "dead",
  "postpone",
);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant("add"), id, delay: fc.constantFrom(0, 0, 30_000) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("claim"),
      max: fc.integer({ min: 1, max: 3 }),
      claimers: fc.integer({ min: 1, max: 3 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("finish"), which, result }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom("renew", "release"), which }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("advance"), ms: fc.constantFrom(1, 20_000, 70_000) }) },
  { weight: 1, arbitrary: fc.constant({ do: "reclaim" }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("switch"), active: fc.boolean(), dies: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom("retryDead", "cancel"), id }) },
) as fc.Arbitrary<Step>;

/** What the queue must not lose, tracked outside it. */
class Model {
  /** Causes that have not had their effect yet, by job. */
  readonly pendingCauses = new Map<string, Set<number>>();
  /** All claims ever made: even one that lost its lease may still try to write. */
  readonly claims: { claimed: ClaimedJob; until: number; over: boolean }[] = [];
  #cause = 0;
  #active = true;

  constructor(readonly harness: QueueHarness) {}

  async run(step: Step): Promise<void> {
    const { harness: { queue, clock, add }, claims } = this;
    switch (step.do) {
      case "add": {
        const cause = this.#cause++;
        const due = clock.now() + step.delay;
        const merge = (older: number[], newer: number[]) => [...older, ...newer];
        // Adding to a dead-letter job revives it, but it need not run for its earlier causes.
        await add({ id: step.id, payload: [cause], due, merge });
        this.#pendingCausesOf(step.id).add(cause);
        return;
      }
      case "claim": {
        const rounds = Array.from({ length: step.claimers }, () => queue.claim(step.max));
        for (const claimed of (await Promise.all(rounds)).flat()) this.#claimed(claimed);
        return;
      }
      case "finish": {
        const claim = claims[step.which % claims.length];
        if (claim) await this.#finish(claim, step.result);
        return;
      }
      case "renew": {
        const claim = claims[step.which % claims.length];
        if (claim && await queue.renew(claim.claimed)) claim.until = clock.now() + LEASE_MS;
        return;
      }
      case "release": {
        const claim = claims[step.which % claims.length];
        if (claim && await queue.release(claim.claimed, { merge: mergeAll })) claim.over = true;
        return;
      }
      case "advance":
        return clock.advance(step.ms);
      case "reclaim":
        await queue.reclaimAll();
        for (const claim of claims) claim.over = true;
        return;
      case "switch":
        return await this.#switch(step.active, step.dies);
      case "retryDead":
        return void await queue.retryDead(step.id);
      case "cancel":
        await queue.cancel(step.id);
        this.pendingCauses.delete(step.id);
        for (const claim of claims) claim.over ||= claim.claimed.row.id === step.id;
    }
  }

  /** Asserts what must hold after every step. */
  async check(): Promise<void> {
    await this.harness.index();
    for (const [id, causes] of this.pendingCauses) {
      const row = await this.harness.queue.get(id);
      const kept = new Set([row?.payload, row?.next?.payload].flat());
      for (const cause of causes) assert(kept.has(cause), `cause ${cause} of ${id} is lost`);
    }
  }

  /** Activates or deactivates. With `dies`, the process dies before it has parked or resumed any job. */
  async #switch(active: boolean, dies: boolean): Promise<void> {
    const { kv, clock } = this.harness;
    this.#active = active;
    await kv.set(keys.activation(), { v: 1, active, at: clock.now() });
    if (dies) return;
    const parking = createParking(this.harness);
    await (active ? parking.resume() : parking.park(new Set()));
  }

  /** Processes all jobs as a healthy process would, until no job is expected to run. */
  async drain(): Promise<void> {
    await this.#switch(true, false);
    for (let round = 0; round < 20; round++) {
      await this.harness.clock.advance(LEASE_MS);
      for (const claimed of await this.harness.queue.claim(10)) {
        this.#claimed(claimed);
        await this.#finish(this.claims.at(-1)!, "done");
      }
    }
    const left = [...this.pendingCauses].flatMap(([id, causes]) =>
      [...causes].map((cause) => `${id} ${cause}`)
    );
    assert.deepEqual(left, [], "every cause had its effect");
    assert(
      (await this.harness.index()).every((entry) => entry.endsWith(" dead")),
      "only dead-letter jobs are left",
    );
  }

  #pendingCausesOf(id: string): Set<number> {
    return this.pendingCauses.get(id) ?? this.pendingCauses.set(id, new Set()).get(id)!;
  }

  #claimed(claimed: ClaimedJob): void {
    assert(this.#active, "nothing is claimed while deactivated");
    const now = this.harness.clock.now();
    for (const other of this.claims) {
      const runs = !other.over && other.until > now && other.claimed.row.id === claimed.row.id;
      assert(!runs, `${claimed.row.id} runs twice at once`);
    }
    this.claims.push({ claimed, until: now + LEASE_MS, over: false });
  }

  async #finish(claim: Model["claims"][number], kind: ResultKind): Promise<void> {
    const { queue, clock } = this.harness;
    const { id, payload } = claim.claimed.row;
    const result = { kind, reason: "", until: clock.now() + 5_000, unknown: true } as AttemptResult;
    const outcome = kind === "finished"
      ? await this.#endByHandler(claim.claimed)
      : await queue.finish(claim.claimed, result, { merge: mergeAll });
    if (outcome.kind === "lost") return;
    assert(!claim.over, "an attempt that was over could finish");
    claim.over = true;
    if (outcome.kind === "waiting") return;
    // Done, canceled by its handler, or dead: no run is expected.
    for (const cause of payload as number[]) this.#pendingCausesOf(id).delete(cause);
  }

  async #endByHandler({ row, token }: ClaimedJob): Promise<JobOutcome> {
    const { kv, clock } = this.harness;
    const fence = fenceOf(row.id, token);
    try {
      return await cas(kv, { job: fence.key }, ({ job }) => ({
        value: { kind: job.value?.next ? "again" : "ended" },
        write: (tx) => void fence.finish(tx, job, clock.now()),
      }), { ...this.harness, fence });
    } catch (error) {
      if (error instanceof LeaseLost) return { kind: "lost" };
      throw error;
    }
  }
}

function mergeAll(older: unknown, newer: unknown): unknown {
  return [...older as number[], ...newer as number[]];
}

Deno.test("through crashes, lost leases and races: one run at a time, no lost jobs, no orphaned index entries", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      await using temp = await tempKv();
      const model = new Model(queueHarness(temp.kv));
      for (const step of steps) {
        await model.run(step);
        await model.check();
      }
      await model.drain();
    }),
    { numRuns: 80 },
  );
});
