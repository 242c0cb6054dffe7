import { withoutPassword } from "../../platform/kv/address.ts";
import { readEnvironment } from "../../settings/store/environment.ts";
import { counted } from "../../platform/words/counted.ts";
import { cfbeCommand } from "../../platform/config/cfbe_command.ts";
import { type Command, Option } from "commander";
import { nameOf } from "../../platform/audit/actor_name.ts";
import { createAudit } from "../../platform/audit/audit.ts";
import type { Config } from "../../platform/config/config.ts";
import { systemClock, systemRandom } from "../../platform/deps.ts";
import { activationKey, type ActivationRow, isDeactivated } from "../../platform/jobs/parking.ts";
import { exists } from "../../platform/kv/missing_file.ts";
import { openKv } from "../../platform/kv/open.ts";
import { RestoreDiffers } from "../../operations/backup/compare.ts";
import {
  decrypted,
  encrypted,
  isRecipient,
  newBackupKey,
  NotDecrypted,
  sealingFor,
} from "../../operations/backup/encryption.ts";
import type { OpenBackup } from "../../operations/backup/restored_rows.ts";
import { BadBackup, keyringFor, readBackup } from "../../operations/backup/file.ts";
import {
  requireSameSalt,
  restore,
  RestoreRefused,
  type VerifiedBackup,
  verifyBackup,
} from "../../operations/backup/restore.ts";
import { ClientError } from "../client/error.ts";
import { confirmed, type Io } from "../terminal/io.ts";
import { yesOption } from "../options.ts";
import { example } from "../example.ts";
import type { Context } from "../context.ts";
import { adoptSalts } from "../../operations/database/salts.ts";
import { configOfStopped, withStopped } from "../stopped.ts";
import { existingSalts } from "../../platform/keys/secrets_file.ts";
import { time } from "../terminal/table.ts";
import { backupNotRead } from "./backup_not_read.ts";
import { backupNotWritten } from "./backup_not_written.ts";
import { lostSecretsMessage } from "./salt.ts";

interface RestoreFlags extends KeyFlags {
  replace?: boolean;
  otherSalt?: boolean;
  yes?: boolean;
}

/** How to decrypt a file. */
interface KeyFlags {
  /** Paths of files with secret keys. */
  identity?: string[];
}

interface BackupFlags {
  force?: boolean;
  recipient?: string[];
}

const ABOUT_KEY = `
Whoever has the public key can encrypt backups, but not read them. The file has the secret key, which \`restore\` and
\`backup verify\` take with --identity: store it elsewhere. Without it, encrypted backups are lost.`;

const ABOUT_BACKUP = `
The service keeps running. The backup contains everything it acknowledged before the start, and possibly more.
The backup does not contain the salt: store CFBE_SALT, or the salt file next to the database, elsewhere.`;

const ABOUT_VERIFY = `
Proves that the backup can be restored, with the salt of this environment. Needs memory for the whole database.`;

const ABOUT_RESTORE = `
All or nothing: the file is validated first, and the service does not start on a partly restored database (run the
command again). Emails that may have been sent since the backup are not sent again.

On a KV Connect server or Deno Deploy, instances can keep running: deactivate the service, wait 30 seconds, restore
with --replace, and activate it again.`;

/** Adds the commands that back up and restore the database. */
export function backupCommands(program: Command, { io, withService, withoutService }: Context): void {
  const backup = program.command("backup")
    .description("write the whole database to a file, while the service runs")
    .argument("<file>", "output file; - is standard output")
    .option("--force", "overwrite an existing file")
    .option(
      "--recipient <key...>",
      "encrypt it for these public keys (age1…), from `backup key` or age-keygen",
    )
    .addHelpText(
      "after",
      example("backup cfbe-$(date +%F).gz", "backup cfbe.age --recipient age1…") + "\n" + ABOUT_BACKUP,
    )
    .action((file: string, { force = false, recipient = [] }: BackupFlags) =>
      withService(async (service) => {
        for (const key of recipient) {
          if (!await isRecipient(key)) {
            throw new ClientError(
              `${key} is not a public key. Make one with \`${cfbeCommand()} backup key <file>\`.`,
            );
          }
        }
        if (file === "-") {
          const backup = await service.backup();
          return await io.write(recipient.length > 0 ? await encrypted(backup, recipient) : backup);
        }
        if (!force && await exists(file)) {
          throw new ClientError(
            `${file} already exists. Choose another name, or add --force to overwrite it.`,
          );
        }
        const { rows } = await io.interruptible(() => writeTo(() => service.backup(), file, recipient, io), {
          message: "Interrupted: no backup was written. Run the command again.",
          undo: () => Deno.remove(draftOf(file)),
        });
        io.out(`${counted(rows, "row")} in ${file}. The salt is not included: store it elsewhere.`);
      })
    );

  backup.command("verify")
    .description("restore a backup into memory and compare every row, without a database")
    .argument("<file>", "a file from `cfbe backup <file>`")
    .addOption(identityOption())
    .addHelpText("after", example("backup verify cfbe-2026-01-31.gz") + "\n" + ABOUT_VERIFY)
    .action((file: string, flags: KeyFlags) => withoutService(() => verifyInMemory(file, flags, io)));

  backup.command("key")
    .description(
      "make a key pair for encrypted backups: writes the secret key to a file, prints the public key",
    )
    .argument("<file>", "new file for the secret key")
    .addHelpText("after", example("backup key cfbe-backups.key") + "\n" + ABOUT_KEY)
    .action((file: string) => withoutService(() => makeKey(file, io)));

  program.command("restore")
    .description("restore a backup into a stopped service (on a KV Connect server, deactivated is enough)")
    .argument("<file>", "a file from `cfbe backup <file>`")
    .option("--replace", "delete the current contents of the database")
    .option(
      "--other-salt",
      "restore a backup made with another salt; its secrets and once-only markers are lost",
    )
    .addOption(identityOption())
    .addOption(yesOption())
    .addHelpText("after", example("restore cfbe-2026-01-31.gz") + "\n" + ABOUT_RESTORE)
    .action((file: string, flags: RestoreFlags) => withoutService(() => restoreFile(file, flags, io)));
}

const INTERRUPTED =
  "Interrupted: the backup is not restored, and a database file is as it was before. Run the command again, " +
  "which begins anew.";

const identityOption = () =>
  new Option("--identity <file...>", "files with secret keys, to read an encrypted backup");

/** Writes a new secret key to a file that only its owner can read. */
async function makeKey(file: string, io: Io): Promise<void> {
  const { identity, recipient } = await newBackupKey();
  await Deno.writeTextFile(file, `# public key: ${recipient}\n${identity}\n`, {
    createNew: true,
    mode: 0o600,
  })
    .catch((error) => {
      if (error instanceof Deno.errors.AlreadyExists) throw new ClientError(`${file} already exists.`);
      throw backupNotWritten(file, error);
    });
  io.out(
    `${recipient}\nThe secret key is in ${file}. Store it elsewhere: without it, encrypted backups are lost.`,
  );
}

/**
 * Returns what opens a backup file, decrypted if it is encrypted. Can be opened several times.
 *
 * @throws {ClientError} for a file of keys that can't be read
 */
async function opener(file: string, { identity = [] }: KeyFlags): Promise<OpenBackup> {
  const keys: string[] = [];
  for (const path of identity) {
    const text = await Deno.readTextFile(path).catch(() => {
      throw new ClientError(`The file of keys ${path} can't be read.`);
    });
    const found = text.match(/^AGE-SECRET-KEY-\S+$/gm);
    if (!found) throw new ClientError(`${path} contains no secret key (AGE-SECRET-KEY-…).`);
    keys.push(...found);
  }
  return async () => {
    const { readable } = await Deno.open(file).catch((error) => {
      throw backupNotRead(file, error);
    });
    return await decrypted(readable, keys);
  };
}

const draftOf = (file: string) => `${file}.partial`;

/** Writes to a draft first, so that an interrupted backup leaves no file, and reads it back before renaming it. */
async function writeTo(
  take: () => Promise<ReadableStream<Uint8Array>>,
  file: string,
  recipients: readonly string[],
  io: Io,
) {
  const sealing = await sealingFor(recipients);
  const draft = draftOf(file);
  // Never reuse an existing draft: it can have other permissions, or be a link to another file.
  const { writable } = await Deno.remove(draft).catch(() => {})
    .then(() => Deno.open(draft, { write: true, createNew: true, mode: 0o600 }))
    .catch((error) => {
      throw backupNotWritten(file, error);
    });
  try {
    const backup = (await take()).pipeThrough(counting(io));
    await (await sealing.seal(backup)).pipeTo(writable);
    io.progress("checking …");
    const read = await readBackup(await sealing.open((await Deno.open(draft)).readable));
    await Deno.rename(draft, file);
    return read;
  } catch (error) {
    await Deno.remove(draft).catch(() => {});
    if (error instanceof BadBackup) throw new ClientError(`No backup was written: ${error.message}.`);
    throw error;
  } finally {
    await writable.abort().catch(() => {});
    io.progress("");
  }
}

function counting(io: Io): TransformStream<Uint8Array, Uint8Array> {
  let size = 0;
  return new TransformStream({
    transform(chunk, controller) {
      size += chunk.byteLength;
      io.progress(`${(size / 1e6).toFixed(1)} MB`);
      controller.enqueue(chunk);
    },
  });
}

async function restoreFile(file: string, flags: RestoreFlags, io: Io): Promise<void> {
  const config = await configOfStopped(io, { mayRun: true });
  if (flags.replace) {
    confirmed(
      io,
      flags,
      `Delete everything in ${withoutPassword(config.kv ?? "the database")} and restore ${file}?`,
    );
  }
  const open = await opener(file, flags);
  await io.interruptible(() => restoreWith(open, config, file, flags, io), { message: INTERRUPTED });
}

async function restoreWith(
  open: OpenBackup,
  config: Config,
  file: string,
  flags: RestoreFlags,
  io: Io,
): Promise<void> {
  const verified = await verifyFile(open, config, flags).catch((error) => {
    throw restoreError(error, file);
  });
  await withStopped(config, async (database) => {
    const keyring = keyringFor(database.salts, verified.header);
    const done = await database.rebuild(async (kv) => {
      const result = await restore({
        ...database,
        kv,
        replaces: database.kv,
        log: NO_LOG,
        keyring,
        open,
        verified,
        replace: flags.replace ?? false,
        otherSalt: flags.otherSalt ?? false,
        progress: (rows, step) => io.progress(`${counted(rows, "row")} ${step}`),
      });
      const lost = flags.otherSalt ? await adoptSalts({ ...database, kv }) : [];
      // After the restore, because it replaces the log by that of the backup.
      const audit = createAudit({ ...database, kv, keyring });
      await (await audit.begin({ who: nameOf({ kind: "local" }), action: "cfbe_restore" }))("done");
      const isActive = !isDeactivated(await kv.get<ActivationRow>(activationKey()));
      return { ...result, lost, isActive };
    }).catch((error) => {
      throw restoreError(error, file);
    }).finally(() => io.progress(""));
    io.out(
      `${counted(done.rows, "row")} restored, as of ${time(done.at)}. All users are signed out. ${
        nextStep(done.isActive, database.shared)
      }`,
    );
    if (done.erased > 0) {
      io.out(`Not restored: ${counted(done.erased, "row")} about people who have been erased.`);
    }
    if (done.lost.length > 0) io.err(lostSecretsMessage(done.lost));
  });
}

/** Memory that a database takes in memory, for each byte of its keys and values. */
const MEMORY_PER_BYTE = 3;

/** Restores a backup into memory, which compares every row. */
async function verifyInMemory(file: string, flags: KeyFlags, io: Io): Promise<void> {
  const config = readEnvironment(io.env);
  const open = await opener(file, flags);
  try {
    const verified = await verifyBackup({ open, clock: systemClock });
    const needed = verified.bytes * MEMORY_PER_BYTE;
    const { available } = Deno.systemMemoryInfo();
    if (needed > available) {
      throw new ClientError(
        `${file} needs about ${gigabytes(needed)} of memory, but ${
          gigabytes(available)
        } are available. Restore it into a ` +
          "new file instead, which compares every row too: set CFBE_KV to that file.",
      );
    }
    const salts = await existingSalts(config);
    const keyring = salts && keyringFor(salts, verified.header);
    requireSameSalt(keyring, verified.header);
    const database = await openKv(":memory:");
    try {
      const { rows, at } = await restore({
        kv: database.kv,
        clock: systemClock,
        random: systemRandom,
        log: NO_LOG,
        keyring: keyring!,
        open,
        verified,
        progress: (rows, step) => io.progress(`${counted(rows, "row")} ${step}`),
      });
      io.progress("");
      io.out(`${counted(rows, "row")} in ${file}, as of ${time(at)}: the backup can be restored.`);
    } finally {
      database.close();
    }
  } catch (error) {
    throw error instanceof RestoreRefused ? new ClientError(`${error.message}.`) : restoreError(error, file);
  }
}

const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`;

const NO_LOG = { info: () => {}, warn: () => {}, error: () => {} };

/** Returns what to do after a restore. A shared database may be in use by processes that are deactivated. */
function nextStep(isActive: boolean, shared: boolean): string {
  if (isActive) return "Start the service.";
  const activate = `\`${cfbeCommand()} activate\``;
  return shared ? `Run ${activate}.` : `Start the service, which is deactivated, and run ${activate}.`;
}

/** Verifies the backup before the database and the salt exist, so that a refused restore creates no file. */
async function verifyFile(
  open: OpenBackup,
  config: Config,
  { otherSalt }: RestoreFlags,
): Promise<VerifiedBackup> {
  const verified = await verifyBackup({ open, clock: systemClock });
  if (otherSalt) return verified;
  const salts = await existingSalts(config);
  requireSameSalt(salts && keyringFor(salts, verified.header), verified.header);
  return verified;
}

function restoreError(error: unknown, file: string): unknown {
  if (error instanceof NotDecrypted) {
    return new ClientError(
      `${file} cannot be read: ${error.message}. Name the file of its secret key with --identity.`,
    );
  }
  if (error instanceof BadBackup) return new ClientError(`${file} cannot be restored: ${error.message}.`);
  if (error instanceof Deno.errors.IsADirectory) return new ClientError(`${file} is a folder, not a backup.`);
  if (error instanceof RestoreDiffers) {
    return new ClientError(`${file} was not restored: ${error.message}. Run the command again.`);
  }
  if (!(error instanceof RestoreRefused)) return error;
  if (error.code === "active") {
    return new ClientError(error.message + ` Run \`${cfbeCommand()} deactivate\` first.`);
  }
  return new ClientError(
    error.code === "not_empty"
      ? `${error.message} Add --replace to delete its contents.`
      : `${error.message}, or add --other-salt.`,
  );
}
