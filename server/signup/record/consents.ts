import { listReadable } from "../../platform/kv/bad_rows.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { AtomicOperation, Kv } from "../../platform/kv/port.ts";
import { consentKey, type ConsentRow, type Signup, type SignupRecord } from "./row.ts";

/** Returns the proof of consent of one signup. */
export function consentOf(signup: Signup, id: string, at: number): ConsentRow {
  const { source, form, consent: { newTexts: _, ...consent } } = signup;
  return { v: 1, id, at, source, ...(form !== undefined && { form }), ...consent };
}

/** Writes a proof of consent as a row of its own, with its index entry. */
export function putConsent(
  tx: AtomicOperation,
  { email, list }: Pick<SignupRecord, "email" | "list">,
  consent: ConsentRow,
): void {
  const { at, id } = consent;
  tx.set(consentKey(email, list, at, id), consent).set(keys.consentByTime(at, email, list, id), 1);
}

/**
 * Returns the proofs of consent of a signup, newest first, without those that can't be read.
 *
 * @param record as read before this call: a proof that has left the record since then has a row
 * @param options.limit how many to return at most
 * @param options.until returns only those until this time, in Unix milliseconds
 */
export async function readConsents(
  kv: Kv,
  { email, list, consent: inRecord }: Pick<SignupRecord, "email" | "list" | "consent">,
  { limit, until = Infinity }: { limit?: number; until?: number | undefined } = {},
): Promise<ConsentRow[]> {
  const consents: ConsentRow[] = [];
  const prefix = keys.consentsOf(email, list);
  // IDs sort before `true`: this ends after all proofs of that time.
  const range = until === Infinity ? { prefix } : { prefix, end: [...prefix, until, true] };
  for await (
    const { value } of listReadable<ConsentRow | null>(kv, range, { reverse: true, ...batch(limit) })
  ) {
    if (value) consents.push(value);
    if (consents.length === limit) break;
  }
  const isOnlyInRecord = inRecord && consents.every(({ id }) => id !== inRecord.id);
  if (isOnlyInRecord && inRecord.at <= until) consents.push(inRecord);
  return consents.sort((a, b) => b.at - a.at).slice(0, limit);
}

/**
 * Returns the proofs of consent that a signup was confirmed with, newest first. A later one may come from anyone, and counts
 * only if there is no earlier one.
 *
 * @param limit how many to return at most
 */
export async function readConfirmedConsents(
  kv: Kv,
  record: Pick<SignupRecord, "email" | "list" | "consent" | "confirmed">,
  limit: number,
): Promise<ConsentRow[]> {
  const until = record.confirmed?.at;
  const consents = await readConsents(kv, record, { limit, until });
  return consents.length > 0 ? consents : await readConsents(kv, record, { limit: 1 });
}

/** Reads no more rows than are wanted. */
const batch = (limit: number | undefined) => limit === undefined ? {} : { batchSize: Math.min(limit, 500) };

/** Returns a record without its proof of consent, which holds the visitor's IP. */
export function withoutConsent({ consent: _, ...record }: SignupRecord): SignupRecord {
  return record;
}
