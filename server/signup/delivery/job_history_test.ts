/** What a delivery leaves in the record's history and in the log. */
import assert from "node:assert/strict";
import { harness, LIST } from "../../../dev/testing/harness.ts";
import { stubTrouble } from "../../../dev/testing/stub_provider.ts";
import { deliverJobId } from "./job.ts";
import { ADA, signUp, signUpAfterAnHour } from "./testing/deliveries.ts";

Deno.test("the history has each attempt with its result and reason", async () => {
  await using app = await harness();
  app.provider.nextResults.subscribe.push(stubTrouble(), { kind: "suppressed", reason: "flagged" });
  await signUp(app);
  await app.clock.advance(60_000);
  await app.work();
  const attempts = (await app.record(ADA))?.history?.filter(({ kind }) => kind === "delivery");
  assert.deepEqual(attempts, [
    { at: app.clock.now() - 60_000, kind: "delivery", attempt: 1, result: "HTTP 503", failed: true },
    { at: app.clock.now(), kind: "delivery", attempt: 2, result: "suppressed: flagged" },
  ]);
  assert.deepEqual(app.log.of("delivery.failed").map(({ level, fields }) => [level, fields]), [
    ["warn", {
      job: deliverJobId({ email: ADA, list: LIST }),
      email: ADA,
      list: LIST,
      attempt: 1,
      reason: "HTTP 503",
    }],
  ]);
});

Deno.test("a delivery that waits for the mail budget says so, in the history and in the log", async () => {
  await using app = await harness();
  for (const i of [1, 2, 3, 4]) await signUpAfterAnHour(app, `ada+${i}@example.com`);
  const record = await app.record("ada+4@example.com");
  assert.deepEqual(record?.history?.at(-1), {
    at: app.clock.now(),
    kind: "waiting",
    reason: "This mailbox has been sent three confirmation emails within 24 hours. " +
      "The delivery waits until another one is allowed.",
  });
  assert.deepEqual(app.log.of("delivery.waiting").map(({ level, fields }) => [level, fields]), [
    ["info", { list: LIST }],
  ]);
  assert.deepEqual(app.subscribedEvents.at(-1)?.outcome, "queued");
});
