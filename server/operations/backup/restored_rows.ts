import type { Keyring } from "../../platform/keys/keyring.ts";
import type { Kv, KvKey } from "../../platform/kv/port.ts";
import { createMarkers } from "../../shops/mail/markers.ts";
import { type BackupRow, readBackup } from "./file.ts";
import { fitToRecords } from "./fit_to_records.ts";
import { afterErasures, type Tombstones } from "./tombstones.ts";

export type OpenBackup = () => Promise<ReadableStream<Uint8Array<ArrayBuffer>>>;

/** Rows handled at once. */
const PAGE = 200;

export interface RestoredRowsSource {
  /** Opens the file from its beginning. */
  open: OpenBackup;
  /** The database that the rows are restored into. */
  kv: Kv;
  keyring: Keyring;
  tombstones: Tombstones;
  /** When the backup was started, in Unix milliseconds. */
  takenAt: number;
  /** Returns whether the database keeps its own row instead of the one in the file. */
  isKept: (key: KvKey) => boolean;
}

interface Handlers {
  /** Handles some rows of one family. @param read how many rows of the file have been read for them */
  page(rows: BackupRow[], read: number): Promise<void>;
  /** Called before the first row of each family, for rows that need those of another family. */
  family?(): Promise<void>;
}

/**
 * Reads the rows of a backup that belong into a database: without those of people who were erased, and consistent with
 * the signup records, which come first in the file (see `fitToRecords`).
 *
 * @returns how many rows were left out because their people were erased
 */
export async function readRestoredRows(source: RestoredRowsSource, handlers: Handlers): Promise<number> {
  const { open, kv, keyring, tombstones, takenAt, isKept } = source;
  const erasures = { tombstones, markers: createMarkers(keyring), takenAt };
  let page: BackupRow[] = [];
  let erased = 0;
  async function handlePage() {
    if (page.length === 0) return;
    await handlers.page(await fitToRecords(kv, page), page.length);
    page = [];
  }
  let family: unknown;
  await readBackup(await open(), async (row) => {
    if (isKept(row.key)) return;
    const remaining = afterErasures(row, erasures);
    if (!remaining) return void erased++;
    if (remaining.key[2] !== family) {
      await handlePage();
      await handlers.family?.();
      family = remaining.key[2];
    }
    page.push(remaining);
    if (page.length >= PAGE) await handlePage();
  });
  await handlePage();
  return erased;
}
