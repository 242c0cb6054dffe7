import assert from "node:assert/strict";
import { BUDGETS, exceeded, readUsed } from "./budgets.ts";

const test = { file: "server/a_test.ts", name: "slow", failed: false, ignored: false };
const STRICT = { judgeTimes: true };
const within = { pages: BUDGETS.pages, programs: BUDGETS.programs };

Deno.test("the budgets are judged by what the tests recorded", () => {
  const { pages, programs } = readUsed("page\nprogram\npage\n");
  assert.deepEqual({ pages, programs }, { pages: 2, programs: 1 });
});

Deno.test("each exceeded budget is named with what to do", () => {
  assert.deepEqual(exceeded(within, [{ ...test, ms: BUDGETS.testMs }], STRICT), []);
  assert.match(
    exceeded({ ...within, pages: 41 }, [], STRICT)[0]!,
    /^The tests use 41 pages, 40 are allowed\. /,
  );
  assert.match(exceeded({ ...within, programs: 26 }, [], STRICT)[0]!, /26 programs, 25 are allowed/);
  const slow = exceeded(within, [{ ...test, ms: 5_100 }], STRICT);
  assert.deepEqual(slow, [
    "server/a_test.ts: “slow” took 5.1 s, 5 s are allowed. Move it to a file named *_slow_test.ts.",
  ]);
});

Deno.test("the times of tests are judged only where the machine has nothing else to do", () => {
  assert.deepEqual(exceeded(within, [{ ...test, ms: 60_000 }], { judgeTimes: false }), []);
});
