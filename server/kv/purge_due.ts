import { keys } from "./keys.ts";

/** There while deleted personal data may still be in the file. */
export interface PurgeDueRow {
  v: 1;
  at: number;
}

/** Notes, in the commit that deletes personal data, that its bytes are to leave the file too. */
export function purgeLater(tx: Deno.AtomicOperation, now: number): void {
  tx.set(keys.purgeDue(), { v: 1, at: now } satisfies PurgeDueRow);
}
