import type { Kv } from "../../platform/kv/port.ts";
import { withoutLinks } from "../mail/without_links.ts";
import type { Random } from "../../platform/deps.ts";
import { addJob } from "../../platform/jobs/add.ts";
import { syncContactJob } from "./sync_contact_job.ts";
import { jobKey } from "../../platform/jobs/row.ts";
import type { Keyring } from "../../platform/keys/keyring.ts";
import { seal, unseal } from "../../platform/keys/seal.ts";
import { readEntries } from "../../platform/kv/entries.ts";
import { plausibleTime } from "../../platform/time/stored_time.ts";
import type { SettingsStore } from "../../settings/store/store.ts";
import { tombstoneKey, type TombstoneRow } from "../../signup/record/tombstone.ts";
import { ledgerKey, type LedgerRow, ownerKey, type OwnerRow } from "./ledger.ts";
import type { Markers } from "../mail/markers.ts";
import { plausibleShopTime } from "../systems/order.ts";
import { type OrderEffect, preparedEffect } from "./orders.ts";

interface Options {
  kv: Kv;
  random: Random;
  keyring: Keyring;
  markers: Markers;
  settings: SettingsStore;
  isActive: () => boolean;
}

/**
 * Returns the effect that adds an order to the buyer's ledger and queues the update of their contact. If the order's
 * address was corrected, the order moves to the other ledger, and both contacts are updated. An order that was placed
 * before its buyer was erased is not added. While cfbe is deactivated, the ledger is still written, and the contact is
 * updated after activation.
 */
export function contactEffect(
  { kv, random, keyring, markers, settings, isActive }: Options,
): OrderEffect {
  return {
    async prepare({ order, id, email }) {
      if (!settings.current().general.modules.contactSync) return undefined;
      const person = markers.person(email);
      const seen = await readEntries(kv, { owner: ownerKey(id), counted: ledgerKey(person, id) });
      const before = seen.owner.value ?? undefined;
      const moved = before?.person !== person ? before : undefined;
      const earlier = moved && await unseal(keyring, moved.sealed);
      const owner: OwnerRow = { v: 1, person, sealed: await seal(keyring, random, email) };
      const job = syncContactJob(person, { email, ...(order.name && { name: withoutLinks(order.name) }) });
      const otherJob = moved && earlier !== undefined
        ? syncContactJob(moved.person, { email: earlier })
        : undefined;
      return preparedEffect({
        keys: {
          owner: ownerKey(id),
          tombstone: tombstoneKey(person),
          existing: jobKey(job.id),
          otherExisting: otherJob && jobKey(otherJob.id),
        },
        decide(entries, known, now) {
          // A row in the ledger changes only together with its owner.
          if (entries.owner.versionstamp !== seen.owner.versionstamp) return "retry";
          const row: LedgerRow = {
            v: 1,
            status: order.status,
            total: order.total,
            currency: order.currency ?? "",
            at: plausibleShopTime(order.orderedAt, now) ?? seen.counted.value?.at ?? known?.firstAt ??
              known?.at ?? now,
          };
          const timing = { due: now, parked: !isActive() };
          const erased = isErased(entries.tombstone.value, row, now);
          return (tx) => {
            if (moved) tx.delete(ledgerKey(moved.person, id));
            if (otherJob && entries.otherExisting) {
              addJob(tx, entries.otherExisting, { ...otherJob, ...timing }, now);
            }
            if (erased) return void tx.delete(ownerKey(id));
            tx.set(ownerKey(id), owner).set(ledgerKey(person, id), row);
            addJob(tx, entries.existing, { ...job, ...timing }, now);
          };
        },
      });
    },
  };
}

/** Returns whether the buyer was erased after the order was placed. A later report of it must not bring them back. */
function isErased(tombstone: TombstoneRow | null, { at }: LedgerRow, now: number): boolean {
  return tombstone !== null && at <= plausibleTime(tombstone.at, now);
}
