/** What an order of any shop may be, from its beginning to its end. */
export const ORDER_STATUSES = [
  "pending",
  "on-hold",
  "processing",
  "completed",
  "refunded",
  "cancelled",
  "failed",
] as const;
