import assert from "node:assert/strict";
import type { ListStatus } from "../../../shared/outcomes.ts";
import type { ListedSubscriber } from "../../providers/port/port.ts";
import { type Harness, harness, LIST } from "../../../dev/testing/harness.ts";
import { addPending, emailOf, MINUTE, pollWithTime } from "./testing/polls.ts";

/** The poll with providers that have only one of the two listings, or another order or no total. */

/** Makes the provider list changes oldest first, ten per page. */
function oldestFirst({ provider }: Harness): { sinces: number[] } {
  const { changed } = provider;
  const sinces: number[] = [];
  provider.changed = async (list, since, cursor) => {
    const all: ListedSubscriber[] = [];
    for (let next: string | undefined = "0"; next !== undefined;) {
      const page = await changed(list, 0, next);
      provider.calls.pop();
      assert.ok(page.kind === "page");
      all.push(...page.items);
      next = page.cursor;
    }
    sinces.push(since);
    provider.calls.push(`changed ${cursor ?? 0}`);
    const found = all.filter(({ changedAt }) => changedAt! >= since).reverse();
    const at = Number(cursor ?? 0);
    const more = found.length > at + 10;
    return { kind: "page", items: found.slice(at, at + 10), ...(more && { cursor: `${at + 10}` }) };
  };
  return { sinces };
}

Deno.test("at a provider that lists only changes, oldest first, a later poll reads only these", async () => {
  await using app = await harness();
  app.provider.capabilities.listsUnconfirmed = false;
  const { sinces } = oldestFirst(app);
  await addPending(app, 40);
  app.provider.put(LIST, emailOf(3), "active", app.clock.now() - 3 * 60 * MINUTE);
  assert.equal((await pollWithTime(app)).confirmed, 1, "found by its status");
  assert.equal(app.provider.calls.filter((call) => call.startsWith("status")).length, 40);

  await app.clock.advance(15 * MINUTE);
  for (let i = 10; i < 35; i++) app.provider.put(LIST, emailOf(i), "active");
  assert.equal((await pollWithTime(app)).confirmed, 25);
  assert.deepEqual(app.provider.calls, ["changed 0", "changed 10", "changed 20"]);
  const changedAt = app.clock.now();

  await app.clock.advance(15 * MINUTE);
  assert.equal((await pollWithTime(app)).confirmed, 0);
  assert.equal(sinces.at(-1), changedAt - 2 * MINUTE, "the last two minutes are read again");
});

Deno.test("a change that the provider lists two minutes late is found", async () => {
  await using app = await harness();
  await addPending(app, 5);
  await pollWithTime(app);
  await app.clock.advance(15 * MINUTE);
  app.provider.put(LIST, emailOf(0), "active");
  await pollWithTime(app);
  app.provider.put(LIST, emailOf(1), "active", app.clock.now() - 2 * MINUTE);
  assert.equal((await pollWithTime(app)).confirmed, 1);
});

Deno.test("at a provider that lists only unconfirmed addresses, ours that are not among them are checked", async () => {
  await using app = await harness();
  app.provider.capabilities.listsChanged = false;
  await addPending(app, 40);
  app.provider.put(LIST, emailOf(9), "active");
  assert.equal((await pollWithTime(app)).confirmed, 1);
  assert.deepEqual(app.provider.calls, ["unconfirmed 0", "unconfirmed 1", `status ${emailOf(9)}`]);
});

Deno.test("without a total, reading the unconfirmed addresses takes at most as many calls as checking ours", async () => {
  await using app = await harness();
  const { capabilities, unconfirmed } = app.provider;
  capabilities.listsChanged = false;
  app.provider.unconfirmed = async (...args) => {
    const page = await unconfirmed(...args);
    if (page.kind === "page") delete page.total;
    return page;
  };
  await addPending(app, 4);
  for (let i = 0; i < 900; i++) app.provider.put(LIST, `other${i}@example.com`, "pending");
  app.provider.put(LIST, emailOf(2), "active");
  const report = await pollWithTime(app);
  assert.equal(report.confirmed, 1);
  assert.ok(report.calls <= 2 * 4 + 1, app.provider.calls.join());
});

Deno.test("at a provider that lists changes in any order, a confirmation during a slow poll is found by the next", async () => {
  await using app = await harness();
  app.provider.capabilities.listsUnconfirmed = false;
  await addPending(app, 40);
  await pollWithTime(app);
  await app.clock.advance(15 * MINUTE);
  const confirm = (i: number) => app.provider.put(LIST, emailOf(i), "active");
  const { changed } = app.provider;
  confirm(1);
  app.provider.changed = async (list, since, cursor) => {
    const page = await changed(list, since);
    app.provider.calls.splice(-1, 1, `changed ${cursor ?? 0}`);
    assert.ok(page.kind === "page");
    const items = page.items.filter(({ email }) => (email > emailOf(20)) === (cursor !== undefined));
    if (cursor !== undefined) return { kind: "page", items };
    confirm(0);
    await app.clock.advance(5 * MINUTE);
    confirm(30);
    return { kind: "page", items, cursor: "1" };
  };
  assert.equal((await pollWithTime(app)).confirmed, 2);
  app.provider.changed = changed;
  await app.clock.advance(15 * MINUTE);
  assert.equal((await pollWithTime(app)).confirmed, 1);
});

Deno.test("a status is read at the provider if the listing does not say why the address is blocked", async () => {
  await using app = await harness();
  await addPending(app, 3);
  await app.services.poll.run();
  await app.clock.advance(15 * MINUTE);
  for (const [i, status] of ["bounced", "suppressed", "unsubscribed"].entries()) {
    app.provider.put(LIST, emailOf(i), status as ListStatus);
  }
  const { changed } = app.provider;
  app.provider.changed = async (...args) => {
    const page = await changed(...args);
    assert.ok(page.kind === "page");
    const items = page.items.map((item): ListedSubscriber => ({
      ...{ ...item, status: "unsubscribed" },
      needsStatus: true,
    }));
    return { ...page, items };
  };
  await app.services.poll.run();
  await app.work();
  const found = await Promise.all([0, 1, 2].map(async (i) => (await app.record(emailOf(i)))?.listStatus));
  assert.deepEqual(found, ["bounced", "suppressed", "unsubscribed"]);
});
