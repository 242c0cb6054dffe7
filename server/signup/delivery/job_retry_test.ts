import assert from "node:assert/strict";
import { stubTrouble } from "../../../dev/testing/stub_provider.ts";
import { harness, LIST } from "../../../dev/testing/harness.ts";
import { SUBSCRIBE_PER_IP } from "../../../shared/limits.ts";
import { jobKey } from "../../platform/jobs/row.ts";
import { readRow } from "../../platform/kv/key.ts";
import { deliverJobId } from "./job.ts";
import { ADA, HOUR, outcomes, signUp, state } from "./testing/deliveries.ts";

/** Attempts without a result, and their retries. */

Deno.test("after an attempt with an unknown result, 'exists, unverified' counts as its success, without a second email", async () => {
  await using app = await harness();
  app.provider.put(LIST, ADA, "pending");
  app.provider.nextResults.status.push({ kind: "absent" });
  app.provider.nextResults.subscribe.push(stubTrouble({ unknown: true }));
  await signUp(app);
  assert.deepEqual(outcomes(app), ["queued"]);
  await app.clock.advance(HOUR);
  await app.work();
  assert.deepEqual(await state(app), ["pending", "pending"]);
  assert.deepEqual(app.provider.mails, []);
  await signUp(app);
  assert.deepEqual(app.provider.mails, [], "its own email counts for the 24 hours");
});

Deno.test("a delivery that waits for the call budget is no failed attempt, keeps what it has done, and goes on in time", async () => {
  await using app = await harness();
  const held = stubTrouble({
    held: true,
    retryAfterMs: 2_000,
    reason: "The provider's rate limit is reached.",
  });
  app.provider.nextResults.status.push({ kind: "absent" }, held, held);
  await signUp(app);
  const waiting = await readRow(app.services.kv, jobKey(deliverJobId({ email: ADA, list: LIST })));
  assert.deepEqual([waiting?.attempts, waiting?.failures, waiting?.unknown], [0, 0, true]);
  const event = (await app.record(ADA, LIST))?.history?.at(-1);
  assert.deepEqual([event?.kind, event && "reason" in event && event.reason], ["waiting", held.reason]);
  for (let wait = 0; wait < 2; wait++) {
    await app.clock.advance(2_000);
    await app.work();
  }
  assert.deepEqual([await state(app), app.provider.mails.length], [["pending", "pending"], 1]);
});

Deno.test("an email that was certainly not sent is sent by the retry, despite the 24-hour marker", async () => {
  await using app = await harness();
  app.provider.put(LIST, ADA, "pending");
  app.provider.nextResults.resend.push(stubTrouble());
  await signUp(app);
  assert.deepEqual(app.provider.mails, []);
  await app.clock.advance(HOUR);
  await app.work();
  assert.deepEqual(app.provider.mails, [ADA]);
  assert.deepEqual(outcomes(app), ["queued"], "cfbe_subscribed fires once, not again for the later result");
});

Deno.test("after 201 without a readable status, the delivery is retried and counts as our own", async () => {
  await using app = await harness();
  app.provider.nextResults.status.push({ kind: "absent" }, { kind: "absent" }, stubTrouble());
  await signUp(app);
  for (let i = 0; i < 3; i++) {
    await app.clock.advance(HOUR);
    await app.work();
  }
  assert.deepEqual(await state(app), ["pending", "pending"]);
  assert.deepEqual([outcomes(app), app.provider.mails.length], [["queued"], 1]);
});

Deno.test("a retry waits for the provider's Retry-After", async () => {
  await using app = await harness();
  app.provider.nextResults.subscribe.push(stubTrouble({ retryAfterMs: 2 * HOUR }));
  await signUp(app);
  await app.clock.advance(2 * HOUR - 1);
  await app.work();
  assert.deepEqual(await state(app), ["queued", undefined]);
  await app.clock.advance(1);
  await app.work();
  assert.deepEqual(await state(app), ["pending", "pending"]);
});

Deno.test("cfbe_subscribed fires once per accepted signup, including repeats during an outage", async () => {
  await using app = await harness();
  app.provider.nextResults.subscribe.push(...Array(3).fill(stubTrouble()));
  for (let i = 0; i < 3; i++) await signUp(app);
  assert.ok(SUBSCRIBE_PER_IP.max > 3);
  await app.clock.advance(HOUR);
  await app.work();
  assert.equal((await app.record(ADA))?.status, "pending");
  assert.deepEqual(outcomes(app), ["queued", "queued", "queued"]);
});

Deno.test("a delivery that runs out of retries fails its record, and can be retried by an admin", async () => {
  await using app = await harness();
  app.provider.subscribe = () => Promise.resolve(stubTrouble());
  await signUp(app);
  for (let hours = 0; hours <= 80; hours++) {
    await app.clock.advance(HOUR);
    await app.work();
  }
  const failed = await app.record(ADA);
  assert.equal(failed?.status, "failed");
  assert.match(failed?.reason ?? "", /3 days.*HTTP 503/);
  assert.deepEqual(outcomes(app), ["queued"]);
  app.provider.subscribe = () => Promise.resolve({ kind: "accepted" });
  app.provider.put(LIST, ADA, "pending");
  const { rows: dead } = await app.queue.list({ state: "dead" });
  assert.equal(await app.queue.retryDead(dead[0]!.id), true);
  await app.work();
  assert.deepEqual(await state(app), ["pending", "pending"]);
});

Deno.test("for a delivery that runs out of retries without any result, cfbe_subscribed fires with failed", async () => {
  await using app = await harness();
  app.provider.subscribe = () => Promise.reject(new Error("a bug"));
  await signUp(app);
  for (let hours = 0; hours <= 80; hours++) {
    await app.clock.advance(HOUR);
    await app.work();
  }
  assert.deepEqual([await state(app), outcomes(app)], [["failed", undefined], ["failed"]]);
});
