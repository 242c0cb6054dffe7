/** Tests what a deactivated service must not do, and what it continues after activation (contract 8.5, decision 25). */
import { runAction } from "../../admin/action_table.ts";
import assert from "node:assert/strict";
import { LOCAL } from "../../admin/auth/actor.ts";
import { runAttempt } from "../../platform/jobs/attempt.ts";
import { keys } from "../../platform/kv/keys.ts";
import {
  CART,
  HOUR_MS,
  MINUTE_MS,
  startCheckout,
  statusAndBody,
} from "../../shops/systems/testing/checkout.ts";
import { harness, LIST } from "../../../dev/testing/harness.ts";
import { ManualClock } from "../../../dev/testing/manual_clock.ts";
import { startProgram } from "../../../dev/testing/program.ts";

const ANN = "ann@example.com";
const BEN = "ben@example.com";
const NOT_STORED = [200, { stored: false }];

Deno.test("while deactivated, an order is acknowledged, but causes no signup, no email and no contact update", async () => {
  await using checkout = await startCheckout({
    general: { modules: { orderEmails: true, contactSync: true } },
    orders: { templates: { processing: "thanks" } },
  });
  const { program: { services, queue, baseUrl } } = checkout;
  await checkout.abandonCart(ANN);
  await services.activation.deactivate();
  const order = checkout.order({ email: BEN, optIn: true });
  assert.deepEqual(await statusAndBody(order), [200, { ok: true, action: "accepted" }]);
  await checkout.runFor(2 * HOUR_MS);

  const inbox = async () => (await (await fetch(`${baseUrl}/sandbox/inbox.json`)).json()).mails.length;
  const contact = async () => (await services.provider.contact(BEN)).kind;
  assert.deepEqual([await inbox(), await contact()], [0, "absent"]);
  assert.equal(await queue.nextDue(), undefined);
  assert.deepEqual(await Array.fromAsync(services.kv.list({ prefix: keys.signupsOf(BEN) })), []);

  await services.activation.activate();
  await checkout.runFor(0);
  // After an activation, calls begin slowly.
  await checkout.clock.advance(MINUTE_MS);
  assert.equal((await checkout.mails(ANN)).length, 1, "her reminder was due before");
  assert.deepEqual([await inbox(), await contact()], [1, "found"]);
});

Deno.test("while deactivated, neither an email address nor a cart is stored", async () => {
  await using checkout = await startCheckout();
  const { services } = checkout.program;
  await services.activation.deactivate();
  const { nonce } = await checkout.session();
  assert.deepEqual(await statusAndBody(checkout.email(ANN, nonce)), NOT_STORED);
  assert.deepEqual(await statusAndBody(checkout.cart(CART, nonce)), NOT_STORED);
  assert.deepEqual(await statusAndBody(checkout.email(ANN, "forged")), [403, { stored: false }]);
  assert.deepEqual(await Array.fromAsync(services.kv.list({ prefix: keys.family("cart") })), []);
});

Deno.test("while deactivated, a webhook queues its check, which runs after activation", async () => {
  await using app = await harness();
  await (await app.post({ email: ANN })).body?.cancel();
  await app.work();
  await app.services.activation.deactivate();
  app.provider.put(LIST, ANN, "active");
  const calls = app.provider.calls.length;
  const payload = {
    type: "subscribe",
    subscription: { email: ANN, status: "active", subscriberList: { _id: LIST } },
  };
  assert.deepEqual(await statusAndBody(app.hook(payload)), [200, { ok: true, action: "queued" }]);
  await app.clock.advance(HOUR_MS);
  await app.work();
  assert.equal(app.provider.calls.length, calls);
  assert.equal((await app.record(ANN))?.status, "pending");

  assert.equal(await app.services.activation.activate(), 1);
  await app.work();
  assert.equal((await app.record(ANN))?.status, "active");
});

Deno.test("while deactivated, admin actions add no jobs and ask to activate the service first", async () => {
  await using app = await harness();
  await (await app.post({ email: ANN })).body?.cancel();
  await app.work();
  await app.clock.advance(25 * HOUR_MS);
  await app.services.activation.deactivate();
  const target = { email: ANN, list: LIST };
  for (
    const [action, input] of Object.entries({
      cfbe_check_signup: target,
      cfbe_resend_confirmation: target,
      cfbe_allow_again: { ...target, note: "by phone" },
      cfbe_resend_confirmations: { rows: [`${ANN} ${LIST}`] },
      cfbe_erase_people: { rows: [`${ANN} ${LIST}`], typed: "1" },
      cfbe_retry_job: { id: "any" },
      cfbe_retry_dead_jobs: {},
      cfbe_retry_waiting_jobs: {},
    })
  ) {
    const response = await runAction(app.services, LOCAL, action, input);
    assert.deepEqual([action, response.status, response.message], [
      action,
      409,
      "cfbe is deactivated. Activate it first.",
    ]);
  }
  assert.equal(await app.queue.nextDue(), undefined);
  const { trouble } = await app.services.poll.run();
  assert.equal(trouble, "cfbe is deactivated.");
});

Deno.test("a delivery claimed just before the deactivation does not call the provider, and continues after activation", async () => {
  await using app = await harness();
  await (await app.post({ email: ANN })).body?.cancel();
  const [claimed] = await app.queue.claim(1);
  await app.services.activation.deactivate();
  const definition = app.services.jobs.find(({ name }) => name === claimed!.row.name);
  await runAttempt(
    { queue: app.queue, clock: app.clock, log: app.log },
    definition,
    claimed!,
    new AbortController().signal,
  );
  await app.clock.advance(HOUR_MS);
  await app.work();
  assert.deepEqual(app.provider.calls, []);
  await app.services.activation.activate();
  await app.work();
  assert.equal((await app.record(ANN))?.status, "pending");
});

Deno.test("a coupon earned before the deactivation is created after activation", async () => {
  await using app = await harness({
    settings: { general: { modules: { coupons: true } }, coupon: { template: "t" } },
  });
  await (await app.post({ email: ANN })).body?.cancel();
  await app.work();
  app.provider.put(LIST, ANN, "active");
  await app.services.poll.run();
  await app.work();
  const coupons = async () =>
    (await app.queue.list({ state: "waiting" })).rows.filter(({ name }) => name === "cfbe_coupon");
  assert.equal((await coupons()).length, 1, "it waits for a shop");
  await app.services.activation.deactivate();
  assert.deepEqual(await coupons(), []);
  await app.clock.advance(10 * 24 * HOUR_MS);
  await app.services.activation.activate();
  const [row] = await coupons();
  assert.deepEqual(
    [row?.due, row?.since],
    [app.clock.now(), app.clock.now()],
    "due now, with another three days",
  );
});

Deno.test("the poll is neither scheduled nor run while deactivated, and continues after activation", async () => {
  const clock = new ManualClock();
  await using program = await startProgram({ clock });
  const { activation } = program.services;
  const polls = () => program.lines.filter((line) => JSON.parse(line).event === "poll.done").length;
  const minutes = async (count: number) => {
    for (let n = 0; n < count; n++) {
      await clock.advance(MINUTE_MS);
      await program.tick();
      await program.runner.idle();
    }
  };
  await activation.deactivate();
  await minutes(20);
  assert.deepEqual([polls(), await program.queue.nextDue()], [0, undefined]);
  await activation.activate();
  await minutes(16);
  assert.ok(polls() >= 1);
});
