import assert from "node:assert/strict";
import { moveProgressText, timeText } from "./move_progress.ts";

Deno.test("the progress of a move shows the rate since the step began, and how long copying and comparing will take", () => {
  let ms = 0;
  const text = moveProgressText(() => ms);
  // Went on after an interruption.
  assert.equal(text({ step: "copied", rows: 500_000, of: 900_000 }), "500,000 of 900,000 rows copied");
  ms += 10_000;
  assert.equal(
    text({ step: "copied", rows: 600_000, of: 900_000 }),
    "600,000 of 900,000 rows copied, 10,000 a second, about 2 minutes left",
  );
  ms += 30_000;
  assert.equal(text({ step: "copied again", rows: 12, of: 900_000 }), "12 rows copied again");
  text({ step: "compared", rows: 1_000, of: 900_000 });
  ms += 10_000;
  assert.equal(
    text({ step: "compared", rows: 301_000, of: 900_000 }),
    "301,000 of 900,000 rows compared, 30,000 a second, about 20 seconds left",
  );
});

Deno.test("durations are in the unit that a person would use", () => {
  assert.deepEqual([0.2, 1, 99, 101, 5_900, 7_200].map(timeText), [
    "about 1 second",
    "about 1 second",
    "about 99 seconds",
    "about 2 minutes",
    "about 98 minutes",
    "about 2 hours",
  ]);
});
