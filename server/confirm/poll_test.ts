import assert from "node:assert/strict";
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
async function waiting(b: Harness, count: number, { list = LIST, ageMs = DAY, status = "pending" } = {}) {
  for (let i = 0; i < count; i++) {
    const at = b.clock.now() - ageMs - i * MINUTE;
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
    await putRecord(b.kv.atomic(), null, record).commit();
    b.provider.put(list, name(i), "pending", at);
  }
}

/** What one poll did, and with how many calls. */
async function poll(b: Harness) {
  b.provider.calls.length = 0;
  const report = await b.services.poll.run();
  assert.equal(report.calls, b.provider.calls.length);
  return report;
}
/** The same, letting time pass while the call budget makes it wait. */
async function polled(b: Harness) {
  let done = false;
  const polling = poll(b).finally(() => done = true);
  while (!done) {
    if (b.clock.sleeping > 0) await b.clock.advance(100);
    else await new Promise((resolve) => setTimeout(resolve, 0));
  }
  return await polling;
}

/** Leaves a place up to which the list's changes were read. */
async function polledOnce(b: Harness) {
  await waiting(b, 1);
  await polled(b);
  await b.clock.advance(15 * MINUTE);
}

Deno.test("with 500 waiting and 3 changed since the last poll, one call finds the three", async () => {
  await using b = await harness();
  await waiting(b, 500);
  await polled(b);
  await b.clock.advance(15 * MINUTE);
  for (const i of [7, 250, 499]) b.provider.put(LIST, name(i), "active");
  const report = await poll(b);
  assert.deepEqual(b.provider.calls, ["changed 0"]);
  assert.equal(report.confirmed, 3);
  for (const i of [7, 250, 499]) {
    assert.deepEqual((await b.record(name(i)))?.confirmed?.by, "poll");
  }
  assert.deepEqual((await poll(b)).confirmed, 0);
});

Deno.test("the first poll pages through who is unconfirmed, and asks for those alone who are not", async () => {
  await using b = await harness();
  await waiting(b, 100);
  for (const i of [3, 4]) b.provider.put(LIST, name(i), "active", b.clock.now() - DAY);
  const report = await polled(b);
  assert.equal(report.confirmed, 2);
  assert.deepEqual(b.provider.calls, [
    "changed 0",
    ...["unconfirmed 0", "unconfirmed 1", "unconfirmed 2", "unconfirmed 3"],
    `status ${name(4)}`,
    `status ${name(3)}`,
  ]);
});

Deno.test("so many changes that another way is cheaper: at most twice the cheapest, and nobody is missed", async () => {
  await using b = await harness();
  await waiting(b, 4);
  await polled(b);
  await b.clock.advance(15 * MINUTE);
  for (let i = 0; i < 3_000; i++) b.provider.put(LIST, `new${i}@example.com`, "active", b.clock.now());
  b.provider.put(LIST, name(2), "active", b.clock.now() - MINUTE);
  const report = await polled(b);
  assert.equal(report.confirmed, 1);
  assert.equal((await b.record(name(2)))?.status, "active");
  assert.ok(report.calls <= 10, b.provider.calls.join());
});

Deno.test("changes on several pages are read up to the last one known", async () => {
  await using b = await harness();
  await waiting(b, 400);
  await polled(b);
  await b.clock.advance(15 * MINUTE);
  for (let i = 0; i < 70; i++) b.provider.put(LIST, name(i), "active");
  const report = await polled(b);
  assert.equal(report.confirmed, 70);
  assert.deepEqual(b.provider.calls, ["changed 0", "unconfirmed 0", "changed 1", "changed 2"]);
});

Deno.test("a provider that does not date its changes is asked who is unconfirmed, each time", async () => {
  await using b = await harness();
  b.provider.dated = false;
  await waiting(b, 40);
  await polled(b);
  b.provider.put(LIST, name(9), "active");
  const report = await polled(b);
  assert.equal(report.confirmed, 1);
  assert.deepEqual(b.provider.calls, ["changed 0", "unconfirmed 0", "unconfirmed 1", `status ${name(9)}`]);
});

Deno.test("a provider that can't list is asked one by one, within five calls a second", async () => {
  await using b = await harness();
  b.provider.capabilities.listing = false;
  await waiting(b, 60);
  b.provider.put(LIST, name(59), "active");
  const start = b.clock.now();
  assert.equal((await polled(b)).confirmed, 1);
  assert.equal(b.provider.calls.length, 60);
  assert.ok(b.clock.now() - start >= (60 - 10) / 5 * 1000, `${b.clock.now() - start} ms`);
});

Deno.test("a poll by name that was cut short goes on where it stopped, and then from the start", async () => {
  await using b = await harness();
  b.provider.capabilities.listing = false;
  await waiting(b, 6);
  const stop = new AbortController();
  await b.services.poll.run(stop.signal, ({ calls }) => calls === 2 && stop.abort());
  const asked = (from: number, to: number) =>
    Array.from({ length: Math.abs(from - to) + 1 }, (_, i) => `status ${name(from - i)}`);
  assert.deepEqual(b.provider.calls, asked(5, 4));
  await polled(b);
  assert.deepEqual(b.provider.calls, [...asked(3, 0), ...asked(5, 4)]);
  await polled(b);
  assert.deepEqual(b.provider.calls, asked(5, 0));
});

for (const way of ["changes", "who is unconfirmed", "one by one"] as const) {
  Deno.test(`a confirmation during a delivery that waits for its retry is found by the poll: by ${way}`, async () => {
    await using b = await harness();
    if (way === "changes") await polledOnce(b);
    if (way === "one by one") b.provider.capabilities.listing = false;
    const ada = "ada@example.com";
    const reason = "HTTP 429";
    b.provider.answers.status.push({
      kind: "trouble",
      code: "unavailable",
      reason,
      unknown: false,
      retryAfterMs: 6 * 60 * MINUTE,
    });
    await b.post({ email: ada });
    await b.work();
    assert.equal((await polled(b)).confirmed, 0);
    b.provider.put(LIST, ada, "active");
    assert.equal((await polled(b)).confirmed, 1);
    const { status, confirmed } = (await b.record(ada))!;
    assert.deepEqual([status, confirmed?.by], ["active", "poll"]);
  });
}

Deno.test("signups whose delivery never reached the provider cost the poll nothing", async () => {
  await using b = await harness();
  b.provider.answers.subscribe.push({
    kind: "trouble",
    code: "rate_limited",
    reason: "HTTP 429",
    unknown: false,
  });
  await b.post({ email: "ada@example.com" });
  await b.work();
  assert.deepEqual(await poll(b), { lists: 0, calls: 0, confirmed: 0, failed: 0, expired: 0 });
});

Deno.test("every list that anybody waits on is looked at", async () => {
  await using b = await harness();
  for (const list of ["a", "a b", "aa", LIST]) {
    await waiting(b, 2, { list });
    b.provider.put(list, name(1), "active");
  }
  const report = await polled(b);
  assert.deepEqual([report.lists, report.confirmed], [4, 4]);
});

Deno.test("with nobody waiting nobody is asked", async () => {
  await using b = await harness();
  assert.deepEqual(await poll(b), { lists: 0, calls: 0, confirmed: 0, failed: 0, expired: 0 });
});

Deno.test("after 30 days a signup is asked for once more by name, and expires", async () => {
  await using b = await harness();
  await waiting(b, 2, { ageMs: 30 * DAY - 2 * MINUTE });
  await polled(b);
  assert.equal((await b.record(name(1)))?.status, "pending");
  await b.clock.advance(2 * MINUTE);
  const report = await polled(b);
  assert.equal(report.expired, 2);
  assert.ok(b.provider.calls.includes(`status ${name(0)}`));
  assert.deepEqual((await polled(b)).calls, 0);
});

Deno.test("who confirmed in the last moment is active, who is gone there expires", async () => {
  await using b = await harness();
  await waiting(b, 2, { ageMs: 31 * DAY });
  b.provider.answers.status.push({ kind: "found", status: "active" }, { kind: "absent" });
  const report = await polled(b);
  assert.deepEqual([report.confirmed, report.expired], [1, 1]);
});

Deno.test("a webhook still moves an expired one", async () => {
  await using b = await harness();
  await waiting(b, 1, { ageMs: 31 * DAY });
  await polled(b);
  assert.equal((await b.record(name(0)))?.status, "expired");
  b.provider.put(LIST, name(0), "active");
  await b.hook({ automationId: "a", contact: { email: name(0) } });
  await b.work();
  assert.equal((await b.record(name(0)))?.status, "active");
});

Deno.test("what the provider says in its trouble is told without the address that it names", async () => {
  await using b = await harness();
  await (await b.post({ email: "ann@example.com" })).body?.cancel();
  await b.work();
  b.provider.answers.page.push({
    kind: "trouble",
    code: "unavailable",
    reason: "HTTP 500: no ann@example.com",
    unknown: false,
  });
  assert.equal((await polled(b)).trouble, "HTTP 500: no a***@example.com");
});

Deno.test("trouble ends the poll, keeps what was found and its place, and says why", async () => {
  await using b = await harness();
  await waiting(b, 3);
  await polled(b);
  const cursor = (await b.kv.get(keys.pollCursor(LIST))).value;
  await b.clock.advance(15 * MINUTE);
  b.provider.put(LIST, name(0), "active");
  b.provider.answers.page.push({ kind: "trouble", code: "unavailable", reason: "HTTP 500", unknown: false });
  assert.equal((await polled(b)).trouble, "HTTP 500");
  assert.deepEqual((await b.kv.get(keys.pollCursor(LIST))).value, cursor);
  assert.equal((await polled(b)).confirmed, 1);
});

Deno.test("an interrupted poll stops before its next call", async () => {
  await using b = await harness();
  await waiting(b, 100);
  const stop = new AbortController();
  const { unconfirmed } = b.provider;
  b.provider.unconfirmed = (list, page) => (stop.abort(), unconfirmed(list, page));
  const report = await b.services.poll.run(stop.signal);
  assert.deepEqual([report.trouble, b.provider.calls], ["The poll was interrupted.", [
    "changed 0",
    "unconfirmed 0",
  ]]);
});

Deno.test("a signup whose delivery runs, but confirmed there already, is checked after its delivery", async () => {
  await using b = await harness();
  await polledOnce(b);
  const ada = "ada@example.com";
  await b.post({ email: ada });
  assert.equal((await b.queue.claim(8)).length, 1, "its delivery runs");
  b.provider.put(LIST, ada, "active");
  await polled(b);
  assert.equal((await b.record(ada))?.status, "queued");
  assert.ok(await b.queue.get(`check:${LIST}:${ada}`));
  await b.clock.advance(60_000);
  await b.work();
  assert.equal((await b.record(ada))?.status, "active");
});
