/** Order statuses of all shop systems, from first to last. */
export const ORDER_STATUSES = [
  "pending",
  "on-hold",
  "processing",
  "completed",
  "refunded",
  "cancelled",
  "failed",
] as const;
