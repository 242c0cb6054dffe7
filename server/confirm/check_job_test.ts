import assert from "node:assert/strict";
import { type Harness, harness, LIST } from "../testing/harness.ts";
import { fenceOf } from "../jobs/handler.ts";
import { LIST_STATUSES } from "../../shared/outcomes.ts";

const ADA = "ada@example.com";

/** Ada waits for her confirmation, and a webhook has just come. */
async function checked(arrange: (b: Harness) => void): Promise<Harness> {
  const b = await harness();
  await b.post({ email: ADA });
  await b.work();
  arrange(b);
  await b.hook({
    type: "subscribe",
    subscription: { email: ADA, status: "active", subscriberList: { _id: LIST } },
  });
  await b.work();
  return b;
}

const becomes = {
  pending: "pending",
  active: "active",
  paused: "active",
  unsubscribed: "failed",
  suppressed: "failed",
  bounced: "failed",
};
for (const seen of LIST_STATUSES) {
  Deno.test(`a check that reads ${seen} makes of a pending signup ${becomes[seen]}`, async () => {
    await using b = await checked((b) => b.provider.put(LIST, ADA, seen));
    const record = await b.record(ADA);
    assert.deepEqual([record?.status, record?.listStatus], [becomes[seen], seen]);
  });
}

Deno.test("trouble at the provider is waited out, and the confirmation found", async () => {
  await using b = await checked((b) => {
    b.provider.put(LIST, ADA, "active");
    b.provider.answers.status.push({
      kind: "trouble",
      code: "unavailable",
      reason: "HTTP 500",
      unknown: false,
    });
  });
  assert.equal((await b.record(ADA))?.status, "pending");
  await b.clock.advance(60_000);
  await b.work();
  assert.equal((await b.record(ADA))?.status, "active");
});

Deno.test("an address that the provider does not show is looked for five times, and left as it is", async () => {
  await using b = await checked((b) => b.provider.answers.status.push(...Array(9).fill({ kind: "absent" })));
  for (let i = 0; i < 9; i++) {
    await b.clock.advance(60 * 60_000);
    await b.work();
  }
  assert.equal(b.provider.calls.filter((call) => call.startsWith("status")).length, 2 + 5);
  assert.equal((await b.record(ADA))?.status, "pending");
  assert.equal(await b.queue.nextDue(), undefined);
  assert.equal(b.log.of("check.subscriber_missing").length, 1);
});

Deno.test("a check leaves the look to a delivery that has not reached the provider, however long it waits", async () => {
  await using b = await harness();
  b.provider.answers.subscribe.push({
    kind: "trouble",
    code: "unavailable",
    reason: "HTTP 503",
    unknown: false,
  });
  await b.post({ email: ADA });
  await b.work();
  b.provider.put(LIST, ADA, "active");
  await b.hook({ automationId: "a", contact: { email: ADA } });
  await b.work();
  assert.equal((await b.record(ADA))?.status, "queued");
  assert.equal(await b.queue.get(`check:${LIST}:${ADA}`), null);
  await b.clock.advance(60_000);
  await b.work();
  assert.equal((await b.record(ADA))?.status, "active");
  assert.equal(await b.queue.nextDue(), undefined);
});

/** Ada's subscribe was taken, then the status could not be read for a while: her record stays queued. */
async function taken(retryAfterMs = 60 * 60_000): Promise<Harness> {
  const b = await harness();
  const tooMany = {
    kind: "trouble",
    code: "rate_limited",
    reason: "HTTP 429",
    unknown: false,
    retryAfterMs,
  } as const;
  b.provider.answers.status.push({ kind: "absent" }, tooMany);
  await b.post({ email: ADA });
  await b.work();
  assert.equal((await b.record(ADA))?.status, "queued");
  return b;
}

Deno.test("a confirmation during a delivery that waits for its retry is noticed at the webhook", async () => {
  await using b = await taken();
  b.provider.put(LIST, ADA, "active");
  await b.hook({ automationId: "a", contact: { email: ADA } });
  await b.work();
  const { status, confirmed } = (await b.record(ADA))!;
  assert.deepEqual([status, confirmed], ["active", { at: b.clock.now(), by: "automation" }]);
  await b.clock.advance(60 * 60_000);
  await b.work();
  assert.equal((await b.record(ADA))?.confirmed?.by, "automation", "the delivery changes nothing afterwards");
  assert.deepEqual([b.provider.mails, b.subscribedEvents.length, await b.queue.nextDue()], [
    [ADA],
    1,
    undefined,
  ]);
});

Deno.test("a webhook before the confirmation leaves such a record to its delivery, and asks once", async () => {
  for (const seen of ["pending", "absent"] as const) {
    await using b = await taken();
    if (seen === "absent") b.provider.answers.status.push({ kind: "absent" });
    b.provider.calls.length = 0;
    await b.hook({ automationId: "a", contact: { email: ADA } });
    await b.work();
    assert.equal((await b.record(ADA))?.status, "queued");
    assert.deepEqual(b.provider.calls, [`status ${ADA}`]);
    assert.equal(await b.queue.get(`check:${LIST}:${ADA}`), null);
  }
});

Deno.test("a delivery that starts while a check reads settles first", async () => {
  await using b = await taken(30_000);
  b.provider.put(LIST, ADA, "active");
  await b.hook({ automationId: "a", contact: { email: ADA } });
  const { status } = b.provider;
  b.provider.status = async (target) => {
    b.provider.status = status;
    const seen = await status(target);
    await b.clock.advance(30_000);
    assert.equal((await b.queue.claim(8)).length, 1, "the delivery runs now");
    return seen;
  };
  const [check] = await b.queue.claim(1);
  assert.equal(check?.row.name, "cfbe_check_signup");
  const definition = b.services.jobs.find(({ name }) => name === "cfbe_check_signup")!;
  const { row, token } = check!;
  const signal = new AbortController().signal;
  const result = await definition.handle({
    ...row,
    attempt: 1,
    signal,
    fence: fenceOf(row.id, token),
  });
  assert.equal(result.kind, "snooze");
  assert.equal((await b.record(ADA))?.status, "queued");
});

Deno.test("a check that comes while one runs makes it run again", async () => {
  await using b = await checked(() => {});
  const { status } = b.provider;
  let looks = 0;
  b.provider.status = async (target) => {
    const seen = await status(target);
    if (looks++ === 0) {
      b.provider.put(LIST, ADA, "active");
      await b.hook({ automationId: "a", contact: { email: ADA } });
    }
    return seen;
  };
  await b.hook({ automationId: "a", contact: { email: ADA } });
  await b.work();
  assert.equal(looks, 2);
  assert.deepEqual((await b.record(ADA))?.confirmed?.by, "automation");
});

Deno.test("a signup that had failed or expired becomes active by a later webhook", async () => {
  for (const arrange of ["bounced", "unsubscribed"] as const) {
    await using b = await checked((b) => b.provider.put(LIST, ADA, arrange));
    assert.equal((await b.record(ADA))?.status, "failed");
    b.provider.put(LIST, ADA, "active");
    await b.hook({ automationId: "a", contact: { email: ADA } });
    await b.work();
    assert.equal((await b.record(ADA))?.status, "active");
    assert.equal((await b.record(ADA))?.reason, undefined);
  }
});

Deno.test("what happens to an active one at the list is noted, and it stays active", async () => {
  await using b = await checked((b) => b.provider.put(LIST, ADA, "active"));
  const { confirmed } = (await b.record(ADA))!;
  for (const seen of LIST_STATUSES) {
    b.provider.put(LIST, ADA, seen);
    await b.hook({ type: "bounce", emailData: { to: ADA } });
    await b.work();
    const record = await b.record(ADA);
    assert.deepEqual([record?.status, record?.listStatus, record?.confirmed], ["active", seen, confirmed]);
  }
});
