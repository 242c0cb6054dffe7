import assert from "node:assert/strict";
import { stubTrouble } from "../../../dev/testing/stub_provider.ts";
import { type Harness, harness, LIST } from "../../../dev/testing/harness.ts";
import { confirmationMarker, type ConfirmationMarkerRow } from "../../signup/delivery/confirmation_marker.ts";
import { allowAgain, checkNow, resend, resendRefusal } from "./actions.ts";
import { consentsWithText, timelineOf } from "./timeline.ts";

const ADA = "ada@example.com";
const TARGET = { email: ADA, list: LIST };
const DAY_MS = 24 * 60 * 60 * 1000;

async function withPendingSignup(): Promise<Harness> {
  const app = await harness({ settings: { form: { consent: "optional", consentText: "Send me news." } } });
  await (await app.post({ email: ADA, consent: true })).body?.cancel();
  await app.work();
  return app;
}
const timeline = async (app: Harness) => {
  const record = (await app.record(ADA))!;
  return timelineOf(record, await consentsWithText(app.kv, record)).map(({ title, detail }) =>
    detail === undefined ? title : `${title}: ${detail}`
  );
};

Deno.test("a manual check reads the status, and the timeline shows the check and the confirmation", async () => {
  await using app = await withPendingSignup();
  app.provider.put(LIST, ADA, "active");
  assert.deepEqual(await checkNow(app.services, TARGET, "grace"), { kind: "queued" });
  await app.work();
  assert.deepEqual(await timeline(app), [
    "Signed up: Via an inline form.",
    "Sent to provider (attempt 1): pending",
    "Confirmation pending",
    "List status: pending",
    "Status checked manually: By grace",
    "List status: active",
    "Confirmed: Found by a manual check.",
  ]);
});

Deno.test("a manual resend is refused within 24 hours of the last email, with the time until then", async () => {
  await using app = await withPendingSignup();
  const start = app.clock.now();
  const refused = await resend(app.services, TARGET, "grace");
  assert.deepEqual([refused.kind, refused.kind === "refused" && refused.until], ["refused", start + DAY_MS]);
  await app.work();
  assert.equal(app.provider.mails.length, 1);
  await app.clock.advance(DAY_MS);
  assert.deepEqual(await resend(app.services, TARGET, "grace"), { kind: "queued" });
  assert.equal((await resend(app.services, TARGET, "grace")).kind, "queued", "it is one job");
  await app.work();
  assert.equal(app.provider.mails.length, 2);
  assert.equal((await resend(app.services, TARGET, "grace")).kind, "refused");
  assert.equal(app.subscribedEvents.length, 1, "cfbe_subscribed does not fire again");
});

Deno.test("only an unsubscribed person can be resubscribed, with a note in the timeline, also after an outage", async () => {
  await using app = await withPendingSignup();
  assert.equal((await allowAgain(app.services, TARGET, "grace", "by phone")).kind, "refused");
  app.provider.put(LIST, ADA, "unsubscribed");
  await checkNow(app.services, TARGET, "grace");
  await app.work();
  assert.equal((await app.record(ADA))?.status, "failed");
  app.provider.nextResults.reactivate.push(stubTrouble({ unknown: true }));
  assert.deepEqual(await allowAgain(app.services, TARGET, "grace", "by phone"), { kind: "queued" });
  await app.work();
  await app.clock.advance(3_600_000);
  await app.work();
  const record = await app.record(ADA);
  assert.deepEqual([record?.status, record?.listStatus, record?.confirmed?.by], [
    "active",
    "active",
    "admin",
  ]);
  assert.ok((await timeline(app)).includes("Resubscribed manually: By grace: by phone"));
});

Deno.test("a manual action on an unknown signup does nothing", async () => {
  await using app = await harness();
  for (const act of [checkNow, resend]) {
    assert.deepEqual(await act(app.services, TARGET, "grace"), { kind: "absent" });
  }
  assert.deepEqual(await allowAgain(app.services, TARGET, "grace", "x"), { kind: "absent" });
  assert.equal(await app.queue.nextDue(), undefined);
});

Deno.test("an outage of days is one line with a count in the timeline", async () => {
  await using app = await harness();
  for (let i = 0; i < 30; i++) {
    app.provider.nextResults.subscribe.push(stubTrouble());
  }
  await (await app.post({ email: ADA })).body?.cancel();
  await app.work();
  for (let i = 0; i < 20; i++) {
    await app.clock.advance(3_600_000);
    await app.work();
  }
  const lines = await timeline(app);
  assert.equal(lines.length, 2);
  assert.match(lines[1]!, /HTTP 503 \(\d+ times in a row\)$/);
});

Deno.test("a delivery that waits for the mail budget is one line in the timeline, and an export names the budget", async () => {
  await using app = await harness();
  for (const email of ["ada+a@example.com", "ada+b@example.com", "ada+c@example.com"]) {
    await (await app.post({ email })).body?.cancel();
    await app.work();
  }
  for (let signups = 0; signups < 2; signups++) {
    await app.clock.advance(3_600_000);
    await (await app.post({ email: ADA })).body?.cancel();
    await app.work();
  }
  const postponed = (await timeline(app)).filter((line) => line.startsWith("Delivery postponed"));
  assert.deepEqual(postponed, [
    "Delivery postponed: This mailbox has been sent three confirmation emails within 24 hours. " +
    "The delivery waits until another one is allowed.",
  ]);
  assert.deepEqual((await app.record(ADA))?.status, "queued");
  const { marks } = await app.services.people.export(ADA);
  assert.ok(marks.some(({ what }) => what === "when confirmation emails were sent"));
});

Deno.test("a resend counts an email that a clock ahead has dated as sent now, and is possible a day later", async () => {
  await using app = await withPendingSignup();
  const start = app.clock.now();
  const ahead = { v: 1, at: start + 365 * DAY_MS } satisfies ConfirmationMarkerRow;
  await app.kv.set(confirmationMarker(app.services.keyring, ADA), ahead);
  const provider = app.provider;
  assert.equal(
    resendRefusal(provider, (await app.record(ADA))!, ahead, start),
    undefined,
    "it can be asked for",
  );
  for (const hours of [0, 23]) {
    await app.clock.set(start + hours * DAY_MS / 24);
    const refused = await resend(app.services, TARGET, "grace");
    assert.deepEqual([refused.kind, refused.kind === "refused" && refused.until], [
      "refused",
      start + DAY_MS,
    ]);
  }
  await app.clock.set(start + DAY_MS);
  assert.deepEqual(await resend(app.services, TARGET, "grace"), { kind: "queued" });
  await app.work();
  assert.equal(app.provider.mails.length, 2);
});
