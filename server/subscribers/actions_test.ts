import assert from "node:assert/strict";
import { type Harness, harness, LIST } from "../testing/harness.ts";
import { allowAgain, checkNow, resend } from "./actions.ts";
import { consentsWithText, timelineOf } from "./timeline.ts";

const ADA = "ada@example.com";
const TARGET = { email: ADA, list: LIST };
const DAY_MS = 24 * 60 * 60 * 1000;

async function pending(): Promise<Harness> {
  const b = await harness({ settings: { form: { consent: "optional", consentText: "Send me news." } } });
  await (await b.post({ email: ADA, consent: true })).body?.cancel();
  await b.work();
  return b;
}
const timeline = async (b: Harness) => {
  const record = (await b.record(ADA))!;
  return timelineOf(record, await consentsWithText(b.kv, record)).map(({ title, detail }) =>
    detail === undefined ? title : `${title}: ${detail}`
  );
};

Deno.test("a check by hand asks the provider and is told in the timeline, confirmation included", async () => {
  await using b = await pending();
  b.provider.put(LIST, ADA, "active");
  assert.deepEqual(await checkNow(b.services, TARGET, "grace"), { kind: "queued" });
  await b.work();
  assert.deepEqual(await timeline(b), [
    "Signed up: By shortcode.",
    "Asked the provider, attempt 1: pending",
    "Became pending",
    "The list says pending",
    "Checked by hand: By grace",
    "The list says active",
    "Confirmed: Seen when somebody had it checked here.",
  ]);
});

Deno.test("sending the confirmation again holds the mailbox's day, and says until when", async () => {
  await using b = await pending();
  const start = b.clock.now();
  const refused = await resend(b.services, TARGET, "grace");
  assert.deepEqual([refused.kind, refused.kind === "refused" && refused.until], ["refused", start + DAY_MS]);
  await b.work();
  assert.equal(b.provider.mails.length, 1);
  await b.clock.advance(DAY_MS);
  assert.deepEqual(await resend(b.services, TARGET, "grace"), { kind: "queued" });
  assert.equal((await resend(b.services, TARGET, "grace")).kind, "queued", "it is one job");
  await b.work();
  assert.equal(b.provider.mails.length, 2);
  assert.equal((await resend(b.services, TARGET, "grace")).kind, "refused");
  assert.equal(b.subscribedEvents.length, 1, "no signup is told of a second time");
});

Deno.test("only who has left is allowed again, with the reason in the timeline, and outages don't lose it", async () => {
  await using b = await pending();
  assert.equal((await allowAgain(b.services, TARGET, "grace", "by phone")).kind, "refused");
  b.provider.put(LIST, ADA, "unsubscribed");
  await checkNow(b.services, TARGET, "grace");
  await b.work();
  assert.equal((await b.record(ADA))?.status, "failed");
  b.provider.answers.reactivate.push({
    kind: "trouble",
    code: "unavailable",
    reason: "HTTP 503",
    unknown: true,
  });
  assert.deepEqual(await allowAgain(b.services, TARGET, "grace", "by phone"), { kind: "queued" });
  await b.work();
  await b.clock.advance(3_600_000);
  await b.work();
  const record = await b.record(ADA);
  assert.deepEqual([record?.status, record?.listStatus, record?.confirmed?.by], [
    "active",
    "active",
    "admin",
  ]);
  assert.ok((await timeline(b)).includes("Allowed again by hand: By grace: by phone"));
});

Deno.test("what is done by hand about nobody is done to nobody", async () => {
  await using b = await harness();
  for (const act of [checkNow, resend]) {
    assert.deepEqual(await act(b.services, TARGET, "grace"), { kind: "absent" });
  }
  assert.deepEqual(await allowAgain(b.services, TARGET, "grace", "x"), { kind: "absent" });
  assert.equal(await b.queue.nextDue(), undefined);
});

Deno.test("an outage of days is one line that counts, not a history without end", async () => {
  await using b = await harness();
  for (let i = 0; i < 30; i++) {
    b.provider.answers.subscribe.push({
      kind: "trouble",
      code: "unavailable",
      reason: "HTTP 503",
      unknown: false,
    });
  }
  await (await b.post({ email: ADA })).body?.cancel();
  await b.work();
  for (let i = 0; i < 20; i++) {
    await b.clock.advance(3_600_000);
    await b.work();
  }
  const lines = await timeline(b);
  assert.equal(lines.length, 2);
  assert.match(lines[1]!, /HTTP 503 It said so \d+ times in a row\.$/);
});

Deno.test("a delivery that waits for the mailbox's mail budget says so in the timeline, once, and an erasure lists it", async () => {
  await using b = await harness();
  for (const email of ["ada+a@example.com", "ada+b@example.com", "ada+c@example.com"]) {
    await (await b.post({ email })).body?.cancel();
    await b.work();
  }
  for (let signups = 0; signups < 2; signups++) {
    await b.clock.advance(3_600_000);
    await (await b.post({ email: ADA })).body?.cancel();
    await b.work();
  }
  const postponed = (await timeline(b)).filter((line) => line.startsWith("Delivery postponed"));
  assert.deepEqual(postponed, [
    "Delivery postponed: This mailbox has been sent three confirmation emails within 24 hours. " +
    "The delivery waits until another one is allowed.",
  ]);
  assert.deepEqual((await b.record(ADA))?.status, "queued");
  const { marks } = await b.services.people.export(ADA);
  assert.ok(marks.some(({ what }) => what === "when confirmation emails were sent"));
});
