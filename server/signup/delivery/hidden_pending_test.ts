import assert from "node:assert/strict";
import type { SubscribeResult } from "../../providers/port/port.ts";
import { beginningsOf } from "../../platform/jobs/handler.ts";
import { type Harness, harness, LIST } from "../../../dev/testing/harness.ts";
import { stubTrouble } from "../../../dev/testing/stub_provider.ts";
import { signFormConfig } from "../../forms/public/signed_config.ts";
import { withoutListings } from "../confirm/testing/polls.ts";
import { ADA, HOUR, outcomes, signUp, signUpAfterAnHour, state } from "./testing/deliveries.ts";

/** Deliveries to a provider that shows an address only after its confirmation. */

async function withHiddenPending(): Promise<Harness> {
  const app = await harness();
  app.provider.capabilities.showsPending = false;
  return app;
}

/** Makes the next subscribe request take effect, and its response get lost. */
function loseNextResponse(app: Harness): void {
  const { subscribe } = app.provider;
  app.provider.subscribe = async (target, person): Promise<SubscribeResult> => {
    app.provider.subscribe = subscribe;
    await subscribe(target, person);
    return stubTrouble({ code: "timeout", unknown: true });
  };
}

Deno.test("an accepted address that the provider does not show is pending", async () => {
  await using app = await withHiddenPending();
  await signUp(app);
  assert.deepEqual(await state(app), ["pending", "pending"]);
  assert.deepEqual([outcomes(app), app.provider.mails], [["pending"], [ADA]]);
});

Deno.test("a second signup of an invisible pending address counts as a resend, at most once a day", async () => {
  await using app = await withHiddenPending();
  await signUp(app);
  await signUpAfterAnHour(app, ADA);
  assert.deepEqual([outcomes(app), app.provider.mails.length], [["pending", "pending"], 1]);
  await app.clock.advance(23 * HOUR);
  await signUp(app);
  assert.deepEqual([outcomes(app).at(-1), app.provider.mails.length], ["resent", 2]);
});

Deno.test("a confirmation after a lost response is read before the address is subscribed again", async () => {
  await using app = await withHiddenPending();
  loseNextResponse(app);
  await signUp(app);
  assert.deepEqual(await state(app), ["queued", undefined]);
  app.provider.put(LIST, ADA, "active");
  await app.clock.advance(HOUR);
  await app.work();
  assert.deepEqual(await state(app), ["active", "active"]);
  const subscribes = app.provider.calls.filter((call) => call.startsWith("subscribe"));
  assert.deepEqual([subscribes.length, app.provider.mails.length], [1, 1]);
});

Deno.test("every attempt that may have sent an invisible email uses up a slot of the mail budget", async () => {
  await using app = await withHiddenPending();
  app.provider.subscribe = ({ email }) => {
    app.provider.mails.push(email);
    return Promise.resolve(stubTrouble({ code: "timeout", unknown: true }));
  };
  await signUp(app);
  for (let hours = 1; hours < 24; hours++) {
    await app.clock.advance(HOUR);
    await app.work();
    assert.ok(app.provider.mails.length <= 3, `${app.provider.mails.length} emails after ${hours} hours`);
  }
  assert.equal(app.provider.mails.length, 3);
});

Deno.test("attempts that had no effect use up no slot, even after one with an unknown result", async () => {
  await using app = await withHiddenPending();
  loseNextResponse(app);
  await signUp(app);
  app.provider.nextResults.status.push(...Array(6).fill(stubTrouble({ code: "no_connection" })));
  for (let hours = 1; hours <= 8; hours++) {
    await app.clock.advance(HOUR);
    await app.work();
  }
  assert.deepEqual(await state(app), ["pending", "pending"]);
});

Deno.test("an email takes one slot, although the provider rejects the signup's properties first", async () => {
  const fields = [{ name: "size", kind: "select", label: "Size", options: ["s", "l"] }];
  const forms = ["a", "b", "c"].map((name) => ({ name, list: `list-${name}`, fields }));
  await using app = await harness({ settings: { forms: { forms } } as never });
  app.provider.capabilities.showsPending = false;
  const { subscribe } = app.provider;
  app.provider.subscribe = (target, person): Promise<SubscribeResult> =>
    person.properties
      ? Promise.resolve({ kind: "refused", reason: "attribute SIZE is a date" })
      : subscribe(target, person);
  for (const { name } of forms) {
    await app.post({ email: ADA, form: name, fields: { size: "l" } });
    await app.work();
  }
  assert.deepEqual(app.provider.mails, [ADA, ADA, ADA]);
});

Deno.test("an attempt that dies before its call is sent uses up no slot: after three of them, the email is still sent", async () => {
  await using app = await withHiddenPending();
  const cfbe_cfg = signFormConfig(app.services.keyring, { list: LIST });
  await app.post({ email: ADA, cfbe_cfg });
  for (let attempt = 0; attempt < 3; attempt++) {
    assert.equal((await app.queue.claim(1, new Set(), beginningsOf(app.services.jobs))).length, 1);
    // Nobody runs the job, as if the process had died while the attempt waits for the call budget.
    await app.clock.advance(2 * 60_000);
  }
  await app.work();
  assert.deepEqual(await state(app), ["pending", "pending"]);
  assert.deepEqual(app.provider.mails, [ADA]);
});

Deno.test("a check or poll that finds nothing leaves an invisible pending address pending until it confirms", async () => {
  await using app = await withHiddenPending();
  withoutListings(app);
  await signUp(app);
  await app.services.poll.run();
  assert.deepEqual(await state(app), ["pending", "pending"]);
  app.provider.put(LIST, ADA, "active");
  assert.equal((await app.services.poll.run()).confirmed, 1);
  assert.deepEqual(await state(app), ["active", "active"]);
});
