import assert from "node:assert/strict";
import { discountRequestBody, readDiscountResponse } from "./discount.ts";

const NOW = Date.UTC(2026, 10, 21);
const COUPON = {
  code: "HI-CDFGH",
  kind: "percent",
  amount: 12.5,
  createdAt: NOW,
  expiresAt: NOW + 1,
} as const;

Deno.test("Shopify gets a percentage as a fraction, and an amount as a string", () => {
  const value = (coupon: Parameters<typeof discountRequestBody>[0]) =>
    JSON.parse(discountRequestBody(coupon)).variables.discount.customerGets.value;
  assert.deepEqual(value(COUPON), { percentage: 0.125 });
  assert.deepEqual(value({ ...COUPON, kind: "fixed", amount: 5 }), {
    discountAmount: { amount: "5.00", appliesOnEachItem: false },
  });
});

Deno.test("a throttled request waits until the rate limit bucket can pay for it", () => {
  const throttled = (cost: unknown) =>
    readDiscountResponse({
      status: 200,
      json: { errors: [{ message: "Throttled", extensions: { code: "THROTTLED" } }], extensions: { cost } },
    });
  const cost = { requestedQueryCost: 110, throttleStatus: { currentlyAvailable: 10, restoreRate: 50 } };
  const trouble = {
    kind: "trouble",
    code: "rate_limited",
    reason: "the shop is rate limiting requests",
    unknown: false,
  };
  assert.deepEqual(throttled(cost), { ...trouble, retryAfterMs: 2000 });
  assert.deepEqual(throttled(undefined), { ...trouble, retryAfterMs: 1000 });
});

Deno.test("Shopify has the code if it created one without an error, or says that it is taken", () => {
  const kindOf = (made: unknown, status = 200) =>
    readDiscountResponse({ status, json: { data: { discountCodeBasicCreate: made } } }).kind;
  const codeDiscountNode = { id: "gid://shopify/DiscountCodeNode/1" };
  const wrong = { code: "GREATER_THAN" };
  assert.equal(kindOf({ codeDiscountNode, userErrors: [] }), "made");
  assert.equal(kindOf({ codeDiscountNode: null, userErrors: [wrong, { code: "TAKEN" }] }), "made");
  assert.equal(kindOf({ codeDiscountNode, userErrors: [wrong] }), "trouble");
  assert.equal(kindOf({ codeDiscountNode, userErrors: [] }, 500), "trouble");
});

Deno.test("errors with the status 200 are trouble, in any form", () => {
  const troubleFor = (json: unknown, status = 200) => {
    const result = readDiscountResponse({ status, json });
    assert.ok(result.kind === "trouble", JSON.stringify(json));
    return [result.reason, result.unknown];
  };
  const create = (made: unknown) => ({ data: { discountCodeBasicCreate: made } });
  const wrong = { field: ["basicCodeDiscount"], code: "GREATER_THAN", message: "must be positive" };
  assert.deepEqual(troubleFor(create({ codeDiscountNode: null, userErrors: [wrong] })), [
    "the shop rejected the code: GREATER_THAN",
    false,
  ]);
  assert.deepEqual(
    troubleFor({ errors: [{ message: "Access denied", extensions: { code: "ACCESS_DENIED" } }], data: null }),
    ["the shop responded with 200: ACCESS_DENIED", false],
  );
  assert.deepEqual(troubleFor({ errors: "[API] Invalid API key" }, 401), [
    "the shop responded with 401",
    false,
  ]);
  // Neither created nor rejected.
  for (const json of [undefined, {}, [], create(null), create({ codeDiscountNode: null, userErrors: [] })]) {
    const result = readDiscountResponse({ status: 200, json });
    assert.ok(result.kind === "trouble");
  }
  assert.deepEqual(troubleFor({}, 502), ["the shop responded with 502", true]);
});
