import type { Config } from "../platform/config/config.ts";
import type { Clock, Log } from "../platform/deps.ts";
import { createLog } from "../platform/observe/log.ts";
import { currentRequestId } from "../platform/observe/request_id.ts";

interface Environment {
  config: Config;
  clock: Clock;
  /** Writes a log line. */
  write: (line: string) => void;
}

/**
 * Opens the log, and warns about a preview that keeps nothing.
 *
 * @param secrets returns the texts that never appear in the log
 */
export function openLog({ config, clock, write }: Environment, secrets: () => string[]): Log {
  const log = createLog({ clock, secrets, write, request: currentRequestId });
  if (config.throwAway) {
    log.warn("preview.ephemeral", {
      message:
        "This preview has no CFBE_SALT and CFBE_API_TOKEN, so it uses the sandbox and an in-memory database and loses " +
        "all data when it stops. To keep data, set both in the Development context, to different values than production.",
    });
  }
  return log;
}
