import assert from "node:assert/strict";
import { startSlot } from "../../platform/jobs/recurring.ts";
import { runAttempt } from "../../platform/jobs/attempt.ts";
import { keys } from "../../platform/kv/keys.ts";
import { type Harness, harness, LIST } from "../../../dev/testing/harness.ts";
import { ManualClock } from "../../../dev/testing/manual_clock.ts";
import { stubProvider, stubTrouble } from "../../../dev/testing/stub_provider.ts";
import { putRecord } from "../record/record.ts";
import { addPending, DAY, emailOf, MINUTE, pollWithTime, withoutListings } from "./testing/polls.ts";
import { POLL_JOB } from "./poll_job.ts";

/** How lists share a poll that does not get through all addresses, and how the next poll continues. */

/** Runs the poll as the job runner does: an attempt ends after five minutes. */
async function pollAsJob(app: Harness): Promise<void> {
  const start = app.clock.now();
  await startSlot(app.services, { name: "poll", everyMs: 15 * MINUTE, now: start }, POLL_JOB);
  const definition = app.services.jobs.find(({ name }) => name === POLL_JOB.name);
  for (const job of await app.queue.claim(8)) {
    await app.callClock.passDuring(runAttempt(app, definition, job, new AbortController().signal));
  }
  await app.clock.advance(Math.max(0, 15 * MINUTE - (app.clock.now() - start)));
}

const providerOf = (app: Harness) => app.services.settings.current().general.provider;
const cursorOf = async (app: Harness, list = LIST) =>
  (await app.kv.get<{ changedAt: number }>(keys.pollCursorOf(list, providerOf(app)))).value;

Deno.test("a list that takes longer than a poll keeps no other list waiting", async () => {
  await using app = await harness();
  withoutListings(app);
  await addPending(app, 1_600, { list: "a-large" });
  await addPending(app, 2, { list: "b-small" });
  app.provider.put("b-small", emailOf(0), "active");
  await pollAsJob(app);
  assert.equal((await app.record(emailOf(0), "b-small"))?.status, "active");
});

Deno.test("interrupted polls of single addresses add up to a whole one, after which only changes are read", async () => {
  await using app = await harness();
  app.provider.capabilities.listsUnconfirmed = false;
  await addPending(app, 30);
  app.provider.put(LIST, emailOf(0), "active", app.clock.now() - 3 * MINUTE);
  const checked = new Set<string>();
  for (let polls = 0; polls < 5 && !(await cursorOf(app)); polls++) {
    const stop = new AbortController();
    app.provider.calls.length = 0;
    let calls = 0;
    await app.services.poll.run(stop.signal, () => void (++calls === 9 && stop.abort()));
    for (const call of app.provider.calls) checked.add(call);
    await app.clock.advance(15 * MINUTE);
  }
  assert.equal((await app.record(emailOf(0)))?.status, "active");
  assert.equal([...checked].filter((call) => call.startsWith("status")).length, 30);
  assert.deepEqual((await pollWithTime(app), app.provider.calls), ["changed 0"]);
});

Deno.test("the changes during a poll of single addresses that took several polls are read afterward", async () => {
  await using app = await harness();
  app.provider.capabilities.listsUnconfirmed = false;
  await addPending(app, 20);
  const stop = new AbortController();
  await app.services.poll.run(stop.signal, ({ calls }) => calls === 8 && stop.abort());
  // Checked already, and confirmed before the next poll begins.
  app.provider.put(LIST, emailOf(19), "active");
  await app.clock.advance(15 * MINUTE);
  await pollWithTime(app);
  await app.clock.advance(15 * MINUTE);
  await pollWithTime(app);
  assert.equal((await app.record(emailOf(19)))?.status, "active");
});

Deno.test("a killed poll of single addresses continues near where it was", async () => {
  await using app = await harness();
  withoutListings(app);
  await addPending(app, 100);
  const { status } = app.provider;
  const hangs = Promise.withResolvers<void>();
  let calls = 0;
  app.provider.status = (target, signal) => {
    if (++calls <= 75) return status(target, signal);
    hangs.resolve();
    return new Promise<never>(() => {});
  };
  void app.services.poll.run();
  await app.callClock.passDuring(hangs.promise);
  app.provider.status = status;
  app.provider.calls.length = 0;
  await pollWithTime(app);
  const first = app.provider.calls[0]!;
  assert.ok(["69", "70", "71"].some((n) => first === `status ${emailOf(99 - Number(n))}`), first);
});

Deno.test("an address that the provider never answers for costs one call a poll, and is found once it answers", async () => {
  await using app = await harness();
  app.provider.capabilities.listsUnconfirmed = false;
  await addPending(app, 50);
  const { status } = app.provider;
  app.provider.status = (target, signal) => {
    if (target.email !== emailOf(7)) return status(target, signal);
    app.provider.calls.push(`status ${target.email}`);
    return Promise.resolve(stubTrouble({ code: "unexpected", reason: "HTTP 500" }));
  };
  app.provider.put(LIST, emailOf(7), "active", app.clock.now() - 10 * MINUTE);
  assert.equal((await pollWithTime(app)).calls, 51);
  for (let polls = 0; polls < 3; polls++) {
    await app.clock.advance(15 * MINUTE);
    assert.deepEqual((await pollWithTime(app), app.provider.calls), ["changed 0", `status ${emailOf(7)}`]);
  }
  app.provider.status = status;
  await pollWithTime(app);
  assert.equal((await app.record(emailOf(7)))?.status, "active");
  assert.deepEqual((await pollWithTime(app), app.provider.calls), ["changed 0"]);
});

Deno.test("while people sign up faster than the pages are read, no poll checks them one by one", async () => {
  await using app = await harness();
  app.provider.capabilities.listsChanged = false;
  await addPending(app, 500);
  const { unconfirmed } = app.provider;
  let added = 0;
  app.provider.unconfirmed = async (...args) => {
    const page = await unconfirmed(...args);
    if (page.kind === "page" && added < 300) {
      for (let n = 0; n < 10; n++, added++) {
        app.provider.put(LIST, `new${added}@example.com`, "pending");
        await (await app.post({ email: `new${added}@example.com` }, { peer: `192.0.2.${added % 250}` })).body
          ?.cancel();
      }
    }
    return page;
  };
  app.provider.put(LIST, emailOf(9), "active");
  const report = await pollWithTime(app);
  assert.equal(report.confirmed, 1);
  assert.ok(report.calls < 60, `${report.calls} calls`);
});

Deno.test("signups that become pending during a poll are left to the next one", async () => {
  await using app = await harness();
  withoutListings(app);
  await addPending(app, 5);
  const { status } = app.provider;
  let added = 0;
  app.provider.status = async (...args) => {
    if (added < 100) await addPending(app, 1, { ageMs: -(++added), list: LIST });
    return await status(...args);
  };
  assert.equal((await pollWithTime(app)).calls, 5);
});

for (const aheadMs of [3 * 60 * MINUTE, 365 * DAY]) {
  Deno.test(`a change that the provider dates ${aheadMs / 3_600_000} hours ahead hides no other change`, async () => {
    await using app = await harness();
    await addPending(app, 3);
    await pollWithTime(app);
    await app.clock.advance(15 * MINUTE);
    app.provider.put(LIST, "someone@example.com", "active", app.clock.now() + aheadMs);
    await pollWithTime(app);
    await app.clock.advance(15 * MINUTE);
    app.provider.put(LIST, emailOf(1), "active");
    await pollWithTime(app);
    assert.equal((await app.record(emailOf(1)))?.status, "active");
    assert.deepEqual(app.provider.calls, ["changed 0"], "earlier changes are not read again");
  });
}

Deno.test("confirmations that a clock ten days ahead had hidden are found once the clock is right", async () => {
  await using app = await harness();
  app.provider.capabilities.listsUnconfirmed = false;
  const start = app.clock.now();
  await addPending(app, 3);
  app.clock.set(start + 10 * DAY);
  await pollWithTime(app);
  app.clock.set(start);
  app.provider.put(LIST, emailOf(1), "active");
  await app.clock.advance(15 * MINUTE);
  await pollWithTime(app);
  assert.equal((await app.record(emailOf(1)))?.status, "active");
});

Deno.test("a cursor of an earlier version is used by the provider that it belongs to", async () => {
  await using app = await harness();
  await addPending(app, 40);
  await app.kv.set(keys.pollCursor(LIST), { v: 1, changedAt: app.clock.now(), provider: providerOf(app) });
  assert.deepEqual((await pollWithTime(app), app.provider.calls), ["changed 0"]);
  await app.kv.delete(keys.pollCursorOf(LIST, providerOf(app)));
  await app.kv.set(keys.pollCursor(LIST), { v: 1, changedAt: app.clock.now(), provider: "other" });
  assert.ok((await pollWithTime(app)).calls > 1);
});

Deno.test("two providers with a list of the same ID each read their own changes", async () => {
  const old = stubProvider(new ManualClock());
  await using app = await harness({
    settings: { general: { mailerliteApiKey: "key" } },
    others: { mailerlite: old },
  });
  const at = app.clock.now() - DAY;
  for (const [n, provider] of [providerOf(app), "mailerlite"].entries()) {
    for (let i = 0; i < 20; i++) {
      await putRecord(app.kv.atomic(), null, {
        ...{ v: 2, email: `${n}.${i}@example.com`, list: LIST, status: "pending", since: at + i, provider },
        ...{ tags: [], source: "popup", createdAt: at, updatedAt: at },
      }).commit();
      (n === 0 ? app.provider : old).put(LIST, `${n}.${i}@example.com`, "pending", at);
    }
  }
  for (let polls = 0; polls < 3; polls++) {
    app.provider.calls.length = old.calls.length = 0;
    await app.services.poll.run();
    await app.clock.advance(15 * MINUTE);
  }
  assert.deepEqual([app.provider.calls, old.calls], [["changed 0"], ["changed 0"]]);
  app.provider.put(LIST, "0.1@example.com", "active", app.clock.now());
  old.put(LIST, "1.1@example.com", "active", app.clock.now() - 10 * MINUTE);
  await app.services.poll.run();
  assert.equal((await app.record("1.1@example.com"))?.status, "active");
});
