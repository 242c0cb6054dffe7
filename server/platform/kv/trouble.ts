import { dirname } from "node:path";
import { cfbeCommand } from "../config/cfbe_command.ts";

/** Why the database failed. Code must decide by this, never by the text of an error. */
export type DatabaseCause =
  | "damaged"
  /** Another file has its path, while this process still writes to the old one. */
  | "replaced"
  /** No file has its path any more. */
  | "missing"
  | "full"
  | "read_only"
  | "denied"
  /** The disk reports an error. */
  | "io"
  /** The database server does not respond. */
  | "unreachable"
  | "other";

const CAUSES: readonly (readonly [DatabaseCause, RegExp])[] = [
  ["full", /disk is full|No space left|ENOSPC|os error 28\b|quota exceeded|EDQUOT/i],
  ["read_only", /read-?only database|read-only file system|file system is read-only|EROFS|os error 30\b/i],
  ["damaged", /malformed|not a database|no such table|deserializ|JSON/],
  ["denied", /unable to open database|Permission denied|EACCES|os error 13\b/i],
  ["io", /disk I\/O error|EIO\b|os error 5\b/i],
  ["unreachable", /failed to connect|error sending request|timed out|did not respond|connection/i],
];

/** Errors of a call that the database would refuse on any day, or of a database that this process has closed. */
const NOT_ITS_FAULT = /too (large|many|big)|bad resource|interrupted|cancell?ed|closed/i;

/** Returns why a call of the database failed; undefined if the call itself was wrong, or the database is closed. */
export function causeOf(error: unknown): DatabaseCause | undefined {
  const message = error instanceof Error ? error.message : String(error);
  const known = CAUSES.find(([, pattern]) => pattern.test(message))?.[0];
  if (known) return known;
  const isOurs = NOT_ITS_FAULT.test(message) || NOT_ITS_FAULT.test(error instanceof Error ? error.name : "");
  return isOurs ? undefined : "other";
}

/** Returns whether a failure may pass by itself: nothing is known to be wrong with the disk or the file. */
export function mayPass(cause: DatabaseCause): boolean {
  return cause === "unreachable" || cause === "other";
}

/** How to replace a damaged file. */
export function restoreAdvice(file: string): string {
  return `Stop cfbe, move ${file} and the files beside it that end in -wal and -shm to another folder, then run ` +
    `\`${cfbeCommand()} restore <file>\` with your latest backup.`;
}

/**
 * Returns what is wrong with the database, and what to do.
 *
 * @param file of an embedded database; undefined for a server
 * @param reason the text of the error
 * @param ended whether this ends cfbe, as at its start
 */
export function databaseText(
  { cause, reason }: { cause: DatabaseCause; reason: string },
  file: string | undefined,
  { ended = false } = {},
): { what: string; todo: string } {
  if (file === undefined) {
    return {
      what: `The database fails: ${reason}.`,
      todo: "Check that its server runs and can be reached, and look at the server's log.",
    };
  }
  const folder = dirname(file);
  const saveFirst =
    `Run \`${cfbeCommand()} backup now.backup\` while cfbe still runs, because everything that it ` +
    "stores now is lost when it stops. Then stop it, and restore that backup.";
  switch (cause) {
    case "damaged":
      return { what: `The database file ${file} is damaged (${reason}).`, todo: restoreAdvice(file) };
    case "replaced":
      return { what: `The database file ${file} was replaced while cfbe was running.`, todo: saveFirst };
    case "missing":
      return { what: `The database file ${file} was removed while cfbe was running.`, todo: saveFirst };
    case "full":
      return {
        what: `The disk of ${folder} is full.`,
        todo: ended
          ? "Free some space, then start cfbe again."
          : "Free some space. cfbe then continues without a restart.",
      };
    case "read_only":
      return {
        what: `The disk of ${folder} is read-only.`,
        todo: "Look for disk errors in the system's log, then mount the disk as writable.",
      };
    case "denied":
      return {
        what: `The user that runs cfbe can't read and write ${file}.`,
        todo: `Give the folder ${folder} and its files to that user.`,
      };
    case "io":
      return {
        what: `The disk of ${folder} reports an error: ${reason}.`,
        todo:
          "Look for disk errors in the system's log, and check that nobody removed the file that ends in -wal " +
          `beside ${file}. If a file is lost: ${restoreAdvice(file)}`,
      };
    default:
      return {
        what: `The database ${file} fails: ${reason}.`,
        todo: `Run \`${cfbeCommand()} doctor --full\`, and see the log.`,
      };
  }
}
