/** The setup of the crash, upgrade and journey tests. */
import { join } from "node:path";
import { NAMESPACE } from "../../shared/contract.ts";
import { freePort } from "../../dev/free_port.ts";
import type { RemoteProvider } from "../providers/remote_provider.ts";
import { startProvider } from "../providers/table.ts";
import { type ProgramProcess, startServer } from "./program_process.ts";

/** A provider on a real socket, and a real server that uses it and can be killed. */
export interface Stage extends AsyncDisposable {
  provider: RemoteProvider;
  /** ID of the list that people sign up to. */
  list: string;
  /** URL of the server under test, the same after every start. */
  baseUrl: string;
  namespace: string;
  apiToken: string;
  database: string;
  /** Starts the server under test. The previous process must have ended. */
  start(env?: Record<string, string>, flags?: readonly string[]): ProgramProcess;
}

export const SALT = "the salt of the crash test, the same for every start";
const API_TOKEN = "the-token-of-the-crash-test";

/**
 * Starts the provider. Does not start the server under test.
 *
 * @param name of a provider in `providers/table.ts`
 * @param address of the database; a new file by default
 */
export async function startStage(name = "bluefox", address?: string): Promise<Stage> {
  const folder = await Deno.makeTempDir({ prefix: "cfbe_crash_" });
  const port = `${freePort()}`;
  const baseUrl = `http://127.0.0.1:${port}`;
  const namespace = baseUrl + NAMESPACE;
  const database = address ?? join(folder, "server.kv");
  let provider: RemoteProvider | undefined;
  const started: ProgramProcess[] = [];
  const dispose = async () => {
    for (const server of started) await server[Symbol.asyncDispose]();
    await provider?.[Symbol.asyncDispose]();
    await Deno.remove(folder, { recursive: true });
  };
  try {
    provider = await startProvider(name, { folder, baseUrl, namespace, database });
    const config = join(folder, "cfbe.config.ts");
    await Deno.writeTextFile(config, configFile(provider));
    const { list, env: providerEnv } = provider;
    return {
      ...{ provider, list, baseUrl, namespace, apiToken: API_TOKEN, database },
      start(env = {}, flags = []) {
        const server = startServer({
          PORT: port,
          CFBE_KV: database,
          CFBE_CONFIG: config,
          CFBE_SALT: SALT,
          CFBE_API_TOKEN: API_TOKEN,
          CFBE_ANSWER_FLOOR_MS: "0",
          ...providerEnv,
          ...env,
        }, flags);
        started.push(server);
        return server;
      },
      [Symbol.asyncDispose]: dispose,
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** Returns a config file that gives every webhook call its own IP address, so that the limits per IP don't apply. */
function configFile({ list, isInServer, settings: { general, webhooks } }: RemoteProvider): string {
  const lists = {
    defaultList: list,
    knownLists: [{ id: list, name: "Newsletter", doubleOptIn: true }],
  };
  const settings = {
    // The built-in sandbox has its own.
    general: { ...(!isInServer && lists), ...general },
    ...(webhooks && { webhooks }),
    privacy: { ipSource: "x-real-ip" },
  };
  return `
    let calls = 0;
    const next = () => \`10.200.\${calls >> 8 & 255}.\${calls++ & 255}\`;
    export default {
      settings: ${JSON.stringify(settings)},
      filters: {
        cfbe_signup_site_limit: () => 0,
        cfbe_client_ip: (ip, request) => request.url.endsWith("/provider-hook") ? next() : ip,
      },
    };
  `;
}
