import assert from "node:assert/strict";
import type { JobRow } from "../../platform/jobs/row.ts";
import { deliverJob, deliveryOf } from "./job.ts";
import { type DeliveryPayload, mergeDeliveries } from "./payload.ts";

const signup = (id: string) => ({ id, source: "popup", at: 1 }) as const;
const waiting: DeliveryPayload = { email: "ada@example.com", list: "l", signups: [signup("1")] };
const arriving: DeliveryPayload = { ...waiting, signups: [signup("2")] };

Deno.test("a merged delivery reports both signups, and keeps its marker and its slot but no result", () => {
  const both = { ...waiting, signups: [signup("1"), signup("2")] };
  assert.deepEqual(mergeDeliveries(waiting, arriving), both);
  assert.deepEqual(mergeDeliveries({ ...waiting, marked: true, spent: 0, decided: "pending" }, arriving), {
    ...both,
    marked: true,
    spent: 0,
  });
});

Deno.test("the payload of a delivery is read from its job, and from no other", () => {
  const { name, payload } = deliverJob(waiting, signup("1"));
  const row = { name, payload } as unknown as JobRow;
  assert.deepEqual(deliveryOf(row), waiting);
  assert.equal(deliveryOf({ ...row, name: "cfbe_check_signup" }), undefined);
  assert.equal(deliveryOf({ ...row, payload: { email: 1 } }), undefined);
});
