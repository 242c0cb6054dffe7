import assert from "node:assert/strict";
import { serveSandbox } from "../../../sandbox/testing/serve.ts";
import type { Fetch } from "../../../platform/deps.ts";
import type { ConfirmedPerson } from "../../port/port.ts";
import { bluefoxCustomFields } from "./custom_fields.ts";

const ADA = "ada@example.com";

/** Signs up on the list with double opt-in of a sandbox, which is BlueFox's double. */
async function world() {
  const served = await serveSandbox();
  const sent: string[] = [];
  const counting: Fetch = (input, init) => {
    const { method, url } = new Request(input, init);
    sent.push(`${method} ${new URL(url).pathname.replace(/.*\/(?=contacts|subscriber-lists)/, "")}`);
    return fetch(input, init);
  };
  const provider = served.provider({ fetch: counting });
  const api = async (method: string, path: string, json?: unknown) =>
    await (await served.api(path, { method, ...(json !== undefined && { json }) })).json();
  return {
    provider,
    sent,
    api,
    subscribe: (email: string, properties: Record<string, string | number>, name?: string) =>
      provider.subscribe({ list: served.provisioned.list, email }, {
        tags: [],
        properties,
        ...(name !== undefined && { name }),
      }),
    import: (email: string, person: ConfirmedPerson) =>
      provider.importConfirmed({ list: served.provisioned.list, email }, person),
    status: (email: string) => provider.status({ list: served.provisioned.list, email }),
    contact: async (email: string) => (await api("GET", `/contacts/${email}`)).result,
    names: async () =>
      (await api("GET", "/contacts/fields")).result.items.map(({ name }: { name: string }) => name).sort(),
    [Symbol.asyncDispose]: () => served[Symbol.asyncDispose](),
  };
}

Deno.test("a signup's properties become custom properties of a new contact, which are created once, and nobody else's change", async () => {
  await using w = await world();
  await w.api("POST", "/contacts/fields", { name: "size", type: "string" });
  await w.api("POST", "/contacts", { email: ADA, name: "Ada", size: "s" });
  for (const email of ["ben@example.com", "eve@example.com", ADA]) {
    assert.equal((await w.subscribe(email, { SIZE: "l", "Number of guests": 2 })).kind, "accepted");
  }
  for (const email of ["ben@example.com", "eve@example.com"]) {
    assert.partialDeepStrictEqual(await w.contact(email), { size: "l", numberOfGuests: 2 });
  }
  const { size, numberOfGuests } = await w.contact(ADA);
  assert.deepEqual([size, numberOfGuests], ["s", undefined]);
  assert.deepEqual(await w.names(), ["numberOfGuests", "size"]);
  assert.equal(w.sent.filter((request) => request.endsWith("contacts/fields")).length, 2);
});

Deno.test("the property of names is created, because BlueFox drops a name without it", async () => {
  await using w = await world();
  await w.subscribe(ADA, {}, "Ada");
  assert.deepEqual(await w.names(), ["name"]);
  assert.equal((await w.contact(ADA)).name, "Ada");
});

Deno.test("no answer can become a member of the request that means something else, such as the status", async () => {
  await using w = await world();
  await w.subscribe(ADA, {
    status: "active",
    Status: "active",
    email: "eve@example.com",
    tags: "vip",
    _id: "1",
  });
  assert.partialDeepStrictEqual(await w.status(ADA), { kind: "found", status: "pending" });
  assert.deepEqual((await w.contact(ADA)).tags, []);
});

Deno.test("such a member is not sent even if the project has a custom property of that name", async () => {
  const items = ["status", "Paused until", "_lists", "size"].map((name) => ({ name, type: "string" }));
  const fieldsOf = bluefoxCustomFields(
    () => Promise.resolve({ kind: "ok", status: 200, body: { items, count: items.length, next: null } }),
    () => "/project",
  );
  const answers = { status: "active", "Paused until": "2099-01-01", _lists: "x", size: "l" };
  assert.partialDeepStrictEqual(await fieldsOf(answers), { kind: "values", values: { size: "l" } });
});

Deno.test("a property that BlueFox refuses, or that can't hold the answer, is left out, and the signup goes on", async () => {
  await using w = await world();
  await w.api("POST", "/contacts/fields", { name: "guests", type: "number" });
  assert.equal((await w.subscribe(ADA, { "***": "x", guests: "many", color: "red" })).kind, "accepted");
  assert.partialDeepStrictEqual(await w.contact(ADA), { color: "red" });
  assert.deepEqual(await w.names(), ["color", "guests"]);
});

Deno.test("an import stores the answers of a new contact, and says which it left out and why", async () => {
  await using w = await world();
  await w.api("POST", "/contacts/fields", { name: "guests", type: "number" });
  await w.api("POST", "/contacts", { email: ADA });
  const properties = { size: "l", guests: "many", "***": "x" };
  const proof = { tags: [], confirmedAt: 0, properties };
  assert.deepEqual(await w.import("ben@example.com", proof), {
    kind: "imported",
    omitted: { guests: "type", "***": "refused" },
  });
  assert.partialDeepStrictEqual(await w.contact("ben@example.com"), { size: "l" });
  assert.deepEqual(await w.import(ADA, proof), {
    kind: "imported",
    omitted: { size: "exists", guests: "exists", "***": "exists" },
  });
  assert.equal((await w.contact(ADA)).size, undefined);
});

Deno.test("a signup without answers needs no further request", async () => {
  await using w = await world();
  await w.subscribe(ADA, {});
  assert.equal(w.sent.length, 1);
});
