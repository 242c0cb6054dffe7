import assert from "node:assert/strict";
import { type Harness, harness, LIST } from "../../testing/harness.ts";
import type { Outcome } from "../../../shared/outcomes.ts";
import { SUBSCRIBE_PER_IP } from "../../../shared/limits.ts";
import { signFormConfig } from "../form/signed_config.ts";
import { keys } from "../../kv/keys.ts";

/** Deliveries from the accepted signup to `cfbe_subscribed`, with a stub provider. */

const ADA = "ada@example.com";
const HOUR = 60 * 60_000;
const trouble = (more: { unknown?: boolean; retryAfterMs?: number } = {}) => ({
  kind: "trouble" as const,
  code: "unavailable" as const,
  reason: "HTTP 503",
  unknown: false,
  ...more,
});
/** The outcomes of `cfbe_subscribed` so far. */
const outcomes = (app: Harness): Outcome[] => app.subscribedEvents.map(({ outcome }) => outcome);
/** The local status and the list status. */
const state = async (app: Harness, email = ADA, list = LIST) => {
  const record = await app.record(email, list);
  return [record?.status, record?.listStatus];
};
async function signUp(app: Harness, email = ADA, list = LIST) {
  const cfbe_cfg = signFormConfig(app.services.keyring, { list });
  assert.equal((await app.post({ email, cfbe_cfg })).status, 200);
  await app.work();
}

const rows: [
  name: string,
  arrange: (app: Harness) => void,
  outcome: Outcome,
  state: unknown[],
  mails: number,
][] = [
  ["201, then unverified", () => {}, "pending", ["pending", "pending"], 1],
  [
    "201, then active (single opt-in)",
    (app) => app.provider.singleOptIn.add(LIST),
    "active",
    ["active", "active"],
    0,
  ],
  [
    "exists, active",
    (app) => app.provider.put(LIST, ADA, "active"),
    "already_active",
    ["active", "active"],
    0,
  ],
  [
    "exists, paused",
    (app) => app.provider.put(LIST, ADA, "paused"),
    "already_active",
    ["active", "paused"],
    0,
  ],
  [
    "exists, unverified",
    (app) => app.provider.put(LIST, ADA, "pending"),
    "resent",
    ["pending", "pending"],
    1,
  ],
  [
    "exists, unsubscribed",
    (app) => app.provider.put(LIST, ADA, "unsubscribed"),
    "failed",
    ["failed", "unsubscribed"],
    0,
  ],
  [
    "exists, bounced",
    (app) => app.provider.put(LIST, ADA, "bounced"),
    "suppressed",
    ["failed", "bounced"],
    0,
  ],
  [
    "405",
    (app) => app.provider.answers.subscribe.push({ kind: "suppressed", reason: "flagged" }),
    "suppressed",
    ["failed", "suppressed"],
    0,
  ],
  [
    "405 because of bounces",
    (app) => app.provider.answers.subscribe.push({ kind: "suppressed", bounced: true, reason: "bounces" }),
    "suppressed",
    ["failed", "bounced"],
    0,
  ],
  [
    "exists, unverified, and 405 for the resend",
    (app) => {
      app.provider.put(LIST, ADA, "pending");
      app.provider.answers.resend.push({ kind: "suppressed", reason: "flagged" });
    },
    "suppressed",
    ["failed", "suppressed"],
    0,
  ],
  [
    "exists, unverified, and was absent a moment before",
    (app) => {
      app.provider.put(LIST, ADA, "pending");
      app.provider.answers.status.push({ kind: "absent" });
    },
    "pending",
    ["pending", "pending"],
    0,
  ],
  [
    "exists, unverified, could not be read before, and was never delivered",
    (app) => {
      app.provider.put(LIST, ADA, "pending");
      app.provider.answers.status.push(trouble());
    },
    "pending",
    ["pending", "pending"],
    0,
  ],
  [
    "permanently refused",
    (app) => app.provider.answers.subscribe.push({ kind: "refused", reason: "no such thing" }),
    "failed",
    ["failed", undefined],
    0,
  ],
  [
    "exists, unverified, and the provider refuses to resend",
    (app) => {
      app.provider.put(LIST, ADA, "pending");
      app.provider.answers.resend.push({ kind: "refused", reason: "single opt-in" });
    },
    "pending",
    ["pending", "pending"],
    0,
  ],
];
for (const [name, arrange, outcome, expected, mails] of rows) {
  Deno.test(`${name}: cfbe_subscribed fires once with ${outcome}, and the record is ${expected}`, async () => {
    await using app = await harness();
    arrange(app);
    await signUp(app);
    assert.deepEqual(outcomes(app), [outcome]);
    assert.deepEqual(await state(app), expected);
    assert.equal(app.provider.mails.length, mails);
    const { record, ...event } = app.subscribedEvents[0]!;
    assert.deepEqual(event, { email: ADA, list: LIST, source: "shortcode", outcome, at: app.clock.now() });
    assert.deepEqual(record, await app.record(ADA));
    assert.equal((await app.dump()).includes('"job"'), false, "no job is left");
  });
}

Deno.test("the reason of a failure is the provider's text, for the admin", async () => {
  await using app = await harness();
  app.provider.answers.subscribe.push({ kind: "suppressed", reason: "flagged for bouncing" });
  await signUp(app);
  assert.equal((await app.record(ADA))?.reason, "flagged for bouncing");
});

Deno.test("if it is unclear who added an address, its confirmation email can be resent after a day", async () => {
  await using app = await harness();
  app.provider.put(LIST, ADA, "pending");
  app.provider.answers.status.push(trouble());
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

Deno.test("after an attempt with an unknown result, 'exists, unverified' counts as its success, without a second email", async () => {
  await using app = await harness();
  app.provider.put(LIST, ADA, "pending");
  app.provider.answers.status.push({ kind: "absent" });
  app.provider.answers.subscribe.push(trouble({ unknown: true }));
  await signUp(app);
  assert.deepEqual(outcomes(app), ["queued"]);
  await app.clock.advance(HOUR);
  await app.work();
  assert.deepEqual(await state(app), ["pending", "pending"]);
  assert.deepEqual(app.provider.mails, []);
  await signUp(app);
  assert.deepEqual(app.provider.mails, [], "its own email counts for the 24 hours");
});

Deno.test("an email that was surely not sent is sent by the retry, despite the 24-hour marker", async () => {
  await using app = await harness();
  app.provider.put(LIST, ADA, "pending");
  app.provider.answers.resend.push(trouble());
  await signUp(app);
  assert.deepEqual(app.provider.mails, []);
  await app.clock.advance(HOUR);
  await app.work();
  assert.deepEqual(app.provider.mails, [ADA]);
  assert.deepEqual(outcomes(app), ["queued"], "cfbe_subscribed fires once, not again for the later result");
});

Deno.test("after 201 without a readable status, the delivery is retried and counts as our own", async () => {
  await using app = await harness();
  app.provider.answers.status.push({ kind: "absent" }, { kind: "absent" }, trouble());
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
  app.provider.answers.subscribe.push(trouble({ retryAfterMs: 2 * HOUR }));
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
  app.provider.answers.subscribe.push(...Array(3).fill(trouble()));
  for (let i = 0; i < 3; i++) await signUp(app);
  assert.ok(SUBSCRIBE_PER_IP.max > 3);
  await app.clock.advance(HOUR);
  await app.work();
  assert.equal((await app.record(ADA))?.status, "pending");
  assert.deepEqual(outcomes(app), ["queued", "queued", "queued"]);
});

Deno.test("a delivery that runs out of retries fails its record, and can be retried by an admin", async () => {
  await using app = await harness();
  app.provider.subscribe = () => Promise.resolve(trouble());
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

Deno.test("a delivery ends if its record was erased", async () => {
  await using app = await harness();
  await app.post({ email: ADA });
  await app.kv.delete(keys.signup(ADA, LIST));
  await app.work();
  assert.deepEqual([app.provider.calls, outcomes(app)], [[], []]);
  assert.equal(await app.queue.nextDue(), undefined);
});

/** Signs up an hour later, because the limit of a mailbox is three signups per hour. */
async function signUpAfterAnHour(app: Harness, email: string, list = LIST) {
  await app.clock.advance(HOUR);
  await signUp(app, email, list);
}
const knownLists = (...ids: string[]) => ({
  general: { knownLists: ids.map((id) => ({ id, name: id, doubleOptIn: true })) },
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
  app.provider.answers.subscribe.push({ kind: "suppressed", reason: "flagged" });
  await signUpAfterAnHour(app, ADA, "d");
  app.provider.answers.subscribe.push({ kind: "refused", reason: "no" });
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
    const down = trouble({ unknown, retryAfterMs: 6 * HOUR });
    app.provider.answers.subscribe.push(down, down, down);
    for (const list of ["a", "b", "c"]) await signUp(app, ADA, list);
    await signUpAfterAnHour(app, ADA, "d");
    assert.deepEqual(app.provider.mails.length, unknown ? 0 : 1);
  }
});

Deno.test("after an outage, many deliveries to one mailbox stay within its budget", async () => {
  const ids = ["a", "b", "c", "d", "e", "f"];
  await using app = await harness({ settings: knownLists(...ids) });
  const { subscribe } = app.provider;
  app.provider.subscribe = () => Promise.resolve(trouble({ unknown: true }));
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
