import assert from "node:assert/strict";
import { startShop } from "../testing/shop_double.ts";
import { readWooOrder } from "./order.ts";

/** Reads an order of the documented shape; `changes` overwrite fields. */
async function read(changes: Record<string, unknown> = {}) {
  await using shop = startShop("woocommerce");
  return readWooOrder(JSON.parse(shop.delivery({}, changes).text));
}

async function order(changes: Record<string, unknown> = {}) {
  const reading = await read(changes);
  assert.ok(reading.kind === "order", JSON.stringify(reading));
  return reading.order;
}

Deno.test("times are read from the GMT fields only", async () => {
  const { orderedAt, changedAt } = await order({
    date_created: "2017-03-22T16:28:02",
    date_created_gmt: "2017-03-22T19:28:02",
    date_modified_gmt: null,
  });
  assert.equal(orderedAt, Date.UTC(2017, 2, 22, 19, 28, 2));
  assert.equal(changedAt, undefined);
});

Deno.test("the opt-in is the last metadata entry of its name, in any usual representation", async () => {
  const optIn = async (value: unknown) =>
    (await order({ meta_data: [{ key: "_cfbe_opt_in", value: "1" }, { id: 2, key: "_cfbe_opt_in", value }] }))
      .optIn;
  for (const value of ["1", "yes", "true", "on", true, 1]) assert.equal(await optIn(value), true, `${value}`);
  for (const value of ["", "0", "no", null, {}, ["1"]]) assert.equal(await optIn(value), false, `${value}`);
  assert.equal((await order({ meta_data: [{ key: "_mailchimp_optin", value: "1" }] })).optIn, false);
  assert.equal((await order({ meta_data: "nonsense" })).optIn, false);
});

Deno.test("the text that was shown beside the box is read, and a text that cfbe could not store is not", async () => {
  const textOf = async (value: unknown) =>
    (await order({ meta_data: [{ key: "_cfbe_opt_in_text", value }] })).optInText;
  assert.equal(await textOf("Send me news"), "Send me news");
  for (const value of ["", "a\nb", "x".repeat(2001), 1, null]) assert.equal(await textOf(value), undefined);
});

Deno.test("a plugin's own status counts as processing if the order is paid, otherwise as on hold", async () => {
  assert.equal(
    (await order({ status: "shipped", date_paid_gmt: "2025-01-01T10:00:00" })).status,
    "processing",
  );
  assert.equal((await order({ status: "awaiting-quote" })).status, "on-hold");
});

Deno.test("the total is what is left after partial refunds", async () => {
  const totalOf = async (refunds: unknown, changes = {}) =>
    (await order({ status: "completed", total: "100.00", refunds, ...changes })).total;
  assert.equal(await totalOf([{ id: 8, reason: "", total: "-90.00" }]), 10);
  assert.equal(
    await totalOf([{ id: 8, total: "-33.333" }, { id: 9, total: "0.1" }, { id: 10, total: -0.2 }]),
    66.367,
  );
  assert.equal(await totalOf([{ id: 8, total: "-100.01" }]), 0);
  for (const status of ["refunded", "cancelled"]) {
    assert.equal(await totalOf([{ id: 8, total: "-100.00" }], { status }), 100, "what was refunded");
  }
  for (const odd of [undefined, null, "nonsense", {}, [], [null, 7, {}, { total: "all" }, { total: null }]]) {
    assert.equal(await totalOf(odd), 100, JSON.stringify(odd));
  }
  assert.equal((await read({ total: "-1.00", refunds: [] })).kind, "implausible");
});

Deno.test("display values are shortened, and invalid ones do not reject the order", async () => {
  const item = {
    product_id: 93,
    variation_id: 94,
    name: `A mug\n${"x".repeat(300)}`,
    quantity: 1,
    price: 9.5,
  };
  const { items, name, ip } = await order({
    line_items: [item, { ...item, quantity: 0 }, {
      ...item,
      variation_id: 0,
      name: null,
      image: { src: "nope" },
    }],
    customer_ip_address: "unknown",
    billing: { first_name: "Ann\r\nBcc: x", last_name: null, email: " Ann@Example.com " },
  });
  assert.deepEqual(items.map(({ id, name }) => [id, [...name].length]), [["94", 200], ["93", 1]]);
  assert.equal(name, "Ann Bcc: x");
  assert.equal(ip, undefined);
});

Deno.test("an unusual value of an item does not reject the order: the value is left out, or the item if nothing else is possible", async () => {
  const item = { product_id: 93, name: "A mug", quantity: 1, price: 9.5 };
  const src = (image: string) => ({ ...item, image: { src: image } });
  const cases: [unknown, unknown][] = [
    [src("https://ann:secret@shop.example/mug.png"), {}],
    [src(`https://shop.example/${"x".repeat(2000)}`), {}],
    [src("https://shop.example/mug.png"), { image: "https://shop.example/mug.png" }],
    [{ ...item, image: "nonsense" }, {}],
    [{ ...item, price: "-4.00" }, { price: undefined }],
    [{ ...item, price: 1.2e9 }, { price: 1.2e9 }],
    [{ ...item, quantity: "2" }, { quantity: 2 }],
    [{ ...item, product_id: "x".repeat(101) }, { id: undefined }],
    [{ ...item, product_id: {} }, { id: undefined }],
    [{ ...item, name: "👩".repeat(200) }, { name: "👩".repeat(100) }],
    [{ ...item, quantity: -1 }, undefined],
    [{ ...item, quantity: null }, undefined],
    [null, undefined],
  ];
  for (const [line, changes] of cases) {
    const { items } = await order({ line_items: [line] });
    const expected = changes && { id: "93", name: "A mug", quantity: 1, price: 9.5, ...changes };
    assert.deepEqual(items, expected ? [JSON.parse(JSON.stringify(expected))] : [], JSON.stringify(line));
  }
  assert.deepEqual((await order({ line_items: null })).items, []);
  assert.equal((await order({ line_items: Array(501).fill(item) })).items.length, 500);
});

Deno.test("a large total is read, and a currency that is no code of three letters is left out", async () => {
  const { total, currency } = await order({ total: "1200000000.00", currency: "IRR" });
  assert.deepEqual([total, currency], [1.2e9, "IRR"]);
  assert.equal((await order({ currency: "POINTS" })).currency, undefined);
});

Deno.test("implausible values are rejected with their path", async () => {
  for (
    const [changes, path] of [
      [{ total: "-1.00" }, /total/],
      [{ total: "" }, /total/],
      [{ id: "" }, /id/],
      [{ id: {} }, /id/],
      [{ billing: null }, /billing/],
    ] as const
  ) {
    const reading = await read(changes);
    assert.ok(reading.kind === "implausible", JSON.stringify(changes));
    assert.match(reading.reason, path);
  }
});
