import assert from "node:assert/strict";
import { keys } from "../kv/keys.ts";
import { search } from "../subscribers/search.ts";
import type { CartRow } from "../carts/cart.ts";
import type { SignupRecord } from "../signup/record/row.ts";
import { type Harness, harness, LIST } from "../testing/harness.ts";
import { isMigrated, startMigration } from "./migrate_rows_job.ts";

/** Stores rows as an earlier version did: without search entries. */
async function putOldRows(b: Harness, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const email = `p${String(i).padStart(4, "0")}@example.com`;
    const at = b.clock.now() - i;
    const record: SignupRecord = {
      v: 1,
      email,
      list: LIST,
      status: "active",
      since: at,
      tags: [],
      source: "popup",
      createdAt: at,
      updatedAt: at,
    };
    await b.kv.atomic().set(keys.signup(email, LIST), record).set(keys.byStatus("active", LIST, at, email), 1)
      .commit();
  }
  const at = b.clock.now();
  const cart: CartRow = { v: 1, id: "c", email: "p0000@example.com", createdAt: at, changedAt: at };
  await b.kv.atomic().set(keys.cart("c"), cart).set(keys.cartByTime(at, "c"), 1).commit();
}
const found = async (b: Harness) => (await search(b.kv, {}, { limit: 200 })).records.length;

Deno.test("after the migration, searches find signups of an earlier version, and carts by email address", async () => {
  await using b = await harness();
  await putOldRows(b, 30);
  assert.equal(await found(b), 0);
  await startMigration(b.services);
  await b.work();
  assert.equal(await found(b), 30);
  assert.ok((await b.kv.get(keys.cartOf("p0000@example.com", "c"))).value);
  assert.equal((await b.record("p0007@example.com"))?.v, 2);
  assert.equal(await isMigrated(b.kv), true);
  await startMigration(b.services);
  assert.equal(await b.queue.nextDue(), undefined, "it runs only once");
});

Deno.test("a killed migration continues where it stopped, and signups made meanwhile are kept", async () => {
  await using b = await harness();
  await putOldRows(b, 1_200);
  await startMigration(b.services);
  const { atomic } = b.kv;
  let commits = 0;
  b.services.kv.atomic = () => {
    if (++commits === 700) throw new Error("kill -9");
    return atomic.call(b.kv);
  };
  const [claimed] = await b.queue.claim(1);
  const definition = b.services.jobs.find(({ name }) => name === claimed!.row.name)!;
  const { runAttempt } = await import("../jobs/attempt.ts");
  await runAttempt(
    { queue: b.queue, clock: b.clock, log: b.log },
    definition,
    claimed!,
    new AbortController().signal,
  );
  b.services.kv.atomic = atomic.bind(b.kv);
  assert.equal(await isMigrated(b.kv), false);
  await b.post({ email: "p0500@example.com" });
  await b.post({ email: "new@example.com" });
  await b.clock.advance(60_000);
  const before = commits;
  await b.work();
  assert.equal(await isMigrated(b.kv), true);
  assert.ok(before > 0);
  let all = 0;
  for (let after: string | undefined, first = true; first || after; first = false) {
    const page = await search(b.kv, {}, { limit: 200, after });
    all += page.records.length;
    after = page.next;
  }
  assert.equal(all, 1_201);
});
