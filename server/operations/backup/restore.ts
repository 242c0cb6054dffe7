import type { Clock, Log, Random } from "../../platform/deps.ts";
import type { Keyring } from "../../platform/keys/keyring.ts";
import { activationKey, type ActivationRow, isDeactivated } from "../../platform/jobs/parking.ts";
import { readRow } from "../../platform/kv/key.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { Kv, KvKey } from "../../platform/kv/port.ts";
import { sitesKey } from "../../platform/tokens/sites/row.ts";
import { tokensKey } from "../../platform/tokens/row.ts";
import { isFarAhead } from "../../platform/time/stored_time.ts";
import { createActivation } from "../activation/activation.ts";
import { type Batches, createBatches } from "../../platform/kv/batches.ts";
import { fits, REMOTE_LIMITS, sizeOf } from "../../platform/kv/limits.ts";
import type { TombstoneRow } from "../../signup/record/tombstone.ts";
import { compareRestored, mutationsOf } from "./compare.ts";
import { restoreRow } from "./families.ts";
import { type BackupHeader, type BackupRow, BadBackup, readBackup, saltsFor } from "./file.ts";
import { isHalfRestored, isHalfRestoredFromEmpty, restoringKey } from "./restores.ts";
import { type OpenBackup, readRestoredRows } from "./restored_rows.ts";
import { addTombstone, addTombstonesOf, isTombstone, subjectsOf, type Tombstones } from "./tombstones.ts";

/** Thrown when a restore is not allowed. The database is unchanged. */
export class RestoreRefused extends Error {
  override readonly name = "RestoreRefused";
  constructor(readonly code: "not_empty" | "other_salt" | "active", message: string) {
    super(message);
  }
}

/** What a valid backup contains. */
export interface VerifiedBackup {
  header: BackupHeader & { rows: number };
  tombstones: Tombstones;
  /** Size of its keys and values in a database, index entries included, in bytes. */
  bytes: number;
}

export interface RestoreOptions {
  /** The database to write to. */
  kv: Kv;
  /**
   * The database that `kv` is going to replace; `kv` itself by default. It decides whether the restore is allowed, its
   * tombstones count, and it stays as it is: if it has data, a service can start on it until it is replaced.
   */
  replaces?: Kv;
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
  /** Other processes may have the database open. Unless it was empty, the service must be deactivated, and stays so. */
  shared?: boolean;
  /** Called with the number of rows handled so far: first those written, then those compared. */
  progress?: (rows: number, step: "written" | "compared") => void;
}

const ROWS_PER_READ = 500;
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
  let bytes = 0;
  const header = await readBackup(
    await open(),
    (row) => void (bytes += checkRow(row, clock.now(), tombstones)),
  );
  return { header, tombstones, bytes };
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
 * `replace`, and apply together with those of the file. Its API tokens stay as they are: a backup contains none.
 *
 * @returns the header, how many rows were restored, how many were left out because their people were erased, and for how
 *   many signups a delivery was added
 * @throws {BadBackup} for an invalid file; nothing was written
 * @throws {RestoreRefused} when the database is not empty or in use, or its salt is different; nothing was written
 */
export async function restore(
  options: RestoreOptions,
): Promise<BackupHeader & { rows: number; erased: number; delivered: number }> {
  const { kv, replaces = kv, clock, keyring, progress = () => {} } = options;
  const { header, tombstones } = options.verified ?? await verifyBackup(options);
  if (!options.otherSalt) requireSameSalt(keyring, header);
  const wasEmpty = await isEmpty(replaces) || await isHalfRestoredFromEmpty(replaces);
  if (!wasEmpty && !options.replace && !await isHalfRestored(replaces)) {
    throw new RestoreRefused("not_empty", "The database is not empty.");
  }
  if (options.shared && !wasEmpty && !await isDeactivatedEverywhere(replaces, clock.now())) {
    throw new RestoreRefused(
      "active",
      "Other processes may be using the database. Deactivate the service and wait 30 seconds.",
    );
  }
  const restoredAt = clock.now();
  const mark = { v: 1, at: restoredAt, wasEmpty } as const;
  // An empty database that is going to be replaced must not pass for a new one.
  if (wasEmpty) await replaces.set(restoringKey(), mark);
  await kv.set(restoringKey(), mark);
  const sites = await readRow(replaces, sitesKey());
  const keepsActivation = options.shared === true && !wasEmpty;
  const isKept = (key: KvKey) =>
    isApiTokens(key) || sites !== null && isSites(key) || keepsActivation && isActivation(key);
  await addTombstonesOf(replaces, tombstones);
  const batches = createBatches(kv);
  for (const [person, at] of tombstones) {
    await batches.add((tx) => tx.set(keys.tombstone(person), { v: 1, at } satisfies TombstoneRow));
  }
  // Tokens and sites that are revoked stay revoked, and those in use go on working.
  const apiTokens = await readRow(replaces, tokensKey());
  if (kv !== replaces && apiTokens) await batches.add((tx) => tx.set(tokensKey(), apiTokens));
  if (kv !== replaces && sites) await batches.add((tx) => tx.set(sitesKey(), sites));
  await clear(kv, batches, (key) => isKept(key) || isTombstone(key));
  const source = { open: options.open, kv, keyring, tombstones, takenAt: header.at, isKept };
  let written = 0;
  const erased = await readRestoredRows(source, {
    family: () => batches.flush(),
    async page(rows, read) {
      for (const { key, value } of rows) await batches.add((tx) => restoreRow(tx, key, value, restoredAt));
      progress(written += read, "written");
    },
  });
  await batches.flush();
  const { versionstamp: version } = await kv.set(restoringKey(), mark);
  const { shared } = options;
  await compareRestored(source, {
    restoredAt,
    version,
    shared,
    progress: (rows) => progress(rows, "compared"),
  });
  // The backup may contain a signup without its delivery, if it was delivered while the backup was read.
  const activation = createActivation({ ...options, jobs: [], wake: () => {}, startSlowly: () => {} });
  await activation.refresh();
  const delivered = activation.isActive() ? await activation.deliverQueued() : 0;
  await kv.atomic().set(keys.restored(), { v: 1, at: restoredAt }).delete(restoringKey()).commit();
  return { ...header, rows: header.rows - erased, erased, delivered };
}

/** Returns whether the service was deactivated so long ago that every process knows. */
async function isDeactivatedEverywhere(kv: Kv, now: number): Promise<boolean> {
  const entry = await kv.get<ActivationRow>(activationKey());
  return isDeactivated(entry) &&
    (now - entry.value!.at >= SETTLED_AFTER_MS || isFarAhead(entry.value!.at, now));
}

const isApiTokens = (key: KvKey): boolean => key[2] === tokensKey()[2];
const isSites = (key: KvKey): boolean => key[2] === sitesKey()[2];
const isActivation = (key: KvKey): boolean => key[2] === keys.activation()[2];

/**
 * Checks that a row can be written, before the database is cleared. Collects tombstones.
 *
 * @returns the size of what will be written, in bytes
 * @throws {BadBackup} for a row that can't be written
 */
function checkRow(row: BackupRow, now: number, tombstones: Tombstones): number {
  const { key, value } = row;
  try {
    addTombstone(tombstones, row);
    subjectsOf(row);
    if (keys.all().every((part, index) => key[index] === part) && key.every(isKeyPart)) {
      const size = sizeOf({ mutations: mutationsOf(key, value, now) });
      if (fits(size, REMOTE_LIMITS)) return size.bytes;
    }
  } catch {
    // Invalid, as thrown below.
  }
  throw new BadBackup("it contains a row that cfbe does not write");
}

function isKeyPart(part: unknown): boolean {
  return ["string", "number", "bigint", "boolean"].includes(typeof part) || part instanceof Uint8Array;
}

async function isEmpty(kv: Kv): Promise<boolean> {
  for await (const { key } of kv.list({ prefix: keys.all() }, { limit: 2 })) {
    if (key[2] !== keys.move()[2]) return false;
  }
  return true;
}

/** The row that marks the restore as incomplete, and what a move of the database needs. */
const OF_NO_BACKUP: readonly unknown[] = [keys.restoring(), keys.move(), keys.moveChangeAll()].map((key) =>
  key[2]
);

/** Deletes all rows except those to keep and those of no backup. */
async function clear(kv: Kv, batches: Batches, isKept: (key: KvKey) => boolean): Promise<void> {
  for await (const { key } of kv.list({ prefix: keys.all() }, { batchSize: ROWS_PER_READ })) {
    if (OF_NO_BACKUP.includes(key[2]) || isKept(key)) continue;
    await batches.add((tx) => tx.delete(key));
  }
  await batches.flush();
}
