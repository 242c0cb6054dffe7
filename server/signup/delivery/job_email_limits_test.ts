import assert from "node:assert/strict";
import { stubTrouble } from "../../../dev/testing/stub_provider.ts";
import { mailboxOf } from "../../../shared/mailbox.ts";
import { harness, LIST } from "../../../dev/testing/harness.ts";
import { confirmationMarker, type ConfirmationMarkerRow } from "./confirmation_marker.ts";
import { ADA, HOUR, knownLists, outcomes, signUp, signUpAfterAnHour, state } from "./testing/deliveries.ts";

/** How often a mailbox gets a confirmation email: its resend per day, and its budget. */

Deno.test("if it is unclear who added an address, its confirmation email can be resent after a day", async () => {
  await using app = await harness();
  app.provider.put(LIST, ADA, "pending");
  app.provider.nextResults.status.push(stubTrouble());
  await signUp(app);
  await app.clock.advance(24 * HOUR - 1);
  await signUp(app);
  assert.deepEqual(app.provider.mails, []);
  await app.clock.advance(1);
  await signUp(app);
  assert.deepEqual([app.provider.mails, outcomes(app)], [[ADA], ["pending", "pending", "resent"]]);
});

Deno.test("at a provider without a resend, an unverified address stays pending", async () => {
  await using app = await harness();
  app.provider.capabilities.resend = false;
  app.provider.put(LIST, ADA, "pending");
  await signUp(app);
  assert.deepEqual([outcomes(app), app.provider.mails], [["pending"], []]);
});

Deno.test("a mailbox gets at most one resend in 24 hours, and none within 24 hours of its first email", async () => {
  await using app = await harness();
  const start = app.clock.now();
  /** Signs up at this time after the first signup. Returns how many emails were sent by then. */
  const mailsAt = async (ms: number) => {
    await app.clock.advance(start + ms - app.clock.now());
    await signUp(app);
    return app.provider.mails.length;
  };
  assert.equal(await mailsAt(0), 1);
  for (let hours = 2; hours < 24; hours += 2) assert.equal(await mailsAt(hours * HOUR), 1);
  assert.equal(await mailsAt(24 * HOUR - 1), 1);
  assert.equal(await mailsAt(24 * HOUR), 2);
  assert.equal(await mailsAt(48 * HOUR - 1), 2);
  assert.equal(await mailsAt(48 * HOUR), 3);
  assert.deepEqual(outcomes(app), [...Array(13).fill("pending"), "resent", "pending", "resent"]);
});

Deno.test("two lists and other spellings of a mailbox share its one resend", async () => {
  const lists = ["a", "b"].map((id) => ({ id, name: id, doubleOptIn: true }));
  await using app = await harness({ settings: { general: { knownLists: lists } } });
  const spellings = ["a.d.a@gmail.com", "ada+x@googlemail.com"];
  for (const list of ["a", "b"]) for (const email of spellings) app.provider.put(list, email, "pending");
  for (const email of spellings) await signUp(app, email, "a");
  await app.clock.advance(HOUR);
  for (const email of spellings) await signUp(app, email, "b");
  assert.deepEqual(app.provider.mails, ["a.d.a@gmail.com"]);
  assert.deepEqual(outcomes(app), ["resent", "pending", "pending", "pending"]);
});

Deno.test("deliveries to one mailbox that retry through an outage send one resend after it", async () => {
  const spellings = ["ada@example.com", "ada+x@example.com"] as const;
  await using app = await harness();
  for (const email of spellings) app.provider.put(LIST, email, "pending");
  const busy = stubTrouble({ retryAfterMs: 6 * HOUR });
  app.provider.nextResults.resend.push(busy, busy);
  await signUp(app, spellings[0]);
  await app.clock.advance(23 * HOUR);
  await app.work();
  await app.clock.advance(HOUR);
  await signUp(app, spellings[1]);
  await app.clock.advance(6 * HOUR);
  await app.work();
  assert.deepEqual(app.provider.mails, [spellings[0]]);
});

Deno.test("a delivery does not resend if another one has taken the marker since", async () => {
  await using app = await harness();
  app.provider.put(LIST, ADA, "pending");
  app.provider.nextResults.resend.push(stubTrouble({ retryAfterMs: 6 * HOUR }));
  await signUp(app);
  await app.clock.advance(25 * HOUR);
  const marker = confirmationMarker(app.services.keyring, ADA);
  await app.kv.set(marker, { v: 1, at: app.clock.now() } satisfies ConfirmationMarkerRow);
  await app.work();
  assert.deepEqual([app.provider.mails, await state(app)], [[], ["pending", "pending"]]);
});

Deno.test("a marker of a clock that was ahead blocks the resend for a day, not until then", async () => {
  await using app = await harness();
  app.provider.put(LIST, ADA, "pending");
  const marker = confirmationMarker(app.services.keyring, ADA);
  const at = app.clock.now() + 365 * 24 * HOUR;
  await app.kv.set(marker, { v: 1, at } satisfies ConfirmationMarkerRow);
  await signUp(app);
  await app.clock.advance(23 * HOUR);
  await signUp(app);
  assert.deepEqual(app.provider.mails, []);
  await app.clock.advance(2 * HOUR);
  await signUp(app);
  assert.deepEqual(app.provider.mails, [ADA]);
});

Deno.test("a mailbox gets three confirmation emails in 24 hours in any spelling; the fourth waits", async () => {
  await using app = await harness();
  const start = app.clock.now();
  const spellings = ["victim+a@example.com", "Victim+b@example.com", "victim@example.com"];
  for (const email of spellings) await signUp(app, email);
  assert.deepEqual(app.provider.mails, spellings.map((email) => email.toLowerCase()));
  await signUpAfterAnHour(app, "victim+d@example.com");
  assert.equal(app.provider.mails.length, 3);
  assert.deepEqual(await state(app, "victim+d@example.com"), ["queued", undefined]);
  assert.deepEqual(outcomes(app), ["pending", "pending", "pending", "queued"]);
  const { history } = (await app.record("victim+d@example.com"))!;
  assert.match(Deno.inspect(history), /waiting.*three confirmation emails within 24 hours/s);

  await signUpAfterAnHour(app, "victim+d@example.com");
  assert.deepEqual(
    outcomes(app).slice(3),
    ["queued", "queued"],
    "the second signup joins the waiting delivery",
  );
  await app.clock.advance(start + 24 * HOUR - 1 - app.clock.now());
  await app.work();
  assert.equal(app.provider.mails.length, 3);
  await app.clock.advance(1);
  await app.work();
  assert.deepEqual(app.provider.mails.slice(3), ["victim+d@example.com"]);
  assert.deepEqual(await state(app, "victim+d@example.com"), ["pending", "pending"]);
  assert.equal(app.subscribedEvents.length, 5);
});

Deno.test("the spellings of an inbox at Proton share three emails in 24 hours, with those that an earlier version counted", async () => {
  await using app = await harness();
  const spellings = ["v.ictim@proton.me", "v-ictim@pm.me", "v_ictim@protonmail.com", "victim@proton.me"];
  const { policies } = app.services;
  const old = policies.confirmationMails(mailboxOf(spellings[0]!)).key;
  await app.kv.set(old, { v: 1, times: [app.clock.now() - HOUR] });
  for (const email of spellings) await signUp(app, email);
  assert.deepEqual(app.provider.mails, spellings.slice(0, 2));
  assert.deepEqual(await state(app, spellings[2]), ["queued", undefined]);
  await app.clock.advance(23 * HOUR);
  await app.work();
  assert.deepEqual(app.provider.mails, spellings.slice(0, 3));
  await app.clock.advance(HOUR);
  await app.work();
  assert.deepEqual(app.provider.mails, spellings);
});

Deno.test("all lists share a mailbox's budget, and a resend counts for it", async () => {
  await using app = await harness({ settings: knownLists("a", "b", "c", "d") });
  app.provider.put("a", ADA, "pending");
  for (const list of ["a", "b", "c"]) await signUp(app, ADA, list);
  assert.equal(outcomes(app)[0], "resent");
  await signUpAfterAnHour(app, ADA, "d");
  assert.equal(app.provider.mails.length, 3);
  assert.deepEqual(await state(app, ADA, "d"), ["queued", undefined]);
});

Deno.test("deliveries without an email use up no budget", async () => {
  await using app = await harness({ settings: knownLists("a", "b", "c", "d", "e", "f", "g", "h") });
  app.provider.put("a", ADA, "active");
  app.provider.put("b", ADA, "unsubscribed");
  app.provider.put("c", ADA, "bounced");
  for (const list of ["a", "b", "c"]) await signUp(app, ADA, list);
  app.provider.nextResults.subscribe.push({ kind: "suppressed", reason: "flagged" });
  await signUpAfterAnHour(app, ADA, "d");
  app.provider.nextResults.subscribe.push({ kind: "refused", reason: "no" });
  await signUp(app, ADA, "e");
  for (const list of ["f", "g", "h"]) await signUpAfterAnHour(app, ADA, list);
  assert.equal(app.provider.mails.length, 3);
  assert.deepEqual(outcomes(app).slice(-3), ["pending", "pending", "pending"]);
});

Deno.test("a list known as single opt-in uses up no budget, any other list does", async () => {
  for (const doubleOptIn of [false, true]) {
    const ids = ["a", "b", "c", "d"];
    const knownLists = ids.map((id) => ({ id, name: id, doubleOptIn: doubleOptIn || id === "d" }));
    await using app = await harness({ settings: { general: { knownLists } } });
    for (const list of ids.slice(0, 3)) app.provider.singleOptIn.add(list);
    for (const list of ids.slice(0, 3)) await signUp(app, ADA, list);
    await signUpAfterAnHour(app, ADA, "d");
    assert.deepEqual(
      await state(app, ADA, "d"),
      doubleOptIn ? ["queued", undefined] : ["pending", "pending"],
    );
  }
});

Deno.test("an error without effect releases its slot, one with an unknown effect keeps it", async () => {
  for (const unknown of [false, true]) {
    await using app = await harness({ settings: knownLists("a", "b", "c", "d") });
    const down = stubTrouble({ unknown, retryAfterMs: 6 * HOUR });
    app.provider.nextResults.subscribe.push(down, down, down);
    for (const list of ["a", "b", "c"]) await signUp(app, ADA, list);
    await signUpAfterAnHour(app, ADA, "d");
    assert.deepEqual(app.provider.mails.length, unknown ? 0 : 1);
  }
});

Deno.test("after an outage, many deliveries to one mailbox stay within its budget", async () => {
  const ids = ["a", "b", "c", "d", "e", "f"];
  await using app = await harness({ settings: knownLists(...ids) });
  const { subscribe } = app.provider;
  app.provider.subscribe = () => Promise.resolve(stubTrouble({ unknown: true }));
  for (const list of ids) await signUpAfterAnHour(app, ADA, list);
  app.provider.subscribe = subscribe;
  const mailedAt: number[] = [];
  for (let minutes = 0; minutes < 3 * 24 * 60; minutes += 30) {
    await app.clock.advance(HOUR / 2);
    await app.work();
    while (mailedAt.length < app.provider.mails.length) mailedAt.push(app.clock.now());
  }
  assert.equal(mailedAt.length, ids.length);
  for (const start of mailedAt) {
    assert.ok(mailedAt.filter((at) => at >= start && at < start + 24 * HOUR).length <= 3);
  }
});
