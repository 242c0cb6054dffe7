import assert from "node:assert/strict";
import type { MigrationRow } from "../../subscribers/migration/run.ts";
import { migrationText } from "./migration_text.ts";

const RUN: MigrationRow = {
  ...{ v: 1, from: "mailerlite", to: "listmonk", lists: {}, dryRun: false, by: "ada", startedAt: 1 },
  ...{ total: 4, moved: 2, active: 1, skipped: { "cfbe did not record a confirmation.": 1 } },
};

Deno.test("the report of a move says how many people and answers were not moved, and why", () => {
  const type = "The field guests has another type at the new provider.";
  const values = { stored: 1, omitted: { [type]: 3 } };
  assert.deepEqual(migrationText({ ...RUN, values, ended: { at: 2, how: "done" } }).split("\n"), [
    "Move from mailerlite to listmonk: done, 4 of 4",
    "  2 moved, 1 active there before",
    "  1 not moved: cfbe did not record a confirmation.",
    "  1 answer moved",
    `  3 answers not moved: ${type}`,
  ]);
  const dryRun = { ...RUN, dryRun: true, values: { stored: 2, omitted: {} } };
  assert.equal(migrationText(dryRun).split("\n").at(-1), "  2 answers would be moved");
});

Deno.test("a move of people without answers says nothing about answers, nor does one of an earlier version", () => {
  for (const values of [undefined, { stored: 0, omitted: {} }]) {
    assert.doesNotMatch(migrationText({ ...RUN, ...(values && { values }) }), /answer/);
  }
});
