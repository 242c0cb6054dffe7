import assert from "node:assert/strict";
import { cartMailJob } from "../../shops/carts/cart_mail_job.ts";
import { queueHarness } from "../../../dev/testing/queue_harness.ts";
import { tempKv } from "../../../dev/testing/temp_kv.ts";
import { createBringForward, SPREAD_BATCH } from "./bring_forward.ts";
import { createJobAdmin } from "./job_admin.ts";
import { writeRow } from "./row.ts";

const HOUR_MS = 3_600_000;

Deno.test("jobs that wait for their retry are brought forward, and keep their age and their failures", async () => {
  await using temp = await tempKv();
  const { queue, add, clock, random, kv } = queueHarness(temp.kv);
  const forward = createBringForward({ kv, clock, random });
  const ids = Array.from({ length: 20 }, (_, n) => `job-${String(n).padStart(2, "0")}`);
  for (const id of ids) await add({ id });
  const failed = { kind: "retry", reason: "HTTP 503", retryAfterMs: HOUR_MS } as const;
  for (const job of await queue.claim(20)) await queue.finish(job, failed);
  const before = await queue.get("job-07");
  await clock.advance(60_000);
  assert.equal((await queue.claim(20)).length, 0);

  assert.equal(await forward.one("job-07"), true);
  assert.equal(await forward.one("job-07"), false, "due already");
  assert.equal(await forward.one("nobody"), false);
  const after = await queue.get("job-07");
  assert.deepEqual([after?.due, after?.since, after?.failures], [clock.now(), before?.since, 1]);
  assert.equal(await forward.all(), 19);
  assert.equal((await queue.claim(30)).length, 20);
});

Deno.test("a job that is not due for the first time yet, that snoozes or that runs is not brought forward", async () => {
  await using temp = await tempKv();
  const { queue, add, clock, random, kv } = queueHarness(temp.kv);
  const forward = createBringForward({ kv, clock, random });
  await add({ id: "snoozes" });
  let [job] = await queue.claim(1);
  await queue.finish(job!, { kind: "retry", reason: "HTTP 503" });
  await clock.advance(HOUR_MS);
  [job] = await queue.claim(1);
  await queue.finish(job!, { kind: "snooze", until: clock.now() + HOUR_MS, reason: "daily limit" });
  await add({ id: "runs" });
  await queue.claim(1);
  await add({ id: "later", due: clock.now() + HOUR_MS });
  for (const id of ["snoozes", "runs", "later"]) assert.equal(await forward.one(id), false, id);
  assert.equal(await forward.all(), 0);
});

Deno.test("a batch that is repeated after a crash moves no job twice, and the batches together move each job once", async () => {
  await using temp = await tempKv();
  const { queue, add, clock, random, kv } = queueHarness(temp.kv);
  const forward = createBringForward({ kv, clock, random });
  const count = SPREAD_BATCH.jobs + 30;
  const idOf = (n: number) => `deliver:${String(n).padStart(4, "0")}`;
  for (let n = 0; n < count; n++) await add({ id: idOf(n) });
  await add({ id: "other" });
  for (let left = count + 1; left > 0; left -= 20) {
    for (const job of await queue.claim(20)) await queue.finish(job, { kind: "retry", reason: "HTTP 503" });
  }
  for (let n = 0; n <= count; n++) {
    const id = n === count ? "other" : idOf(n);
    const row = (await queue.get(id))!;
    const tx = kv.atomic();
    writeRow(tx, row, { ...row, due: clock.now() + HOUR_MS });
    await tx.commit();
  }
  const spread = { idPrefix: "deliver:", until: clock.now(), everyMs: 1000 };
  await clock.advance(1);
  const first = await forward.spread(spread);
  assert.equal(first.moved, SPREAD_BATCH.jobs);
  const again = await forward.spread(spread);
  const last = await forward.spread({ ...spread, after: again.after });
  assert.deepEqual([again.moved + last.moved, last.after], [30, undefined]);
  const rows = await Promise.all(Array.from({ length: count }, (_, n) => queue.get(idOf(n))));
  assert.deepEqual(rows.filter((row) => row!.history.length !== 2), [], "its failure, and one note");
  const dues = rows.slice(0, SPREAD_BATCH.jobs).map((row) => row!.due);
  assert.equal(new Set(dues).size, dues.length, "one after the other");
  assert.equal((await queue.get("other"))!.due, clock.now() - 1 + HOUR_MS);
});

Deno.test("a job that is due more than three days ahead is found and brought forward, but not a cart's reminder", async () => {
  await using temp = await tempKv();
  const { queue, add, clock, random, kv } = queueHarness(temp.kv);
  const forward = createBringForward({ kv, clock, random });
  const jobs = createJobAdmin({ kv, clock, random });
  const due = clock.now() + 3 * 24 * HOUR_MS;
  await add({ id: "usual", due });
  await add({ ...cartMailJob("c"), due: due + 1 });
  assert.deepEqual([await jobs.countTooLong(9), await forward.all()], [0, 0]);
  for (const id of ["snoozes", "late", "later"]) await add({ id });
  for (const job of await queue.claim(3)) {
    await queue.finish(job, { kind: "snooze", until: due + 1, reason: "Later." });
  }
  assert.deepEqual([await jobs.countTooLong(9), await jobs.countTooLong(2)], [3, 2]);
  assert.equal(await forward.one("late"), true);
  assert.equal(await forward.all(), 2);
  const claimed = await queue.claim(9);
  assert.deepEqual(claimed.map(({ row }) => row.id).toSorted(), ["late", "later", "snoozes"]);
  for (const { row } of claimed) {
    assert.equal(row.since, clock.now(), "it is retried for three days from now on");
  }
  assert.equal(await jobs.countTooLong(9), 0);
});
