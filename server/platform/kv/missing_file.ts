/** Returns whether there is nothing at a path. Other problems are reported when the file is opened. */
export function isMissing(path: string): Promise<boolean> {
  return Deno.lstat(path).then(() => false, (error) => error instanceof Deno.errors.NotFound);
}

/** Returns whether something is known to be at a path: false also if the system does not show it. */
export function exists(path: string): Promise<boolean> {
  return Deno.lstat(path).then(() => true, () => false);
}

/** Ignores that a file is missing. @throws any other error */
export function unlessMissing(error: unknown): undefined {
  if (!(error instanceof Deno.errors.NotFound)) throw error;
}
