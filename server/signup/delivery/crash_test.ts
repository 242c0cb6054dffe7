import assert from "node:assert/strict";
import { stubTrouble } from "../../../dev/testing/stub_provider.ts";
import { type Harness, harness, LIST } from "../../../dev/testing/harness.ts";
import { fenceOf, LeaseLost } from "../../platform/jobs/handler.ts";
import type { ClaimedJob } from "../../platform/jobs/claim.ts";

/** A process that crashes during a delivery: nothing is lost, and no email is sent twice. */

const ADA = "ada@example.com";

/** Claims the delivery job. */
async function claim(app: Harness): Promise<ClaimedJob> {
  const [claimed] = await app.queue.claim(1);
  assert.ok(claimed);
  return claimed;
}
/** Runs the handler only, as a process does that crashes before it settles the job. */
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
const crash = () => Promise.reject(new Error("kill -9"));
async function retryAfterLease(app: Harness) {
  await app.clock.advance(60_000);
  await app.work();
}

Deno.test("after a crash between the record's update and cfbe_subscribed, the event fires once without a provider call", async () => {
  await using app = await harness();
  app.provider.put(LIST, ADA, "pending");
  await app.post({ email: ADA });
  const { emit } = app.services.hooks;
  app.services.hooks.emit = crash;
  await assert.rejects(handle(app, await claim(app)), /kill -9/);
  app.services.hooks.emit = emit;
  const calls = app.provider.calls.length;
  await retryAfterLease(app);
  assert.deepEqual(app.subscribedEvents.map(({ outcome }) => outcome), ["resent"]);
  assert.equal(app.provider.calls.length, calls);
  assert.deepEqual(app.provider.mails, [ADA]);
});

Deno.test("after a crash between the subscribe request and the commit, the delivery counts as our own, with one email", async () => {
  await using app = await harness();
  await app.post({ email: ADA });
  const { status } = app.provider;
  app.provider.status = crash;
  await assert.rejects(handle(app, await claim(app)), /kill -9/);
  app.provider.status = status;
  await retryAfterLease(app);
  assert.deepEqual(app.subscribedEvents.map(({ outcome }) => outcome), ["pending"]);
  assert.deepEqual(app.provider.mails, [ADA]);
  assert.equal((await app.record(ADA))?.status, "pending");
});

Deno.test("after a crash between a resend and the commit, no second email is sent", async () => {
  await using app = await harness();
  app.provider.put(LIST, ADA, "pending");
  await app.post({ email: ADA });
  const { resend } = app.provider;
  app.provider.resend = async (target) => (await resend(target), crash());
  await assert.rejects(handle(app, await claim(app)), /kill -9/);
  app.provider.resend = resend;
  await retryAfterLease(app);
  assert.deepEqual(app.provider.mails, [ADA]);
  assert.equal(app.subscribedEvents.length, 1);
});

Deno.test("after a crash between cfbe_subscribed and the commit, the event may fire again, but is never lost", async () => {
  await using app = await harness();
  app.provider.nextResults.subscribe.push(stubTrouble());
  await app.post({ email: ADA });
  const { emit } = app.services.hooks;
  app.services.hooks.emit = async (name, event) => (await emit(name, event), await crash());
  await assert.rejects(handle(app, await claim(app)), /kill -9/);
  app.services.hooks.emit = emit;
  await retryAfterLease(app);
  assert.deepEqual(app.subscribedEvents.map(({ outcome }) => outcome), ["queued", "pending"]);
});

Deno.test("a process that lost its lease while it was asleep writes nothing", async () => {
  await using app = await harness();
  await app.post({ email: ADA });
  const stale = await claim(app);
  await app.clock.advance(60_000);
  app.provider.singleOptIn.add(LIST);
  await app.work();
  const settled = await app.dump();
  app.provider.nextResults.status.push({ kind: "found", status: "unsubscribed" });
  await assert.rejects(handle(app, stale), LeaseLost);
  assert.equal(await app.dump(), settled);
  assert.equal(app.subscribedEvents.length, 1);
});
