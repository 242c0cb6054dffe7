import assert from "node:assert/strict";
import { stubTrouble } from "../../../dev/testing/stub_provider.ts";
import { type Harness, harness, LIST } from "../../../dev/testing/harness.ts";
import { fenceOf } from "../../platform/jobs/handler.ts";
import { putRecord } from "../record/record.ts";
import { LIST_STATUSES } from "../../../shared/outcomes.ts";

const ADA = "ada@example.com";

/** Signs Ada up, then runs the check of a webhook. `arrange` runs in between. */
async function signUpAndCheck(arrange: (app: Harness) => void): Promise<Harness> {
  const app = await harness();
  await app.post({ email: ADA });
  await app.work();
  arrange(app);
  await app.hook({
    type: "subscribe",
    subscription: { email: ADA, status: "active", subscriberList: { _id: LIST } },
  });
  await app.work();
  return app;
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
  Deno.test(`a pending signup is ${becomes[seen]} after a check that reads ${seen}`, async () => {
    await using app = await signUpAndCheck((app) => app.provider.put(LIST, ADA, seen));
    const record = await app.record(ADA);
    assert.deepEqual([record?.status, record?.listStatus], [becomes[seen], seen]);
    const counted = (await app.services.counters.totals())["note.confirmed.webhook"];
    assert.equal(counted, becomes[seen] === "active" ? 1 : undefined);
  });
}

Deno.test("a check is retried after trouble at the provider, and finds the confirmation", async () => {
  await using app = await signUpAndCheck((app) => {
    app.provider.put(LIST, ADA, "active");
    app.provider.nextResults.status.push(stubTrouble({ reason: "HTTP 500" }));
  });
  assert.equal((await app.record(ADA))?.status, "pending");
  await app.clock.advance(60_000);
  await app.work();
  assert.equal((await app.record(ADA))?.status, "active");
});

Deno.test("an address that the provider does not have is read five times, and its record is unchanged", async () => {
  await using app = await signUpAndCheck((app) =>
    app.provider.nextResults.status.push(...Array(9).fill({ kind: "absent" }))
  );
  for (let i = 0; i < 9; i++) {
    await app.clock.advance(60 * 60_000);
    await app.work();
  }
  assert.equal(app.provider.calls.filter((call) => call.startsWith("status")).length, 2 + 5);
  assert.equal((await app.record(ADA))?.status, "pending");
  assert.equal(await app.queue.nextDue(), undefined);
  assert.equal(app.log.of("check.subscriber_missing").length, 1);
});

Deno.test("a check ends without a read while the delivery has not reached the provider", async () => {
  await using app = await harness();
  app.provider.nextResults.subscribe.push(stubTrouble());
  await app.post({ email: ADA });
  await app.work();
  app.provider.put(LIST, ADA, "active");
  await app.hook({ automationId: "a", contact: { email: ADA } });
  await app.work();
  assert.equal((await app.record(ADA))?.status, "queued");
  assert.equal(await app.queue.get(`check:${LIST}:${ADA}`), null);
  await app.clock.advance(60_000);
  await app.work();
  assert.equal((await app.record(ADA))?.status, "active");
  assert.equal(await app.queue.nextDue(), undefined);
});

/** Signs Ada up at the provider, but her record stays queued because the status cannot be read for a while. */
async function signUpWithoutStatus(retryAfterMs = 60 * 60_000): Promise<Harness> {
  const app = await harness();
  const unavailable = stubTrouble({ code: "unavailable", reason: "HTTP 503", retryAfterMs });
  app.provider.nextResults.status.push({ kind: "absent" }, unavailable);
  await app.post({ email: ADA });
  await app.work();
  assert.equal((await app.record(ADA))?.status, "queued");
  return app;
}

Deno.test("a confirmation while a delivery waits for its retry is found by the check of the webhook", async () => {
  await using app = await signUpWithoutStatus();
  app.provider.put(LIST, ADA, "active");
  await app.hook({ automationId: "a", contact: { email: ADA } });
  await app.work();
  const { status, confirmed } = (await app.record(ADA))!;
  assert.deepEqual([status, confirmed], ["active", { at: app.clock.now(), by: "automation" }]);
  await app.clock.advance(60 * 60_000);
  await app.work();
  assert.equal(
    (await app.record(ADA))?.confirmed?.by,
    "automation",
    "the delivery changes nothing afterward",
  );
  assert.deepEqual([app.provider.mails, app.subscribedEvents.length, await app.queue.nextDue()], [
    [ADA],
    1,
    undefined,
  ]);
});

Deno.test("a webhook before the confirmation causes one read, and leaves the record to its delivery", async () => {
  for (const seen of ["pending", "absent"] as const) {
    await using app = await signUpWithoutStatus();
    if (seen === "absent") app.provider.nextResults.status.push({ kind: "absent" });
    app.provider.calls.length = 0;
    await app.hook({ automationId: "a", contact: { email: ADA } });
    await app.work();
    assert.equal((await app.record(ADA))?.status, "queued");
    assert.deepEqual(app.provider.calls, [`status ${ADA}`]);
    assert.equal(await app.queue.get(`check:${LIST}:${ADA}`), null);
  }
});

Deno.test("a check waits for a delivery that starts during its read", async () => {
  await using app = await signUpWithoutStatus(30_000);
  app.provider.put(LIST, ADA, "active");
  await app.hook({ automationId: "a", contact: { email: ADA } });
  const { status } = app.provider;
  app.provider.status = async (target) => {
    app.provider.status = status;
    const seen = await status(target);
    await app.clock.advance(30_000);
    assert.equal((await app.queue.claim(8)).length, 1, "the delivery is running");
    return seen;
  };
  const [check] = await app.queue.claim(1);
  assert.equal(check?.row.name, "cfbe_check_signup");
  const definition = app.services.jobs.find(({ name }) => name === "cfbe_check_signup")!;
  const { row, token } = check!;
  const signal = new AbortController().signal;
  const result = await definition.handle({
    ...row,
    attempt: 1,
    signal,
    fence: fenceOf(row.id, token),
  });
  assert.equal(result.kind === "snooze" && result.until, app.clock.now() + 5_000);
  assert.equal((await app.record(ADA))?.status, "queued");
});

Deno.test("a check that is queued during another one makes it run again", async () => {
  await using app = await signUpAndCheck(() => {});
  const { status } = app.provider;
  let reads = 0;
  app.provider.status = async (target) => {
    const seen = await status(target);
    if (reads++ === 0) {
      app.provider.put(LIST, ADA, "active");
      await app.hook({ automationId: "a", contact: { email: ADA } });
    }
    return seen;
  };
  await app.hook({ automationId: "a", contact: { email: ADA } });
  await app.work();
  assert.equal(reads, 2);
  assert.deepEqual((await app.record(ADA))?.confirmed?.by, "automation");
});

Deno.test("a failed signup becomes active after a later webhook", async () => {
  for (const arrange of ["bounced", "unsubscribed"] as const) {
    await using app = await signUpAndCheck((app) => app.provider.put(LIST, ADA, arrange));
    assert.equal((await app.record(ADA))?.status, "failed");
    app.provider.put(LIST, ADA, "active");
    await app.hook({ automationId: "a", contact: { email: ADA } });
    await app.work();
    assert.equal((await app.record(ADA))?.status, "active");
    assert.equal((await app.record(ADA))?.reason, undefined);
  }
});

Deno.test("an active signup stays active, whatever its list status becomes", async () => {
  await using app = await signUpAndCheck((app) => app.provider.put(LIST, ADA, "active"));
  const { confirmed } = (await app.record(ADA))!;
  for (const seen of LIST_STATUSES) {
    app.provider.put(LIST, ADA, seen);
    await app.hook({ type: "bounce", emailData: { to: ADA } });
    await app.work();
    const record = await app.record(ADA);
    assert.deepEqual([record?.status, record?.listStatus, record?.confirmed], ["active", seen, confirmed]);
  }
});

Deno.test("a confirmation is counted once, by what reported it, and no later change of the subscriber is", async () => {
  await using app = await signUpAndCheck((app) => app.provider.put(LIST, ADA, "active"));
  for (const seen of ["paused", "active", "unsubscribed"] as const) {
    app.provider.put(LIST, ADA, seen);
    await app.hook({ type: "bounce", emailData: { to: ADA } });
    await app.work();
    assert.equal((await app.record(ADA))?.listStatus, seen);
  }
  assert.equal((await app.services.counters.totals())["note.confirmed.webhook"], 1);
});

Deno.test("where pending addresses are invisible, only a check that somebody reported a change for reads again", async () => {
  for (const showsPending of [false, true]) {
    await using app = await signUpAndCheck(({ provider }) =>
      void (provider.capabilities.showsPending = showsPending)
    );
    const check = app.services.jobs.find(({ name }) => name === "cfbe_check_signup")!;
    const results: Record<string, string> = {};
    for (const by of ["delivery", "webhook", "automation", "poll", "admin"]) {
      app.provider.nextResults.status.push({ kind: "absent" });
      const payload = { email: ADA, list: LIST, by };
      const signal = new AbortController().signal;
      results[by] = (await check.handle({ id: "check", payload, attempt: 1, signal } as never)).kind;
    }
    const silent = showsPending ? "retry" : "done";
    const reported = { delivery: "retry", webhook: "retry", automation: "retry" };
    assert.deepEqual(results, { ...reported, poll: silent, admin: silent });
  }
});

Deno.test("a check does not confirm a signup that went to another provider during its read", async () => {
  await using app = await signUpAndCheck(({ provider, record, kv }) => {
    provider.put(LIST, ADA, "active");
    const { status } = provider;
    provider.status = async (target) => {
      const before = (await record(ADA))!;
      await putRecord(kv.atomic(), before, { ...before, provider: "listmonk" }).commit();
      return await status(target);
    };
  });
  const { status, provider } = (await app.record(ADA))!;
  assert.deepEqual([status, provider], ["pending", "listmonk"]);
});
