/** A job that could not be claimed. */
export interface Failure {
  id: string;
  error: unknown;
}

/** How long a job that could not be claimed is passed over, in milliseconds. */
const PASSED_OVER_MS = 60_000;
/** About 100 bytes each. With more such jobs, those that failed longest ago are tried again earlier. */
const MAX_UNCLAIMABLE = 10_000;

/** Remembers jobs that could not be claimed, so that any number of them keeps no other job waiting. */
export function createUnclaimable() {
  /** When each failed, in Unix milliseconds. */
  const failedAt = new Map<string, number>();
  let unreported: Failure | undefined;
  return {
    /** Absolute, because the clock may have been set back. */
    has: (id: string, now: number) => Math.abs(now - (failedAt.get(id) ?? -Infinity)) < PASSED_OVER_MS,
    note(failures: readonly Failure[], now: number) {
      for (const failure of failures) {
        failedAt.delete(failure.id);
        if (failedAt.size >= MAX_UNCLAIMABLE) failedAt.delete(failedAt.keys().next().value!);
        failedAt.set(failure.id, now);
        unreported ??= failure;
      }
    },
    /** @throws the first error since the last call */
    report() {
      const failure = unreported;
      unreported = undefined;
      if (failure) throw failure.error;
    },
  };
}
