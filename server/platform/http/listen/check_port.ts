import type { Config } from "../../config/config.ts";
import { isRemote } from "../../kv/address.ts";
import { listenError } from "./listen_error.ts";

/**
 * Checks that cfbe can listen, before it creates a database and its secrets for nothing. Does not check if there is a
 * database: the process that had it open before may still be about to release the port.
 *
 * @throws {StartError} if another program uses the port, or this machine does not have the address
 */
export async function checkPort(config: Pick<Config, "port" | "host" | "kv" | "deploy">): Promise<void> {
  const { port, host: hostname, kv, deploy } = config;
  if (deploy || kv === undefined || isRemote(kv)) return;
  const isNew = await Deno.stat(kv).then(() => false, (error) => error instanceof Deno.errors.NotFound);
  if (!isNew) return;
  try {
    Deno.listen({ port, hostname }).close();
  } catch (error) {
    // Listening reports a missing permission, after the database has reported its own.
    if (!(error instanceof Deno.errors.NotCapable)) throw listenError(error, config);
  }
}
