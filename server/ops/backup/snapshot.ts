import type { Clock } from "../../deps.ts";
import type { Keyring } from "../../keys/keyring.ts";
import { keys } from "../../kv/keys.ts";
import { backupModeOf, LATE_FAMILIES, RECORD_FAMILIES } from "./families.ts";
import { type BackupRow, newHeader, writeBackup } from "./file.ts";

/** Rows per read, which takes the embedded database a few milliseconds. */
const PAGE = 500;

/**
 * Returns a backup of the database, read page by page while the service runs. It contains everything acknowledged before
 * it was started, and possibly what is written meanwhile. It contains no indexes, no salt, and secrets only encrypted.
 */
export function takeBackup(
  { kv, clock, keyring }: { kv: Deno.Kv; clock: Clock; keyring: Keyring },
): ReadableStream<Uint8Array> {
  return writeBackup(newHeader(keyring, clock.now()), rowsOf(kv));
}

async function* rowsOf(kv: Deno.Kv): AsyncGenerator<BackupRow> {
  for (const family of RECORD_FAMILIES) yield* under(kv, keys.family(family));
  for await (const row of under(kv, keys.all())) if (backupModeOf(row.key) === "plain") yield row;
  for (const family of LATE_FAMILIES) yield* under(kv, keys.family(family));
}

async function* under(kv: Deno.Kv, prefix: Deno.KvKey): AsyncGenerator<BackupRow> {
  for await (const { key, value } of kv.list({ prefix }, { batchSize: PAGE })) yield { key, value };
}
