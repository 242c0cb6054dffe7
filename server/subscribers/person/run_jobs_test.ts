import assert from "node:assert/strict";
import { systemClock, systemRandom } from "../../platform/deps.ts";
import { type Key, typed } from "../../platform/kv/key.ts";
import { tempKv } from "../../../dev/testing/temp_kv.ts";
import { latestRun, type Run } from "./run_jobs.ts";

const key: Key<Run> = typed(["run"]);
const { end } = latestRun({ key, job: { id: "job" }, withoutAddresses: (run) => run });

Deno.test("an attempt ends neither a run that was canceled nor one that started later", async () => {
  await using temp = await tempKv();
  const deps = { kv: temp.kv, clock: systemClock, random: systemRandom };
  const canceled: Run = { startedAt: 1, ended: { at: 2, how: "canceled" } };
  for (const run of [canceled, { startedAt: 3 }]) {
    await temp.kv.set(key, run);
    await end(deps, 1, "failed");
    assert.deepEqual((await temp.kv.get(key)).value, run);
  }
});
