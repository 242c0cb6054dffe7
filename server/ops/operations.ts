import type { JobRow } from "../jobs/row.ts";
import { checkJob } from "../jobs/handlers/check_signup.ts";
import { deliverJob } from "../jobs/handlers/deliver_signup.ts";
import { keys } from "../kv/keys.ts";
import type { ConsentRow, SignupRecord } from "../signup/record.ts";
import type { ConsentTextRow } from "../signup/consent_text.ts";
import { normalEmail } from "../signup/request.ts";

/** What is known of one signup: the record, its proof of consent, and work under way. */
export interface SignupStatus {
  record: SignupRecord;
  /** Latest first, twenty at most. */
  consents: (ConsentRow & { text?: string })[];
  jobs: Pick<JobRow, "name" | "state" | "attempts" | "due" | "history">[];
}

const CONSENTS_SHOWN = 20;

/**
 * Everything here about one address.
 *
 * @returns a status a list, none for an address that never signed up, or undefined for what is no address
 */
export async function statusOf(
  { kv }: { kv: Deno.Kv },
  address: string,
): Promise<SignupStatus[] | undefined> {
  const email = normalEmail(address);
  if (email === undefined) return undefined;
  const found: SignupStatus[] = [];
  for await (const { value: record } of kv.list<SignupRecord>({ prefix: keys.signupsOf(email) })) {
    found.push({ record, consents: await consentsOf(kv, record), jobs: await jobsOf(kv, record) });
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
  ];
  const rows = await kv.getMany<JobRow[]>(ids.map((id) => keys.job(id)));
  return rows.flatMap(({ value }) => {
    if (!value) return [];
    const { name, state, attempts, due, history } = value;
    return [{ name, state, attempts, due, history }];
  });
}
