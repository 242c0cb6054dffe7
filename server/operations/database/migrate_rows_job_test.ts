import assert from "node:assert/strict";
import { replaceCommits } from "../../../dev/testing/around_commits.ts";
import { keys } from "../../platform/kv/keys.ts";
import { search } from "../../subscribers/search/search.ts";
import type { CartRow } from "../../shops/carts/cart.ts";
import type { SignupRecord } from "../../signup/record/row.ts";
import { type Harness, harness, LIST } from "../../../dev/testing/harness.ts";
import { isMigrated, startMigration } from "./migrate_rows_job.ts";

/** Stores rows as an earlier version did: without search entries. */
async function putOldRows(app: Harness, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const email = `p${String(i).padStart(4, "0")}@example.com`;
    const at = app.clock.now() - i;
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
    await app.kv.atomic().set(keys.signup(email, LIST), record).set(
      keys.byStatus("active", LIST, at, email),
      1,
    )
      .commit();
  }
  const at = app.clock.now();
  const cart: CartRow = { v: 1, id: "c", email: "p0000@example.com", createdAt: at, changedAt: at };
  await app.kv.atomic().set(keys.cart("c"), cart).set(keys.cartByTime(at, "c"), 1).commit();
}
const found = async (app: Harness) => (await search(app.kv, {}, { limit: 200 })).records.length;

Deno.test("after the migration, searches find signups of an earlier version, and carts by email address", async () => {
  await using app = await harness();
  await putOldRows(app, 30);
  assert.equal(await found(app), 0);
  await startMigration(app.services);
  await app.work();
  assert.equal(await found(app), 30);
  assert.ok((await app.kv.get(keys.cartOf("p0000@example.com", "c"))).value);
  assert.equal((await app.record("p0007@example.com"))?.v, 2);
  assert.equal(await isMigrated(app.kv), true);
  await startMigration(app.services);
  assert.equal(await app.queue.nextDue(), undefined, "it runs only once");
});

Deno.test("a killed migration continues where it stopped, and signups made meanwhile are kept", async () => {
  await using app = await harness();
  await putOldRows(app, 1_200);
  await startMigration(app.services);
  let commits = 0;
  const undo = replaceCommits(app.services.kv, (commit) => {
    return ++commits === 700 ? Promise.reject(new Error("kill -9")) : commit();
  });
  const [claimed] = await app.queue.claim(1);
  const definition = app.services.jobs.find(({ name }) => name === claimed!.row.name)!;
  const { runAttempt } = await import("../../platform/jobs/attempt.ts");
  await runAttempt(
    { queue: app.queue, clock: app.clock, log: app.log },
    definition,
    claimed!,
    new AbortController().signal,
  );
  undo();
  assert.equal(await isMigrated(app.kv), false);
  await app.post({ email: "p0500@example.com" });
  await app.post({ email: "new@example.com" });
  await app.clock.advance(60_000);
  const before = commits;
  await app.work();
  assert.equal(await isMigrated(app.kv), true);
  assert.ok(before > 0);
  let all = 0;
  for (let after: string | undefined, first = true; first || after; first = false) {
    const page = await search(app.kv, {}, { limit: 200, after });
    all += page.records.length;
    after = page.next;
  }
  assert.equal(all, 1_201);
});
