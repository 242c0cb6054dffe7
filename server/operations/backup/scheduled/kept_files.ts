/** The names of scheduled backups, and which of them are kept. */

const NAME = /^cfbe-\d{4}-\d{2}-\d{2}T\d{6}Z\.backup(\.age)?$/;
const DRAFT = ".partial";

/** Returns the name of a backup that begins at a time in Unix milliseconds. Names sort by time. */
export function backupName(at: number, isEncrypted: boolean): string {
  const time = new Date(at).toISOString().slice(0, 19).replaceAll(":", "");
  return `cfbe-${time}Z.backup${isEncrypted ? ".age" : ""}`;
}

/** Returns the name under which a backup is written until it is verified. */
export const draftOf = (name: string): string => name + DRAFT;

/**
 * Returns the files of a folder to delete once a backup is complete: all but the newest backups, and drafts that a
 * process has left which died. No file with another name, and not the backup itself. A time that is still to come was
 * written while the clock was ahead: such backups count as the oldest.
 *
 * @param made the name of the complete backup
 * @param kept how many backups stay
 * @param now Unix milliseconds
 */
export function outdated(
  names: readonly string[],
  { made, kept, now }: { made: string; kept: number; now: number },
): string[] {
  const latest = backupName(now, true);
  const others = names.filter((name) => NAME.test(name) && name !== made).sort();
  const byAge = [...others.filter((name) => name > latest), ...others.filter((name) => name <= latest)];
  const drafts = names.filter((name) => name.endsWith(DRAFT) && NAME.test(name.slice(0, -DRAFT.length)));
  return [...byAge.slice(0, Math.max(0, byAge.length - (kept - 1))), ...drafts];
}
