import type { Random } from "../deps.ts";
import { addJob } from "../jobs/add.ts";
import { syncContactJob } from "./sync_contact_job.ts";
import type { JobRow } from "../jobs/row.ts";
import type { Keyring } from "../keys/keyring.ts";
import { seal, unseal } from "../keys/seal.ts";
import { keys } from "../kv/keys.ts";
import type { SettingsStore } from "../settings/store.ts";
import type { LedgerRow, OwnerRow } from "./ledger.ts";
import type { Markers } from "../mail/markers.ts";
import { plausible } from "../shop/order.ts";
import type { OrderFollower } from "./orders.ts";

interface Options {
  kv: Deno.Kv;
  random: Random;
  keyring: Keyring;
  markers: Markers;
  settings: SettingsStore;
  isActive: () => boolean;
}

/**
 * Enters an order into the ledger of whoever ordered, and has their contact brought up to date, in the commit that
 * takes the order over. An order whose address was corrected moves: both contacts are brought up to date. While the
 * service is deactivated the ledger is kept, and the contact is brought up to date after activation.
 */
export function followWithContacts(
  { kv, random, keyring, markers, settings, isActive }: Options,
): OrderFollower {
  return {
    async begin({ order, id, email }) {
      if (!settings.current().general.modules.contactSync) return undefined;
      const person = markers.person(email);
      const seen = (await kv.get<OwnerRow>(keys.orderOwner(id))).value;
      const moved = seen !== null && seen.person !== person ? seen : undefined;
      const earlier = moved && await unseal(keyring, moved.sealed);
      const owner: OwnerRow = { v: 1, person, sealed: await seal(keyring, random, email) };
      const jobs = [
        syncContactJob(person, { email, ...(order.name && { name: order.name }) }),
        ...(moved && earlier !== undefined ? [syncContactJob(moved.person, { email: earlier })] : []),
      ];
      return {
        keys: [keys.orderOwner(id), keys.ledger(person, id), ...jobs.map((job) => keys.job(job.id))],
        decide([owned, counted, ...rows], _known, now) {
          if ((owned!.value as OwnerRow | null)?.person !== seen?.person) return false;
          const before = counted!.value as LedgerRow | null;
          const row: LedgerRow = {
            v: 1,
            status: order.status,
            total: order.total,
            currency: order.currency ?? "",
            at: plausible(order.orderedAt, now) ?? before?.at ?? now,
          };
          return (tx) => {
            if (moved) tx.delete(keys.ledger(moved.person, id));
            tx.set(keys.orderOwner(id), owner).set(keys.ledger(person, id), row);
            for (const [index, job] of jobs.entries()) {
              const added = { ...job, due: now, parked: !isActive() };
              addJob(tx, rows[index] as Deno.KvEntryMaybe<JobRow>, added, now);
            }
          };
        },
      };
    },
  };
}
