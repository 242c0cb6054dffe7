import assert from "node:assert/strict";
import { tagOf } from "./merge_fields.ts";
import { serveMailchimp } from "./testing/serve.ts";

const ADA = "ada@example.com";

/** Signs up on the first audience. */
async function world() {
  const served = await serveMailchimp();
  const { list, account, front } = served;
  const provider = served.provider();
  return {
    ...served,
    audience: account.audiences.get(list)!,
    subscribe: (email: string, properties: Record<string, string | number>, name?: string) =>
      provider.subscribe({ list, email }, { tags: [], properties, ...(name !== undefined && { name }) }),
    fieldsOf: (email: string) => account.find(list, email)!.mergeFields,
    sent: (method: string) =>
      front.received.filter((request) =>
        request.method === method && request.target.includes("/merge-fields")
      ).length,
  };
}

Deno.test("a signup's properties become merge fields of a new member, which are created once, and nobody else's change", async () => {
  const w = await world();
  await using _ = w;
  w.account.add(w.list, ADA, { status: "subscribed", mergeFields: { SIZE: "s" } });
  for (const email of ["ben@example.com", "eve@example.com", ADA]) {
    await w.subscribe(email, { Size: "l", guests: 2 }, "Ben");
  }
  for (const email of ["ben@example.com", "eve@example.com"]) {
    assert.deepEqual(w.fieldsOf(email), { SIZE: "l", GUESTS: 2 });
    assert.equal(w.account.find(w.list, email)!.firstName, "Ben");
  }
  assert.deepEqual(w.fieldsOf(ADA), { SIZE: "s" });
  assert.deepEqual([...w.audience.mergeFields], [
    ["SIZE", { name: "Size", type: "text" }],
    ["GUESTS", { name: "guests", type: "number" }],
  ]);
  assert.deepEqual([w.sent("GET"), w.sent("POST")], [1, 2]);
});

Deno.test("a merge field of the audience is found by its name, and one of another type is left out", async () => {
  const w = await world();
  await using _ = w;
  w.audience.mergeFields.set("MMERGE7", { name: "Shirt size", type: "text" });
  w.audience.mergeFields.set("BORN", { name: "Born", type: "date" });
  w.audience.mergeFields.set("COUNT", { name: "Count", type: "number" });
  await w.subscribe(ADA, { "shirt size": "l", born: "yesterday", count: "many" });
  assert.deepEqual(w.fieldsOf(ADA), { MMERGE7: "l" });
  assert.equal(w.sent("POST"), 0);
});

Deno.test("if Mailchimp refuses a new merge field, the signup goes on without it", async () => {
  const w = await world();
  await using _ = w;
  w.account.mostMergeFields = 1;
  assert.deepEqual(await w.subscribe(ADA, { size: "l", color: "red" }), {
    kind: "accepted",
    isPending: true,
  });
  assert.deepEqual(w.fieldsOf(ADA), { SIZE: "l" });
});

Deno.test("a text longer than Mailchimp stores is cut off", async () => {
  const w = await world();
  await using _ = w;
  await w.subscribe(ADA, { note: "x".repeat(300) });
  assert.equal(String(w.fieldsOf(ADA)["NOTE"]).length, 255);
});

Deno.test("a tag has ten letters, digits and underscores at most, and differs for long properties with the same start and for those with other letters", () => {
  assert.deepEqual(["size", "Shirt size"].map(tagOf), ["SIZE", "SHIRT_SIZE"]);
  const long = ["utm_campaign", "utm_campaign_id", "größe", "grüße", "名前"].map(tagOf);
  assert.equal(new Set(long).size, long.length);
  for (const tag of long) assert.match(tag, /^[A-Z0-9_]{1,10}$/);
});

Deno.test("answers whose names have letters that a tag can't have get fields of their own, and keep those of earlier versions", async () => {
  const w = await world();
  await using _ = w;
  w.audience.mergeFields.set("GR_SSE", { name: "Größe", type: "text" });
  w.audience.mergeFields.set("_PFEL", { name: "Apples", type: "text" });
  await w.subscribe(ADA, { "Größe": "l", "Grüße": "hi", "Äpfel": "2" });
  const { GR_SSE: size, _PFEL: apples, ...others } = w.fieldsOf(ADA);
  assert.deepEqual([size, apples], ["l", "2"]);
  assert.deepEqual(Object.values(others), ["hi"]);
});
