import assert from "node:assert/strict";
import fc from "fast-check";
import { z } from "zod";
import { eventually } from "../../../dev/testing/eventually.ts";
import { memoryLog } from "../../../dev/testing/memory_log.ts";
import { drained } from "../../../dev/testing/job_harness.ts";
import { queueHarness } from "../../../dev/testing/queue_harness.ts";
import { tempKv } from "../../../dev/testing/temp_kv.ts";
import type { JobResult } from "./handler.ts";
import { createRunner } from "./runner.ts";

const MINUTE = 60_000;

const step = fc.oneof(
  fc.record({ do: fc.constant("add" as const), inMs: fc.constantFrom(0, 1, 70, 999, 30_000, 61_000) }),
  fc.record({ do: fc.constant("pass" as const), ms: fc.constantFrom(60, 1_000, 29_999, MINUTE) }),
  fc.record({ do: fc.constant("set" as const), byMs: fc.constantFrom(-3_600_000, -500, 500, 3_600_000) }),
  fc.record({ do: fc.constant("fail" as const) }),
);

Deno.test("whenever the runner waits, something is armed that wakes it for the next due job, whatever the clock does", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      await using temp = await tempKv();
      const { queue, add, clock } = queueHarness(temp.kv);
      let failNext = false;
      const handle = (): Promise<JobResult> => {
        const result = failNext ? { kind: "retry", reason: "HTTP 500" } as const : { kind: "done" } as const;
        failNext = false;
        return Promise.resolve(result);
      };
      const definitions = [{ name: "cfbe_test", payload: z.unknown(), handle }] as const;
      const runner = createRunner({ queue, definitions, clock, log: memoryLog() });
      runner.start();
      try {
        let id = 0;
        for (const each of steps) {
          if (each.do === "add") {
            await add({ id: `${id++}`, due: clock.now() + each.inMs });
            runner.wake();
          } else if (each.do === "pass") await clock.advance(each.ms);
          else if (each.do === "set") clock.set(clock.now() + each.byMs);
          else failNext = true;
          // Nothing is running or due: the runner waits.
          if (each.do !== "set") await runner.idle();
          // Sleeps of up to 50 ms take real time.
          await eventually("it sleeps", () => clock.sleeping > 0 || clock.sleepsShortly);
          const due = await queue.nextDue() ?? Infinity;
          if (clock.sleeping === 0 || each.do === "set") continue;
          assert.ok(clock.wakesIn <= Math.min(MINUTE, Math.max(50, due - clock.now())), `${clock.wakesIn}`);
        }
      } finally {
        await drained(runner, clock);
      }
    }),
    { numRuns: 40 },
  );
});
