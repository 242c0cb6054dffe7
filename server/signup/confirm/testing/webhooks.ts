import { type Harness, harness, LIST } from "../../../../dev/testing/harness.ts";
import { keys } from "../../../platform/kv/keys.ts";
import type { JobRow } from "../../../platform/jobs/row.ts";

export const ADA = "ada@example.com";

/** Returns the webhook payload of a subscription event. */
export const subscription = (type: string, status = "active", list = LIST, email = ADA) => ({
  type,
  subscription: { email, status, subscriberList: { _id: list, name: "News", private: false }, _id: "1" },
  project: { _id: "p" },
});
/** Returns the webhook payload of an automation step. */
export const automationStep = (contact: unknown) => ({ automationId: "a1", contactId: "c1", contact });

/** Starts with a pending signup of Ada. */
export async function withAda(settings = {}): Promise<Harness> {
  const app = await harness({ settings });
  await app.post({ email: ADA });
  await app.work();
  return app;
}

/** Returns the queued checks, as "trigger address list". */
export async function checks(app: Harness): Promise<string[]> {
  const rows = app.kv.list<JobRow>({ prefix: keys.job("").slice(0, -1) });
  const jobs = (await Array.fromAsync(rows)).map(({ value }) => value);
  return jobs.filter(({ name }) => name === "cfbe_check_signup").map(({ payload }) => {
    const { email, list, by } = payload as { email: string; list: string; by: string };
    return `${by} ${email} ${list}`;
  });
}

/** The check that a webhook queues for Ada. */
export const ownCheck = `webhook ${ADA} ${LIST}`;
