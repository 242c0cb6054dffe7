import type { Kv } from "../../platform/kv/port.ts";
import { confirmationMarker, restoredKey, sinceRestore } from "../../signup/delivery/confirmation_marker.ts";
import { providerOf, type SignupProviders } from "../../signup/record/provider_of.ts";
import type { SignupRecord } from "../../signup/record/row.ts";
import type { Keyring } from "../../platform/keys/keyring.ts";
import { readEntries } from "../../platform/kv/entries.ts";
import { type ActionRefusal, resendRefusal } from "../person/actions.ts";
import { MAX_COUNTED } from "../search/count.ts";
import { PAGE_MAX } from "../search/search.ts";
import { selectedPage, type Selection } from "./selection.ts";

export const BULK_ACTS = ["resend", "erase"] as const;
export type BulkAct = typeof BULK_ACTS[number];

/** What a bulk action would do now. */
export interface BulkPreview {
  /** Signups for a resend, people for an erasure: an address can be on several lists. */
  total: number;
  /** Whether there are more than those that were looked at. */
  more: boolean;
  possible: number;
  /** How many are skipped, by reason. */
  skipped: Record<string, number>;
  /** From when the first of them is possible, by reason, in Unix milliseconds; without the reasons that no time ends. */
  possibleFrom: Record<string, number>;
}

/** Maximum number of pages read, each of which reads at most 2,000 rows. */
const MAX_PAGES = 20;

interface Deps {
  kv: Kv;
  keyring: Keyring;
  signupProviders: SignupProviders;
}

/**
 * Returns what a bulk action would do, by the rules of the action on one person. Looks at the first 1,000 selected
 * signups (`MAX_COUNTED`).
 *
 * @param now Unix milliseconds
 */
export async function previewBulk(
  deps: Deps,
  act: BulkAct,
  selection: Selection,
  now: number,
): Promise<BulkPreview> {
  const { records, more } = await firstSelected(deps.kv, selection);
  if (act === "erase") {
    const people = new Set(records.map(({ email }) => email)).size;
    return { total: people, more, possible: people, skipped: {}, possibleFrom: {} };
  }
  const skipped: BulkPreview["skipped"] = {};
  const possibleFrom: BulkPreview["possibleFrom"] = {};
  let possible = 0;
  for (const refusal of await resendRefusals(deps, records, now)) {
    if (!refusal) {
      possible++;
      continue;
    }
    const { reason, until } = refusal;
    skipped[reason] = (skipped[reason] ?? 0) + 1;
    if (until !== undefined) possibleFrom[reason] = Math.min(possibleFrom[reason] ?? Infinity, until);
  }
  return { total: records.length, more, possible, skipped, possibleFrom };
}

async function firstSelected(
  kv: Kv,
  selection: Selection,
): Promise<{ records: SignupRecord[]; more: boolean }> {
  const records: SignupRecord[] = [];
  let after: string | undefined;
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const page = await selectedPage(kv, selection, after, PAGE_MAX);
    records.push(...page.records);
    after = page.next;
    if (records.length > MAX_COUNTED) return { records: records.slice(0, MAX_COUNTED), more: true };
    if (after === undefined) return { records, more: false };
  }
  return { records, more: true };
}

/** Returns why each signup cannot be sent another confirmation email, or undefined where it can. */
async function resendRefusals(
  { kv, keyring, signupProviders }: Deps,
  records: readonly SignupRecord[],
  now: number,
): Promise<(ActionRefusal | undefined)[]> {
  const keys = records.map(({ email }) => confirmationMarker(keyring, email));
  const { markers, restored } = await readEntries(kv, { markers: keys, restored: restoredKey() });
  const mailboxes = new Set<string>();
  return records.map((record, index) => {
    // A mailbox can be selected more than once: on several lists, or in several spellings.
    const mailbox = JSON.stringify(keys[index]);
    const marker = mailboxes.has(mailbox)
      ? { v: 1 as const, at: now }
      : sinceRestore(markers[index]!.value, restored.value, now);
    const refusal = resendRefusal(providerOf(signupProviders, record), record, marker, now);
    if (!refusal) mailboxes.add(mailbox);
    return refusal;
  });
}
