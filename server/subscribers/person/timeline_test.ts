import assert from "node:assert/strict";
import { harness, LIST } from "../../../dev/testing/harness.ts";
import type { ListStatus } from "../../../shared/outcomes.ts";
import { consentsWithText, timelineOf, wasSubscribedBefore } from "./timeline.ts";
import type { SignupRecord } from "../../signup/record/row.ts";

const ADA = "ada@example.com";

/** Returns the titles of the timeline after a signup of an address that the provider knows, or not. */
async function titlesAfterSignup(known: ListStatus | undefined): Promise<string[]> {
  await using app = await harness();
  if (known) app.provider.put(LIST, ADA, known);
  await (await app.post({ email: ADA })).body?.cancel();
  await app.work();
  assert.equal(app.provider.mails.length, known === undefined ? 1 : 0);
  const record = (await app.record(ADA))!;
  return timelineOf(record, await consentsWithText(app.kv, record)).map(({ title }) => title);
}

Deno.test("only a signup for which an email was sent is pending in the timeline", async () => {
  const rest = async (known?: ListStatus) =>
    (await titlesAfterSignup(known)).slice(2).filter((title) => !/^List/.test(title));
  assert.deepEqual(await rest(), ["Confirmation pending"]);
  assert.deepEqual(await rest("active"), ["Already subscribed"]);
  assert.deepEqual(await rest("unsubscribed"), ["Failed"]);
  assert.deepEqual(await rest("suppressed"), ["Failed"]);
  assert.deepEqual(await rest("bounced"), ["Failed"]);
});

Deno.test("a signup of somebody who is pending says in the timeline whether it sent a new email", async () => {
  const lastTitle = async (arrange: (app: Awaited<ReturnType<typeof harness>>) => void) => {
    await using app = await harness();
    app.provider.put(LIST, ADA, "pending");
    arrange(app);
    await (await app.post({ email: ADA })).body?.cancel();
    await app.work();
    const { mails } = app.provider;
    const record = (await app.record(ADA))!;
    const titles = timelineOf(record, await consentsWithText(app.kv, record)).map(({ title }) => title);
    return [mails.length, titles.find((title) => /pending/i.test(title) && !/^List/.test(title))];
  };
  assert.deepEqual(await lastTitle(() => {}), [1, "Confirmation pending"]);
  const refuse = ({ provider }: Awaited<ReturnType<typeof harness>>) =>
    void provider.nextResults.resend.push({ kind: "refused", reason: "no" });
  assert.deepEqual(await lastTitle(refuse), [0, "Pending since an earlier signup"]);
});

Deno.test("a confirmation that the delivery of a second signup notices is one, not a subscription from before", async () => {
  for (const noticedBy of ["delivery", "poll"] as const) {
    await using app = await harness();
    await (await app.post({ email: ADA })).body?.cancel();
    await app.work();
    app.provider.put(LIST, ADA, "active");
    if (noticedBy === "poll") await app.services.poll.run();
    await (await app.post({ email: ADA })).body?.cancel();
    await app.work();
    const record = (await app.record(ADA))!;
    assert.equal(record.confirmed?.by, noticedBy);
    const titles = timelineOf(record, await consentsWithText(app.kv, record)).map(({ title }) => title);
    assert.ok(titles.includes("Confirmed") && !titles.includes("Already subscribed"), titles.join());
    assert.ok(!wasSubscribedBefore(record), noticedBy);
  }
});

Deno.test("a record of an earlier version that was pending for no time was not pending in the timeline", () => {
  const at = 1_763_700_000_000;
  const record: SignupRecord = {
    v: 2,
    email: ADA,
    list: LIST,
    status: "failed",
    since: at,
    tags: [],
    source: "popup",
    createdAt: at,
    updatedAt: at,
    history: [
      { at, kind: "delivery", attempt: 1, result: "suppressed" },
      { at, kind: "status", from: "queued", to: "pending" },
      { at, kind: "status", from: "pending", to: "failed", reason: "The provider suppresses the address." },
    ],
  };
  assert.deepEqual(timelineOf(record, []).map(({ title }) => title), [
    "Sent to provider (attempt 1)",
    "Failed",
  ]);
});
