import assert from "node:assert/strict";
import { type Harness, LIST } from "../../../../dev/testing/harness.ts";
import { putRecord } from "../../record/record.ts";
import type { SignupRecord } from "../../record/row.ts";
import type { LocalStatus } from "../../../../shared/outcomes.ts";

export const MINUTE = 60_000;
export const DAY = 24 * 60 * MINUTE;
export const emailOf = (i: number) => `p${String(i).padStart(4, "0")}@example.com`;

/** Stores pending records here and at the provider: the newest is `ageMs` old, each other one a minute older. */
export async function addPending(
  app: Harness,
  count: number,
  { list = LIST, ageMs = DAY, status = "pending" } = {},
) {
  for (let i = 0; i < count; i++) {
    const at = app.clock.now() - ageMs - i * MINUTE;
    const record: SignupRecord = {
      v: 1,
      email: emailOf(i),
      list,
      status: status as LocalStatus,
      since: at,
      tags: [],
      source: "popup",
      createdAt: at,
      updatedAt: at,
    };
    await putRecord(app.kv.atomic(), null, record).commit();
    app.provider.put(list, emailOf(i), "pending", at);
  }
}

/** Runs a poll and returns its report. */
export async function poll(app: Harness) {
  app.provider.calls.length = 0;
  const report = await app.services.poll.run();
  assert.equal(report.calls, app.provider.calls.length);
  return report;
}

/** Runs a poll, and advances the clock while the poll waits for the call budget. */
export function pollWithTime(app: Harness) {
  return app.callClock.passDuring(poll(app));
}

/** Runs a first poll, which stores the time up to which changes were read. */
export async function firstPoll(app: Harness) {
  await addPending(app, 1);
  await pollWithTime(app);
  await app.clock.advance(15 * MINUTE);
}

/** Makes the provider one that lists neither changes nor unconfirmed addresses. */
export function withoutListings({ provider }: Harness): void {
  provider.capabilities.listsChanged = false;
  provider.capabilities.listsUnconfirmed = false;
}
