import assert from "node:assert/strict";
import { systemRandom } from "../../platform/deps.ts";
import { dayIn } from "../../platform/observe/days.ts";
import type { Experiment } from "../../settings/schema/experiment_schema.ts";
import { ManualClock } from "../../../dev/testing/manual_clock.ts";
import { memoryLog } from "../../../dev/testing/memory_log.ts";
import { tempKv } from "../../../dev/testing/temp_kv.ts";
import { createExperimentCounts } from "./counts.ts";
import { experimentResults } from "./results.ts";

for (const other of ["America/New_York", "Pacific/Honolulu", "Asia/Tokyo", "Pacific/Kiritimati"]) {
  Deno.test(`an experiment keeps its counts after the site's time zone was changed from UTC to ${other}`, async () => {
    for (const hour of [1, 12, 23]) {
      await using temp = await tempKv();
      const { kv } = temp;
      const clock = new ManualClock(Date.parse("2026-11-23T00:00Z") + hour * 3_600_000);
      let zone = "UTC";
      const dayOf = (at: number) => dayIn(zone, at);
      const counts = createExperimentCounts({ kv, clock, random: systemRandom, log: memoryLog(), dayOf });
      const variants = ["a", "b"].map((id) => ({ id, weight: 1 }));
      const experiment = {
        id: `x${hour}`,
        state: "running",
        startedAt: clock.now(),
        variants,
      } as unknown as Experiment;
      const seen = async () => {
        const { totals, days } = await experimentResults(counts, experiment, clock.now(), dayOf);
        const ofDays = days.flatMap((day) => day.counts.map(({ seen }) => seen)).reduce((a, b) => a + b);
        return [...totals.map(({ seen }) => seen), ofDays];
      };
      counts.count(`x${hour}/a`, "seen");
      counts.count(`x${hour}/b`, "seen");
      await counts.flush();
      counts.count(`x${hour}/b`, "seen");
      assert.deepEqual(await seen(), [1, 2, 3]);
      zone = other;
      assert.deepEqual(await seen(), [1, 2, 3]);
      await clock.advance(24 * 3_600_000);
      assert.deepEqual(await seen(), [1, 2, 3]);
    }
  });
}
