import assert from "node:assert/strict";
import { aroundCommits, beforeCommits } from "../../../dev/testing/around_commits.ts";
import type { JobRow } from "../../platform/jobs/row.ts";
import { startSlot } from "../../platform/jobs/recurring.ts";
import { keys } from "../../platform/kv/keys.ts";
import { type Harness, harness, LIST } from "../../../dev/testing/harness.ts";
import {
  DELETE_UNCONFIRMED_EVERY_MS,
  DELETE_UNCONFIRMED_JOB,
  deleteUnconfirmed,
  mayDelete,
} from "./delete_unconfirmed_job.ts";
import { putRecord } from "../record/record.ts";
import type { SignupRecord } from "../record/row.ts";
import { move } from "../record/states.ts";

const DAY = 24 * 60 * 60_000;
const ANN = "ann@example.com";

async function runJob(app: Harness) {
  const slot = { name: "delete_unconfirmed", everyMs: DELETE_UNCONFIRMED_EVERY_MS, now: app.clock.now() };
  await startSlot(app.services, slot, DELETE_UNCONFIRMED_JOB);
  await app.work();
}

/** Makes a signup that the provider accepts and nobody confirms. */
async function signUp(app: Harness, email: string, peer = "192.0.2.1") {
  const response = await app.post({ email }, { peer });
  assert.equal(response.status, 200);
  await response.body?.cancel();
  await app.work();
}

/** Changes the status of a record, as a poll or a check would. */
async function setStatus(app: Harness, email: string, status: "active" | "expired" | "failed") {
  const before = (await app.record(email))!;
  const facts = status === "active" ? { confirmed: { at: app.clock.now(), by: "poll" as const } } : {};
  const tx = app.kv.atomic();
  putRecord(tx, before, move(before, status, app.clock.now(), facts));
  assert.ok((await tx.commit()).ok);
}

Deno.test("a signup that was never confirmed is deleted 30 days after it expired, with all its rows", async () => {
  await using app = await harness();
  await signUp(app, ANN);
  await setStatus(app, ANN, "expired");
  await app.clock.advance(30 * DAY - 1);
  await runJob(app);
  assert.equal((await app.record(ANN))?.status, "expired");
  await app.clock.advance(DELETE_UNCONFIRMED_EVERY_MS);
  await runJob(app);
  assert.doesNotMatch(await app.dump(), /ann@example/);
});

Deno.test("deleting unconfirmed signups keeps the counters", async () => {
  await using app = await harness();
  await signUp(app, ANN);
  await app.services.counters.flush();
  const counters = async () => await Array.fromAsync(app.kv.list({ prefix: keys.family("books") }));
  const before = await counters();
  assert.ok(before.length > 0);
  await setStatus(app, ANN, "expired");
  await app.clock.advance(31 * DAY);
  await runJob(app);
  assert.deepEqual(await counters(), before);
});

Deno.test("a failed signup is deleted together with its failed delivery job", async () => {
  await using app = await harness();
  await signUp(app, ANN);
  await setStatus(app, ANN, "failed");
  const job = { v: 1, id: `deliver:${LIST}:${ANN}`, name: "cfbe_deliver_signup", payload: { email: ANN } };
  const dead = { ...job, state: "dead", due: app.clock.now(), history: [] };
  await app.kv.set(keys.job(job.id), dead);
  await app.kv.set(keys.dead(dead.due, job.id), { v: 1, state: "dead" });
  await app.clock.advance(31 * DAY);
  await runJob(app);
  assert.doesNotMatch(await app.dump(), /ann@example/);
});

Deno.test("confirmed, pending and repeated signups are not deleted, however old they are", async () => {
  await using app = await harness();
  const emails = ["confirmed@example.com", "waiting@example.com", "again@example.com"];
  for (const [i, email] of emails.entries()) await signUp(app, email, `192.0.2.${i}`);
  await setStatus(app, emails[0]!, "active");
  await setStatus(app, emails[2]!, "expired");
  await app.clock.advance(29 * DAY);
  await signUp(app, emails[2]!);
  await app.clock.advance(400 * DAY);
  await runJob(app);
  for (const email of emails) assert.ok(await app.record(email), email);
});

Deno.test("a signup during the deletion is kept, with its consent and its delivery", async () => {
  await using app = await harness();
  await signUp(app, ANN);
  await setStatus(app, ANN, "expired");
  await app.clock.advance(31 * DAY);
  // Signs up right before the first commit of the deletion.
  let signedUp = false;
  const kv = beforeCommits(app.kv, async () => {
    if (signedUp) return;
    signedUp = true;
    assert.equal((await app.post({ email: ANN })).status, 200);
  });
  const result = await deleteUnconfirmed({ ...app.services, kv }).handle({
    signal: new AbortController().signal,
    payload: null,
  } as never);
  assert.deepEqual([signedUp, result], [true, { kind: "done" }]);
  assert.equal((await app.record(ANN))?.status, "queued");
  await app.work();
  assert.equal((await app.record(ANN))?.status, "pending");
  assert.equal((await Array.fromAsync(app.kv.list({ prefix: keys.consentsOf(ANN, LIST) }))).length, 2);
});

Deno.test("after a crash, the next run finishes a deletion of more consents than one commit can delete", async () => {
  await using app = await harness();
  await signUp(app, ANN);
  await setStatus(app, ANN, "expired");
  for (let i = 0; i < 700; i++) {
    await app.kv.set(keys.consent(ANN, LIST, i, `${i}`), { v: 1, id: `${i}`, at: i, ip: "192.0.2.1" });
    await app.kv.set(keys.consentByTime(i, ANN, LIST, `${i}`), 1);
  }
  await app.clock.advance(31 * DAY);
  let commits = 0;
  const kv = aroundCommits(app.kv, (commit) => {
    return ++commits > 2 ? Promise.reject(new Error("the process died")) : commit();
  });
  const job = { signal: new AbortController().signal, payload: null } as never;
  await assert.rejects(() => deleteUnconfirmed({ ...app.services, kv }).handle(job), /died/);
  assert.ok(await app.record(ANN), "the record is deleted last, so that the next run can finish");
  await runJob(app);
  assert.doesNotMatch(await app.dump(), /ann@example/);
});

Deno.test("with a retention of 0 days, no signup is deleted", async () => {
  await using app = await harness({ settings: { privacy: { unconfirmedRetentionDays: 0 } } });
  await signUp(app, ANN);
  await setStatus(app, ANN, "expired");
  await app.clock.advance(4000 * DAY);
  await runJob(app);
  assert.equal((await app.record(ANN) as SignupRecord).status, "expired");
});

Deno.test("only failed or expired signups that were never confirmed and have no pending jobs may be deleted", () => {
  const now = 100 * DAY;
  const ended = { status: "expired", since: 0 } as SignupRecord;
  const rule = { now, keptMs: 30 * DAY };
  const may = (change: object, jobs: { state: string }[] = []) =>
    mayDelete({ ...ended, ...change }, jobs as JobRow[], rule);
  assert.ok(may({}) && may({ status: "failed" }) && may({}, [{ state: "dead" }]));
  for (const status of ["queued", "pending", "active"]) assert.ok(!may({ status }), status);
  for (const state of ["waiting", "running"]) assert.ok(!may({}, [{ state }]), state);
  assert.ok(!may({ since: now - 30 * DAY + 1 }));
  assert.ok(!may({ confirmed: { at: 0, by: "poll" } }));
  assert.ok(!mayDelete(null, [], rule));
});

for (const unconfirmedRetentionDays of [30, 0]) {
  Deno.test(`a signup from a clock ahead expires 30 days after it is right (retention of ${unconfirmedRetentionDays} days)`, async () => {
    await using app = await harness({ settings: { privacy: { unconfirmedRetentionDays } } });
    const right = app.clock.now();
    await app.clock.set(right + 365 * DAY);
    await signUp(app, ANN);
    await app.clock.set(right);
    await runJob(app);
    await app.clock.advance(30 * DAY - 1);
    await app.services.poll.run();
    assert.equal((await app.record(ANN))?.status, "pending");
    await app.clock.advance(1);
    await app.services.poll.run();
    assert.equal((await app.record(ANN))?.status, "expired");
  });
}

Deno.test("a deletion that takes more than a minute, or is interrupted, goes on in the next run", async () => {
  await using app = await harness();
  const emails = [ANN, "bob@example.com", "cleo@example.com"];
  for (const email of emails) {
    await signUp(app, email);
    await setStatus(app, email, "expired");
  }
  await app.clock.advance(31 * DAY);
  const left = async () =>
    (await Promise.all(emails.map((email) => app.record(email)))).filter(Boolean).length;
  const kv = beforeCommits(app.kv, () => app.clock.advance(31_000));
  const run = async (signal: AbortSignal) =>
    (await deleteUnconfirmed({ ...app.services, kv }).handle({ signal, payload: null } as never)).kind;
  assert.deepEqual([await run(AbortSignal.abort()), await left()], ["snooze", 3]);
  const { signal } = new AbortController();
  assert.deepEqual([await run(signal), await left()], ["snooze", 1]);
  assert.deepEqual([await run(signal), await left()], ["done", 0]);
});
