import assert from "node:assert/strict";
import type { JobRow } from "../jobs/row.ts";
import { startSlot } from "../jobs/recurring.ts";
import { keys } from "../kv/keys.ts";
import { type Harness, harness, LIST } from "../testing/harness.ts";
import {
  DELETE_UNCONFIRMED_EVERY_MS,
  DELETE_UNCONFIRMED_JOB,
  deleteUnconfirmed,
  mayDelete,
} from "./delete_unconfirmed_job.ts";
import { putRecord } from "../signup/record/record.ts";
import type { SignupRecord } from "../signup/record/row.ts";
import { move } from "../signup/record/states.ts";

const DAY = 24 * 60 * 60_000;
const ANN = "ann@example.com";

async function runJob(b: Harness) {
  const slot = { name: "delete_unconfirmed", everyMs: DELETE_UNCONFIRMED_EVERY_MS, now: b.clock.now() };
  await startSlot(b.services, slot, DELETE_UNCONFIRMED_JOB);
  await b.work();
}

/** A signup that the provider took and nobody confirmed. */
async function signUp(b: Harness, email: string, peer = "192.0.2.1") {
  const response = await b.post({ email }, { peer });
  assert.equal(response.status, 200);
  await response.body?.cancel();
  await b.work();
}

/** Moves a record on, as a poll or a check would. */
async function become(b: Harness, email: string, status: "active" | "expired" | "failed") {
  const before = (await b.record(email))!;
  const facts = status === "active" ? { confirmed: { at: b.clock.now(), by: "poll" as const } } : {};
  const tx = b.kv.atomic();
  putRecord(tx, before, move(before, status, b.clock.now(), facts));
  assert.ok((await tx.commit()).ok);
}

Deno.test("a signup that was never confirmed is gone 30 days after it expired, with every row that names it", async () => {
  await using b = await harness();
  await signUp(b, ANN);
  await become(b, ANN, "expired");
  await b.clock.advance(30 * DAY - 1);
  await runJob(b);
  assert.equal((await b.record(ANN))?.status, "expired");
  await b.clock.advance(DELETE_UNCONFIRMED_EVERY_MS);
  await runJob(b);
  assert.doesNotMatch(await b.dump(), /ann@example/);
});

Deno.test("its counters stay", async () => {
  await using b = await harness();
  await signUp(b, ANN);
  await b.services.counters.flush();
  const counters = async () => await Array.fromAsync(b.kv.list({ prefix: keys.family("books") }));
  const before = await counters();
  assert.ok(before.length > 0);
  await become(b, ANN, "expired");
  await b.clock.advance(31 * DAY);
  await runJob(b);
  assert.deepEqual(await counters(), before);
});

Deno.test("one that the provider refused goes the same way, with the dead delivery that knows its address", async () => {
  await using b = await harness();
  await signUp(b, ANN);
  await become(b, ANN, "failed");
  const job = { v: 1, id: `deliver:${LIST}:${ANN}`, name: "cfbe_deliver_signup", payload: { email: ANN } };
  const dead = { ...job, state: "dead", due: b.clock.now(), history: [] };
  await b.kv.set(keys.job(job.id), dead);
  await b.kv.set(keys.dead(dead.due, job.id), { v: 1, state: "dead" });
  await b.clock.advance(31 * DAY);
  await runJob(b);
  assert.doesNotMatch(await b.dump(), /ann@example/);
});

Deno.test("who confirmed, who still waits and who has signed up again is not deleted, however old the signup is", async () => {
  await using b = await harness();
  const emails = ["confirmed@example.com", "waiting@example.com", "again@example.com"];
  for (const [i, email] of emails.entries()) await signUp(b, email, `192.0.2.${i}`);
  await become(b, emails[0]!, "active");
  await become(b, emails[2]!, "expired");
  await b.clock.advance(29 * DAY);
  await signUp(b, emails[2]!);
  await b.clock.advance(400 * DAY);
  await runJob(b);
  for (const email of emails) assert.ok(await b.record(email), email);
});

Deno.test("a signup that comes in the very moment of the deletion is kept, with its consent and its delivery", async () => {
  await using b = await harness();
  await signUp(b, ANN);
  await become(b, ANN, "expired");
  await b.clock.advance(31 * DAY);
  // In front of its one commit somebody signs up.
  let came = false;
  const kv = new Proxy(b.kv, {
    get(target, name) {
      const member = Reflect.get(target, name, target);
      if (name !== "atomic") return typeof member === "function" ? member.bind(target) : member;
      return () => {
        const tx = target.atomic();
        const commit = tx.commit.bind(tx);
        tx.commit = async () => {
          if (!came) {
            came = true;
            assert.equal((await b.post({ email: ANN })).status, 200);
          }
          return await commit();
        };
        return tx;
      };
    },
  });
  const result = await deleteUnconfirmed({ ...b.services, kv }).handle({
    signal: new AbortController().signal,
    payload: null,
  } as never);
  assert.deepEqual([came, result], [true, { kind: "done" }]);
  assert.equal((await b.record(ANN))?.status, "queued");
  await b.work();
  assert.equal((await b.record(ANN))?.status, "pending");
  assert.equal((await Array.fromAsync(b.kv.list({ prefix: keys.consentsOf(ANN, LIST) }))).length, 2);
});

Deno.test("a deletion that a crash cut off is finished by the next run, also with more consents than a commit holds", async () => {
  await using b = await harness();
  await signUp(b, ANN);
  await become(b, ANN, "expired");
  for (let i = 0; i < 700; i++) {
    await b.kv.set(keys.consent(ANN, LIST, i, `${i}`), { v: 1, id: `${i}`, at: i, ip: "192.0.2.1" });
    await b.kv.set(keys.consentByTime(i, ANN, LIST, `${i}`), 1);
  }
  await b.clock.advance(31 * DAY);
  let commits = 0;
  const kv = new Proxy(b.kv, {
    get(target, name) {
      const member = Reflect.get(target, name, target);
      if (name === "atomic" && ++commits > 2) throw new Error("the process died");
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
  const job = { signal: new AbortController().signal, payload: null } as never;
  await assert.rejects(() => deleteUnconfirmed({ ...b.services, kv }).handle(job), /died/);
  assert.ok(await b.record(ANN), "the record goes last, so that the next run finds the rest");
  await runJob(b);
  assert.doesNotMatch(await b.dump(), /ann@example/);
});

Deno.test("0 days keep every signup", async () => {
  await using b = await harness({ settings: { privacy: { unconfirmedRetentionDays: 0 } } });
  await signUp(b, ANN);
  await become(b, ANN, "expired");
  await b.clock.advance(4000 * DAY);
  await runJob(b);
  assert.equal((await b.record(ANN) as SignupRecord).status, "expired");
});

Deno.test("only what ended unconfirmed may be deleted, with nothing under way for it", () => {
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
