import assert from "node:assert/strict";
import { stubTrouble } from "../../../dev/testing/stub_provider.ts";
import { addSignup, finishMove, migrationWorld, NEW, startMove } from "./testing/world.ts";

Deno.test("a move sends the answers by the new provider's names, as a signup does, and says how many it could not move and why", async () => {
  const fields = [{ name: "size", kind: "text", label: "Size", provider: "SHIRT" }];
  await using w = await migrationWorld({ forms: { forms: [{ name: "club", fields }] } } as never);
  const sent: unknown[] = [];
  const { importConfirmed } = w.fresh;
  w.fresh.importConfirmed = async (target, person) => {
    sent.push(person.properties);
    const result = await importConfirmed(target, person);
    return result.kind === "imported" ? { ...result, omitted: { guests: "type" } } : result;
  };
  const answers = {
    form: "club",
    fields: { size: "l", guests: 2, topics: ["tea", "cake"], sms: true as const },
  };
  await addSignup(w, "ada@example.com", "active", answers);
  await addSignup(w, "ben@example.com");
  await addSignup(w, "there@example.com", "active", answers);
  w.fresh.put(NEW, "there@example.com", "active");
  await startMove(w);
  const { moved, active, values } = await finishMove(w);
  const expected = { SHIRT: "l", guests: 2, topics: "tea, cake", sms: "yes" };
  assert.deepEqual([sent, moved, active], [[expected, undefined, expected], 2, 1]);
  assert.deepEqual(values, {
    stored: 3,
    omitted: {
      "The field guests has another type at the new provider.": 1,
      "The person was active at the new provider before.": 4,
    },
  });
  assert.ok(!JSON.stringify(values).includes("cake"), "the counts contain no answer");
});

Deno.test("somebody whose answers the new provider rejects is moved without them, and an outage is no rejection", async () => {
  await using w = await migrationWorld();
  const sent: unknown[] = [];
  const { importConfirmed } = w.fresh;
  w.fresh.importConfirmed = (target, person) => {
    sent.push(person.properties);
    return importConfirmed(target, person);
  };
  const fields = { size: "l" };
  await addSignup(w, "ada@example.com", "active", { fields });
  w.fresh.nextResults.import.push(
    stubTrouble(),
    stubTrouble({ code: "forbidden", reason: "may not create fields" }),
  );
  await startMove(w);
  const { moved, values } = await finishMove(w);
  assert.deepEqual([moved, sent], [1, [fields, fields, undefined]]);
  assert.deepEqual(Object.values(values!.omitted), [1]);
  assert.match(Object.keys(values!.omitted)[0]!, /accepted the person only without/);
});

Deno.test("a provider that stores no fields gets none, and the report says so", async () => {
  await using w = await migrationWorld();
  w.fresh.capabilities.properties = false;
  await addSignup(w, "ada@example.com", "active", { fields: { size: "l" } });
  await startMove(w, true);
  assert.deepEqual((await finishMove(w)).values, {
    stored: 0,
    omitted: { "The new provider stores no fields.": 1 },
  });
});
