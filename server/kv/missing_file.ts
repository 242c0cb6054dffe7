/** Returns whether there is nothing at a path. Other problems are reported when the file is opened. */
export function isMissing(path: string): Promise<boolean> {
  return Deno.lstat(path).then(() => false, (error) => error instanceof Deno.errors.NotFound);
}

/** Ignores that a file is missing. @throws any other error */
export function unlessMissing(error: unknown): undefined {
  if (!(error instanceof Deno.errors.NotFound)) throw error;
}
