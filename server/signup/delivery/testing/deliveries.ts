import assert from "node:assert/strict";
import { type Harness, LIST } from "../../../../dev/testing/harness.ts";
import type { Outcome } from "../../../../shared/outcomes.ts";
import { signFormConfig } from "../../../forms/public/signed_config.ts";

export const ADA = "ada@example.com";
export const HOUR = 60 * 60_000;
/** The outcomes of `cfbe_subscribed` so far. */
export const outcomes = (app: Harness): Outcome[] => app.subscribedEvents.map(({ outcome }) => outcome);
/** The local status and the list status. */
export const state = async (app: Harness, email = ADA, list = LIST) => {
  const record = await app.record(email, list);
  return [record?.status, record?.listStatus];
};
/** Signs up on a list and runs the delivery. */
export async function signUp(app: Harness, email = ADA, list = LIST) {
  const cfbe_cfg = signFormConfig(app.services.keyring, { list });
  assert.equal((await app.post({ email, cfbe_cfg })).status, 200);
  await app.work();
}

/** Signs up an hour later, because the limit of a mailbox is three signups per hour. */
export async function signUpAfterAnHour(app: Harness, email: string, list = LIST) {
  await app.clock.advance(HOUR);
  await signUp(app, email, list);
}
/** Returns settings with double opt-in lists. */
export const knownLists = (...ids: string[]) => ({
  general: { knownLists: ids.map((id) => ({ id, name: id, doubleOptIn: true })) },
});
