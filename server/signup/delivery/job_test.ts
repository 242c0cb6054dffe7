import assert from "node:assert/strict";
import { stubTrouble } from "../../../dev/testing/stub_provider.ts";
import { type Harness, harness, LIST } from "../../../dev/testing/harness.ts";
import type { Outcome } from "../../../shared/outcomes.ts";
import { keys } from "../../platform/kv/keys.ts";
import { ADA, outcomes, signUp, state } from "./testing/deliveries.ts";

/** Deliveries from the accepted signup to `cfbe_subscribed`, with a stub provider. */

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
    (app) => app.provider.nextResults.subscribe.push({ kind: "suppressed", reason: "flagged" }),
    "suppressed",
    ["failed", "suppressed"],
    0,
  ],
  [
    "405 because of bounces",
    (app) =>
      app.provider.nextResults.subscribe.push({ kind: "suppressed", bounced: true, reason: "bounces" }),
    "suppressed",
    ["failed", "bounced"],
    0,
  ],
  [
    "exists, unverified, and 405 for the resend",
    (app) => {
      app.provider.put(LIST, ADA, "pending");
      app.provider.nextResults.resend.push({ kind: "suppressed", reason: "flagged" });
    },
    "suppressed",
    ["failed", "suppressed"],
    0,
  ],
  [
    "exists, unverified, and was absent a moment before",
    (app) => {
      app.provider.put(LIST, ADA, "pending");
      app.provider.nextResults.status.push({ kind: "absent" });
    },
    "pending",
    ["pending", "pending"],
    0,
  ],
  [
    "exists, unverified, could not be read before, and was never delivered",
    (app) => {
      app.provider.put(LIST, ADA, "pending");
      app.provider.nextResults.status.push(stubTrouble());
    },
    "pending",
    ["pending", "pending"],
    0,
  ],
  [
    "permanently refused",
    (app) => app.provider.nextResults.subscribe.push({ kind: "refused", reason: "no such thing" }),
    "failed",
    ["failed", undefined],
    0,
  ],
  [
    "left earlier, so the provider does not accept the address",
    (app) => app.provider.nextResults.subscribe.push({ kind: "left" }),
    "failed",
    ["failed", "unsubscribed"],
    0,
  ],
  [
    "accepted again only by the provider's own form",
    (app) =>
      app.provider.nextResults.subscribe.push({ kind: "elsewhere", url: "https://forms.example/join" }),
    "failed",
    ["failed", undefined],
    0,
  ],
  [
    "exists, unverified, and the provider refuses to resend",
    (app) => {
      app.provider.put(LIST, ADA, "pending");
      app.provider.nextResults.resend.push({ kind: "refused", reason: "single opt-in" });
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
  app.provider.nextResults.subscribe.push({ kind: "suppressed", reason: "flagged for bouncing" });
  await signUp(app);
  assert.equal((await app.record(ADA))?.reason, "flagged for bouncing");
});

Deno.test("a delivery ends if its record was erased", async () => {
  await using app = await harness();
  await app.post({ email: ADA });
  await app.kv.delete(keys.signup(ADA, LIST));
  await app.work();
  assert.deepEqual([app.provider.calls, outcomes(app)], [[], []]);
  assert.equal(await app.queue.nextDue(), undefined);
});
