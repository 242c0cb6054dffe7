import assert from "node:assert/strict";
import fc from "fast-check";
import { ORDER_STATUSES } from "../../../shared/order_statuses.ts";
import { isNewer, OrderSchema, plausibleShopTime } from "./order.ts";

const state = fc.record({
  status: fc.constantFrom(...ORDER_STATUSES),
  changedAt: fc.integer({ min: 0, max: 3 }),
}, { noNullPrototype: true });

Deno.test("the newest state wins, in any order of arrival and however often each arrives", () => {
  fc.assert(fc.property(fc.array(state, { minLength: 1, maxLength: 12 }), fc.nat(), (states, seed) => {
    const arrive = (order: typeof states) =>
      order.reduce((known, next) => isNewer(known, next) ? next : known, order[0]!);
    const shuffled = states.map((value, at) => ({ value, at: (at * 7919 + seed) % 13 }))
      .toSorted((a, b) => a.at - b.at).map(({ value }) => value);
    assert.deepEqual(arrive([...shuffled, ...shuffled]), arrive(states));
  }));
});

Deno.test("without `changedAt`, a different status counts as newer", () => {
  assert.equal(isNewer({ status: "processing", changedAt: 9 }, { status: "completed" }), true);
  assert.equal(isNewer({ status: "completed" }, { status: "completed", changedAt: 9 }), false);
});

Deno.test("of two states of the same time the one further along is newer, and a repeated one is not", () => {
  const at = (status: "processing" | "completed" | "refunded", changedAt: number) => ({ status, changedAt });
  assert.equal(isNewer(null, at("processing", 1)), true);
  assert.equal(isNewer(at("processing", 9), at("completed", 9)), true);
  assert.equal(isNewer(at("completed", 9), at("processing", 9)), false);
  assert.equal(isNewer(at("completed", 9), at("completed", 9)), false);
  assert.equal(isNewer(at("completed", 9), at("processing", 8)), false);
  assert.equal(isNewer({ status: "completed" }, at("refunded", 1)), true);
});

Deno.test("a time far in the future is ignored, because it would make every later change look old", () => {
  const now = Date.UTC(2026, 10, 21);
  assert.equal(plausibleShopTime(now + 2 * 86_400_000, now), undefined);
  assert.equal(plausibleShopTime(now + 3_600_000, now), now + 3_600_000);
  assert.equal(plausibleShopTime(now + 86_400_000, now), now + 86_400_000);
  assert.equal(plausibleShopTime(now + 86_400_001, now), undefined);
  assert.equal(plausibleShopTime(undefined, now), undefined);
});

Deno.test("times are text with a time zone, read as milliseconds", () => {
  const order = { id: "1", status: "pending", email: "ann@example.com", total: 0 };
  const { changedAt } = OrderSchema.parse({ ...order, changedAt: "2026-11-21T11:00:00+01:00" });
  assert.equal(changedAt, Date.UTC(2026, 10, 21, 10));
  assert.equal(OrderSchema.safeParse({ ...order, changedAt: "2026-11-21T11:00:00" }).success, false);
});
