import assert from "node:assert/strict";
import { type Harness, harness, LIST } from "../../../dev/testing/harness.ts";
import { startRecurringJobs } from "../../program/recurring_jobs.ts";
import { stubTrouble } from "../../../dev/testing/stub_provider.ts";
import { keys } from "../../platform/kv/keys.ts";
import { addPending, DAY, emailOf, MINUTE, pollWithTime } from "./testing/polls.ts";

/** How signups expire, and how a poll ends early. */

Deno.test("after 30 days a signup is checked one last time, and expires", async () => {
  await using app = await harness();
  await addPending(app, 2, { ageMs: 30 * DAY - 2 * MINUTE });
  await pollWithTime(app);
  assert.equal((await app.record(emailOf(1)))?.status, "pending");
  await app.clock.advance(2 * MINUTE);
  const report = await pollWithTime(app);
  assert.equal(report.expired, 2);
  assert.ok(app.provider.calls.includes(`status ${emailOf(0)}`));
  assert.deepEqual((await pollWithTime(app)).calls, 0);
});

Deno.test("at the last check, a confirmed signup becomes active and one that the provider does not have expires", async () => {
  await using app = await harness();
  await addPending(app, 2, { ageMs: 31 * DAY });
  app.provider.nextResults.status.push({ kind: "found", status: "active" }, { kind: "absent" });
  const report = await pollWithTime(app);
  assert.deepEqual([report.confirmed, report.expired], [1, 1]);
});

Deno.test("a webhook can make an expired signup active", async () => {
  await using app = await harness();
  await addPending(app, 1, { ageMs: 31 * DAY });
  await pollWithTime(app);
  assert.equal((await app.record(emailOf(0)))?.status, "expired");
  app.provider.put(LIST, emailOf(0), "active");
  await app.hook({ automationId: "a", contact: { email: emailOf(0) } });
  await app.work();
  assert.equal((await app.record(emailOf(0)))?.status, "active");
});

Deno.test("the report of a provider error does not contain the address that the provider names", async () => {
  await using app = await harness();
  await (await app.post({ email: "ann@example.com" })).body?.cancel();
  await app.work();
  app.provider.nextResults.page.push(stubTrouble({ reason: "HTTP 500: no ann@example.com" }));
  assert.equal((await pollWithTime(app)).trouble, "HTTP 500: no a***@example.com");
});

Deno.test("trouble ends the poll, which reports why and keeps its results and its position", async () => {
  await using app = await harness();
  await addPending(app, 3);
  await pollWithTime(app);
  const key = keys.pollCursorOf(LIST, app.services.settings.current().general.provider);
  const cursor = (await app.kv.get(key)).value;
  assert.ok(cursor);
  await app.clock.advance(15 * MINUTE);
  app.provider.put(LIST, emailOf(0), "active");
  app.provider.nextResults.page.push(stubTrouble({ reason: "HTTP 500" }));
  assert.equal((await pollWithTime(app)).trouble, "HTTP 500");
  assert.deepEqual((await app.kv.get(key)).value, cursor);
  assert.equal((await pollWithTime(app)).confirmed, 1);
});

Deno.test("an interrupted poll stops before its next call", async () => {
  await using app = await harness();
  await addPending(app, 100);
  const stop = new AbortController();
  const { unconfirmed } = app.provider;
  app.provider.unconfirmed = (list, page) => (stop.abort(), unconfirmed(list, page));
  const report = await app.services.poll.run(stop.signal);
  assert.deepEqual([report.trouble, app.provider.calls], ["The poll was interrupted.", [
    "changed 0",
    "unconfirmed 0",
  ]]);
});

/** Lets the provider respond with 503 for some addresses, and with the status of the others. */
function failFor(app: Harness, isPoison: (email: string) => boolean) {
  const { status } = app.provider;
  app.provider.status = (target, signal) => {
    if (!isPoison(target.email)) return status(target, signal);
    app.provider.calls.push(`status ${target.email}`);
    return Promise.resolve(stubTrouble({ code: "unavailable", reason: "HTTP 503" }));
  };
}

Deno.test("an address that the provider never answers for is skipped, and the others are confirmed", async () => {
  await using app = await harness();
  await addPending(app, 6);
  app.provider.capabilities = { ...app.provider.capabilities, listsChanged: false, listsUnconfirmed: false };
  for (let n = 0; n < 6; n++) app.provider.put(LIST, emailOf(n), "active");
  failFor(app, (email) => [emailOf(0), emailOf(3)].includes(email));
  const { confirmed, skipped, trouble } = await pollWithTime(app);
  assert.deepEqual({ confirmed, skipped, trouble }, { confirmed: 4, skipped: 2, trouble: undefined });
});

Deno.test("a provider that answers for no address ends the poll after three calls", async () => {
  await using app = await harness();
  await addPending(app, 20);
  app.provider.capabilities = { ...app.provider.capabilities, listsChanged: false, listsUnconfirmed: false };
  failFor(app, () => true);
  const { calls, trouble } = await pollWithTime(app);
  assert.deepEqual({ calls, trouble }, { calls: 3, trouble: "HTTP 503" });
});

Deno.test("an address that the provider never answers for expires a day after the last check was due", async () => {
  await using app = await harness();
  await addPending(app, 1, { ageMs: 30 * DAY });
  failFor(app, () => true);
  assert.equal((await pollWithTime(app)).expired, 0);
  await app.clock.advance(DAY);
  assert.equal((await pollWithTime(app)).expired, 1);
});

/** Lets the provider respond as if it had no list of this ID. */
function deleteList(app: Harness, deleted: string) {
  for (const call of ["changed", "unconfirmed"] as const) {
    const original = app.provider[call];
    app.provider[call] = (list: string, ...rest: never[]) => {
      if (list !== deleted) return (original as (...args: unknown[]) => never)(list, ...rest);
      app.provider.calls.push(`${call} ${list}`);
      return Promise.resolve(stubTrouble({ code: "not_found", reason: "HTTP 404" })) as never;
    };
  }
}

Deno.test("a list that the provider has deleted stops neither the poll of other lists nor its own expiry", async () => {
  await using app = await harness();
  await addPending(app, 2, { list: "a-deleted", ageMs: 30 * DAY - MINUTE });
  await addPending(app, 2, { list: "b-fine" });
  deleteList(app, "a-deleted");
  app.provider.put("b-fine", emailOf(0), "active");
  const report = await pollWithTime(app);
  assert.deepEqual([report.confirmed, report.trouble], [1, "HTTP 404"]);
  await app.clock.advance(DAY + 2 * MINUTE);
  assert.equal((await pollWithTime(app)).expired, 2);
  assert.equal((await app.record(emailOf(1), "a-deleted"))?.status, "expired");
});

Deno.test("the recurring poll is repeated soon after an outage, but not because the provider has deleted a list", async () => {
  for (const [code, polls] of [["unavailable", 2], ["not_found", 1]] as const) {
    await using app = await harness();
    await addPending(app, 1);
    let calls = 0;
    app.provider.changed = () => (calls++, Promise.resolve(stubTrouble({ code })));
    await startRecurringJobs(app.services);
    await app.work();
    await app.clock.advance(MINUTE);
    await app.work();
    assert.equal(calls, polls, code);
  }
});

for (const code of ["unavailable", "forbidden", "rate_limited", "timeout"] as const) {
  Deno.test(`signups expire a week late if the chosen provider only has trouble: ${code}`, async () => {
    await using app = await harness();
    await addPending(app, 3, { ageMs: 36 * DAY });
    await addPending(app, 3, { list: "other", ageMs: 36 * DAY });
    for (const call of ["changed", "unconfirmed", "status"] as const) {
      app.provider[call] = () => (app.provider.calls.push(call), Promise.resolve(stubTrouble({ code })));
    }
    assert.equal((await pollWithTime(app)).expired, 0);
    await app.clock.advance(DAY);
    assert.equal((await pollWithTime(app)).expired, 6);
  });
}

Deno.test("a provider in an outage is asked about three of its lists, and one that asks us to wait about one", async () => {
  for (const [code, calls] of [["unavailable", 3], ["rate_limited", 1], ["not_found", 8]] as const) {
    await using app = await harness();
    for (let n = 0; n < 8; n++) await addPending(app, 1, { list: `list ${n}` });
    app.provider.changed = () => (app.provider.calls.push("changed"), Promise.resolve(stubTrouble({ code })));
    assert.equal((await pollWithTime(app)).calls, calls);
  }
});
