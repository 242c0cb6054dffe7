import type { Command } from "commander";
import { createKeyring } from "../../keys/keyring.ts";
import { BadBackup, readBackup } from "../../ops/backup/file.ts";
import { restore, RestoreRefused } from "../../ops/backup/restore.ts";
import { CliError } from "../../client/error.ts";
import { type Io, makeSure } from "../io.ts";
import { yesOption } from "../options.ts";
import { example } from "../example.ts";
import type { Context } from "../context.ts";
import { adoptSalts } from "../../ops/salts.ts";
import { configOfStopped, withStopped } from "../stopped.ts";
import { counted, time } from "../table.ts";
import { enterAgain } from "./salt.ts";

interface RestoreFlags {
  replace?: boolean;
  otherSalt?: boolean;
  yes?: boolean;
}

const ABOUT_BACKUP = `
The service goes on meanwhile. What it had acknowledged before is in the backup; what comes in meanwhile may be.
The salt is not in it: keep CFBE_SALT, or the file beside the database, in another place.`;

const ABOUT_RESTORE = `
All or nothing: the file is read through first, and no service starts on a database that was restored in part;
run it again then. What may have been mailed since the backup is not mailed again.

On a KV Connect server or Deno Deploy, instances need not stop: deactivate the service, wait 30 seconds, restore with
--replace, and activate it again.`;

/** Keeping everything in a file, and getting it back. */
export function backupCommands(program: Command, { io, withService, without }: Context): void {
  program.command("backup")
    .description("write everything in the database to a file, while the service runs")
    .argument("<file>", "where to; - is standard output")
    .option("--force", "overwrite the file if it exists")
    .addHelpText(
      "after",
      example("backup cfbe-$(date +%F).gz", "backup - | age -r … > cfbe.age") + "\n" + ABOUT_BACKUP,
    )
    .action((file: string, { force = false }: { force?: boolean }) =>
      withService(async (service) => {
        if (file === "-") return await io.write(await service.backup());
        if (!force && await exists(file)) {
          throw new CliError(`${file} exists. Choose another name, or add --force to overwrite it.`);
        }
        const { rows } = await keep(() => service.backup(), file, io);
        io.out(`${counted(rows, "row")} in ${file}. The salt is not in it: keep it in another place.`);
      })
    );

  program.command("restore")
    .description("restore a backup, while no service runs or it is deactivated")
    .argument("<file>", "a file that `cfbe backup <file>` wrote")
    .option("--replace", "delete what is in the database")
    .option(
      "--other-salt",
      "although it was made with another salt: secrets in it are lost, and so are marks",
    )
    .addOption(yesOption())
    .addHelpText("after", example("restore cfbe-2026-01-31.gz") + "\n" + ABOUT_RESTORE)
    .action((file: string, flags: RestoreFlags) => without(() => restoreFile(file, flags, io)));
}

function exists(path: string): Promise<boolean> {
  return Deno.lstat(path).then(() => true, () => false);
}

/** Beside its place first: what breaks off leaves no file that looks like a backup. Read again, for disks lie. */
async function keep(take: () => Promise<ReadableStream<Uint8Array>>, file: string, io: Io) {
  const draft = `${file}.partial`;
  // Made anew: into one that lies there already it would go with that one's mode, and wherever that one links to.
  const { writable } = await Deno.remove(draft).catch(() => {})
    .then(() => Deno.open(draft, { write: true, createNew: true, mode: 0o600 }))
    .catch((error) => {
      throw new CliError(`${file} can't be written: ${error.message}`);
    });
  try {
    await (await take()).pipeThrough(counting(io)).pipeTo(writable);
    io.progress("checking …");
    const read = await readBackup((await Deno.open(draft)).readable);
    await Deno.rename(draft, file);
    return read;
  } catch (error) {
    await Deno.remove(draft).catch(() => {});
    if (error instanceof BadBackup) throw new CliError(`No backup was written: ${error.message}.`);
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
    makeSure(io, flags, `Delete everything in ${config.kv ?? "the database"}, and restore ${file}?`);
  }
  await withStopped(config, async (database) => {
    const done = await restore({
      ...database,
      log: { info: () => {}, warn: () => {}, error: () => {} },
      keyring: createKeyring(database.salts),
      open: async () => (await Deno.open(file)).readable,
      replace: flags.replace ?? false,
      otherSalt: flags.otherSalt ?? false,
      progress: (rows) => io.progress(`${rows} rows`),
    }).catch((error) => {
      throw sayWhy(error, file);
    });
    const lost = flags.otherSalt ? await adoptSalts(database) : [];
    io.progress("");
    const next = database.shared ? "Run `deno task cfbe activate`." : "Start the service.";
    io.out(`${counted(done.rows, "row")} restored, as of ${time(done.at)}. ${next}`);
    if (lost.length > 0) io.err(enterAgain(lost));
  });
}

function sayWhy(error: unknown, file: string): unknown {
  if (error instanceof BadBackup) return new CliError(`${file} can't be restored: ${error.message}.`);
  if (error instanceof Deno.errors.NotFound) return new CliError(`There is no file ${file}.`);
  if (!(error instanceof RestoreRefused)) return error;
  if (error.because === "active") {
    return new CliError(error.message + " Run `deno task cfbe deactivate` first.");
  }
  return new CliError(
    error.because === "not_empty"
      ? `${error.message} Add --replace to delete what is in it.`
      : `${error.message} Set CFBE_SALT as it was set then, or add --other-salt.`,
  );
}
