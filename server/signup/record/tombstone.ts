import { type Key, typed } from "../../platform/kv/key.ts";
import { keys } from "../../platform/kv/keys.ts";

/**
 * Records that an address was erased, and when (Unix milliseconds). Its key is the same HMAC that the order ledger uses, so
 * that a restore recognizes rows that contain only this HMAC. It never expires, because a backup from before the erasure
 * can be restored at any time.
 */
export interface TombstoneRow {
  v: 1;
  at: number;
}

/** Returns the key of a tombstone. @param person HMAC of the address */
export const tombstoneKey = (person: string): Key<TombstoneRow> => typed(keys.tombstone(person));
