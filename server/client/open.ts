import { type Config, parseConfig, pathPrefix } from "../config.ts";
import { systemRandom } from "../deps.ts";
import { transport } from "../http/outbound/transport.ts";
import { loadSecrets } from "../keys/secrets_file.ts";
import { DatabaseInUse } from "../kv/open.ts";
import { CliError } from "./error.ts";
import { knowsToken } from "./prove.ts";
import { remote } from "./remote.ts";
import type { Service } from "./service.ts";
import { PROVIDERS } from "../provider/providers.ts";

const PROBE_MS = 2_000;

/**
 * Find the service: the one that runs, spoken to over HTTP with the API token, for it owns the embedded database;
 * or, when none runs, the database itself.
 */
export async function openService(env: Record<string, string | undefined>): Promise<Service> {
  const config = parseConfig(env, PROVIDERS);
  const answering = await answeringAt(config);
  if (answering.length > 0) {
    const { apiToken } = await loadSecrets(config, systemRandom);
    for (const address of answering) {
      if (await knowsToken(address, apiToken)) return remote(address, apiToken);
    }
    throw new CliError(
      `What answers at ${
        answering.join(" and ")
      } does not prove that it knows the API token, so it was not sent. ` +
        "Set CFBE_API_TOKEN here as it is set for the service, and PORT and CFBE_BASE_URL too; else another program " +
        "answers there.",
    );
  }
  if (config.kv === ":memory:") {
    throw new CliError(`No service answers at ${config.baseUrl}, and a database in memory is nowhere else.`);
  }
  try {
    // Loaded here alone: a service that runs is asked without all of its code.
    const [{ bootstrap }, { local }] = await Promise.all([import("../bootstrap.ts"), import("./local.ts")]);
    return local(await bootstrap(env, { write: () => {} }));
  } catch (error) {
    throw error instanceof DatabaseInUse ? new CliError(inUse(config)) : error;
  }
}

/** Somebody has the database and does not answer. */
export function inUse(config: Config): string {
  return `A service has the database ${config.kv} open but does not answer at ${config.baseUrl}. ` +
    "Set PORT and CFBE_BASE_URL here as you did for it.";
}

/** Returns where something answers like a service that runs; that it is one, only `knowsToken` says. */
export async function runningAt(config: Config): Promise<string | undefined> {
  return (await answeringAt(config))[0];
}

/** The public address may lead through a proxy that knows nothing of this machine: its own port is asked too. */
async function answeringAt(config: Config): Promise<string[]> {
  const addresses = [`http://127.0.0.1:${config.port}${pathPrefix(config.baseUrl)}`, config.baseUrl];
  const answering = await Promise.all([...new Set(addresses)].map(async (address) => {
    try {
      const response = await transport(`${address}/healthz`, { signal: AbortSignal.timeout(PROBE_MS) });
      const body = await response.json();
      return response.ok && body?.service === "cfbe" ? [address] : [];
    } catch {
      // Nobody there, or somebody else.
      return [];
    }
  }));
  return answering.flat();
}
