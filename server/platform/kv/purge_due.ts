import { keys } from "./keys.ts";
import type { AtomicOperation } from "./port.ts";

/** Exists while deleted personal data may still be in the database's file. */
export interface PurgeDueRow {
  v: 1;
  at: number;
}

/** Records, in the commit that deletes personal data, that the bytes must also be purged from the file. */
export function purgeLater(tx: AtomicOperation, now: number): void {
  tx.set(keys.purgeDue(), { v: 1, at: now } satisfies PurgeDueRow);
}
