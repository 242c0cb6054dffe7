import type { Kv } from "../platform/kv/port.ts";
import { readEnvironment } from "../settings/store/environment.ts";
import type { Config } from "../platform/config/config.ts";
import { systemClock, systemRandom } from "../platform/deps.ts";
import type { Salts } from "../platform/keys/salt_file.ts";
import { loadSecrets } from "../platform/keys/secrets_file.ts";
import { isRemote } from "../platform/kv/address.ts";
import { DatabaseInUse, openKv } from "../platform/kv/open.ts";
import { ClientError } from "./client/error.ts";
import type { Io } from "./terminal/io.ts";
import { inUse, runningAt } from "./client/open.ts";
import { requireFolder } from "../operations/database/lost_database.ts";

/** The database of a stopped service, with the salts from this environment. */
export interface StoppedService {
  kv: Kv;
  /** Whether other processes can have it open at the same time, which cannot be detected. */
  shared: boolean;
  salts: Salts;
  /**
   * Runs `build` on a new database that replaces an embedded one when it is complete (see `replaceFile`), or on the
   * shared database itself.
   */
  rebuild<T>(build: (kv: Kv) => Promise<T>): Promise<T>;
  clock: typeof systemClock;
  random: typeof systemRandom;
}

/**
 * Returns the configuration of a stopped service.
 *
 * @param mayRun whether the work is safe on a database that several processes share
 * @throws {ClientError} if the service is running, or if its database is in memory
 */
export async function configOfStopped(io: Io, { mayRun = false } = {}): Promise<Config> {
  const config = readEnvironment(io.env);
  if (mayRun && isRemote(config.kv)) return config;
  if (config.kv === ":memory:") {
    throw new ClientError(
      "The database is in memory. Set CFBE_KV to a file, or to a PostgreSQL or KV Connect URL.",
    );
  }
  const address = await runningAt(config);
  if (address !== undefined) throw new ClientError(`The service is running at ${address}. Stop it first.`);
  return config;
}

/** Opens the database of a stopped service, runs `work` on it, and closes it. */
export async function withStopped<T>(
  config: Config,
  work: (database: StoppedService) => Promise<T>,
): Promise<T> {
  await requireFolder(config);
  const database = await openKv(config.kv).catch((error) => {
    throw error instanceof DatabaseInUse ? new ClientError(inUse(config)) : error;
  });
  try {
    const { salts } = await loadSecrets(config, systemRandom);
    return await work({
      kv: database.kv,
      shared: isRemote(config.kv),
      salts,
      rebuild: async (build) => {
        if (isRemote(config.kv)) return await build(database.kv);
        const { replaceFile } = await import("../operations/backup/replace_file.ts");
        return await replaceFile(database, config.kv!, build);
      },
      clock: systemClock,
      random: systemRandom,
    });
  } finally {
    database.close();
  }
}
