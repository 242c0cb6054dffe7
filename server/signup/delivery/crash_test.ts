import assert from "node:assert/strict";
import { type Harness, harness, LIST } from "../../testing/harness.ts";
import { fenceOf, LeaseLost } from "../../jobs/handler.ts";
import type { ClaimedJob } from "../../jobs/queue.ts";

/** A process that dies in the middle of a delivery: nothing is lost, nothing is mailed twice. */

const ADA = "ada@example.com";

/** Claims the delivery and runs its handler, without what a living process does afterwards. */
async function claim(b: Harness): Promise<ClaimedJob> {
  const [claimed] = await b.queue.claim(1);
  assert.ok(claimed);
  return claimed;
}
function handle(b: Harness, { row, token }: ClaimedJob) {
  const definition = b.services.jobs.find(({ name }) => name === row.name)!;
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
async function leaseRunsOut(b: Harness) {
  await b.clock.advance(60_000);
  await b.work();
}

Deno.test("after the record was moved, before the telling: told once, with the right outcome, nobody asked again", async () => {
  await using b = await harness();
  b.provider.put(LIST, ADA, "pending");
  await b.post({ email: ADA });
  const { act } = b.services.hooks;
  b.services.hooks.act = dies;
  await assert.rejects(handle(b, await claim(b)), /kill -9/);
  b.services.hooks.act = act;
  const calls = b.provider.calls.length;
  await leaseRunsOut(b);
  assert.deepEqual(b.subscribedEvents.map(({ outcome }) => outcome), ["resent"]);
  assert.equal(b.provider.calls.length, calls);
  assert.deepEqual(b.provider.mails, [ADA]);
});

Deno.test("after the provider took it, before anything was written: taken as our own, one mail", async () => {
  await using b = await harness();
  await b.post({ email: ADA });
  const { status } = b.provider;
  b.provider.status = dies;
  await assert.rejects(handle(b, await claim(b)), /kill -9/);
  b.provider.status = status;
  await leaseRunsOut(b);
  assert.deepEqual(b.subscribedEvents.map(({ outcome }) => outcome), ["pending"]);
  assert.deepEqual(b.provider.mails, [ADA]);
  assert.equal((await b.record(ADA))?.status, "pending");
});

Deno.test("after the mail was sent again, before that was written: no second one", async () => {
  await using b = await harness();
  b.provider.put(LIST, ADA, "pending");
  await b.post({ email: ADA });
  const { resend } = b.provider;
  b.provider.resend = async (target) => (await resend(target), dies());
  await assert.rejects(handle(b, await claim(b)), /kill -9/);
  b.provider.resend = resend;
  await leaseRunsOut(b);
  assert.deepEqual(b.provider.mails, [ADA]);
  assert.equal(b.subscribedEvents.length, 1);
});

Deno.test("told that it is queued, before that was written: perhaps told again, never not at all", async () => {
  await using b = await harness();
  b.provider.answers.subscribe.push({
    kind: "trouble",
    code: "unavailable",
    reason: "HTTP 503",
    unknown: false,
  });
  await b.post({ email: ADA });
  const { act } = b.services.hooks;
  b.services.hooks.act = async (name, event) => (await act(name, event), await dies());
  await assert.rejects(handle(b, await claim(b)), /kill -9/);
  b.services.hooks.act = act;
  await leaseRunsOut(b);
  assert.deepEqual(b.subscribedEvents.map(({ outcome }) => outcome), ["queued", "pending"]);
});

Deno.test("a process that slept through its lease writes nothing any more", async () => {
  await using b = await harness();
  await b.post({ email: ADA });
  const zombie = await claim(b);
  await b.clock.advance(60_000);
  b.provider.singleOptIn.add(LIST);
  await b.work();
  const settled = await b.dump();
  b.provider.answers.status.push({ kind: "found", status: "unsubscribed" });
  await assert.rejects(handle(b, zombie), LeaseLost);
  assert.equal(await b.dump(), settled);
  assert.equal(b.subscribedEvents.length, 1);
});
