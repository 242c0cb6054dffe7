import type { Clock, Log, Random } from "../../deps.ts";
import type { Keyring } from "../../keys/keyring.ts";
import { activationKey, type ActivationRow, isDeactivated } from "../../jobs/parking.ts";
import { keys } from "../../kv/keys.ts";
import { isFarAhead } from "../../stored_time.ts";
import { createActivation } from "../activation.ts";
import { restoreRow } from "./families.ts";
import { createMarkers } from "../../mail/markers.ts";
import { type BackupHeader, type BackupRow, BadBackup, readBackup, saltsFor } from "./file.ts";
import { fitToRecords } from "./fit_to_records.ts";
import { isHalfRestored } from "./half_restored.ts";
import {
  addTombstone,
  addTombstonesOf,
  afterErasures,
  isTombstone,
  subjectsOf,
  type Tombstones,
} from "./tombstones.ts";

/** Thrown when a restore is not allowed. The database is unchanged. */
export class RestoreRefused extends Error {
  override readonly name = "RestoreRefused";
  constructor(readonly code: "not_empty" | "other_salt" | "active", message: string) {
    super(message);
  }
}

type OpenBackup = () => Promise<ReadableStream<Uint8Array<ArrayBuffer>>>;

/** What a valid backup contains. */
export interface VerifiedBackup {
  header: BackupHeader & { rows: number };
  tombstones: Tombstones;
}

export interface RestoreOptions {
  kv: Deno.Kv;
  clock: Clock;
  random: Random;
  log: Log;
  keyring: Keyring;
  /** Opens the file from its beginning. */
  open: OpenBackup;
  /** What `verifyBackup` returned for the file; without it, `restore` verifies the file itself. */
  verified?: VerifiedBackup;
  /** Delete the current contents of the database. */
  replace?: boolean;
  /** Restore although this salt can't decrypt the backup's secrets or find its once-only markers. */
  otherSalt?: boolean;
  /** Other processes may have the database open. The service must be deactivated, and stays so. */
  shared?: boolean;
  /** Called with the number of rows written so far. */
  progress?: (rows: number) => void;
}

/** Limits per commit. Deno KV allows 1,000 mutations, of which a row takes up to nine, and 800 KiB. */
const ROWS_PER_COMMIT = 100;
const BYTES_PER_COMMIT = 400 * 1024;
const DELETIONS_PER_COMMIT = 500;
/** Every process that gets requests notices a deactivation within 15 seconds. */
const SETTLED_AFTER_MS = 30_000;

/**
 * Reads a whole backup, without a database.
 *
 * @throws {BadBackup} for an invalid file
 */
export async function verifyBackup(
  { open, clock }: Pick<RestoreOptions, "open" | "clock">,
): Promise<VerifiedBackup> {
  const tombstones: Tombstones = new Map();
  const header = await readBackup(await open(), (row) => checkRow(row, clock.now(), tombstones));
  return { header, tombstones };
}

/**
 * Checks that a backup was made with the salts of this environment. After a rotation there are at least two: the current
 * one encrypts secrets, and the first one identifies once-only markers.
 *
 * @param keyring undefined if the environment has no salt yet
 * @throws {RestoreRefused} if it was not
 */
export function requireSameSalt(keyring: Keyring | undefined, header: BackupHeader): void {
  const { current, first } = keyring ? saltsFor(keyring, header) : { current: false, first: false };
  if (current && first) return;
  throw new RestoreRefused("other_salt", current ? FIRST_MISSING : first ? CURRENT_MISSING : BOTH_MISSING);
}

const FIRST_MISSING =
  "The salt is the one that the backup was made with, but the service had an earlier one: without it, one-time actions " +
  "(emails, coupons) might be repeated. Set CFBE_SALT_PREVIOUS to the value that the service had, with a comma between " +
  "two salts";
const CURRENT_MISSING =
  "The salt is the first one of the service, but the backup was made with a later one: its secrets cannot be decrypted " +
  "here. Set CFBE_SALT to the later salt, and list this one in CFBE_SALT_PREVIOUS, with a comma between two salts";
const BOTH_MISSING =
  "The backup was made with another salt: its secrets cannot be decrypted here, and one-time actions (emails, " +
  "coupons) might be repeated. Set CFBE_SALT to the salt of the backup, and CFBE_SALT_PREVIOUS if the service had earlier salts";

/**
 * Restores a backup into an empty database. The service sees all of it or nothing: the file is verified before anything
 * is written, and no service starts while a row marks the restore as incomplete (`isHalfRestored`). An interrupted
 * restore has to be run again, and starts over.
 *
 * With a shared database, some processes may run on a host that restarts them whenever they stop. In that case the
 * restore runs while they are deactivated: they accept no signups and claim no jobs until they are activated.
 *
 * People who were erased after the backup stay erased: the database's tombstones are never deleted, not even with
 * `replace`, and apply together with those of the file.
 *
 * @returns the header, how many rows were restored, how many were left out because their people were erased, and for how
 *   many signups a delivery was added
 * @throws {BadBackup} for an invalid file; nothing was written
 * @throws {RestoreRefused} when the database is not empty or in use, or its salt is different; nothing was written
 */
export async function restore(
  options: RestoreOptions,
): Promise<BackupHeader & { rows: number; erased: number; delivered: number }> {
  const { kv, clock, keyring } = options;
  const { header, tombstones } = options.verified ?? await verifyBackup(options);
  if (!options.otherSalt) requireSameSalt(keyring, header);
  const isRepeated = await isHalfRestored(kv);
  if (!isRepeated && !options.replace && !await isEmpty(kv)) {
    throw new RestoreRefused("not_empty", "The database is not empty.");
  }
  if (options.shared && !await isEmpty(kv) && !await isDeactivatedEverywhere(kv, clock.now())) {
    throw new RestoreRefused(
      "active",
      "Other processes may be using the database. Deactivate the service and wait 30 seconds.",
    );
  }
  await kv.set(keys.restoring(), { v: 1, at: clock.now() });
  const isKept = options.shared ? isActivation : () => false;
  await addTombstonesOf(kv, tombstones);
  await clear(kv, (key) => isKept(key) || isTombstone(key));
  const erasures = { tombstones, markers: createMarkers(keyring), takenAt: header.at };
  let erased = 0;
  const { write, flush } = writer(options);
  await readBackup(await options.open(), async (row, size) => {
    if (isKept(row.key)) return;
    const remaining = afterErasures(row, erasures);
    if (remaining) await write(remaining, size);
    else erased++;
  });
  await flush();
  // The backup may contain a signup without its delivery, if it was delivered while the backup was read.
  const activation = createActivation({ ...options, jobs: [], wake: () => {} });
  await activation.refresh();
  const delivered = activation.isActive() ? await activation.deliverQueued() : 0;
  await kv.delete(keys.restoring());
  return { ...header, rows: header.rows - erased, erased, delivered };
}

/** Returns whether the service was deactivated so long ago that every process knows. */
async function isDeactivatedEverywhere(kv: Deno.Kv, now: number): Promise<boolean> {
  const entry = await kv.get<ActivationRow>(activationKey());
  return isDeactivated(entry) &&
    (now - entry.value!.at >= SETTLED_AFTER_MS || isFarAhead(entry.value!.at, now));
}

const isActivation = (key: Deno.KvKey): boolean => key[2] === keys.activation()[2];

/**
 * Checks that a row can be written, before the database is cleared. Collects tombstones.
 *
 * @throws {BadBackup} for a row that can't be written
 */
function checkRow(row: BackupRow, now: number, tombstones: Tombstones): void {
  const { key, value } = row;
  try {
    addTombstone(tombstones, row);
    subjectsOf(row);
    if (keys.all().every((part, index) => key[index] === part) && key.every(isKeyPart)) {
      return restoreRow(DRY_RUN, key, value, now);
    }
  } catch {
    // Invalid, as thrown below.
  }
  throw new BadBackup("it contains a row that cfbe does not write");
}

/** A transaction that accepts every mutation and writes nothing. */
const DRY_RUN = {
  set: () => DRY_RUN,
  delete: () => DRY_RUN,
  sum: () => DRY_RUN,
} as unknown as Deno.AtomicOperation;

function isKeyPart(part: unknown): boolean {
  return ["string", "number", "bigint", "boolean"].includes(typeof part) || part instanceof Uint8Array;
}

/** Returns functions that write rows in batches, one commit per batch. */
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
      // Records come first in the file and must be written before `fitToRecords` reads them.
      if (batch.length > 0 && batch[0]!.key[2] !== row.key[2]) await flush();
      batch.push(row);
      bytes += size;
      if (batch.length >= ROWS_PER_COMMIT || bytes >= BYTES_PER_COMMIT) await flush();
    },
    flush,
  };
}

async function isEmpty(kv: Deno.Kv): Promise<boolean> {
  for await (const _ of kv.list({ prefix: keys.all() }, { limit: 1 })) return false;
  return true;
}

/** Deletes all rows except those to keep and the one that marks the restore as incomplete. */
async function clear(kv: Deno.Kv, isKept: (key: Deno.KvKey) => boolean): Promise<void> {
  let tx = kv.atomic();
  let deletions = 0;
  for await (const { key } of kv.list({ prefix: keys.all() }, { batchSize: DELETIONS_PER_COMMIT })) {
    if (key[2] === keys.restoring()[2] || isKept(key)) continue;
    tx.delete(key);
    if (++deletions % DELETIONS_PER_COMMIT === 0) {
      await tx.commit();
      tx = kv.atomic();
    }
  }
  await tx.commit();
}
