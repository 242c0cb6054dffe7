import { type Clock, systemClock } from "../../platform/deps.ts";
import type { Keyring } from "../../platform/keys/keyring.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { Kv, KvKey, KvListSelector } from "../../platform/kv/port.ts";
import { backupModeOf, LATE_FAMILIES, RECORD_FAMILIES } from "./families.ts";
import { type BackupRow, newHeader, writeBackup } from "./file.ts";

/** Rows per read, which takes the embedded database about a millisecond. */
const PAGE = 100;
/** A page can take long because the client is slow. Then a rest would help nobody. */
const MAX_REST_MS = 50;

/** A backup of a running service leaves two thirds of the time to visitors. */
export const BACKUP_REST = 2;

interface Source {
  kv: Kv;
  clock: Clock;
  keyring: Keyring;
  /**
   * How long to rest after each page, in relation to the time it took, so that visitors are served meanwhile. By default
   * there is no rest.
   */
  rest?: number;
}

/**
 * Returns a backup of the database, read page by page while the service runs. It contains everything acknowledged before
 * it was started, and possibly what is written meanwhile. It contains no indexes, no salt, and secrets only encrypted.
 */
export function takeBackup({ kv, clock, keyring, rest = 0 }: Source): ReadableStream<Uint8Array> {
  const rows = rowsOf(kv);
  return writeBackup(newHeader(keyring, clock.now()), rest > 0 ? resting(rows, rest) : rows);
}

async function* rowsOf(kv: Kv): AsyncGenerator<BackupRow> {
  for (const family of RECORD_FAMILIES) yield* listed(kv, { prefix: keys.family(family) });
  yield* plainRows(kv);
  for (const family of LATE_FAMILIES) yield* listed(kv, { prefix: keys.family(family) });
}

/** Yields the rows of all other families that a backup contains, in the order of their keys, without reading the rest. */
async function* plainRows(kv: Kv): AsyncGenerator<BackupRow> {
  const from = (start?: KvKey) => ({ prefix: keys.all(), ...(start && { start }) });
  let start: KvKey | undefined;
  for (;;) {
    const [next] = await Array.fromAsync(kv.list(from(start), { limit: 1 }));
    if (!next) return;
    const family = next.key[2];
    if (typeof family !== "string") break;
    // The first key after all those of the family.
    const end = keys.family(`${family}\0`);
    if (backupModeOf(next.key) === "plain") yield* listed(kv, { start: next.key, end });
    start = end;
  }
  for await (const row of listed(kv, from(start))) if (backupModeOf(row.key) === "plain") yield row;
}

async function* listed(kv: Kv, selector: KvListSelector): AsyncGenerator<BackupRow> {
  for await (const { key, value } of kv.list(selector, { batchSize: PAGE })) yield { key, value };
}

/** Rests after each page. The time of a page includes what its reader does with the rows. */
async function* resting(rows: AsyncIterable<BackupRow>, rest: number): AsyncGenerator<BackupRow> {
  let count = 0;
  let startedAt = performance.now();
  for await (const row of rows) {
    yield row;
    if (++count % PAGE !== 0) continue;
    await systemClock.sleep(Math.min(MAX_REST_MS, rest * (performance.now() - startedAt)));
    startedAt = performance.now();
  }
}
