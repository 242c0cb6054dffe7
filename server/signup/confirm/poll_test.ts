import assert from "node:assert/strict";
import { harness, LIST } from "../../../dev/testing/harness.ts";
import { stubTrouble } from "../../../dev/testing/stub_provider.ts";
import {
  addPending,
  DAY,
  emailOf,
  firstPoll,
  MINUTE,
  poll,
  pollWithTime,
  withoutListings,
} from "./testing/polls.ts";

/** The poll finds every confirmation without webhooks, and its number of calls depends on what changed. */

Deno.test("with 500 pending signups and 3 changes since the last poll, one call finds the three", async () => {
  await using app = await harness();
  await addPending(app, 500);
  await pollWithTime(app);
  await app.clock.advance(15 * MINUTE);
  for (const i of [7, 250, 499]) app.provider.put(LIST, emailOf(i), "active");
  const report = await poll(app);
  assert.deepEqual(app.provider.calls, ["changed 0"]);
  assert.equal(report.confirmed, 3);
  for (const i of [7, 250, 499]) {
    assert.deepEqual((await app.record(emailOf(i)))?.confirmed?.by, "poll");
  }
  assert.deepEqual((await poll(app)).confirmed, 0);
});

Deno.test("the first poll reads all pages of unconfirmed addresses, and checks only the others", async () => {
  await using app = await harness();
  await addPending(app, 100);
  for (const i of [3, 4]) app.provider.put(LIST, emailOf(i), "active", app.clock.now() - DAY);
  const report = await pollWithTime(app);
  assert.equal(report.confirmed, 2);
  assert.deepEqual(app.provider.calls, [
    "changed 0",
    ...["unconfirmed 0", "unconfirmed 1", "unconfirmed 2", "unconfirmed 3"],
    `status ${emailOf(4)}`,
    `status ${emailOf(3)}`,
  ]);
});

Deno.test("with many changes, the poll makes at most twice as many calls as the cheapest strategy, and misses no change", async () => {
  await using app = await harness();
  await addPending(app, 4);
  await pollWithTime(app);
  await app.clock.advance(15 * MINUTE);
  for (let i = 0; i < 3_000; i++) app.provider.put(LIST, `new${i}@example.com`, "active", app.clock.now());
  app.provider.put(LIST, emailOf(2), "active", app.clock.now() - MINUTE);
  const report = await pollWithTime(app);
  assert.equal(report.confirmed, 1);
  assert.equal((await app.record(emailOf(2)))?.status, "active");
  assert.ok(report.calls <= 10, app.provider.calls.join());
});

Deno.test("changes on several pages are read back to the previous poll", async () => {
  await using app = await harness();
  await addPending(app, 400);
  await pollWithTime(app);
  await app.clock.advance(15 * MINUTE);
  for (let i = 0; i < 70; i++) app.provider.put(LIST, emailOf(i), "active");
  const report = await pollWithTime(app);
  assert.equal(report.confirmed, 70);
  assert.deepEqual(app.provider.calls, ["changed 0", "unconfirmed 0", "changed 1", "changed 2"]);
});

Deno.test("at a provider without times of changes, each poll reads the unconfirmed addresses", async () => {
  await using app = await harness();
  app.provider.dated = false;
  await addPending(app, 40);
  await pollWithTime(app);
  app.provider.put(LIST, emailOf(9), "active");
  const report = await pollWithTime(app);
  assert.equal(report.confirmed, 1);
  assert.deepEqual(app.provider.calls, [
    "changed 0",
    "unconfirmed 0",
    "unconfirmed 1",
    `status ${emailOf(9)}`,
  ]);
});

Deno.test("at a provider without listings, addresses are checked one by one, at most five per second", async () => {
  await using app = await harness();
  withoutListings(app);
  await addPending(app, 60);
  app.provider.put(LIST, emailOf(59), "active");
  const start = app.clock.now();
  assert.equal((await pollWithTime(app)).confirmed, 1);
  assert.equal(app.provider.calls.length, 60);
  assert.ok(app.clock.now() - start >= (60 - 10) / 5 * 1000, `${app.clock.now() - start} ms`);
});

Deno.test("after an interrupted poll of single addresses, the next one continues there, and then from the start", async () => {
  await using app = await harness();
  withoutListings(app);
  await addPending(app, 6);
  const stop = new AbortController();
  await app.services.poll.run(stop.signal, ({ calls }) => calls === 2 && stop.abort());
  const statusCalls = (from: number, to: number) =>
    Array.from({ length: Math.abs(from - to) + 1 }, (_, i) => `status ${emailOf(from - i)}`);
  assert.deepEqual(app.provider.calls, statusCalls(5, 4));
  await pollWithTime(app);
  assert.deepEqual(app.provider.calls, [...statusCalls(3, 0), ...statusCalls(5, 4)]);
  await pollWithTime(app);
  assert.deepEqual(app.provider.calls, statusCalls(5, 0));
});

for (const way of ["changes", "unconfirmed addresses", "single addresses"] as const) {
  Deno.test(`a confirmation while a delivery waits for its retry is found by the poll, by ${way}`, async () => {
    await using app = await harness();
    if (way === "changes") await firstPoll(app);
    if (way === "single addresses") withoutListings(app);
    const ada = "ada@example.com";
    const reason = "HTTP 429";
    app.provider.nextResults.status.push(stubTrouble({ reason, retryAfterMs: 6 * 60 * MINUTE }));
    await app.post({ email: ada });
    await app.work();
    assert.equal((await pollWithTime(app)).confirmed, 0);
    app.provider.put(LIST, ada, "active");
    assert.equal((await pollWithTime(app)).confirmed, 1);
    const { status, confirmed } = (await app.record(ada))!;
    assert.deepEqual([status, confirmed?.by], ["active", "poll"]);
  });
}

Deno.test("signups whose delivery never reached the provider cause no calls", async () => {
  await using app = await harness();
  app.provider.nextResults.subscribe.push(stubTrouble({ code: "rate_limited", reason: "HTTP 429" }));
  await app.post({ email: "ada@example.com" });
  await app.work();
  assert.deepEqual(await poll(app), { lists: 0, calls: 0, confirmed: 0, failed: 0, expired: 0 });
});

Deno.test("every list with pending signups is polled", async () => {
  await using app = await harness();
  for (const list of ["a", "a b", "aa", LIST]) {
    await addPending(app, 2, { list });
    app.provider.put(list, emailOf(1), "active");
  }
  const report = await pollWithTime(app);
  assert.deepEqual([report.lists, report.confirmed], [4, 4]);
});

Deno.test("without pending signups, the poll makes no call", async () => {
  await using app = await harness();
  assert.deepEqual(await poll(app), { lists: 0, calls: 0, confirmed: 0, failed: 0, expired: 0 });
});

Deno.test("a confirmed signup whose delivery is running is checked after the delivery", async () => {
  await using app = await harness();
  await firstPoll(app);
  const ada = "ada@example.com";
  await app.post({ email: ada });
  assert.equal((await app.queue.claim(8)).length, 1, "its delivery is running");
  app.provider.put(LIST, ada, "active");
  await pollWithTime(app);
  assert.equal((await app.record(ada))?.status, "queued");
  assert.ok(await app.queue.get(`check:${LIST}:${ada}`));
  await app.clock.advance(60_000);
  await app.work();
  assert.equal((await app.record(ada))?.status, "active");
});
