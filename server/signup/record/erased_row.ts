/** The latest erasure of an address. Its key contains an HMAC, because it outlives what was erased. */
export interface ErasedRow {
  v: 1;
  /** Unix milliseconds. */
  at: number;
  /**
   * When what deleted jobs requested from providers has taken effect or failed, Unix milliseconds; absent if nothing
   * was open.
   */
  settledAt?: number;
}
