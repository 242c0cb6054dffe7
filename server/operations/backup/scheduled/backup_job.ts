import { join } from "node:path";
import type { Audit } from "../../../platform/audit/audit.ts";
import { OTHER_ACTORS } from "../../../platform/audit/actor_name.ts";
import type { ScheduledBackups } from "../../../platform/config/config.ts";
import type { Clock, Log, Random } from "../../../platform/deps.ts";
import type { JobDefinition } from "../../../platform/jobs/handler.ts";
import type { Keyring } from "../../../platform/keys/keyring.ts";
import type { Kv } from "../../../platform/kv/port.ts";
import { completed, noteBackup } from "../backup_log.ts";
import { sealingFor } from "../encryption.ts";
import { readBackup } from "../file.ts";
import { syncFolder } from "../../../platform/kv/sync_folder.ts";
import { BACKUP_REST, takeBackup } from "../snapshot.ts";
import { backupName, draftOf, outdated } from "./kept_files.ts";

const MINUTE_MS = 60 * 1000;
/** How long the job waits for a process that makes backups, if another one has claimed it. */
const LONGEST_WAIT_MS = 6 * 60 * MINUTE_MS;
/** After one that failed. */
const AGAIN_AFTER_MS = 60 * MINUTE_MS;
/** Of an error that is noted. */
const MOST_CHARACTERS = 300;

interface Deps {
  kv: Kv;
  clock: Clock;
  random: Random;
  log: Log;
  keyring: Keyring;
  audit: Pick<Audit, "begin">;
  /** Undefined in a process that makes no backups. */
  backups: ScheduledBackups | undefined;
}

/** What `readdir`, `rename` and the like do, for tests in which they fail. */
export type Files = Pick<typeof Deno, "mkdir" | "open" | "readDir" | "remove" | "rename">;

/**
 * Makes a backup, reads it back, and deletes the oldest ones. One that fails is tried again in an hour, and is noted for
 * the check `backup.failed`. A process that dies leaves a draft, which the next backup deletes. If no process makes
 * backups any more, the job ends after some hours; a process that does adds it again with its next slot.
 */
export function scheduledBackup(deps: Deps, files: Files = Deno): Pick<JobDefinition<null>, "handle"> {
  const { clock, log, backups } = deps;
  const again = (afterMs: number, reason: string) =>
    ({ kind: "snooze", until: clock.now() + afterMs, reason }) as const;
  return {
    async handle(job) {
      if (!backups) {
        const reason = "This process makes no backups.";
        const isOld = clock.now() - job.createdAt >= LONGEST_WAIT_MS;
        return isOld ? { kind: "cancel", reason } : again(MINUTE_MS, reason);
      }
      const done = await deps.audit.begin({ who: OTHER_ACTORS.program, action: "cfbe_backup" });
      await noteBackup(deps, (history, now) => ({ ...history, startedAt: now }));
      try {
        const { name, rows } = await makeBackup(deps, backups, files, job.signal);
        await noteBackup(deps, completed);
        log.info("backup.done", { file: name, rows });
        await done("done");
        return { kind: "done" };
      } catch (error) {
        if (job.signal.aborted) return again(0, "Interrupted.");
        const failure = error instanceof Error ? error.message : String(error);
        await noteBackup(
          deps,
          (history, now) => ({ ...history, failedAt: now, failure: failure.slice(0, MOST_CHARACTERS) }),
        );
        log.error("backup.failed", { error });
        await done("failed");
        return again(AGAIN_AFTER_MS, failure);
      }
    },
  };
}

/** Writes a backup to a draft, reads it back, and gives it its name. A failure leaves the older backups as they are. */
async function makeBackup(
  { kv, clock, keyring, log }: Deps,
  { folder, kept, recipients }: ScheduledBackups,
  files: Files,
  signal: AbortSignal,
): Promise<{ name: string; rows: number }> {
  await files.mkdir(folder, { recursive: true, mode: 0o700 });
  const sealing = await sealingFor(recipients);
  const name = backupName(clock.now(), recipients.length > 0);
  const draft = join(folder, draftOf(name));
  try {
    const plain = takeBackup({ kv, clock, keyring, rest: BACKUP_REST });
    const file = await files.open(draft, { write: true, createNew: true, mode: 0o600 });
    await (await sealing.seal(plain)).pipeTo(file.writable, { signal });
    const written = await files.open(draft, { read: true, write: true });
    await written.sync();
    const { rows } = await readBackup(await sealing.open(written.readable));
    await files.rename(draft, join(folder, name));
    await syncFolder(folder);
    await deleteOutdated(folder, { made: name, kept, now: clock.now() }, files)
      .catch((error) => log.warn("backup.old_kept", { error }));
    return { name, rows };
  } catch (error) {
    await files.remove(draft).catch(() => {});
    throw error;
  }
}

async function deleteOutdated(folder: string, complete: Parameters<typeof outdated>[1], files: Files) {
  const names = await Array.fromAsync(files.readDir(folder), ({ name }) => name);
  for (const name of outdated(names, complete)) await files.remove(join(folder, name));
}
