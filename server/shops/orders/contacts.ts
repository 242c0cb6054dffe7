import type { Kv } from "../../platform/kv/port.ts";
import { withoutLinks } from "../mail/without_links.ts";
import type { Random } from "../../platform/deps.ts";
import { addJob } from "../../platform/jobs/add.ts";
import { syncContactJob } from "./sync_contact_job.ts";
import { jobKey } from "../../platform/jobs/row.ts";
import type { Keyring } from "../../platform/keys/keyring.ts";
import { seal, unseal } from "../../platform/keys/seal.ts";
import { readRow } from "../../platform/kv/key.ts";
import type { SettingsStore } from "../../settings/store/store.ts";
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
 * address was corrected, the order moves to the other ledger, and both contacts are updated. While cfbe is deactivated,
 * the ledger is still written, and the contact is updated after activation.
 */
export function contactEffect(
  { kv, random, keyring, markers, settings, isActive }: Options,
): OrderEffect {
  return {
    async prepare({ order, id, email }) {
      if (!settings.current().general.modules.contactSync) return undefined;
      const person = markers.person(email);
      const seen = await readRow(kv, ownerKey(id));
      const moved = seen !== null && seen.person !== person ? seen : undefined;
      const earlier = moved && await unseal(keyring, moved.sealed);
      const owner: OwnerRow = { v: 1, person, sealed: await seal(keyring, random, email) };
      const job = syncContactJob(person, { email, ...(order.name && { name: withoutLinks(order.name) }) });
      const otherJob = moved && earlier !== undefined
        ? syncContactJob(moved.person, { email: earlier })
        : undefined;
      return preparedEffect({
        keys: {
          owner: ownerKey(id),
          counted: ledgerKey(person, id),
          existing: jobKey(job.id),
          otherExisting: otherJob && jobKey(otherJob.id),
        },
        decide(entries, _known, now) {
          if (entries.owner.value?.person !== seen?.person) return "retry";
          const row: LedgerRow = {
            v: 1,
            status: order.status,
            total: order.total,
            currency: order.currency ?? "",
            at: plausibleShopTime(order.orderedAt, now) ?? entries.counted.value?.at ?? now,
          };
          const timing = { due: now, parked: !isActive() };
          return (tx) => {
            if (moved) tx.delete(ledgerKey(moved.person, id));
            tx.set(ownerKey(id), owner).set(ledgerKey(person, id), row);
            addJob(tx, entries.existing, { ...job, ...timing }, now);
            if (otherJob && entries.otherExisting) {
              addJob(tx, entries.otherExisting, { ...otherJob, ...timing }, now);
            }
          };
        },
      });
    },
  };
}
