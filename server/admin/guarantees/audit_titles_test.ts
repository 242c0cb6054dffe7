import assert from "node:assert/strict";
import { adminHarness } from "../../../dev/testing/admin_harness.ts";
import { OTHER_KINDS } from "../../platform/audit/kinds.ts";
import { actions, titles } from "../action_table.ts";
import { GROUP_TITLES } from "../frame/action.ts";

Deno.test("every kind of entry that the program writes has a title in plain words, and can be filtered", async () => {
  const kinds = [...actions.map(({ name }) => name), ...OTHER_KINDS];
  assert.ok(kinds.length > 30);
  assert.deepEqual(kinds.filter((kind) => titles.of({ action: kind, result: "done" }) === kind), []);
  await using app = await adminHarness();
  const { html } = await (await app.signIn()).page("/audit");
  for (const value of [...kinds, ...Object.keys(GROUP_TITLES)]) {
    assert.ok(html.includes(`<option value="${value}"`), value);
  }
  const shown = Object.values(titles.filters);
  assert.equal(new Set(shown).size, shown.length, "no two kinds have the same title");
});
