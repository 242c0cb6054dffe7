import type { Config } from "./config.ts";
import type { Clock, Log } from "./deps.ts";
import { createLog } from "./observe/log.ts";
import { currentRequestId } from "./observe/request_id.ts";
import { traceWarning } from "./observe/untraced.ts";

interface Environment {
  env: Record<string, string | undefined>;
  config: Config;
  clock: Clock;
  /** Writes a log line. */
  write: (line: string) => void;
}

/**
 * Opens the log, and logs warnings about the environment.
 *
 * @param secrets returns the texts that never appear in the log
 */
export function openLog({ env, config, clock, write }: Environment, secrets: () => string[]): Log {
  const log = createLog({ clock, secrets, write, request: currentRequestId });
  const traced = traceWarning(env, config);
  if (traced) log.warn("telemetry.contains_addresses", { message: traced });
  if (config.throwAway) {
    log.warn("preview.ephemeral", {
      message:
        "This preview has no CFBE_SALT and CFBE_API_TOKEN, so it uses the sandbox and an in-memory database and loses " +
        "all data when it stops. To keep data, set both in the Development context, to different values than production.",
    });
  }
  return log;
}
