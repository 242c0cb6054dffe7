import assert from "node:assert/strict";
import { startShop } from "../testing/shop_double.ts";
import { readShopifyOrder } from "./order.ts";

/** Reads an order of the documented shape; `changes` overwrite fields. */
async function order(changes: Record<string, unknown> = {}) {
  await using shop = startShop("shopify");
  const reading = readShopifyOrder(JSON.parse(shop.delivery({}, changes).text));
  assert.ok(reading.kind === "order", JSON.stringify(reading));
  return reading.order;
}

Deno.test("payment and fulfillment statuses are combined into one", async () => {
  const states = [
    [{ financial_status: "paid", fulfillment_status: null }, "processing"],
    [{ financial_status: "paid", fulfillment_status: "partial" }, "processing"],
    [{ financial_status: "partially_refunded", fulfillment_status: null }, "processing"],
    [{ financial_status: "partially_refunded", fulfillment_status: "fulfilled" }, "completed"],
    [{ financial_status: "partially_paid", fulfillment_status: null }, "processing"],
    [{ financial_status: "pending", fulfillment_status: "fulfilled" }, "completed"],
    [{ financial_status: "refunded", fulfillment_status: "fulfilled" }, "refunded"],
    [{ financial_status: "paid", cancelled_at: "2025-01-01T07:00:00-05:00" }, "cancelled"],
    [{ financial_status: "voided" }, "cancelled"],
  ] as const;
  for (const [changes, status] of states) {
    assert.equal((await order(changes)).status, status, JSON.stringify(changes));
  }
});

Deno.test("only consent given with the order counts: the checkbox, the attribute, or the customer's recent consent", async () => {
  const consent = (state: string, consent_updated_at: string | null) => ({
    customer: { email: "ann@example.com", email_marketing_consent: { state, consent_updated_at } },
  });
  const cases: [Record<string, unknown>, boolean][] = [
    [{ buyer_accepts_marketing: true }, true],
    [{ note_attributes: [{ name: "cfbe_opt_in", value: "yes" }] }, true],
    [{ note_attributes: [{ name: "cfbe_opt_in", value: "" }] }, false],
    [consent("subscribed", "2025-01-01T06:58:03-05:00"), true],
    // Years ago: a customer who has unsubscribed since would be signed up again with every order.
    [consent("subscribed", "2019-06-01T12:00:00Z"), false],
    [consent("subscribed", null), false],
    [consent("pending", "2025-01-01T06:58:03-05:00"), false],
    [{ buyer_accepts_marketing: "yes" }, false],
    [{ customer: null }, false],
  ];
  for (const [changes, optIn] of cases) {
    assert.equal((await order(changes)).optIn, optIn, JSON.stringify(changes));
  }
});

Deno.test("the order of Shopify's test notification is read, although its ID is too large for an exact number", async () => {
  const { id, number, name } = await order({
    id: 820982911946154508,
    name: "#9999",
    customer: null,
    billing_address: { name: "Steve Shipper" },
  });
  assert.match(id, /^8209829119461545\d\d$/);
  assert.deepEqual([number, name], ["#9999", "Steve Shipper"]);
});

Deno.test("the total is what the order is worth after edits, returns and refunds", async () => {
  const totalOf = async (current: unknown) =>
    (await order({ total_price: "29.35", current_total_price: current })).total;
  assert.equal(await totalOf("19.85"), 19.85);
  assert.equal(await totalOf("0.00"), 0);
  for (const absent of [undefined, null, "", "-1.00"]) {
    assert.equal(await totalOf(absent), 29.35, `${absent}`);
  }
  const refunded = { financial_status: "refunded", total_price: "29.35", current_total_price: "0.00" };
  assert.equal((await order(refunded)).total, 29.35, "what was refunded");
});

Deno.test("an unusual value of an item does not reject the order", async () => {
  const item = { product_id: 93, name: "A mug", quantity: 1, price: "9.50" };
  const mug = { id: "93", name: "A mug", quantity: 1 };
  const { items, currency } = await order({
    currency: "POINTS",
    line_items: [{ ...item, price: "-9.50" }, { ...item, quantity: -1 }, null, { ...item, quantity: "2" }],
  });
  assert.deepEqual(items, [mug, { ...mug, quantity: 2, price: 9.5 }]);
  assert.equal(currency, undefined);
  assert.equal((await order({ line_items: Array(501).fill(item) })).items.length, 500);
});

Deno.test("an order without an email address, such as an in-store sale, is ignored", async () => {
  await using shop = startShop("shopify");
  const { text } = shop.delivery({}, { email: "", contact_email: null, customer: null });
  assert.equal(readShopifyOrder(JSON.parse(text)).kind, "ignored");
});
