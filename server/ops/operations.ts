import type { JobRow } from "../jobs/row.ts";
import { couponJob } from "../coupons/coupon_job.ts";
import { checkJob } from "../confirm/check_job.ts";
import { deliverJob } from "../signup/delivery/job.ts";
import type { Keyring } from "../keys/keyring.ts";
import { keys } from "../kv/keys.ts";
import type { CouponRow } from "../coupons/row.ts";
import { createMarkers } from "../mail/markers.ts";
import type { OnceRow } from "../mail/once_mail.ts";
import type { ConsentRow, SignupRecord } from "../signup/record/row.ts";
import type { ConsentTextRow } from "../signup/record/consent_text.ts";
import { normalEmail } from "../http/email.ts";

/** What is known of one signup: the record, its proof of consent, and work under way. */
export interface SignupStatus {
  record: SignupRecord;
  /** Latest first, twenty at most. */
  consents: (ConsentRow & { text?: string })[];
  jobs: Pick<JobRow, "name" | "state" | "attempts" | "due" | "history">[];
  coupon?: Pick<CouponRow, "code" | "kind" | "amount" | "expiresAt"> & { mail: OnceRow["state"] | "none" };
}

/** The coupon of its mailbox, whichever spelling got it. */
async function couponOf(kv: Deno.Kv, keyring: Keyring, email: string): Promise<SignupStatus["coupon"]> {
  const markers = createMarkers(keyring);
  const mailbox = markers.mailbox(email);
  const [row, mail] = await kv.getMany<[CouponRow, OnceRow]>([
    markers.coupon(mailbox),
    markers.couponMailed(mailbox),
  ]);
  if (!row.value) return undefined;
  const { code, kind, amount, expiresAt } = row.value;
  return { code, kind, amount, expiresAt, mail: mail.value?.state ?? "none" };
}

const CONSENTS_SHOWN = 20;

/**
 * Everything here about one address.
 *
 * @returns a status a list, none for an address that never signed up, or undefined for what is no address
 */
export async function statusOf(
  { kv, keyring }: { kv: Deno.Kv; keyring: Keyring },
  address: string,
): Promise<SignupStatus[] | undefined> {
  const email = normalEmail(address);
  if (email === undefined) return undefined;
  const found: SignupStatus[] = [];
  for await (const { value: record } of kv.list<SignupRecord>({ prefix: keys.signupsOf(email) })) {
    const coupon = await couponOf(kv, keyring, email);
    found.push({
      record,
      consents: await consentsOf(kv, record),
      jobs: await jobsOf(kv, record),
      ...(coupon && { coupon }),
    });
  }
  return found;
}

async function consentsOf(kv: Deno.Kv, { email, list }: SignupRecord): Promise<SignupStatus["consents"]> {
  const consents: SignupStatus["consents"] = [];
  const rows = kv.list<ConsentRow>({ prefix: keys.consentsOf(email, list) }, {
    limit: CONSENTS_SHOWN,
    reverse: true,
  });
  for await (const { value } of rows) {
    const hash = value.textHash;
    const text = hash && (await kv.get<ConsentTextRow>(keys.consentText(hash))).value?.text;
    consents.push({ ...value, ...(text && { text }) });
  }
  return consents;
}

async function jobsOf(kv: Deno.Kv, target: SignupRecord): Promise<SignupStatus["jobs"]> {
  const ids = [
    deliverJob(target, { id: "", source: target.source, at: 0 }).id,
    checkJob(target, "poll").id,
    couponJob(target).id,
  ];
  const rows = await kv.getMany<JobRow[]>(ids.map((id) => keys.job(id)));
  return rows.flatMap(({ value }) => {
    if (!value) return [];
    const { name, state, attempts, due, history } = value;
    return [{ name, state, attempts, due, history }];
  });
}
