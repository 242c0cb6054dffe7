import { readEnvironment } from "../../settings/store/environment.ts";
import { type Config, pathPrefix } from "../../platform/config/config.ts";
import { systemRandom } from "../../platform/deps.ts";
import { transport } from "../../platform/http/outbound/transport.ts";
import { existingToken } from "../../platform/keys/secrets_file.ts";
import { isMissing } from "../../platform/kv/missing_file.ts";
import { DatabaseInUse, embeddedFile } from "../../platform/kv/open.ts";
import { ClientError } from "./error.ts";
import { knowsToken } from "./prove.ts";
import { remote, type RemoteService } from "./remote.ts";
import type { Service } from "./service.ts";

const PROBE_MS = 2_000;

export interface OpenOptions {
  /** Create the database if there is none: only for what can be done before the first start. */
  createDatabase?: boolean;
  /** Open the database without saved settings that are invalid: only for what corrects them. */
  ignoreInvalid?: boolean;
}

/**
 * Connects to the running service over HTTP with the API token, because it has the embedded database open. If none is
 * running, opens the database itself.
 *
 * @throws {ClientError} if there is neither
 */
export async function openService(
  env: Record<string, string | undefined>,
  { createDatabase = false, ignoreInvalid = false }: OpenOptions = {},
): Promise<Service> {
  const config = readEnvironment(env);
  const running = await openRunning(config);
  if (running) return running;
  if (config.kv === ":memory:") {
    throw new ClientError(
      `No service is running at ${config.baseUrl}, and an in-memory database exists only inside its process.`,
    );
  }
  const file = embeddedFile(config.kv);
  if (!createDatabase && file !== undefined && await isMissing(file)) {
    throw new ClientError(
      `There is no database at ${config.kv} and no service responds at ${config.baseUrl}. ` +
        "Set CFBE_KV, PORT and CFBE_BASE_URL to those of the service.",
    );
  }
  try {
    // Loaded only here, because a running service can be called without its code.
    const [{ bootstrap }, { local }] = await Promise.all([
      import("../../program/bootstrap.ts"),
      import("./local.ts"),
    ]);
    const invalid: string[] = [];
    const onInvalidSettings = (problems: string[]) => invalid.push(...problems);
    const program = await bootstrap(env, { write: () => {}, ...(ignoreInvalid && { onInvalidSettings }) });
    return local(program, invalid);
  } catch (error) {
    throw error instanceof DatabaseInUse ? new ClientError(inUse(config)) : error;
  }
}

/**
 * Connects to the running service. Does not open the database.
 *
 * @returns undefined if none is running
 * @throws {ClientError} if the program there does not prove that it knows the token
 */
export async function openRunning(config: Config): Promise<RemoteService | undefined> {
  const responding = await urlsResponding(config);
  if (responding.length === 0) return undefined;
  const apiToken = await existingToken(config, systemRandom);
  for (const address of responding) {
    if (apiToken !== undefined && await knowsToken(address, apiToken)) return remote(address, apiToken);
  }
  throw new ClientError(
    `The program at ${
      responding.join(" and ")
    } did not prove that it knows the API token, so the token was not sent. ` +
      "Set CFBE_API_TOKEN, PORT and CFBE_BASE_URL to the values used by the service, or CFBE_API_TOKEN to a token that is " +
      "neither expired nor revoked. If they are correct, another program is running there.",
  );
}

/** Returns the error message for a database that another process has open while no service responds. */
export function inUse(config: Config): string {
  return `Another process has ${config.kv} open, but nothing responds at ${config.baseUrl}. ` +
    "Set PORT and CFBE_BASE_URL to the values used by the running service.";
}

/** Returns a URL that responds like a running service. Only `knowsToken` proves that it is one. */
export async function runningAt(config: Config): Promise<string | undefined> {
  return (await urlsResponding(config))[0];
}

/** Returns the URLs that respond. The public one may not be reachable from this machine, so the local port is tried too. */
async function urlsResponding(config: Config): Promise<string[]> {
  const addresses = [`http://127.0.0.1:${config.port}${pathPrefix(config.baseUrl)}`, config.baseUrl];
  const responding = await Promise.all([...new Set(addresses)].map(async (address) => {
    try {
      const response = await transport(`${address}/healthz`, { signal: AbortSignal.timeout(PROBE_MS) });
      const body = await response.json();
      return response.ok && body?.service === "cfbe" ? [address] : [];
    } catch {
      // Nothing is listening, or it is another program.
      return [];
    }
  }));
  return responding.flat();
}
