import assert from "node:assert/strict";
import { tempKv } from "../../../dev/testing/temp_kv.ts";
import { countCoupons } from "./issued.ts";
import { couponKey, type CouponRow } from "./row.ts";

Deno.test("counting codes reads a bounded number of rows, and says that there are more", async () => {
  await using temp = await tempKv();
  const { kv } = temp;
  const row: CouponRow = {
    v: 1,
    code: "X",
    kind: "percent",
    amount: 10,
    createdAt: 0,
    expiresAt: 100,
    state: "over",
  };
  const store = async (from: number, to: number) => {
    const tx = kv.atomic();
    for (let index = from; index < to; index++) tx.set(couponKey(`mailbox-${index}`), row);
    await tx.commit();
  };
  for (let from = 0; from < 2000; from += 500) await store(from, from + 500);
  const all = { created: 2000, waiting: 0, valid: 2000, expired: 0, uncreated: 0 };
  assert.deepEqual(await countCoupons(kv, 99), { ...all, more: false });
  assert.deepEqual(await countCoupons(kv, 100), { ...all, valid: 0, expired: 2000, more: false });
  await store(2000, 2500);
  assert.deepEqual(await countCoupons(kv, 99), { ...all, more: true });
});

Deno.test("a code counts as created or valid only once the shop has confirmed it", async () => {
  await using temp = await tempKv();
  const { kv } = temp;
  const code = { v: 1, code: "X", kind: "percent", amount: 10, createdAt: 0, expiresAt: 100 } as const;
  const rows: CouponRow[] = [
    { ...code, state: "chosen" },
    { ...code, state: "made" },
    { ...code, state: "over" },
    { ...code, state: "over", neverCreated: true },
  ];
  for (const [index, row] of rows.entries()) await kv.set(couponKey(`mailbox-${index}`), row);
  assert.deepEqual(await countCoupons(kv, 99), {
    created: 2,
    waiting: 1,
    valid: 1,
    expired: 0,
    uncreated: 1,
    more: false,
  });
});
