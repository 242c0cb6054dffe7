import { ClientError } from "../client/error.ts";

/** Returns what prevents opening a backup file, and what to do. */
export function backupNotRead(file: string, error: Error): ClientError {
  if (error instanceof Deno.errors.NotFound) return new ClientError(`${file} does not exist.`);
  if (!(error instanceof Deno.errors.PermissionDenied)) {
    return new ClientError(`${file} cannot be read: ${error.message}`);
  }
  return new ClientError(
    `${file} cannot be read: the user that runs this command may not read it. Copy it to a folder of that user, such as ` +
      "/var/lib/cfbe, make the user the owner of the copy, and name the copy.",
  );
}
