/** Tests that personal data is deleted when its retention ends although the service is deactivated. */
import assert from "node:assert/strict";
import { LOCAL } from "../../admin/auth/actor.ts";
import { runAction } from "../../admin/action_table.ts";
import { createAudit } from "../../platform/audit/audit.ts";
import { newJobRow } from "../../platform/jobs/add.ts";
import { namesWhileDeactivated } from "../../platform/jobs/handler.ts";
import { type JobName, writeRow } from "../../platform/jobs/row.ts";
import { keys } from "../../platform/kv/keys.ts";
import { startRecurringJobs } from "../../program/recurring_jobs.ts";
import { cartKey, type CartRow, putCart } from "../../shops/carts/cart.ts";
import { type Harness, harness, LIST } from "../../../dev/testing/harness.ts";
import { ManualClock } from "../../../dev/testing/manual_clock.ts";
import { startProgram } from "../../../dev/testing/program.ts";

const ANN = "ann@example.com";
const IP = "198.51.100.7";
const DAY_MS = 24 * 60 * 60 * 1000;

/** Runs what a deactivated service runs on its own, for so many days. */
async function days(app: Harness, count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    await app.clock.advance(DAY_MS);
    await startRecurringJobs(app.services, namesWhileDeactivated(app.services.jobs));
    await app.work();
  }
}

async function add(app: Harness, name: JobName, payload: unknown): Promise<void> {
  const now = app.clock.now();
  const tx = app.kv.atomic();
  writeRow(tx, null, newJobRow({ id: `${name}:1`, name, payload, due: now }, now, []));
  await tx.commit();
}

Deno.test("while deactivated, the program runs what deletes personal data, and nothing else that recurs", async () => {
  const clock = new ManualClock(Date.UTC(2025, 0, 1));
  await using program = await startProgram({ clock });
  await program.services.activation.deactivate();
  for (let hour = 0; hour < 25; hour++) {
    await program.tick();
    await program.runner.idle();
    await clock.advance(60 * 60 * 1000);
  }
  const ran = program.lines.map((line) => JSON.parse(line))
    .filter(({ event }) => event === "job.done").map(({ job }) => job);
  assert.deepEqual(
    Object.fromEntries([...Map.groupBy(ran, (job) => job)].map(([job, runs]) => [job, runs.length])),
    {
      cfbe_blank_ips: 2,
      cfbe_purge_deleted: 2,
      cfbe_delete_unconfirmed: 25,
      cfbe_erase_carts: 25,
      cfbe_migrate_rows: 1,
    },
  );
});

Deno.test("while deactivated, the IPs of consents and of the audit log are deleted when their retention ends", async () => {
  await using app = await harness({ settings: { privacy: { ipRetentionDays: 2 } } });
  await app.post({ email: "delivered@example.com" }, { peer: IP });
  await app.work();
  await app.post({ email: "queued@example.com" }, { peer: IP });
  await createAudit(app.services).begin({ who: "ann", action: { name: "cfbe_log_in" }, from: { ip: IP } });
  await app.services.activation.deactivate();
  await days(app, 1);
  assert.equal((await app.dump()).match(new RegExp(IP, "g"))?.length, 3);
  await days(app, 2);
  assert.doesNotMatch(await app.dump(), new RegExp(IP));
  assert.equal((await app.consents("queued@example.com")).length, 1, "the proof of consent stays");
  await app.services.activation.activate();
  await app.work();
  assert.equal((await app.record("queued@example.com"))?.status, "pending", "it was not lost");
});

Deno.test("while deactivated, failed jobs, old carts and signups that were never confirmed are deleted", async () => {
  await using app = await harness({
    settings: { privacy: { ipRetentionDays: 2, unconfirmedRetentionDays: 2 } },
  });
  app.provider.put(LIST, "failed@example.com", "bounced");
  await app.post({ email: "failed@example.com" });
  await app.work();
  assert.equal((await app.record("failed@example.com"))?.status, "failed");
  const now = app.clock.now();
  const cart: CartRow = { v: 1, id: "c", email: ANN, createdAt: now, changedAt: now };
  const tx = app.kv.atomic();
  putCart(tx, null, cart);
  const payload = { order: "1", email: ANN, locale: "en", ip: IP, label: "" };
  const dead = newJobRow(
    { id: "checkout_signup:1", name: "cfbe_checkout_signup", payload, due: now },
    now,
    [],
  );
  writeRow(tx, null, { ...dead, state: "dead" });
  await tx.commit();
  await app.services.activation.deactivate();
  await days(app, 3);
  assert.equal(await app.queue.get("checkout_signup:1"), null);
  assert.equal(await app.record("failed@example.com"), null);
  assert.ok((await app.kv.get(cartKey("c"))).value);
  await days(app, 28);
  assert.doesNotMatch(await app.dump(), /ann@example\.com|failed@example\.com/);
});

Deno.test("a paused opt-in of a checkout waits for activation without its IP, and is then signed up", async () => {
  await using app = await harness({ settings: { privacy: { ipRetentionDays: 2 } } });
  await add(app, "cfbe_checkout_signup", { order: "1", email: ANN, locale: "en", ip: IP, label: "News" });
  await app.services.activation.deactivate();
  await days(app, 1);
  assert.match(await app.dump(), new RegExp(IP));
  await days(app, 5);
  assert.doesNotMatch(await app.dump(), new RegExp(IP));
  await app.services.activation.activate();
  await app.work();
  assert.equal((await app.record(ANN))?.status, "pending");
  assert.deepEqual((await app.consents(ANN)).map(({ given, ip }) => [given, ip]), [[true, null]]);
});

Deno.test("paused deliveries, checks and coupons wait for activation however long", async () => {
  await using app = await harness({ settings: { privacy: { ipRetentionDays: 2 } } });
  await app.post({ email: ANN });
  await add(app, "cfbe_check_signup", { email: ANN, list: LIST, by: "webhook" });
  await add(app, "cfbe_coupon", { email: ANN, list: LIST });
  await app.services.activation.deactivate();
  await days(app, 5);
  const { rows } = await app.queue.list({ state: "parked" });
  assert.deepEqual(rows.map(({ name }) => name).toSorted(), [
    "cfbe_check_signup",
    "cfbe_coupon",
    "cfbe_deliver_signup",
  ]);
});

Deno.test("paused jobs with data that nothing else keeps are deleted when the retention ends", async () => {
  await using app = await harness({ settings: { privacy: { ipRetentionDays: 2 } } });
  const data = { id: "7", status: "processing", name: "Ann Lee", items: [{ name: "A red hat" }] };
  await add(app, "cfbe_order_mail", { order: "hash", email: ANN, data });
  await add(app, "cfbe_sync_contact", { person: "hash", email: ANN, name: "Ann Lee" });
  await add(app, "cfbe_identify_subscriber", { provider: "kit", id: "subscriber-77", change: "active" });
  await add(app, "cfbe_of_a_later_version", { email: ANN });
  await app.services.activation.deactivate();
  await days(app, 1);
  assert.equal((await app.queue.list({ state: "parked" })).rows.length, 4);
  await days(app, 1);
  const left = (await app.queue.list({ state: "parked" })).rows;
  assert.deepEqual(left.map(({ name, payload }) => [name, payload]), [
    ["cfbe_sync_contact", { person: "hash", email: ANN }],
  ]);
  assert.doesNotMatch(await app.dump(), /Ann Lee|red hat|subscriber-77/);
});

Deno.test("an erasure of many people goes on while deactivated", async () => {
  // Nobody confirms, as in an attack.
  await using app = await harness({ settings: { privacy: { attackMode: "off" } } });
  const emails = Array.from({ length: 45 }, (_, n) => `p${n}@example.com`);
  for (const [n, email] of emails.entries()) {
    await (await app.post({ email }, { peer: `198.51.${n}.1` })).body?.cancel();
    await app.clock.advance(60_000);
    await app.work();
  }
  const rows = emails.map((email) => `${email} ${LIST}`);
  const started = await runAction(app.services, LOCAL, "cfbe_erase_people", { rows, typed: "45" });
  assert.equal(started.ok, true, started.message);
  const [claimed] = await app.queue.claim(1);
  await app.queue.release(claimed!, { began: false });
  await app.services.activation.deactivate();
  for (let n = 0; n < 10; n++) {
    await app.clock.advance(60_000);
    await app.work();
  }
  assert.deepEqual(await Array.fromAsync(app.kv.list({ prefix: keys.family("signup") })), []);
});

Deno.test("while a shared database is restored, a deactivated process deletes nothing", async () => {
  const clock = new ManualClock();
  await using program = await startProgram({ clock });
  const { kv, activation } = program.services;
  await activation.deactivate();
  await program.tick();
  await program.runner.idle();
  await kv.set(keys.restoring(), { v: 1, at: clock.now() });
  await clock.advance(2 * DAY_MS);
  const before = program.lines.length;
  await program.tick();
  assert.equal(await program.queue.nextDue(), undefined, "nothing is added");
  const now = clock.now();
  const tx = kv.atomic();
  writeRow(
    tx,
    null,
    newJobRow({ id: "blank_ips", name: "cfbe_blank_ips", payload: null, due: now }, now, []),
  );
  await tx.commit();
  const whileDeactivated = namesWhileDeactivated(program.services.jobs);
  assert.deepEqual(await program.queue.claim(8, whileDeactivated), [], "and nothing restored is run");
  assert.ok(!program.lines.slice(before).some((line) => line.includes("job.done")));
  await kv.delete(keys.restoring());
});
