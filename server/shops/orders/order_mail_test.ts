import assert from "node:assert/strict";
import { openDenoKv } from "../../platform/kv/engines/deno_kv.ts";
import { OrderSchema } from "../systems/order.ts";
import { orderMailData, shouldSendMail } from "./order_mail.ts";
import { type Checkout, HOUR_MS, startCheckout, statusAndBody } from "../systems/testing/checkout.ts";

const ANN = "ann@example.com";
const TEMPLATES = { processing: "thanks", completed: "shipped", refunded: "sorry" };

const start = () =>
  startCheckout({ general: { modules: { orderEmails: true } }, orders: { templates: TEMPLATES } });

interface Mail {
  template: string;
  data: Record<string, unknown>;
}

/** Returns the order emails, oldest first. */
async function mails({ program }: Checkout, email = ANN): Promise<Mail[]> {
  const response = await fetch(`${program.baseUrl}/sandbox/inbox.json?email=${encodeURIComponent(email)}`);
  const inbox = (await response.json()).mails as { kind: string; subject: string; text: string }[];
  return inbox.filter(({ kind }) => kind === "transactional").reverse()
    .map(({ subject, text }) => ({ template: subject.replace("Template ", ""), data: JSON.parse(text) }));
}
const templates = async (checkout: Checkout) => (await mails(checkout)).map(({ template }) => template);

async function order(checkout: Checkout, fields: Record<string, unknown>): Promise<void> {
  const [status] = await statusAndBody(checkout.order({ id: "1", ...fields }));
  assert.equal(status, 200);
  // So that emails have different times.
  await checkout.runFor(1_000);
}

Deno.test("a web address in a buyer's name is no link in the email", () => {
  const order = OrderSchema.parse({
    id: "1",
    status: "processing",
    name: "Ann https://evil.example",
    total: 1,
    email: ANN,
  });
  assert.equal(orderMailData(order)["name"], "Ann https: evil. example");
});

Deno.test("each status with a template is emailed once, with the order as data", async () => {
  await using checkout = await start();
  const items = [{ id: "mug", name: "A mug", quantity: 2, price: 9.5 }];
  await order(checkout, {
    number: "#1001",
    name: "Ann",
    total: 19,
    currency: "EUR",
    items,
    status: "pending",
  });
  assert.deepEqual(await mails(checkout), [], "no email without a template");
  for (const status of ["processing", "processing", "completed", "processing", "refunded", "completed"]) {
    await order(checkout, { number: "#1001", name: "Ann", total: 19, currency: "EUR", items, status });
  }
  assert.deepEqual(await templates(checkout), ["thanks", "shipped", "sorry"]);
  const [first] = await mails(checkout);
  assert.deepEqual(first!.data, {
    id: "1",
    number: "#1001",
    status: "processing",
    name: "Ann",
    total: 19,
    currency: "EUR",
    orderedAt: "",
    items,
    itemsLeftOut: 0,
  });
});

Deno.test("if the status changes before the email is sent, only the new status is emailed", async () => {
  await using checkout = await start();
  await checkout.setFault("503");
  await order(checkout, { status: "processing" });
  await order(checkout, { status: "completed" });
  await checkout.setFault("none");
  await checkout.runFor(HOUR_MS);
  assert.deepEqual(await templates(checkout), ["shipped"]);
});

Deno.test("if an order is canceled before the email is sent, there is no email", async () => {
  await using checkout = await start();
  await checkout.setFault("503");
  await order(checkout, { status: "processing" });
  await order(checkout, { status: "cancelled" });
  await checkout.setFault("none");
  await checkout.runFor(HOUR_MS);
  assert.deepEqual(await templates(checkout), []);
});

Deno.test("a late or repeated report with an older time sends no email", async () => {
  await using checkout = await start();
  const at = (minutes: number) => new Date(checkout.clock.now() + minutes * 60_000).toISOString();
  await order(checkout, { status: "completed", changedAt: at(2) });
  await order(checkout, { status: "processing", changedAt: at(1) });
  await order(checkout, { status: "completed", changedAt: at(2) });
  assert.deepEqual(await templates(checkout), ["shipped"]);
});

for (const mode of ["503", "500", "429", "403", "reset", "garbage", "credits"]) {
  Deno.test(`a provider outage (${mode}) delays an order's email but does not lose it`, async () => {
    await using checkout = await start();
    await checkout.setFault(mode);
    await order(checkout, {});
    assert.deepEqual(await templates(checkout), []);
    await checkout.setFault("none");
    await checkout.runFor(HOUR_MS);
    assert.deepEqual(await templates(checkout), ["thanks"]);
  });
}

Deno.test("a bounced address is tried once, and the log contains no address", async () => {
  await using checkout = await start();
  await order(checkout, { email: "bounced@example.com" });
  await order(checkout, { id: "2" });
  assert.deepEqual(await mails(checkout, "bounced@example.com"), []);
  assert.equal(await checkout.program.queue.nextDue(), undefined);
  assert.equal(checkout.program.lines.filter((line) => line.includes("order_mail.refused")).length, 1);
  assert.ok(!checkout.program.lines.some((line) => line.includes("@example.com")));
});

Deno.test("an old order that is reported for the first time sends no email", () => {
  const now = Date.UTC(2026, 10, 21);
  const days = (count: number) => new Date(now - count * 86_400_000).toISOString();
  const known = { v: 1, at: 0, status: "processing", taken: true } as const;
  const order = (fields: Record<string, string>) =>
    OrderSchema.parse({ id: "1", status: "completed", email: ANN, total: 1, ...fields });
  assert.equal(shouldSendMail(order({ orderedAt: days(4) }), null, now), false);
  assert.equal(shouldSendMail(order({ orderedAt: days(4) }), known, now), true);
  assert.equal(shouldSendMail(order({ orderedAt: days(2) }), null, now), true);
  assert.equal(shouldSendMail(order({}), null, now), true);
  assert.equal(shouldSendMail(order({ changedAt: days(4) }), known, now), false);
  // Nothing tells it from an edit of an old order that was refunded long ago.
  const refund = order({ status: "refunded", orderedAt: days(91), changedAt: days(0) });
  assert.equal(shouldSendMail(refund, null, now), false);
});

Deno.test("the largest order fits twice into a job's row, and counts the items left out", async () => {
  const items = Array.from({ length: 500 }, () => ({ name: "ю".repeat(200), quantity: 1 }));
  const data = orderMailData(OrderSchema.parse({ id: "1", status: "pending", email: ANN, total: 1, items }));
  assert.equal(data.items.length + data.itemsLeftOut, 500);
  assert.ok(data.items.length >= 50);
  using kv = await openDenoKv(":memory:");
  await kv.set(["row"], { payload: data, next: { payload: structuredClone(data) } });
});
