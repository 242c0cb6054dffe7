import assert from "node:assert/strict";
import { stubTrouble } from "../../testing/stub_provider.ts";
import { type Harness, harness, LIST } from "../../testing/harness.ts";
import { fenceOf, LeaseLost } from "../../jobs/handler.ts";
import type { ClaimedJob } from "../../jobs/queue.ts";

/** A process that dies in the middle of a delivery: nothing is lost, nothing is mailed twice. */

const ADA = "ada@example.com";

/** Claims the delivery and runs its handler, without what a living process does afterwards. */
async function claim(app: Harness): Promise<ClaimedJob> {
  const [claimed] = await app.queue.claim(1);
  assert.ok(claimed);
  return claimed;
}
function handle(app: Harness, { row, token }: ClaimedJob) {
  const definition = app.services.jobs.find(({ name }) => name === row.name)!;
  const { id, name, payload, attempts, createdAt, unknown } = row;
  const signal = new AbortController().signal;
  return definition.handle({
    id,
    name,
    payload,
    attempt: attempts,
    createdAt,
    unknown,
    signal,
    fence: fenceOf(id, token),
  });
}
const dies = () => Promise.reject(new Error("kill -9"));
async function leaseRunsOut(app: Harness) {
  await app.clock.advance(60_000);
  await app.work();
}

Deno.test("after the record was moved, before the telling: told once, with the right outcome, nobody asked again", async () => {
  await using app = await harness();
  app.provider.put(LIST, ADA, "pending");
  await app.post({ email: ADA });
  const { act } = app.services.hooks;
  app.services.hooks.act = dies;
  await assert.rejects(handle(app, await claim(app)), /kill -9/);
  app.services.hooks.act = act;
  const calls = app.provider.calls.length;
  await leaseRunsOut(app);
  assert.deepEqual(app.subscribedEvents.map(({ outcome }) => outcome), ["resent"]);
  assert.equal(app.provider.calls.length, calls);
  assert.deepEqual(app.provider.mails, [ADA]);
});

Deno.test("after the provider took it, before anything was written: taken as our own, one mail", async () => {
  await using app = await harness();
  await app.post({ email: ADA });
  const { status } = app.provider;
  app.provider.status = dies;
  await assert.rejects(handle(app, await claim(app)), /kill -9/);
  app.provider.status = status;
  await leaseRunsOut(app);
  assert.deepEqual(app.subscribedEvents.map(({ outcome }) => outcome), ["pending"]);
  assert.deepEqual(app.provider.mails, [ADA]);
  assert.equal((await app.record(ADA))?.status, "pending");
});

Deno.test("after the mail was sent again, before that was written: no second one", async () => {
  await using app = await harness();
  app.provider.put(LIST, ADA, "pending");
  await app.post({ email: ADA });
  const { resend } = app.provider;
  app.provider.resend = async (target) => (await resend(target), dies());
  await assert.rejects(handle(app, await claim(app)), /kill -9/);
  app.provider.resend = resend;
  await leaseRunsOut(app);
  assert.deepEqual(app.provider.mails, [ADA]);
  assert.equal(app.subscribedEvents.length, 1);
});

Deno.test("told that it is queued, before that was written: perhaps told again, never not at all", async () => {
  await using app = await harness();
  app.provider.answers.subscribe.push(stubTrouble());
  await app.post({ email: ADA });
  const { act } = app.services.hooks;
  app.services.hooks.act = async (name, event) => (await act(name, event), await dies());
  await assert.rejects(handle(app, await claim(app)), /kill -9/);
  app.services.hooks.act = act;
  await leaseRunsOut(app);
  assert.deepEqual(app.subscribedEvents.map(({ outcome }) => outcome), ["queued", "pending"]);
});

Deno.test("a process that slept through its lease writes nothing any more", async () => {
  await using app = await harness();
  await app.post({ email: ADA });
  const zombie = await claim(app);
  await app.clock.advance(60_000);
  app.provider.singleOptIn.add(LIST);
  await app.work();
  const settled = await app.dump();
  app.provider.answers.status.push({ kind: "found", status: "unsubscribed" });
  await assert.rejects(handle(app, zombie), LeaseLost);
  assert.equal(await app.dump(), settled);
  assert.equal(app.subscribedEvents.length, 1);
});
