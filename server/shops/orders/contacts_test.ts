import assert from "node:assert/strict";
import { keys } from "../../platform/kv/keys.ts";
import { eventually } from "../../../dev/testing/eventually.ts";
import {
  type Checkout,
  HOUR_MS,
  MINUTE_MS,
  startCheckout,
  statusAndBody,
} from "../systems/testing/checkout.ts";

const ANN = "ann@example.com";

const start = () => startCheckout({ general: { modules: { contactSync: true } } });

/** Returns a contact from the provider's API, after an optional change; undefined if there is none. */
// deno-lint-ignore no-explicit-any -- the assertions check the shape
async function contact({ program }: Checkout, email = ANN, change?: unknown): Promise<any> {
  const { project, apiKey } = await program.sandbox!.provision();
  const url = `${program.sandbox!.apiUrl}/v1/projectId/${project}/contacts/${encodeURIComponent(email)}`;
  const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json" };
  const response = await fetch(url, {
    headers,
    ...(change !== undefined && { method: "PATCH", body: JSON.stringify(change) }),
  });
  const { result } = await response.json();
  return result;
}

/** Sends an order and runs the jobs that follow from it. */
async function order(checkout: Checkout, fields: Record<string, unknown>): Promise<void> {
  const [status] = await statusAndBody(checkout.order({ currency: "EUR", ...fields }));
  assert.equal(status, 200);
  await checkout.runFor(0);
}

Deno.test("a buyer becomes a contact with order totals, on no list", async () => {
  await using checkout = await start();
  await order(checkout, { id: "1", name: "Ann", total: 19.1, orderedAt: "2024-12-01T10:00:00Z" });
  await order(checkout, { id: "2", total: 0.2, orderedAt: "2024-12-02T10:00:00Z" });
  const { name, tags, orderCount, totalSpent, orderCurrency, lastOrderAt, _lists } = await contact(checkout);
  assert.deepEqual({ name, tags, orderCount, totalSpent, orderCurrency, lastOrderAt, _lists }, {
    name: "Ann",
    tags: ["customer"],
    orderCount: 2,
    totalSpent: 19.3,
    orderCurrency: "EUR",
    lastOrderAt: "2024-12-02T10:00:00.000Z",
    _lists: [],
  });
});

Deno.test("a web address in a buyer's name is no link in the contact", async () => {
  await using checkout = await start();
  await order(checkout, { id: "1", name: "Ann evil.example", total: 1 });
  assert.equal((await contact(checkout)).name, "Ann evil. example");
});

Deno.test("an order reported twice counts once; refunded, canceled and unpaid orders do not count", async () => {
  await using checkout = await start();
  await order(checkout, { id: "1", total: 10 });
  await order(checkout, { id: "1", total: 10 });
  await order(checkout, { id: "2", total: 5, status: "on-hold" });
  assert.equal((await contact(checkout)).orderCount, 1);
  await order(checkout, { id: "2", total: 5, status: "completed" });
  assert.deepEqual([(await contact(checkout)).orderCount, (await contact(checkout)).totalSpent], [2, 15]);
  await order(checkout, { id: "1", total: 10, status: "refunded" });
  assert.equal((await contact(checkout)).totalSpent, 5);
  await order(checkout, { id: "2", total: 5, status: "cancelled" });
  const { orderCount, totalSpent, lastOrderAt } = await contact(checkout);
  assert.deepEqual([orderCount, totalSpent, lastOrderAt], [0, 0, ""]);
});

Deno.test("amounts of two currencies are not added: only the latest order's currency counts", async () => {
  await using checkout = await start();
  await order(checkout, { id: "1", total: 10, orderedAt: "2024-12-01T10:00:00Z" });
  await order(checkout, { id: "2", total: 7, currency: "SEK", orderedAt: "2024-12-02T10:00:00Z" });
  const { orderCount, totalSpent, orderCurrency } = await contact(checkout);
  assert.deepEqual([orderCount, totalSpent, orderCurrency], [2, 7, "SEK"]);
});

Deno.test("a contact keeps its tags and name, and gets tags from confirmed signups only", async () => {
  await using checkout = await start();
  const { kv, settings } = checkout.program.services;
  await order(checkout, { id: "1" });
  await contact(checkout, ANN, { name: "Dr. Ann", tags: ["vip"] });
  const { defaultList } = settings.current().general;
  const record = { v: 1, email: ANN, list: defaultList, status: "active", tags: ["mugs"] };
  await kv.set(keys.signup(ANN, defaultList), record);
  await kv.set(keys.signup(ANN, "other"), { ...record, list: "other", status: "pending", tags: ["spam"] });
  await order(checkout, { id: "2", name: "A stranger" });
  const { name, tags } = await contact(checkout);
  assert.deepEqual([name, tags], ["Dr. Ann", ["vip", "customer", "mugs"]]);
});

/** Erases Ann here and at the provider, a minute after her order. */
async function eraseAnn(checkout: Checkout): Promise<void> {
  await checkout.runFor(MINUTE_MS);
  await checkout.program.services.people.erase(ANN, { provider: true });
  await checkout.runFor(HOUR_MS);
  assert.equal(await contact(checkout), undefined);
}

const ledgerRows = ({ program: { services: { kv } } }: Checkout) =>
  Array.fromAsync(kv.list({ prefix: keys.ledgerOf("").slice(0, -1) }), ({ value }) => value);

for (const dated of [true, false]) {
  const what = dated ? "an order" : "an order without a date";
  Deno.test(`${what} from before an erasure does not bring its buyer back, however often the shop reports it later`, async () => {
    await using checkout = await start();
    const orderedAt = dated ? new Date(checkout.clock.now()).toISOString() : undefined;
    await order(checkout, { id: "1", total: 10, status: "processing", orderedAt });
    await eraseAnn(checkout);
    for (const status of ["completed", "refunded", "completed"]) {
      await order(checkout, { id: "1", total: 10, status, orderedAt });
      assert.deepEqual([await contact(checkout), await ledgerRows(checkout)], [undefined, []]);
    }
    await order(checkout, {
      id: "2",
      total: 7,
      orderedAt: dated ? new Date(checkout.clock.now()).toISOString() : undefined,
    });
    const { orderCount, totalSpent } = await contact(checkout);
    assert.deepEqual([orderCount, totalSpent], [1, 7]);
  });
}

Deno.test("an order that is corrected to an address erased since leaves the earlier address too", async () => {
  await using checkout = await start();
  const orderedAt = new Date(checkout.clock.now()).toISOString();
  await order(checkout, { id: "1", email: "anm@example.com", total: 10, orderedAt });
  await eraseAnn(checkout);
  await order(checkout, { id: "1", total: 10, orderedAt, status: "completed" });
  assert.deepEqual([await contact(checkout), await ledgerRows(checkout)], [undefined, []]);
  assert.equal((await contact(checkout, "anm@example.com")).orderCount, 0);
});

Deno.test("20 concurrent orders of one person all count", async () => {
  await using checkout = await start();
  await Promise.all(
    Array.from({ length: 20 }, (_, id) => statusAndBody(checkout.order({ id: `${id}`, total: 1.1 }))),
  );
  await checkout.runFor(0);
  const { orderCount, totalSpent } = await contact(checkout);
  assert.deepEqual([orderCount, totalSpent], [20, 22]);
});

for (const mode of ["503", "429", "403", "reset", "garbage", "credits", "error-after"]) {
  Deno.test(`a provider outage (${mode}) delays a contact's update but does not lose it`, async () => {
    await using checkout = await start();
    await checkout.setFault(mode);
    await order(checkout, { id: "1" });
    await checkout.setFault("none");
    await checkout.runFor(HOUR_MS);
    assert.equal((await contact(checkout)).orderCount, 1);
  });
}

Deno.test("while the module is off, no order is counted and no contact is created", async () => {
  await using checkout = await startCheckout();
  await order(checkout, { id: "1" });
  assert.equal(await contact(checkout), undefined);
  assert.deepEqual(await ledgerRows(checkout), []);
});

Deno.test("after the update, no row and no log line contains the address", async () => {
  await using checkout = await start();
  await order(checkout, { id: "1", name: "Ann" });
  await eventually("the contact exists", async () => (await contact(checkout))?.orderCount === 1);
  for await (const { key, value } of checkout.program.services.kv.list({ prefix: ["s", "main"] })) {
    if (key[2] === "sandbox") continue;
    const text = JSON.stringify([key, value], (_, v) => typeof v === "bigint" ? `${v}` : v);
    assert.ok(!text.includes("ann@"), `${key}`);
  }
  assert.ok(!checkout.program.lines.some((line) => line.includes(ANN)));
});
