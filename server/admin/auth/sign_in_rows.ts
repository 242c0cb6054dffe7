import type { AtomicOperation } from "../../platform/kv/port.ts";
import { passkeysKey } from "./passkeys/row.ts";
import { secondFactorKey } from "./second_factor/store.ts";

/** Deletes with what else a user signs in: another user of the same name has none of it. */
export function deleteSignInRows(tx: AtomicOperation, name: string): void {
  tx.delete(secondFactorKey(name)).delete(passkeysKey(name));
}
