const HOUR_MS = 60 * 60 * 1000;

/** The job that makes a backup, apart from its code, which few processes load. */
export const BACKUP_JOB = { id: "backup", name: "cfbe_backup", payload: null } as const;

/** A backup rests for most of its time, so a million records take about twenty minutes. */
export const LONGEST_BACKUP_MS = 6 * HOUR_MS;
