/** Tests the result of every way in which a delivery can go, and how it changes the record. */
import assert from "node:assert/strict";
import type { ListStatus } from "../../../shared/outcomes.ts";
import { harness, LIST } from "../../../dev/testing/harness.ts";
import { ManualClock } from "../../../dev/testing/manual_clock.ts";
import { type StubProvider, stubProvider, stubTrouble } from "../../../dev/testing/stub_provider.ts";
import type { SignupRecord } from "../record/row.ts";
import { afterDelivery, deliver, type Delivered } from "./delivery.ts";
import { ADA, signUp } from "./testing/deliveries.ts";

const NOW = 1_000;
const target = { email: ADA, list: LIST };
const absent = { kind: "absent" } as const;

function delivery(arrange: (provider: StubProvider) => void, takeMarker = true) {
  const provider = stubProvider(new ManualClock());
  arrange(provider);
  const attempt = { provider, target, person: { tags: [] }, unknown: false, known: undefined };
  return deliver({
    ...attempt,
    sender: attempt.provider,
    takeMarker: () => Promise.resolve(takeMarker),
    earlier: {},
    beginMail: () => Promise.resolve(),
  });
}
const onList = (status: ListStatus, arrange: (provider: StubProvider) => void = () => {}) =>
  delivery((provider) => {
    provider.put(LIST, ADA, status);
    arrange(provider);
  });

Deno.test("trouble after the provider has accepted the address leaves an unknown result", async () => {
  assert.deepEqual(
    await delivery(({ nextResults }) => nextResults.status.push(absent, stubTrouble())),
    { ...stubTrouble({ unknown: true }), mailed: "maybe" },
  );
  assert.deepEqual(await delivery(({ nextResults }) => nextResults.status.push(absent, absent)), {
    kind: "trouble",
    code: "not_found",
    reason: "The provider does not have the subscriber yet.",
    unknown: true,
    mailed: "maybe",
  });
  const existing = onList(
    "pending",
    ({ nextResults }) => nextResults.status.push(stubTrouble(), stubTrouble()),
  );
  assert.deepEqual(await existing, { ...stubTrouble({ unknown: false }), mailed: "no" });
});

Deno.test("every delivery has the right outcome and list status, and reports whether it sent an email", async () => {
  const courses: [Promise<unknown>, Omit<Delivered, "kind">][] = [
    [delivery(() => {}), { outcome: "pending", seen: "pending", mailed: "yes" }],
    [
      delivery(({ singleOptIn }) => singleOptIn.add(LIST)),
      { outcome: "active", seen: "active", mailed: "maybe" },
    ],
    [
      delivery(({ nextResults }) => nextResults.subscribe.push({ kind: "refused", reason: "invalid" })),
      { outcome: "failed", reason: "invalid", mailed: "no" },
    ],
    [onList("active"), { outcome: "already_active", seen: "active", mailed: "no" }],
    [onList("suppressed"), { outcome: "suppressed", seen: "suppressed", mailed: "no" }],
    [onList("bounced"), { outcome: "suppressed", seen: "bounced", mailed: "no" }],
    [
      onList("unsubscribed"),
      {
        outcome: "failed",
        seen: "unsubscribed",
        reason: "The person unsubscribed earlier, so this signup sent no email. " +
          "The provider sends no new confirmation to somebody who unsubscribed. " +
          "If they ask you, resubscribe them on their page in the admin.",
        mailed: "no",
      },
    ],
    [onList("pending"), { outcome: "resent", seen: "pending", mailed: "yes" }],
    [
      onList("pending", ({ nextResults }) => nextResults.resend.push({ kind: "refused", reason: "no" })),
      { outcome: "pending", seen: "pending", mailed: "no" },
    ],
    [
      delivery((provider) => provider.put(LIST, ADA, "pending"), false),
      { outcome: "pending", seen: "pending", mailed: "no" },
    ],
  ];
  for (const [found, expected] of courses) assert.deepEqual(await found, { kind: "delivered", ...expected });
});

Deno.test("a delivery moves a record that has not reached the provider, and never fails an active one", () => {
  const after = (status: SignupRecord["status"], delivered: Omit<Delivered, "kind" | "mailed">) => {
    const times = { since: 1, createdAt: 1, updatedAt: 1 };
    const record: SignupRecord = { v: 1, ...target, status, tags: [], source: "popup", ...times };
    const moved = afterDelivery(record, { kind: "delivered", mailed: "no", ...delivered }, NOW);
    return [moved.status, moved.listStatus, moved.reason ?? moved.confirmed];
  };
  for (const status of ["queued", "failed", "expired"] as const) {
    assert.deepEqual(after(status, { outcome: "pending", seen: "pending" }), [
      "pending",
      "pending",
      undefined,
    ]);
  }
  assert.deepEqual(after("queued", { outcome: "failed", reason: "no" }), ["failed", undefined, "no"]);
  assert.deepEqual(after("queued", { outcome: "pending" }), ["queued", undefined, undefined]);
  assert.deepEqual(after("active", { outcome: "failed", reason: "no" }), ["active", undefined, undefined]);
  const confirmed = { at: NOW, by: "delivery" };
  assert.deepEqual(after("queued", { outcome: "active", seen: "active" }), ["active", "active", confirmed]);
});

Deno.test("a signup of somebody whom the provider blocks without a reason says so, and keeps the reason that is known", async () => {
  const blocked = { status: "unsubscribed", isUnexplained: true } as const;
  const before = await delivery(({ nextResults }) => nextResults.status.push({ kind: "found", ...blocked }));
  const { isUnexplained } = blocked;
  const later = await delivery(({ nextResults }) => {
    nextResults.subscribe.push({ kind: "left", isUnexplained });
  });
  for (const delivered of [before, later]) {
    assert.ok(delivered.kind === "delivered");
    assert.equal(delivered.mailed, "no");
    assert.match(
      delivered.reason ?? "",
      /blocks the address and does not say why, so this signup sent no email/,
    );
    for (const [known, kept] of [["bounced", "bounced"], ["active", "unsubscribed"]] as const) {
      const times = { since: 1, createdAt: 1, updatedAt: 1 };
      const record: SignupRecord = {
        ...{ v: 1, ...target, status: "queued", listStatus: known, tags: [], source: "popup", ...times },
      };
      const { status, listStatus, reason } = afterDelivery(record, delivered, NOW);
      assert.deepEqual([status, listStatus, reason], ["failed", kept, delivered.reason]);
    }
  }
});

Deno.test("a delivery counts as a confirmation only if it made the signup active", async () => {
  const courses: [(provider: StubProvider) => void, confirmed: number | undefined][] = [
    [({ singleOptIn }) => void singleOptIn.add(LIST), 1],
    [(provider) => provider.put(LIST, ADA, "active"), undefined],
    [() => {}, undefined],
  ];
  for (const [arrange, confirmed] of courses) {
    await using app = await harness();
    arrange(app.provider);
    await signUp(app);
    assert.equal((await app.services.counters.totals())["note.confirmed.delivery"], confirmed);
  }
});
