/** Tests that a stored row that can't be read or used keeps no other row from its turn, and is reported. */
import assert from "node:assert/strict";
import { replaceCommits } from "../../../dev/testing/around_commits.ts";
import { createAudit } from "../../platform/audit/audit.ts";
import { newJobRow } from "../../platform/jobs/add.ts";
import { createBringForward } from "../../platform/jobs/bring_forward.ts";
import { type JobName, type JobRow, writeRow } from "../../platform/jobs/row.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { Kv, KvKey } from "../../platform/kv/port.ts";
import { startRecurringJobs } from "../../program/recurring_jobs.ts";
import { cartKey, type CartRow, putCart } from "../../shops/carts/cart.ts";
import { startIndexing } from "../../signup/record/index_signups_job.ts";
import { search } from "../../subscribers/search/search.ts";
import type { SignupRecord } from "../../signup/record/row.ts";
import { type Harness, harness, LIST } from "../../../dev/testing/harness.ts";
import { ManualClock } from "../../../dev/testing/manual_clock.ts";
import { startProgram } from "../../../dev/testing/program.ts";
import { offline } from "../../../dev/testing/offline.ts";
import { openAlerts } from "../alerts/rows.ts";
import { diagnose } from "../doctor/doctor.ts";
import { isMigrated, startMigration } from "./migrate_rows_job.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const NOISE = new TextEncoder().encode('{"email":"bad@example.com","ip":"198.51.');
const IP = "203.0.113.77";

/** Overwrites the value of a row with bytes that are no JSON. */
const damage = (app: Harness, key: KvKey) => app.engine.set(key, NOISE);

async function passes(app: Harness): Promise<void> {
  await startRecurringJobs(app.services);
  await app.work();
}

function logged(app: Harness, event: string) {
  return app.log.of(event).map(({ fields }) => fields);
}

async function addDead(app: Harness, id: string): Promise<void> {
  const now = app.clock.now();
  const row = newJobRow(
    { id, name: "cfbe_order_mail", payload: { email: "d@example.com" }, due: now },
    now,
    [],
  );
  const tx = app.kv.atomic();
  writeRow(tx, null, { ...row, state: "dead" });
  await tx.commit();
}

Deno.test("a consent or a failed job that can't be read does not keep the IPs of others, of the audit log and other jobs", async () => {
  await using app = await harness();
  for (const name of ["a", "b", "c", "d"]) {
    await app.post({ email: `${name}@example.com` }, { peer: IP });
    await app.work();
    await app.clock.advance(1);
  }
  await createAudit(app.services).begin({ who: "ann", action: { name: "cfbe_log_in" }, from: { ip: IP } });
  for (const id of ["order_mail:1", "order_mail:2"]) await addDead(app, id);
  const [a] = await app.consents("a@example.com");
  const [b] = await app.consents("b@example.com");
  await damage(app, keys.consent("a@example.com", LIST, a!.at, a!.id));
  await app.kv.set(keys.consent("b@example.com", LIST, b!.at, b!.id), null);
  await damage(app, keys.job("order_mail:1"));
  await app.clock.advance(91 * DAY_MS);
  await passes(app);
  assert.equal(await app.queue.get("blank_ips"), null, "the pass ends");
  await app.kv.delete(keys.consent("a@example.com", LIST, a!.at, a!.id));
  await app.kv.delete(keys.job("order_mail:1"));
  assert.doesNotMatch(await app.dump(), new RegExp(IP));
  assert.equal(await app.queue.get("order_mail:2"), null);
});

Deno.test("an old cart or an unconfirmed signup that can't be read does not keep the others from being deleted", async () => {
  await using app = await harness();
  for (const name of ["a", "b", "c"]) {
    app.provider.put(LIST, `${name}@example.com`, "bounced");
    await app.post({ email: `${name}@example.com` });
    await app.work();
    const now = app.clock.now();
    const cart: CartRow = { v: 1, id: name, email: `${name}@example.com`, createdAt: now, changedAt: now };
    const tx = app.kv.atomic();
    putCart(tx, null, cart);
    await tx.commit();
    await app.clock.advance(MINUTE_MS);
  }
  await damage(app, keys.cart("a"));
  await app.kv.set(keys.cart("b"), "no cart");
  await damage(app, keys.signup("a@example.com", LIST));
  await app.kv.set(keys.signup("b@example.com", LIST), { v: 2, status: "failed", since: 0 });
  await app.clock.advance(31 * DAY_MS);
  await passes(app);
  assert.equal((await app.kv.get(cartKey("c"))).value, null);
  assert.equal(await app.record("c@example.com"), null);
});

async function putOldRecord(app: Harness, email: string, value?: unknown): Promise<void> {
  const at = app.clock.now();
  const record: SignupRecord = {
    ...{ v: 1, email, list: LIST, status: "active", since: at, tags: [], source: "popup" },
    ...{ createdAt: at, updatedAt: at },
  };
  await app.kv.atomic().set(keys.signup(email, LIST), value ?? record)
    .set(keys.byStatus("active", LIST, at, email), 1).commit();
}

async function putOldCart(app: Harness, id: string): Promise<void> {
  const at = app.clock.now();
  const cart: CartRow = { v: 1, id, email: `${id}@example.com`, createdAt: at, changedAt: at };
  await app.kv.atomic().set(keys.cart(id), cart).set(keys.cartByTime(at, id), 1).commit();
}

Deno.test("the migration skips rows that can't be read or used, migrates the others, and ends", async () => {
  await using app = await harness();
  await putOldRecord(app, "a@example.com");
  await damage(app, keys.signup("a@example.com", LIST));
  await putOldRecord(app, "b@example.com", { v: 1 });
  await putOldRecord(app, "c@example.com");
  for (const id of ["a", "b", "c"]) await putOldCart(app, id);
  await damage(app, keys.cart("a"));
  await app.kv.set(keys.cart("b"), 7);
  await startMigration(app.services);
  await app.work();
  assert.equal(await isMigrated(app.kv), true);
  assert.deepEqual((await search(app.kv, {})).records.map(({ email }) => email), ["c@example.com"]);
  assert.ok((await app.kv.get(keys.cartOf("c@example.com", "c"))).value);
});

Deno.test("the migration of many carts stops after a minute and continues where it stopped", async () => {
  await using app = await harness();
  const ids = Array.from({ length: 1_200 }, (_, n) => String(n).padStart(4, "0"));
  for (const id of ids) await putOldCart(app, id);
  const written: string[] = [];
  replaceCommits(app.services.kv, (commit, { mutations }) => {
    for (const { type, key } of mutations) {
      if (type !== "set" || key[2] !== "cart") continue;
      written.push(String(key[3]));
      if (written.length === 700) app.clock.advance(2 * MINUTE_MS);
    }
    return commit();
  });
  await startMigration(app.services);
  const [claimed] = await app.queue.claim(1);
  const definition = app.services.jobs.find(({ name }) => name === claimed!.row.name)!;
  const { runAttempt } = await import("../../platform/jobs/attempt.ts");
  const run = (job: typeof claimed) =>
    runAttempt({ ...app, queue: app.queue }, definition, job!, new AbortController().signal);
  await run(claimed);
  assert.ok(written.length < 1_200, `it stops, after ${written.length}`);
  assert.equal(await isMigrated(app.kv), false);
  const before = written.length;
  await app.clock.advance(MINUTE_MS);
  await app.work();
  assert.equal(await isMigrated(app.kv), true);
  assert.ok(written.length < 1_200 + 500, `${written.length - before} of the second attempt`);
  assert.deepEqual([...new Set(written)].toSorted(), ids);
});

Deno.test("a queued signup that can't be read does not keep the others from being indexed", async () => {
  await using app = await harness();
  for (const name of ["a", "b", "c", "d"]) {
    await app.post({ email: `${name}@example.com` }, { peer: `192.0.2.${name.charCodeAt(0)}` });
  }
  await damage(app, keys.signup("a@example.com", LIST));
  await app.kv.set(keys.signup("b@example.com", LIST), { v: 1, email: "b@example.com", list: LIST });
  await app.services.activation.deactivate();
  await startIndexing(app.services);
  await app.work();
  assert.deepEqual((await search(app.kv, {})).records.map(({ email }) => email).toSorted(), [
    "c@example.com",
    "d@example.com",
  ]);
  assert.equal(await app.queue.get("index_signups"), null);
});

Deno.test("rows that a pass skipped are counted in the log, an alert and the doctor, without personal data, until they are gone", async () => {
  await using app = await harness();
  await app.post({ email: "a@example.com" }, { peer: IP });
  await app.work();
  const [a] = await app.consents("a@example.com");
  const key = keys.consent("a@example.com", LIST, a!.at, a!.id);
  await damage(app, key);
  await app.clock.advance(91 * DAY_MS);
  await passes(app);
  const [skipped] = logged(app, "job.rows_skipped");
  assert.deepEqual([skipped?.job, skipped?.rows], ["cfbe_blank_ips", 1]);
  await app.clock.advance(5 * MINUTE_MS);
  await passes(app);
  const alert = (await openAlerts(app.kv)).find(({ problem }) => problem.id === "rows.skipped");
  assert.match(alert?.problem.what ?? "", /1 stored row/);
  const { findings } = await diagnose(app.services, offline);
  assert.ok(findings.some(({ id }) => id === "rows.skipped"), JSON.stringify(findings.map(({ id }) => id)));
  assert.doesNotMatch(JSON.stringify([alert, findings, app.log.entries]), /a@example|198\.51|bad@example/);
  await app.kv.delete(key);
  await app.clock.advance(DAY_MS);
  await passes(app);
  await app.clock.advance(5 * MINUTE_MS);
  await passes(app);
  assert.equal((await openAlerts(app.kv)).some(({ problem }) => problem.id === "rows.skipped"), false);
});

Deno.test("a database that fails is not taken for rows that can't be read: the pass is repeated", async () => {
  await using app = await harness();
  for (const name of ["a", "b", "c"]) await putOldRecord(app, `${name}@example.com`);
  await startMigration(app.services);
  let commits = 0;
  const undo = replaceCommits(app.services.kv, (commit) => {
    return ++commits === 3 ? Promise.reject(new TypeError("disk I/O error")) : commit();
  });
  await app.work();
  undo();
  assert.equal(await isMigrated(app.kv), false);
  await app.clock.advance(MINUTE_MS);
  await app.work();
  assert.equal(await isMigrated(app.kv), true);
  assert.equal((await search(app.kv, {})).records.length, 3);
});

async function addJobRow(kv: Kv, now: number, id: string, due: number): Promise<void> {
  const name: JobName = "cfbe_check_signup";
  const tx = kv.atomic();
  writeRow(
    tx,
    null,
    newJobRow({ id, name, payload: { email: "a@example.com", list: LIST, by: "poll" }, due }, now, []),
  );
  await tx.commit();
}

Deno.test("a job that can't be read keeps neither recurring work, nor other jobs, nor a deactivation or activation from their turn", async () => {
  const clock = new ManualClock();
  await using program = await startProgram({ clock, run: false });
  const { services: { kv, activation }, queue } = program;
  const now = clock.now();
  // Its index entries are right, but its row is not.
  for (const id of ["check:a", "check:b"]) await addJobRow(kv, now, id, now + 40 * DAY_MS);
  await kv.set(keys.job("check:a"), "no job");
  await addJobRow(kv, now, "check:c", now);
  await addJobRow(kv, now, "check:d", now + 1);
  await kv.set(keys.job("check:c"), 7);
  await clock.advance(10);
  await program.tick();
  assert.ok((await queue.list({ state: "waiting" })).rows.some(({ name }) => name === "cfbe_poll_pending"));
  assert.ok((await queue.claim(1_000)).some(({ row }) => row.id === "check:d"));
  await addJobRow(kv, now, "check:e", clock.now() + MINUTE_MS);
  await activation.deactivate();
  assert.equal((await kv.get<JobRow>(keys.job("check:e"))).value?.state, "parked");
  await kv.set(keys.parked(0, "check:f"), { v: 1, state: "parked" });
  await kv.set(keys.job("check:f"), null);
  await activation.activate();
  assert.equal((await kv.get<JobRow>(keys.job("check:e"))).value?.state, "waiting");
});

Deno.test("a job that can't be read keeps no other from being brought forward, at once or spread over time", async () => {
  for (const isSpread of [false, true]) {
    await using app = await harness();
    const { kv, clock, queue } = app;
    const forward = createBringForward(app.services);
    const [now, later] = [clock.now(), clock.now() + DAY_MS];
    for (const name of ["a", "b", "c"]) {
      const id = `deliver:${name}`;
      await addJobRow(kv, now, id, now);
      const row = (await queue.get(id))!;
      const tx = kv.atomic();
      writeRow(tx, row, { ...row, failures: 1, due: later });
      await tx.commit();
    }
    await damage(app, keys.job("deliver:a"));
    // Its entry in the index can't be read, but its row can.
    await damage(app, keys.due(later, "deliver:b"));
    await clock.advance(MINUTE_MS);
    const until = clock.now();
    const moved = isSpread
      ? (await forward.spread({ idPrefix: "deliver:", until, everyMs: 10 })).moved
      : await forward.all();
    assert.equal(moved, 2);
    const waits = ["deliver:b", "deliver:c"].map(async (id) => (await queue.get(id))!.due - until);
    assert.deepEqual(await Promise.all(waits), isSpread ? [10, 20] : [0, 0]);
  }
});
