import assert from "node:assert/strict";
import { counted, countedTo100 } from "./counted.ts";

Deno.test("only one has the singular, and thousands are separated", () => {
  assert.deepEqual([0, 1, 2, 1_200].map((count) => counted(count, "job")), [
    "0 jobs",
    "1 job",
    "2 jobs",
    "1,200 jobs",
  ]);
  assert.deepEqual([1, 2].map((count) => counted(count, "person", "people")), ["1 person", "2 people"]);
});

Deno.test("a count that ends at 100 says that there may be more", () => {
  assert.deepEqual([1, 99, 100, 101].map((count) => countedTo100(count, "job is", "jobs are")), [
    "1 job is",
    "99 jobs are",
    "100 or more jobs are",
    "100 or more jobs are",
  ]);
});
