import { jobKey, type JobRow } from "../../platform/jobs/row.ts";
import type { Kv } from "../../platform/kv/port.ts";
import { couponJob } from "../../shops/coupons/coupon_job.ts";
import { checkJob } from "../../signup/confirm/check_job.ts";
import { deliverJob } from "../../signup/delivery/job.ts";
import type { Keyring } from "../../platform/keys/keyring.ts";
import { readEntries } from "../../platform/kv/entries.ts";
import { keys } from "../../platform/kv/keys.ts";
import { couponOf, type IssuedCoupon } from "../../shops/coupons/issued.ts";
import type { SignupRecord } from "../../signup/record/row.ts";
import { readConsents, withoutConsent } from "../../signup/record/consents.ts";
import { type ConsentWithText, withTexts } from "../../signup/record/consents_with_text.ts";
import { normalizeEmail } from "../../platform/http/email.ts";

/** Everything stored about one signup: the record, its proof of consent, its jobs and its coupon. */
export interface SignupStatus {
  record: SignupRecord;
  /** Newest first, at most 20. */
  consents: ConsentWithText[];
  jobs: Pick<JobRow, "name" | "state" | "attempts" | "due" | "history">[];
  coupon?: IssuedCoupon;
}

const CONSENTS_SHOWN = 20;

/**
 * Returns the signups of one email address.
 *
 * @returns one status per list; empty for an unknown address, undefined for an invalid one
 */
export async function signupStatuses(
  { kv, keyring }: { kv: Kv; keyring: Keyring },
  address: string,
): Promise<SignupStatus[] | undefined> {
  const email = normalizeEmail(address);
  if (email === undefined) return undefined;
  const found: SignupStatus[] = [];
  for await (const { value: record } of kv.list<SignupRecord>({ prefix: keys.signupsOf(email) })) {
    const coupon = await couponOf(kv, keyring, email);
    found.push({
      record: withoutConsent(record),
      consents: await withTexts(kv, await readConsents(kv, record, { limit: CONSENTS_SHOWN })),
      jobs: await jobsOf(kv, record),
      ...(coupon && { coupon }),
    });
  }
  return found;
}

async function jobsOf(kv: Kv, target: SignupRecord): Promise<SignupStatus["jobs"]> {
  const ids = [
    deliverJob(target, { id: "", source: target.source, at: 0 }).id,
    checkJob(target, "poll").id,
    couponJob(target).id,
  ];
  const { jobs } = await readEntries(kv, { jobs: ids.map(jobKey) });
  return jobs.flatMap(({ value }) => {
    if (!value) return [];
    const { name, state, attempts, due, history } = value;
    return [{ name, state, attempts, due, history }];
  });
}
