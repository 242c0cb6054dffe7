/**
 * That an address was erased, and when, in Unix milliseconds. It lies under the HMAC of the address that the order
 * ledger uses too, so that a restore recognizes rows that hold nothing but that HMAC. It never expires: a backup from
 * before the erasure may be restored at any time.
 */
export interface TombstoneRow {
  v: 1;
  at: number;
}
