import assert from "node:assert/strict";
import { type Bench, bench, LIST } from "../../testing/bench.ts";
import { LIST_STATUSES } from "../../../shared/outcomes.ts";

const ADA = "ada@example.com";

/** Ada waits for her confirmation, and a webhook has just come. */
async function checked(arrange: (b: Bench) => void): Promise<Bench> {
  const b = await bench();
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
    b.provider.answers.status.push({ kind: "trouble", reason: "HTTP 500", unknown: false });
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
  assert.equal(b.provider.calls.filter((call) => call.startsWith("status")).length, 1 + 5);
  assert.equal((await b.record(ADA))?.status, "pending");
  assert.equal(await b.queue.nextDue(), undefined);
  assert.equal(b.log.of("check.absent").length, 1);
});

Deno.test("a check leaves the look to a delivery that still waits, however long that is", async () => {
  await using b = await bench();
  b.provider.answers.subscribe.push({ kind: "trouble", reason: "HTTP 503", unknown: true });
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
