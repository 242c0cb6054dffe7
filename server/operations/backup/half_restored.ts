import { keys } from "../../platform/kv/keys.ts";

/** Returns whether a restore of this database was interrupted, so that rows are missing. */
export async function isHalfRestored(kv: Deno.Kv): Promise<boolean> {
  return (await kv.get(keys.restoring())).value !== null;
}
