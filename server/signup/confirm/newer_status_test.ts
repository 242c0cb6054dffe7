import assert from "node:assert/strict";
import { type Harness, harness, LIST, runDueJobs } from "../../../dev/testing/harness.ts";
import type { ListStatus } from "../../../shared/outcomes.ts";
import { addPending, DAY, emailOf, MINUTE } from "./testing/polls.ts";

/** Whichever of two concurrent requests was sent later decides the status of a record. */

const ADA = "ada@example.com";

async function signUp(app: Harness): Promise<void> {
  await (await app.post({ email: ADA })).body?.cancel();
  await app.work();
}

/** Lets the check of a webhook run to its end. */
async function checkByWebhook(app: Harness, email = ADA): Promise<void> {
  await (await app.hook({ automationId: "a", contact: { email } })).body?.cancel();
  await runDueJobs(app, app.services.jobs);
}

const statusOf = async (app: Harness, email = ADA) => {
  const record = await app.record(email);
  return [record?.status, record?.listStatus];
};

for (
  const [status, expected] of [["active", "active"], ["unsubscribed", "failed"], [
    "bounced",
    "failed",
  ]] as const
) {
  Deno.test(`a delivery that read "pending" does not overwrite the later status ${status}`, async () => {
    await using app = await harness();
    await signUp(app);
    await app.clock.advance(2 * DAY);
    const { resend } = app.provider;
    app.provider.resend = async (...args) => {
      app.provider.put(LIST, ADA, status);
      await checkByWebhook(app);
      assert.deepEqual(await statusOf(app), [expected, status]);
      return await resend(...args);
    };
    await signUp(app);
    assert.deepEqual(await statusOf(app), [expected, status]);
  });
}

/** Makes the poll's next page arrive after the work, which runs once the page has been read. */
function delayPage(app: Harness, work: () => Promise<void>): void {
  const { changed } = app.provider;
  app.provider.changed = async (...args) => {
    app.provider.changed = changed;
    const page = await changed(...args);
    await work();
    return page;
  };
}

Deno.test("a poll whose page arrives late does not overwrite what a check has read since", async () => {
  const news: [older: ListStatus, newer: ListStatus][] = [["active", "unsubscribed"], ["pending", "active"]];
  for (const [older, newer] of news) {
    await using app = await harness();
    await addPending(app, 1);
    await app.services.poll.run();
    await app.clock.advance(15 * MINUTE);
    app.provider.put(LIST, emailOf(0), older);
    delayPage(app, async () => {
      await app.clock.advance(1);
      app.provider.put(LIST, emailOf(0), newer);
      await checkByWebhook(app, emailOf(0));
    });
    await app.services.poll.run();
    await app.work();
    assert.equal((await app.record(emailOf(0)))?.listStatus, newer);
    assert.equal((await app.record(emailOf(0)))?.status, newer === "active" ? "active" : "failed");
  }
});

Deno.test("a confirmation that a poll read late, after waiting for the call budget, is not lost", async () => {
  await using app = await harness();
  await addPending(app, 1);
  await app.services.poll.run();
  await app.clock.advance(15 * MINUTE);
  const { changed } = app.provider;
  app.provider.changed = async (...args) => {
    app.provider.changed = changed;
    await app.clock.advance(1);
    app.provider.put(LIST, emailOf(0), "paused");
    await checkByWebhook(app, emailOf(0));
    app.provider.put(LIST, emailOf(0), "active");
    return await changed(...args);
  };
  await app.services.poll.run();
  await app.clock.advance(MINUTE);
  await app.work();
  assert.deepEqual(await statusOf(app, emailOf(0)), ["active", "active"]);
});

Deno.test("a status from a clock that was ahead does not keep later ones away", async () => {
  await using app = await harness();
  await signUp(app);
  const start = app.clock.now();
  app.clock.set(start + 365 * DAY);
  app.provider.put(LIST, ADA, "pending");
  await checkByWebhook(app);
  app.clock.set(start + MINUTE);
  app.provider.put(LIST, ADA, "active");
  await checkByWebhook(app);
  await app.work();
  assert.deepEqual(await statusOf(app), ["active", "active"]);
});
