import assert from "node:assert/strict";
import { serveKit } from "./testing/serve.ts";

const ADA = "ada@example.com";

/** Signs up on the first form. */
async function world() {
  const served = await serveKit();
  const { forms, account, front } = served;
  const provider = served.provider();
  return {
    ...served,
    provider,
    subscribe: (email: string, properties: Record<string, string | number>) =>
      provider.subscribe({ list: forms[0], email }, { name: "Ben", tags: [], properties }),
    fieldsOf: (email: string) => account.people.get(email)!.fields,
    labels: () => account.customFields.map(({ key, label }) => [key, label]),
    sent: (method: string) =>
      front.received.filter((request) =>
        request.method === method && request.target.includes("/custom_fields")
      ).length,
  };
}

Deno.test("a signup's properties become custom fields of a new person, which are created once, and nobody else's change", async () => {
  await using w = await world();
  w.account.addCustomField("Size");
  w.account.add(ADA, { state: "active", name: "Ada", fields: { size: "s" } });
  for (const email of ["ben@example.com", "eve@example.com", ADA]) {
    assert.equal((await w.subscribe(email, { size: "l", "Number of guests": 2 })).kind, "accepted");
  }
  for (const email of ["ben@example.com", "eve@example.com"]) {
    assert.deepEqual(w.fieldsOf(email), { size: "l", number_of_guests: "2" });
  }
  assert.deepEqual(w.fieldsOf(ADA), { size: "s" });
  assert.deepEqual(w.labels(), [["size", "Size"], ["number_of_guests", "Number of guests"]]);
  assert.deepEqual([w.sent("GET"), w.sent("POST")], [1, 1]);
});

Deno.test("a custom field of the account is found by its label if the operator changed its key", async () => {
  await using w = await world();
  w.account.addCustomField("Shirt size")!.key = "legacy_size";
  await w.subscribe(ADA, { "shirt size": "l" });
  assert.deepEqual(w.fieldsOf(ADA), { legacy_size: "l" });
  assert.equal(w.sent("POST"), 0);
});

Deno.test("custom fields are found on every page", async () => {
  await using w = await world();
  w.account.mostCustomFields = Infinity;
  for (let n = 0; n < 1_001; n++) w.account.addCustomField(`field ${n}`);
  await w.subscribe(ADA, { field_1000: "x" });
  assert.deepEqual(w.fieldsOf(ADA), { field_1000: "x" });
  assert.deepEqual([w.sent("GET"), w.sent("POST")], [2, 0]);
});

Deno.test("if Kit refuses a new custom field, the signup goes on without it", async () => {
  await using w = await world();
  w.account.mostCustomFields = 1;
  assert.deepEqual(await w.subscribe(ADA, { size: "l", color: "red" }), {
    kind: "accepted",
    isPending: true,
  });
  assert.deepEqual(w.fieldsOf(ADA), { size: "l" });
});

Deno.test("a first name is stored in Kit's own field, not in a custom one", async () => {
  await using w = await world();
  await w.subscribe(ADA, { first_name: "Anna Maria", size: "l" });
  assert.equal(w.account.people.get(ADA)!.name, "Anna Maria");
  assert.deepEqual(w.fieldsOf(ADA), { size: "l" });
});

Deno.test("answers whose names have letters that a key can't have get fields of their own, and keep those of earlier versions", async () => {
  await using w = await world();
  w.account.addCustomField("Größe");
  w.account.addCustomField("Käse")!.label = "Cheese";
  await w.subscribe(ADA, { "Größe": "l", "Grüße": "hi", "Käse": "2" });
  const { gr_e: size, k_se: cheese, ...others } = w.fieldsOf(ADA);
  assert.deepEqual([size, cheese], ["l", "2"]);
  assert.deepEqual(Object.values(others), ["hi"]);
});
