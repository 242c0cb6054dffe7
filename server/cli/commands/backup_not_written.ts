import { dirname } from "node:path";
import { cfbeCommand } from "../../platform/config/cfbe_command.ts";
import { ClientError } from "../client/error.ts";

/** Returns what prevents writing a backup to a file, and what to do. */
export function backupNotWritten(file: string, error: Error): ClientError {
  const folder = dirname(file);
  if (error instanceof Deno.errors.NotFound) {
    return new ClientError(`${file} cannot be written: the folder ${folder} does not exist.`);
  }
  if (!(error instanceof Deno.errors.PermissionDenied)) {
    return new ClientError(`${file} cannot be written: ${error.message}`);
  }
  return new ClientError(
    `${file} cannot be written: the user that runs this command may not write to ${folder}. Choose a folder that it ` +
      `may write to, such as /var/lib/cfbe, or let your shell write the file: \`${cfbeCommand()} backup - > ${file}\`.`,
  );
}
