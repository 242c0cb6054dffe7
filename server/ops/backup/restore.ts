import type { Clock, Log, Random } from "../../deps.ts";
import type { Keyring } from "../../keys/keyring.ts";
import { activationKey, type ActivationRow, isDeactivated } from "../../jobs/parking.ts";
import { keys } from "../../kv/keys.ts";
import { createActivation } from "../activation.ts";
import { restoreRow } from "./families.ts";
import { createMarkers } from "../../mail/markers.ts";
import { type BackupHeader, type BackupRow, BadBackup, matchesSalt, readBackup } from "./file.ts";
import { fitToRecords } from "./fit_to_records.ts";
import {
  afterErasures,
  isTombstone,
  noteTombstone,
  noteTombstonesOf,
  subjectsOf,
  type Tombstones,
} from "./tombstones.ts";

/** Why a restore did not begin; the database is as it was. */
export class RestoreRefused extends Error {
  override readonly name = "RestoreRefused";
  constructor(readonly because: "not_empty" | "other_salt" | "active", message: string) {
    super(message);
  }
}

export interface RestoreOptions {
  kv: Deno.Kv;
  clock: Clock;
  random: Random;
  log: Log;
  keyring: Keyring;
  /** The file from its beginning; asked for twice. */
  open(): Promise<ReadableStream<Uint8Array<ArrayBuffer>>>;
  /** Delete what is there. */
  replace?: boolean;
  /** Restore although secrets can't be read and marks not be found under this salt. */
  otherSalt?: boolean;
  /** Other processes may have the database open: it must have been deactivated, and stays so. */
  shared?: boolean;
  /** Told of the rows written so far. */
  progress?: (rows: number) => void;
}

/** Rows a commit: each takes up to nine mutations of 1,000, and its values as many bytes as fit in 800 KiB. */
const ROWS_A_COMMIT = 100;
const BYTES_A_COMMIT = 400 * 1024;
const DELETIONS_A_COMMIT = 500;
/** Every process that has visitors hears within 15 seconds that the service was deactivated. */
const HEARD_BY_ALL_MS = 30_000;

/**
 * Restore a backup into an empty database. All or nothing for the service: the file is read through before anything
 * is written, and a mark stands in the database until all is, with which no service starts (`isHalfRestored`).
 * Broken off, it is run again, and begins from the start.
 *
 * Where processes share the database, some may run on a host that starts them again whenever they stop. Then it is
 * restored underneath them, while they are deactivated: they take no signup, and claim no job, until it is activated.
 *
 * Whoever was erased since the backup stays erased: tombstones of the database are never deleted, not even by
 * `replace`, and count together with those of the file.
 *
 * @returns the header, how many rows were restored, and how many signups are delivered again
 * @throws {BadBackup} for a file that is not whole; nothing was written
 * @throws {RestoreRefused} for a database that is not empty or in use, or another salt; nothing was written
 */
export async function restore(
  options: RestoreOptions,
): Promise<BackupHeader & { rows: number; delivered: number }> {
  const { kv, clock, keyring } = options;
  const tombstones: Tombstones = new Map();
  const header = await readBackup(await options.open(), (row) => lookAt(row, options, tombstones));
  if (!options.otherSalt && !matchesSalt(keyring, header)) {
    throw new RestoreRefused(
      "other_salt",
      "The backup was made with another salt: no secret in it can be read here, and what happens once only might " +
        "happen twice.",
    );
  }
  const again = await isHalfRestored(kv);
  if (!again && !options.replace && !await isEmpty(kv)) {
    throw new RestoreRefused("not_empty", "The database is not empty.");
  }
  if (options.shared && !await isEmpty(kv) && !await isAtRest(kv, clock.now())) {
    throw new RestoreRefused(
      "active",
      "Other processes may be using the database: deactivate the service, and wait 30 seconds.",
    );
  }
  await kv.set(keys.restoring(), { v: 1, at: clock.now() });
  const isKept = options.shared ? isActivation : () => false;
  await noteTombstonesOf(kv, tombstones);
  await clear(kv, (key) => isKept(key) || isTombstone(key));
  const erasures = { tombstones, markers: createMarkers(keyring), takenAt: header.at };
  let leftOut = 0;
  const { write, flush } = writer(options);
  await readBackup(await options.open(), async (row, size) => {
    if (isKept(row.key)) return;
    const left = afterErasures(row, erasures);
    if (left) await write(left, size);
    else leftOut++;
  });
  await flush();
  // A signup that was on its way while the backup was read may have come without its job.
  const activation = createActivation({ ...options, jobs: [], wake: () => {} });
  await activation.refresh();
  const delivered = activation.isActive() ? await activation.deliverQueued() : 0;
  await kv.delete(keys.restoring());
  return { ...header, rows: header.rows - leftOut, delivered };
}

/** Returns whether the service has been deactivated for long enough that every process has heard of it. */
async function isAtRest(kv: Deno.Kv, now: number): Promise<boolean> {
  const entry = await kv.get<ActivationRow>(activationKey());
  return isDeactivated(entry) && now - entry.value!.at >= HEARD_BY_ALL_MS;
}

const isActivation = (key: Deno.KvKey): boolean => key[2] === keys.activation()[2];

/** Whether a restore was broken off here: what there is, is not all. */
export async function isHalfRestored(kv: Deno.Kv): Promise<boolean> {
  return (await kv.get(keys.restoring())).value !== null;
}

/**
 * Whether a row can be written, before any is: what can't be must not be found when the database is empty already.
 * Notes the tombstones among the rows.
 *
 * @throws {BadBackup} for one that can't
 */
function lookAt(row: BackupRow, { clock }: RestoreOptions, tombstones: Tombstones): void {
  const { key, value } = row;
  try {
    noteTombstone(tombstones, row);
    subjectsOf(row);
    if (keys.all().every((part, index) => key[index] === part) && key.every(isKeyPart)) {
      return restoreRow(NOWHERE, key, value, clock.now());
    }
  } catch {
    // Told below.
  }
  throw new BadBackup("a row of it is none that this program writes");
}

/** Takes everything and writes nothing. */
const NOWHERE = {
  set: () => NOWHERE,
  delete: () => NOWHERE,
  sum: () => NOWHERE,
} as unknown as Deno.AtomicOperation;

function isKeyPart(part: unknown): boolean {
  return ["string", "number", "bigint", "boolean"].includes(typeof part) || part instanceof Uint8Array;
}

/** Writes rows a batch a commit. */
function writer({ kv, clock, progress }: RestoreOptions) {
  let batch: BackupRow[] = [];
  let bytes = 0;
  let written = 0;
  async function flush() {
    if (batch.length === 0) return;
    const tx = kv.atomic();
    const rows = await fitToRecords(kv, batch);
    for (const { key, value } of rows) restoreRow(tx, key, value, clock.now());
    await tx.commit();
    written += batch.length;
    [batch, bytes] = [[], 0];
    progress?.(written);
  }
  return {
    async write(row: BackupRow, size: number) {
      // Records come before what belongs to them, and must be written before `fitToRecords` reads them.
      if (batch.length > 0 && batch[0]!.key[2] !== row.key[2]) await flush();
      batch.push(row);
      bytes += size;
      if (batch.length >= ROWS_A_COMMIT || bytes >= BYTES_A_COMMIT) await flush();
    },
    flush,
  };
}

async function isEmpty(kv: Deno.Kv): Promise<boolean> {
  for await (const _ of kv.list({ prefix: keys.all() }, { limit: 1 })) return false;
  return true;
}

/** Deletes everything but the mark that a restore is under way, and what is kept. */
async function clear(kv: Deno.Kv, isKept: (key: Deno.KvKey) => boolean): Promise<void> {
  let tx = kv.atomic();
  let deletions = 0;
  for await (const { key } of kv.list({ prefix: keys.all() }, { batchSize: DELETIONS_A_COMMIT })) {
    if (key[2] === keys.restoring()[2] || isKept(key)) continue;
    tx.delete(key);
    if (++deletions % DELETIONS_A_COMMIT === 0) {
      await tx.commit();
      tx = kv.atomic();
    }
  }
  await tx.commit();
}
