import assert from "node:assert/strict";
import { z } from "zod";
import type { RunningJob } from "./handler.ts";
import { lazyJob } from "./lazy_job.ts";

const running = { payload: { run: 1 } } as RunningJob<{ run: number }>;

Deno.test("a job's code is loaded at its first attempt, and a failure to load it fails only that attempt", async () => {
  const seen: string[] = [];
  let loads = 0;
  const job = lazyJob({ name: "cfbe_test", payload: z.object({ run: z.number() }) }, () => {
    if (++loads === 1) return Promise.reject(new Error("no such file"));
    return Promise.resolve({
      handle: ({ payload }) => {
        seen.push(`handle ${payload.run}`);
        return Promise.resolve({ kind: "done" });
      },
      onDead: ({ payload }, reason) => {
        seen.push(`dead ${payload?.run} ${reason}`);
        return Promise.resolve();
      },
    });
  });
  assert.equal(loads, 0);
  await assert.rejects(job.handle(running), /no such file/);
  assert.deepEqual(await job.handle(running), { kind: "done" });
  await job.onDead!(running, "gone");
  assert.deepEqual(seen, ["handle 1", "dead 1 gone"]);
  assert.equal(loads, 2);
});
