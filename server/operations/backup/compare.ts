import { nameOf } from "../../platform/kv/commit_needs.ts";
import { readAll } from "../../platform/kv/entries.ts";
import { collected } from "../../platform/kv/operation.ts";
import { type KvEntryMaybe, type KvKey, type KvMutation, KvU64 } from "../../platform/kv/port.ts";
import { restoreRow } from "./families.ts";
import { readRestoredRows, type RestoredRowsSource } from "./restored_rows.ts";

/** A restored database differs from its backup. */
export class RestoreDiffers extends Error {
  override readonly name = "RestoreDiffers";
  constructor(readonly rows: number) {
    super(`the restored database differs from the backup in ${rows} rows`);
  }
}

/** What processes that have the database open may delete while cfbe is deactivated, or add to: all but these families. */
const COMPARED_IF_SHARED: readonly unknown[] = ["signup", "consent"];

export interface CompareOptions {
  /** The time of the restore, in Unix milliseconds. */
  restoredAt: number;
  /** A version of the database after the restore. Rows that other processes have written since are not compared. */
  version: string;
  /** Other processes may have the database open. */
  shared?: boolean | undefined;
  /** Called with the number of rows compared so far. */
  progress?: (rows: number) => void;
}

/**
 * Reads a backup again and compares every row that it was restored to, index entries included. In a shared database, that
 * is only signups and consents.
 *
 * @throws {RestoreDiffers} if a row is missing or different
 */
export async function compareRestored(
  source: RestoredRowsSource,
  { restoredAt, version, shared = false, progress = () => {} }: CompareOptions,
): Promise<void> {
  const { kv } = source;
  const isChanged = ({ versionstamp }: KvEntryMaybe<unknown>) =>
    versionstamp !== null && versionstamp > version;
  // A later row of the file can replace one that an earlier row has written.
  const different = new Set<string>();
  const sums = new Map<string, { key: KvKey; sum: bigint }>();
  let compared = 0;
  await readRestoredRows(source, {
    async page(rows, read) {
      progress(compared += read);
      if (shared && !COMPARED_IF_SHARED.includes(rows[0]?.key[2])) return;
      const expected = rows.flatMap(({ key, value }) => mutationsOf(key, value, restoredAt));
      const set = expected.filter((mutation) => mutation.type === "set");
      const found = await readAll(kv, set.map(({ key }) => key));
      for (const [index, { key, value }] of set.entries()) {
        const entry = found[index]!;
        if (isChanged(entry) || isSame(value, entry.value)) different.delete(nameOf(key));
        else different.add(nameOf(key));
      }
      for (const mutation of expected) {
        if (mutation.type !== "sum") continue;
        const name = nameOf(mutation.key);
        const { sum } = sums.get(name) ?? { sum: 0n };
        sums.set(name, { key: mutation.key, sum: BigInt.asUintN(64, sum + mutation.value.value) });
      }
    },
  });
  for (const { key, sum } of sums.values()) {
    const entry = await kv.get<KvU64>(key);
    if (!isChanged(entry) && entry.value?.value !== sum) different.add(nameOf(key));
  }
  if (different.size > 0) throw new RestoreDiffers(different.size);
}

/** Returns what `restoreRow` writes. */
export function mutationsOf(key: KvKey, value: unknown, now: number): KvMutation[] {
  return collected((tx) => restoreRow(tx, key, value, now)).mutations;
}

/** Compares values as they are stored: counters, and everything else as JSON. */
function isSame(expected: unknown, found: unknown): boolean {
  if (expected instanceof KvU64 || found instanceof KvU64) {
    return expected instanceof KvU64 && found instanceof KvU64 && expected.value === found.value;
  }
  return JSON.stringify(expected) === JSON.stringify(found);
}
