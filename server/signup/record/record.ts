import type { ConfirmedBy, LocalStatus } from "../../../shared/outcomes.ts";
import { keys } from "../../platform/kv/keys.ts";
import { putConsentText } from "../../forms/consent_texts.ts";
import type { AtomicOperation } from "../../platform/kv/port.ts";
import { putConsent } from "./consents.ts";
import { putSearchEntries } from "./search_entries.ts";
import { type ConsentRow, type Signup, signupKey, type SignupRecord } from "./row.ts";
import { move } from "./states.ts";

const MAX_TAGS = 50;

/**
 * Returns the record after one more signup. A failed or expired record is queued again, for the provider that is chosen
 * now; any other keeps its status and its provider. An active record keeps its name, tags and fields, because anyone can
 * sign up with somebody else's address. One that is queued again counts for the variants of the new signup, or for none:
 * the old ones did not lead to a confirmation.
 */
export function applySignup(before: SignupRecord | null, signup: Signup, now: number): SignupRecord {
  const { email, list, provider, source, form, name, page, variants, fields = {} } = signup;
  const hasFields = Object.keys(fields).length > 0;
  if (!before) {
    return {
      v: 1,
      email,
      list,
      provider,
      status: "queued",
      since: now,
      tags: [...new Set(signup.tags)].slice(0, MAX_TAGS),
      source,
      ...(form !== undefined && { form }),
      ...(name !== undefined && { name }),
      ...(page && { page }),
      ...(variants && { variants }),
      ...(hasFields && { fields }),
      createdAt: now,
      updatedAt: now,
    };
  }
  if (before.status === "active") return { ...before, updatedAt: now };
  const requeue = before.status === "failed" || before.status === "expired";
  const { variants: _, ...withoutVariants } = before;
  return {
    ...(requeue
      ? forProvider(move(withoutVariants, "queued", now), provider)
      : move(before, before.status, now)),
    tags: [...new Set([...before.tags, ...signup.tags])].slice(0, MAX_TAGS),
    ...(requeue && variants && { variants }),
    ...(name !== undefined && { name }),
    ...(hasFields && { fields: { ...before.fields, ...fields } }),
  };
}

/** Returns the record for a provider, without the list status that another one has reported. */
function forProvider(record: SignupRecord, provider: string): SignupRecord {
  if (record.provider === provider) return record;
  const { listStatus: _, listStatusAt: __, ...rest } = record;
  return { ...rest, provider };
}

/**
 * Writes an accepted signup: its record and its proof of consent. The caller must check the version of `before` in the
 * same commit.
 */
export function putSignup(
  tx: AtomicOperation,
  before: SignupRecord | null,
  signup: Signup,
  consent: ConsentRow,
): void {
  for (const text of signup.consent.newTexts ?? []) putConsentText(tx, text);
  const after = applySignup(before, signup, consent.at);
  putRecord(tx, before, before ? after : { ...after, consent });
  if (before) putConsent(tx, after, consent);
}

/**
 * Called after the commit in which a status from the provider made a record active.
 *
 * @param afterMs time since the confirmation, in milliseconds, if the provider reports its time
 */
export type OnConfirmed = (
  record: Pick<SignupRecord, "form" | "source" | "page">,
  by: ConfirmedBy,
  afterMs?: number,
) => void;

/** Adds to the commit in which a record becomes active. Called again when the commit fails and is retried. */
export type OnActive = (tx: AtomicOperation, record: SignupRecord) => void;

/** Returns a hook that calls several others, in order. */
export function allOnActive(...hooks: OnActive[]): OnActive {
  return (tx, record) => hooks.forEach((hook) => hook(tx, record));
}

/**
 * The value of an entry in the index by status: whether the record has its search entries. Of a pending record, and in the
 * entries of `RETURNED`, which have them, the name of its provider.
 */
export type StatusEntry = typeof INDEXED | typeof NOT_INDEXED | string;
const INDEXED = 1;
export const NOT_INDEXED = 0;

/** In the index by status, the signups with `pendingSince`, which are active too. Their entries are like pending ones. */
export const RETURNED = "returned";
/** What the index by status can be read by. */
export type IndexedStatus = LocalStatus | typeof RETURNED;

/**
 * Writes a record and its indexes, or deletes them if `after` is null. All code writes records through this function, so
 * that the indexes always match. The caller must check the version of `before` in the same commit.
 *
 * A new queued record keeps its proof of consent inside, and has no search entries: both get their rows with its next
 * write. That is its delivery, which changes its status, and with it every entry, a moment later. If the delivery is
 * late, `index_signups_job.ts` writes them.
 */
export function putRecord(
  tx: AtomicOperation,
  before: SignupRecord | null,
  after: SignupRecord | null,
  onActive?: OnActive,
): AtomicOperation {
  const index = (record: SignupRecord) =>
    keys.byStatus(record.status, record.list, record.since, record.email);
  const returned = ({ list, pendingSince, email }: SignupRecord) =>
    pendingSince === undefined ? undefined : keys.byStatus(RETURNED, list, pendingSince, email);
  const returnedBefore = before && returned(before);
  if (returnedBefore && before.pendingSince !== after?.pendingSince) tx.delete(returnedBefore);
  if (after?.status === "active" && before?.status !== "active") onActive?.(tx, after);
  if (before && (before.status !== after?.status || before.since !== after.since)) tx.delete(index(before));
  const isNew = !before && after?.v === 1 && after.status === "queued";
  if (!isNew) putSearchEntries(tx, before, after);
  if (!after) return before ? tx.delete(signupKey(before.email, before.list)) : tx;
  const named = after.status === "pending" ? after.provider : undefined;
  const entry: StatusEntry = isNew ? NOT_INDEXED : named ?? INDEXED;
  const { consent, ...rest } = after;
  if (consent && !isNew) putConsent(tx, after, consent);
  const row: SignupRecord = isNew ? { ...after, v: 1 } : { ...rest, v: 2 };
  const returnedAfter = returned(after);
  if (returnedAfter) tx.set(returnedAfter, after.provider ?? INDEXED);
  return tx.set(signupKey(after.email, after.list), row).set(index(after), entry);
}
