import assert from "node:assert/strict";
import { stubTrouble } from "../testing/stub_provider.ts";
import { type Harness, harness, LIST } from "../testing/harness.ts";
import { keys } from "../kv/keys.ts";
import { putRecord } from "../signup/record/record.ts";
import type { SignupRecord } from "../signup/record/row.ts";
import type { LocalStatus } from "../../shared/outcomes.ts";

/** The poll: every confirmation is found without a webhook, and the calls follow what changed. */

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const name = (i: number) => `p${String(i).padStart(4, "0")}@example.com`;

/** Puts records here and at the provider, as if delivered `ageMs` ago and before that, one a minute. */
async function waiting(app: Harness, count: number, { list = LIST, ageMs = DAY, status = "pending" } = {}) {
  for (let i = 0; i < count; i++) {
    const at = app.clock.now() - ageMs - i * MINUTE;
    const record: SignupRecord = {
      v: 1,
      email: name(i),
      list,
      status: status as LocalStatus,
      since: at,
      tags: [],
      source: "popup",
      createdAt: at,
      updatedAt: at,
    };
    await putRecord(app.kv.atomic(), null, record).commit();
    app.provider.put(list, name(i), "pending", at);
  }
}

/** What one poll did, and with how many calls. */
async function poll(app: Harness) {
  app.provider.calls.length = 0;
  const report = await app.services.poll.run();
  assert.equal(report.calls, app.provider.calls.length);
  return report;
}
/** The same, letting time pass while the call budget makes it wait. */
async function polled(app: Harness) {
  let done = false;
  const polling = poll(app).finally(() => done = true);
  while (!done) {
    if (app.clock.sleeping > 0) await app.clock.advance(100);
    else await new Promise((resolve) => setTimeout(resolve, 0));
  }
  return await polling;
}

/** Leaves a place up to which the list's changes were read. */
async function polledOnce(app: Harness) {
  await waiting(app, 1);
  await polled(app);
  await app.clock.advance(15 * MINUTE);
}

Deno.test("with 500 waiting and 3 changed since the last poll, one call finds the three", async () => {
  await using app = await harness();
  await waiting(app, 500);
  await polled(app);
  await app.clock.advance(15 * MINUTE);
  for (const i of [7, 250, 499]) app.provider.put(LIST, name(i), "active");
  const report = await poll(app);
  assert.deepEqual(app.provider.calls, ["changed 0"]);
  assert.equal(report.confirmed, 3);
  for (const i of [7, 250, 499]) {
    assert.deepEqual((await app.record(name(i)))?.confirmed?.by, "poll");
  }
  assert.deepEqual((await poll(app)).confirmed, 0);
});

Deno.test("the first poll pages through who is unconfirmed, and asks for those alone who are not", async () => {
  await using app = await harness();
  await waiting(app, 100);
  for (const i of [3, 4]) app.provider.put(LIST, name(i), "active", app.clock.now() - DAY);
  const report = await polled(app);
  assert.equal(report.confirmed, 2);
  assert.deepEqual(app.provider.calls, [
    "changed 0",
    ...["unconfirmed 0", "unconfirmed 1", "unconfirmed 2", "unconfirmed 3"],
    `status ${name(4)}`,
    `status ${name(3)}`,
  ]);
});

Deno.test("so many changes that another way is cheaper: at most twice the cheapest, and nobody is missed", async () => {
  await using app = await harness();
  await waiting(app, 4);
  await polled(app);
  await app.clock.advance(15 * MINUTE);
  for (let i = 0; i < 3_000; i++) app.provider.put(LIST, `new${i}@example.com`, "active", app.clock.now());
  app.provider.put(LIST, name(2), "active", app.clock.now() - MINUTE);
  const report = await polled(app);
  assert.equal(report.confirmed, 1);
  assert.equal((await app.record(name(2)))?.status, "active");
  assert.ok(report.calls <= 10, app.provider.calls.join());
});

Deno.test("changes on several pages are read up to the last one known", async () => {
  await using app = await harness();
  await waiting(app, 400);
  await polled(app);
  await app.clock.advance(15 * MINUTE);
  for (let i = 0; i < 70; i++) app.provider.put(LIST, name(i), "active");
  const report = await polled(app);
  assert.equal(report.confirmed, 70);
  assert.deepEqual(app.provider.calls, ["changed 0", "unconfirmed 0", "changed 1", "changed 2"]);
});

Deno.test("a provider that does not date its changes is asked who is unconfirmed, each time", async () => {
  await using app = await harness();
  app.provider.dated = false;
  await waiting(app, 40);
  await polled(app);
  app.provider.put(LIST, name(9), "active");
  const report = await polled(app);
  assert.equal(report.confirmed, 1);
  assert.deepEqual(app.provider.calls, ["changed 0", "unconfirmed 0", "unconfirmed 1", `status ${name(9)}`]);
});

Deno.test("a provider that can't list is asked one by one, within five calls a second", async () => {
  await using app = await harness();
  app.provider.capabilities.listing = false;
  await waiting(app, 60);
  app.provider.put(LIST, name(59), "active");
  const start = app.clock.now();
  assert.equal((await polled(app)).confirmed, 1);
  assert.equal(app.provider.calls.length, 60);
  assert.ok(app.clock.now() - start >= (60 - 10) / 5 * 1000, `${app.clock.now() - start} ms`);
});

Deno.test("a poll by name that was cut short goes on where it stopped, and then from the start", async () => {
  await using app = await harness();
  app.provider.capabilities.listing = false;
  await waiting(app, 6);
  const stop = new AbortController();
  await app.services.poll.run(stop.signal, ({ calls }) => calls === 2 && stop.abort());
  const asked = (from: number, to: number) =>
    Array.from({ length: Math.abs(from - to) + 1 }, (_, i) => `status ${name(from - i)}`);
  assert.deepEqual(app.provider.calls, asked(5, 4));
  await polled(app);
  assert.deepEqual(app.provider.calls, [...asked(3, 0), ...asked(5, 4)]);
  await polled(app);
  assert.deepEqual(app.provider.calls, asked(5, 0));
});

for (const way of ["changes", "who is unconfirmed", "one by one"] as const) {
  Deno.test(`a confirmation during a delivery that waits for its retry is found by the poll: by ${way}`, async () => {
    await using app = await harness();
    if (way === "changes") await polledOnce(app);
    if (way === "one by one") app.provider.capabilities.listing = false;
    const ada = "ada@example.com";
    const reason = "HTTP 429";
    app.provider.answers.status.push(stubTrouble({ reason, retryAfterMs: 6 * 60 * MINUTE }));
    await app.post({ email: ada });
    await app.work();
    assert.equal((await polled(app)).confirmed, 0);
    app.provider.put(LIST, ada, "active");
    assert.equal((await polled(app)).confirmed, 1);
    const { status, confirmed } = (await app.record(ada))!;
    assert.deepEqual([status, confirmed?.by], ["active", "poll"]);
  });
}

Deno.test("signups whose delivery never reached the provider cost the poll nothing", async () => {
  await using app = await harness();
  app.provider.answers.subscribe.push(stubTrouble({ code: "rate_limited", reason: "HTTP 429" }));
  await app.post({ email: "ada@example.com" });
  await app.work();
  assert.deepEqual(await poll(app), { lists: 0, calls: 0, confirmed: 0, failed: 0, expired: 0 });
});

Deno.test("every list that anybody waits on is looked at", async () => {
  await using app = await harness();
  for (const list of ["a", "a b", "aa", LIST]) {
    await waiting(app, 2, { list });
    app.provider.put(list, name(1), "active");
  }
  const report = await polled(app);
  assert.deepEqual([report.lists, report.confirmed], [4, 4]);
});

Deno.test("with nobody waiting nobody is asked", async () => {
  await using app = await harness();
  assert.deepEqual(await poll(app), { lists: 0, calls: 0, confirmed: 0, failed: 0, expired: 0 });
});

Deno.test("after 30 days a signup is asked for once more by name, and expires", async () => {
  await using app = await harness();
  await waiting(app, 2, { ageMs: 30 * DAY - 2 * MINUTE });
  await polled(app);
  assert.equal((await app.record(name(1)))?.status, "pending");
  await app.clock.advance(2 * MINUTE);
  const report = await polled(app);
  assert.equal(report.expired, 2);
  assert.ok(app.provider.calls.includes(`status ${name(0)}`));
  assert.deepEqual((await polled(app)).calls, 0);
});

Deno.test("who confirmed in the last moment is active, who is gone there expires", async () => {
  await using app = await harness();
  await waiting(app, 2, { ageMs: 31 * DAY });
  app.provider.answers.status.push({ kind: "found", status: "active" }, { kind: "absent" });
  const report = await polled(app);
  assert.deepEqual([report.confirmed, report.expired], [1, 1]);
});

Deno.test("a webhook still moves an expired one", async () => {
  await using app = await harness();
  await waiting(app, 1, { ageMs: 31 * DAY });
  await polled(app);
  assert.equal((await app.record(name(0)))?.status, "expired");
  app.provider.put(LIST, name(0), "active");
  await app.hook({ automationId: "a", contact: { email: name(0) } });
  await app.work();
  assert.equal((await app.record(name(0)))?.status, "active");
});

Deno.test("what the provider says in its trouble is told without the address that it names", async () => {
  await using app = await harness();
  await (await app.post({ email: "ann@example.com" })).body?.cancel();
  await app.work();
  app.provider.answers.page.push(stubTrouble({ reason: "HTTP 500: no ann@example.com" }));
  assert.equal((await polled(app)).trouble, "HTTP 500: no a***@example.com");
});

Deno.test("trouble ends the poll, keeps what was found and its place, and says why", async () => {
  await using app = await harness();
  await waiting(app, 3);
  await polled(app);
  const cursor = (await app.kv.get(keys.pollCursor(LIST))).value;
  await app.clock.advance(15 * MINUTE);
  app.provider.put(LIST, name(0), "active");
  app.provider.answers.page.push(stubTrouble({ reason: "HTTP 500" }));
  assert.equal((await polled(app)).trouble, "HTTP 500");
  assert.deepEqual((await app.kv.get(keys.pollCursor(LIST))).value, cursor);
  assert.equal((await polled(app)).confirmed, 1);
});

Deno.test("an interrupted poll stops before its next call", async () => {
  await using app = await harness();
  await waiting(app, 100);
  const stop = new AbortController();
  const { unconfirmed } = app.provider;
  app.provider.unconfirmed = (list, page) => (stop.abort(), unconfirmed(list, page));
  const report = await app.services.poll.run(stop.signal);
  assert.deepEqual([report.trouble, app.provider.calls], ["The poll was interrupted.", [
    "changed 0",
    "unconfirmed 0",
  ]]);
});

Deno.test("a signup whose delivery runs, but confirmed there already, is checked after its delivery", async () => {
  await using app = await harness();
  await polledOnce(app);
  const ada = "ada@example.com";
  await app.post({ email: ada });
  assert.equal((await app.queue.claim(8)).length, 1, "its delivery runs");
  app.provider.put(LIST, ada, "active");
  await polled(app);
  assert.equal((await app.record(ada))?.status, "queued");
  assert.ok(await app.queue.get(`check:${LIST}:${ada}`));
  await app.clock.advance(60_000);
  await app.work();
  assert.equal((await app.record(ada))?.status, "active");
});
