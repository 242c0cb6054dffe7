import { type Config, parseConfig } from "../config.ts";
import { systemClock, systemRandom } from "../deps.ts";
import { loadSecrets } from "../keys/secrets_file.ts";
import { isRemote } from "../kv/address.ts";
import { DatabaseInUse, openKv } from "../kv/open.ts";
import { CliError } from "../client/error.ts";
import type { Io } from "./io.ts";
import { inUse, runningAt } from "../client/open.ts";
import { PROVIDERS } from "../provider/providers.ts";

/** A database that no service has open, and the salts that this shell has for it. */
export interface Stopped {
  kv: Deno.Kv;
  /** Other processes may have it open, too: nothing can tell from here. */
  shared: boolean;
  salts: [string, ...string[]];
  clock: typeof systemClock;
  random: typeof systemRandom;
}

/**
 * Returns the configuration.
 *
 * @param mayRun the work looks after itself on a database that several processes share
 * @throws {CliError} while a service runs, and for a database in memory
 */
export async function configOfStopped(io: Io, { mayRun = false } = {}): Promise<Config> {
  const config = parseConfig(io.env, PROVIDERS);
  if (mayRun && isRemote(config.kv)) return config;
  if (config.kv === ":memory:") throw new CliError("Name a database that lasts in CFBE_KV.");
  const address = await runningAt(config);
  if (address !== undefined) throw new CliError(`A service runs at ${address}. Stop it first.`);
  return config;
}

/** Does something with the database of a service that does not run, and closes it afterwards. */
export async function withStopped<T>(config: Config, work: (database: Stopped) => Promise<T>): Promise<T> {
  const database = await openKv(config.kv).catch((error) => {
    throw error instanceof DatabaseInUse ? new CliError(inUse(config)) : error;
  });
  try {
    const { salt } = await loadSecrets(config, systemRandom);
    return await work({
      kv: database.kv,
      shared: isRemote(config.kv),
      salts: [salt, ...config.previousSalts],
      clock: systemClock,
      random: systemRandom,
    });
  } finally {
    database.close();
  }
}
