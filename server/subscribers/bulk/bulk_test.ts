import assert from "node:assert/strict";
import type { LocalStatus } from "../../../shared/outcomes.ts";
import type { ClaimedJob } from "../../platform/jobs/claim.ts";
import { fenceOf } from "../../platform/jobs/handler.ts";
import { createJobAdmin } from "../../platform/jobs/job_admin.ts";
import { readRow } from "../../platform/kv/key.ts";
import { startRecurringJobs } from "../../program/recurring_jobs.ts";
import { putRecord } from "../../signup/record/record.ts";
import { signupKey, type SignupRecord } from "../../signup/record/row.ts";
import { type Harness, harness, LIST } from "../../../dev/testing/harness.ts";
import { CAN_NOT_BE_USED, PER_ATTEMPT } from "./job.ts";
import { type BulkAct, previewBulk } from "./preview.ts";
import { BULK_JOB } from "../person/run_jobs.ts";
import { bulkRunKey, cancelBulk, readBulkRun, startBulk } from "./run.ts";
import type { Selection } from "./selection.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const ALL_PENDING: Selection = { query: { status: "pending" } };
const SENT_TODAY = "A confirmation email was already sent today.";

/** Adds signups, by default made two days ago. */
async function seed(
  app: Harness,
  emails: string[],
  status: LocalStatus = "pending",
  list = LIST,
  ageMs = 2 * DAY_MS,
): Promise<void> {
  const at = app.clock.now() - ageMs;
  for (const [index, email] of emails.entries()) {
    const times = { since: at, createdAt: at + index, updatedAt: at };
    const record: SignupRecord = { v: 2, email, list, status, tags: [], source: "popup", ...times };
    await putRecord(app.kv.atomic(), null, record).commit();
    app.provider.put(list, email, status === "active" ? "active" : "pending");
  }
}
const people = (count: number, name = "p") =>
  Array.from({ length: count }, (_, index) => `${name}${String(index).padStart(3, "0")}@example.com`);

async function start(app: Harness, act: BulkAct, selection: Selection) {
  const preview = await previewBulk(app.services, act, selection, app.clock.now());
  const refusal = await startBulk(app.services, { act, selection, preview, by: "grace" });
  return { preview, refusal };
}
/** Works until the bulk action has ended, and returns its result. */
async function finish(app: Harness) {
  for (let attempts = 0; attempts < 100; attempts++) {
    await app.work();
    const run = (await readBulkRun(app.kv))!;
    if (run.ended) return run;
    await app.clock.advance(2_000);
  }
  throw new Error("the bulk action does not end");
}
const resendsOf = async (app: Harness, email: string) =>
  (await app.record(email))!.history!.filter((event) => event.kind === "admin" && event.act === "resend")
    .length;

Deno.test("a bulk resend sends what its preview announced, once per person, and skips the others with their reasons", async () => {
  await using app = await harness();
  const waiting = people(PER_ATTEMPT + 5);
  await seed(app, waiting);
  await seed(app, ["active@example.com"], "active");
  await (await app.post({ email: "today@example.com" })).body?.cancel();
  await app.work();
  app.provider.mails.length = 0;

  const { preview, refusal } = await start(app, "resend", { query: {} });
  const skipped = {
    [SENT_TODAY]: 1,
    "A confirmation email can be resent only while the signup is unconfirmed.": 1,
  };
  assert.equal(refusal, undefined);
  const possibleFrom = { "A confirmation email was already sent today.": app.clock.now() + DAY_MS };
  const expected = {
    total: waiting.length + 2,
    more: false,
    possible: waiting.length,
    skipped,
    possibleFrom,
  };
  assert.deepEqual(preview, expected);
  const run = await finish(app);
  assert.deepEqual([run.done, run.skipped, run.ended?.how], [waiting.length, skipped, "done"]);
  assert.deepEqual(app.provider.mails.toSorted(), waiting);

  await start(app, "resend", ALL_PENDING);
  assert.deepEqual((await finish(app)).skipped, { [SENT_TODAY]: waiting.length + 1 });
  assert.equal(app.provider.mails.length, waiting.length, "at most one a day");
});

Deno.test("a mailbox that is selected on two lists and in two spellings gets one email", async () => {
  await using app = await harness();
  const spellings = ["ada@example.com", "ada+news@example.com"];
  await seed(app, spellings);
  await seed(app, [spellings[0]!], "pending", "list-2");
  const { preview } = await start(app, "resend", ALL_PENDING);
  assert.deepEqual([preview.possible, preview.skipped], [1, { [SENT_TODAY]: 2 }]);
  await finish(app);
  assert.equal(app.provider.mails.length, 1);
});

/** Runs the handler of the due bulk job only, as a process does that crashes before it settles the job. */
async function handleAndCrash(app: Harness): Promise<void> {
  const [claimed] = await app.queue.claim(1);
  const { row, token } = claimed as ClaimedJob;
  const { id, name, payload, attempts, createdAt, unknown } = row;
  const definition = app.services.jobs.find((each) => each.name === name)!;
  const signal = new AbortController().signal;
  const job = { id, name, payload, attempt: attempts, createdAt, unknown, signal, fence: fenceOf(id, token) };
  await assert.rejects(definition.handle(job), /kill -9/);
  await app.clock.advance(60_000);
}
const crash = () => Promise.reject(new Error("kill -9"));

Deno.test("after a crash before its progress is stored, a bulk resend goes on, and nobody is resent twice", async () => {
  await using app = await harness();
  const waiting = people(PER_ATTEMPT + 3);
  await seed(app, waiting);
  await start(app, "resend", ALL_PENDING);
  const { audit } = app.services.admin;
  const { count } = audit;
  audit.count = crash;
  await handleAndCrash(app);
  audit.count = count;
  const run = await finish(app);
  assert.deepEqual([run.done, run.skipped], [waiting.length, {}]);
  assert.deepEqual(app.provider.mails.toSorted(), waiting);
  for (const email of waiting) assert.equal(await resendsOf(app, email), 1, email);
});

Deno.test("after a crash in the middle, a bulk erasure erases the rest", async () => {
  await using app = await harness();
  const gone = people(PER_ATTEMPT + 3);
  await seed(app, gone);
  await start(app, "erase", ALL_PENDING);
  const { erase } = app.services.people;
  let calls = 0;
  app.services.people.erase = async (...args) => ++calls === 4 ? await crash() : await erase(...args);
  await handleAndCrash(app);
  app.services.people.erase = erase;
  assert.deepEqual(
    [(await finish(app)).done, await app.dump().then((dump) => dump.includes("@example.com"))],
    [
      gone.length,
      false,
    ],
  );
});

Deno.test("a bulk erasure erases each person once on all lists, spares later signups, and is in the audit log by person", async () => {
  await using app = await harness();
  await seed(app, ["ada@example.com", "bob@example.com"]);
  await seed(app, ["ada@example.com"], "pending", "list-2");
  await seed(app, ["kept@example.com"], "active");
  const { preview } = await start(app, "erase", ALL_PENDING);
  assert.deepEqual([preview.total, preview.more], [2, false]);
  await app.clock.advance(1_000);
  await seed(app, ["later@example.com"], "pending", LIST, 0);
  const run = await finish(app);
  assert.deepEqual([run.done, run.ended?.how], [2, "done"]);
  assert.deepEqual([await app.record("ada@example.com", "list-2"), await app.record("bob@example.com")], [
    null,
    null,
  ]);
  assert.ok(await app.record("kept@example.com"));
  assert.ok(await app.record("later@example.com"));
  const { audit } = app.services.admin;
  const erased = (await audit.list()).rows.filter(({ action }) => action === "cfbe_erase_person");
  assert.deepEqual(
    erased.map(({ who, result, target }) => [who, result, target]).toSorted(),
    ["ada@example.com", "bob@example.com"].map((email) => ["grace", "done", audit.target(email)]).toSorted(),
  );
});

Deno.test("a bulk erasure never erases more people than were confirmed", async () => {
  await using app = await harness();
  await seed(app, people(5));
  const preview = { total: 3, more: false };
  await startBulk(app.services, { act: "erase", selection: ALL_PENDING, preview, by: "grace" });
  assert.equal((await finish(app)).done, 3);
  const left = await Promise.all(people(5).map((email) => app.record(email)));
  assert.equal(left.filter(Boolean).length, 2);
});

Deno.test("the rows of a bulk action contain no address in the clear, so that nobody's erasure deletes them", async () => {
  await using app = await harness();
  await seed(app, people(PER_ATTEMPT + 1, "ada"));
  const rows = people(PER_ATTEMPT + 1, "ada").map((email) => ({ email, list: LIST }));
  for (
    const selection of [{ rows }, { query: { term: { by: "prefix", prefix: "ada" } } }] satisfies Selection[]
  ) {
    await start(app, "resend", selection);
    await app.work();
    const run = await readBulkRun(app.kv);
    assert.equal(run?.done, PER_ATTEMPT);
    assert.deepEqual(await app.queue.claim(1), [], "it pauses between two pages");
    assert.doesNotMatch(JSON.stringify(run), /ada|example/);
    await app.services.people.erase(rows.at(-1)!.email);
    await finish(app);
    assert.equal((await readBulkRun(app.kv))?.work, undefined);
    await app.clock.advance(DAY_MS);
    await seed(app, [rows.at(-1)!.email]);
  }
});

Deno.test("one bulk action runs at a time, and a canceled one leaves the rest as it is", async () => {
  await using app = await harness();
  const waiting = people(PER_ATTEMPT + 1);
  await seed(app, waiting);
  await start(app, "resend", ALL_PENDING);
  await app.work();
  assert.match(
    (await start(app, "erase", ALL_PENDING)).refusal!.reason,
    /Another bulk action is still running/,
  );
  assert.equal(await cancelBulk(app.services), true);
  assert.equal(await cancelBulk(app.services), false);
  await app.clock.advance(DAY_MS);
  await app.work();
  assert.equal(app.provider.mails.length, PER_ATTEMPT);
  const run = (await readBulkRun(app.kv))!;
  assert.deepEqual([run.done, run.ended?.how], [PER_ATTEMPT, "canceled"]);
  assert.equal(
    (await start(app, "erase", { rows: [{ email: waiting[0]!, list: LIST }] })).refusal,
    undefined,
  );
  assert.equal((await finish(app)).done, 1);
});

Deno.test("a bulk action whose job was canceled on the Jobs page counts as canceled, and the next one can start", async () => {
  await using app = await harness();
  await seed(app, people(2));
  await start(app, "resend", ALL_PENDING);
  assert.equal((await readBulkRun(app.kv))?.ended, undefined);
  assert.equal(await createJobAdmin(app.services).cancel(BULK_JOB.id), true);
  assert.equal((await readBulkRun(app.kv))?.ended?.how, "canceled");
  assert.equal((await start(app, "resend", ALL_PENDING)).refusal, undefined);
  assert.equal((await finish(app)).done, 2);
});

Deno.test("the selection of a bulk action whose job an earlier version canceled is deleted within a day", async () => {
  await using app = await harness();
  await seed(app, people(2));
  await start(app, "resend", ALL_PENDING);
  await createJobAdmin(app.services).cancel(BULK_JOB.id);
  assert.ok((await readRow(app.kv, bulkRunKey))?.work);
  await app.clock.advance(DAY_MS);
  await startRecurringJobs(app.services);
  await app.work();
  const run = await readRow(app.kv, bulkRunKey);
  assert.deepEqual([run?.work, run?.ended?.how], [undefined, "canceled"]);
});

/** Returns the addresses without a signup. */
async function absentOf(app: Harness, emails: string[]): Promise<string[]> {
  const records = await Promise.all(emails.map((email) => app.record(email)));
  return emails.filter((_, index) => records[index] === null);
}

Deno.test("a bulk erasure that is killed after an erasure erases exactly those who were confirmed, and no later signup", async () => {
  await using app = await harness();
  const five = people(5);
  await seed(app, five);
  const preview = { total: 3, more: false };
  await startBulk(app.services, { act: "erase", selection: ALL_PENDING, preview, by: "grace" });
  const { erase } = app.services.people;
  app.services.people.erase = async (...args) => {
    app.services.people.erase = erase;
    await erase(...args);
    throw new Error("kill -9");
  };
  await handleAndCrash(app);
  const [erased] = await absentOf(app, five);
  await (await app.post({ email: erased! })).body?.cancel();
  assert.equal((await finish(app)).done, 3);
  const absent = await absentOf(app, five);
  assert.equal(absent.length, 2);
  assert.ok(!absent.includes(erased!), "signed up again");
});

Deno.test("a bulk resend and its preview skip a signup whose row has a wrong shape, and reach all others", async () => {
  await using app = await harness();
  const three = people(3);
  await seed(app, three);
  const wrong = await app.record(three[1]!);
  await app.kv.set(signupKey(three[1]!, LIST), { ...wrong!, history: "wrong" } as unknown as SignupRecord);
  const { preview } = await start(app, "resend", ALL_PENDING);
  assert.equal(preview.total, 3);
  const run = await finish(app);
  assert.deepEqual([run.done, run.skipped, run.ended?.how], [2, { [CAN_NOT_BE_USED]: 1 }, "done"]);
  for (const email of [three[0]!, three[2]!]) assert.equal(await resendsOf(app, email), 1);
});

Deno.test("a bulk action starts now, although the clock was ahead at the last one", async () => {
  await using app = await harness();
  const right = app.clock.now();
  await app.clock.set(right + 365 * DAY_MS);
  await seed(app, people(1));
  await start(app, "resend", ALL_PENDING);
  await finish(app);
  await app.clock.set(right);
  await start(app, "resend", ALL_PENDING);
  assert.equal((await readBulkRun(app.kv))!.startedAt, right + 1);
});
