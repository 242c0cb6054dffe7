import assert from "node:assert/strict";
import { keys } from "../../platform/kv/keys.ts";
import { startSlot } from "../../platform/jobs/recurring.ts";
import { type Harness, harness, LIST } from "../../../dev/testing/harness.ts";
import { addPending, DAY, MINUTE, pollWithTime, withoutListings } from "./testing/polls.ts";
import { DELETE_UNCONFIRMED_EVERY_MS, DELETE_UNCONFIRMED_JOB } from "./delete_unconfirmed_job.ts";
import { pendingOn } from "./pending_index.ts";
import { countUnreachable, endUnreachable } from "./unreachable.ts";

/** People who left, signed up again, and must confirm again, at a provider without webhooks. */

const ADA = "ada@example.com";
const ways = ["changes", "unconfirmed addresses", "single addresses"] as const;
type Way = typeof ways[number];

async function signUp(app: Harness): Promise<void> {
  await app.post({ email: ADA });
  await app.clock.advance(3_000);
  await app.callClock.passDuring(app.work());
}

async function pollAfter(app: Harness, ms: number) {
  await app.clock.advance(ms);
  return await pollWithTime(app);
}

/** Ada has confirmed, left, and signed up again. */
async function returned(way: Way = "single addresses"): Promise<Harness> {
  const app = await harness();
  const { provider } = app;
  provider.capabilities.takesBack = true;
  if (way === "unconfirmed addresses") provider.capabilities.listsChanged = false;
  if (way === "single addresses") withoutListings(app);
  await signUp(app);
  provider.put(LIST, ADA, "active");
  await pollAfter(app, MINUTE);
  provider.put(LIST, ADA, "unsubscribed");
  await app.clock.advance(3 * DAY);
  const { subscribe } = provider;
  provider.subscribe = (target) => {
    provider.subscribe = subscribe;
    provider.calls.push(`subscribe ${target.email}`);
    provider.put(target.list, target.email, "pending");
    return Promise.resolve({ kind: "accepted", isPending: true });
  };
  await signUp(app);
  const { status, listStatus } = (await app.record(ADA))!;
  assert.deepEqual([status, listStatus], ["active", "pending"]);
  return app;
}

const listStatus = async (app: Harness) => (await app.record(ADA))!.listStatus;
const asked = ({ provider }: Harness) => provider.calls.includes(`status ${ADA}`);

for (const way of ways) {
  Deno.test(`the poll finds the second confirmation of somebody who had left, by ${way}`, async () => {
    await using app = await returned(way);
    await pollAfter(app, 15 * MINUTE);
    assert.equal(await listStatus(app), "pending");
    app.provider.put(LIST, ADA, "active", app.clock.now());
    await pollAfter(app, 15 * MINUTE);
    assert.equal(await listStatus(app), "active");
    await pollAfter(app, 15 * MINUTE);
    assert.deepEqual(app.provider.calls, [], "nobody is pending any more");
  });
}

Deno.test("the poll looks for a second confirmation for 30 days, and again after another signup", async () => {
  await using app = await returned();
  await pollAfter(app, 29 * DAY);
  assert.ok(asked(app));
  await pollAfter(app, DAY);
  assert.ok(asked(app), "one last time");
  await pollAfter(app, DAY);
  assert.deepEqual(app.provider.calls, []);
  const { status, listStatus: known } = (await app.record(ADA))!;
  assert.deepEqual([status, known], ["active", "pending"]);
  await signUp(app);
  app.provider.put(LIST, ADA, "active");
  await pollAfter(app, 15 * MINUTE);
  assert.equal(await listStatus(app), "active");
});

Deno.test("the 30 days for a second confirmation begin anew with another signup", async () => {
  await using app = await returned();
  await pollAfter(app, 29 * DAY);
  await signUp(app);
  await pollAfter(app, 2 * DAY);
  await pollAfter(app, 27 * DAY);
  assert.ok(asked(app));
  await pollAfter(app, 2 * DAY);
  await pollAfter(app, MINUTE);
  assert.deepEqual(app.provider.calls, [], "the entry of the earlier signup is gone");
});

Deno.test("signups that are pending and people who came back are polled in the order of their times", async () => {
  await using app = await returned();
  const since = app.clock.now();
  await app.clock.advance(2 * MINUTE);
  await addPending(app, 4, { ageMs: 0 });
  const order = async (after?: number) =>
    (await Array.fromAsync(pendingOn(app.kv, LIST, after))).map(({ email }) => email);
  const all = ["p0003@example.com", ADA, "p0002@example.com", "p0001@example.com", "p0000@example.com"];
  assert.deepEqual((await order()).toSorted(), all.toSorted());
  const times = (await Array.fromAsync(pendingOn(app.kv, LIST))).map((entry) => entry.since);
  assert.deepEqual(times, times.toSorted((a, b) => a - b));
  assert.equal((await order(since)).includes(ADA), false);
});

Deno.test("an erasure leaves no entry of somebody who came back", async () => {
  await using app = await returned();
  const entries = () => Array.fromAsync(app.kv.list({ prefix: keys.byStatusAll("returned") }));
  assert.equal((await entries()).length, 1);
  await app.services.people.eraseLocally(ADA, app.clock.now());
  assert.deepEqual(await entries(), []);
});

Deno.test("an admin can end the search at a provider that can't be asked, which leaves the person active", async () => {
  await using app = await returned();
  const provider = "bluefox";
  const deps = {
    ...app.services,
    providerHistory: { names: () => [provider] },
    signupProviders: { ...app.services.signupProviders, nameOf: () => provider, named: () => undefined },
  };
  assert.deepEqual(await countUnreachable(deps, 10), [{ provider, count: 1 }]);
  assert.equal(await endUnreachable(deps), 1);
  assert.deepEqual(await countUnreachable(deps, 10), []);
  assert.equal((await app.record(ADA))!.status, "active");
});

Deno.test("a search for a second confirmation from a clock ahead ends 30 days after it is right", async () => {
  await using app = await returned();
  await app.clock.set(app.clock.now() - 400 * DAY);
  const slot = { name: "delete_unconfirmed", everyMs: DELETE_UNCONFIRMED_EVERY_MS, now: app.clock.now() };
  await startSlot(app.services, slot, DELETE_UNCONFIRMED_JOB);
  await app.callClock.passDuring(app.work());
  await pollAfter(app, 29 * DAY);
  assert.ok(asked(app));
  await pollAfter(app, 2 * DAY);
  await pollAfter(app, MINUTE);
  assert.deepEqual(app.provider.calls, []);
});
