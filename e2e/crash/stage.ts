/** The setup of the crash and upgrade tests. */
import { join } from "node:path";
import { systemClock, systemRandom } from "../../server/deps.ts";
import { openKv } from "../../server/kv/open.ts";
import { createSandbox } from "../../server/sandbox/sandbox.ts";
import { NAMESPACE } from "../../shared/contract.ts";
import { freePort } from "../program.ts";
import { type ProgramProcess, startServer } from "./program_process.ts";

/** Two real servers: the sandbox of one is the provider and is never killed, the other is under test. */
export interface Stage extends AsyncDisposable {
  provider: ProgramProcess;
  /** URL of the provider's sandbox pages. */
  sandbox: string;
  /** URL of the provider's API for the project. */
  api: string;
  /** API key of the provider. */
  apiKey: string;
  list: string;
  /** URL of the server under test, the same after every start. */
  baseUrl: string;
  namespace: string;
  apiToken: string;
  database: string;
  /** Starts the server under test. The previous process must have ended. */
  start(env?: Record<string, string>): ProgramProcess;
}

export const SALT = "the salt of the crash test, the same for every start";
const API_TOKEN = "the-token-of-the-crash-test";

/** Starts the provider and registers the webhook. Does not start the server under test. */
export async function startStage(): Promise<Stage> {
  const folder = await Deno.makeTempDir({ prefix: "cfbe_crash_" });
  let provider: ProgramProcess | undefined;
  const started: ProgramProcess[] = [];
  const dispose = async () => {
    for (const each of [...started, ...(provider ? [provider] : [])]) await each[Symbol.asyncDispose]();
    await Deno.remove(folder, { recursive: true });
  };
  try {
    const port = `${freePort()}`;
    const sandbox = `http://127.0.0.1:${port}/sandbox`;
    const providerDatabase = join(folder, "provider.kv");
    const account = await provisionIn(providerDatabase, sandbox);
    provider = startServer({ PORT: port, CFBE_KV: providerDatabase });
    await provider.ready();

    const ownPort = `${freePort()}`;
    const baseUrl = `http://127.0.0.1:${ownPort}`;
    const stage = {
      provider,
      sandbox,
      api: `${sandbox}/api/v1/projectId/${account.project}`,
      apiKey: account.apiKey,
      list: account.list,
      baseUrl,
      namespace: baseUrl + NAMESPACE,
      apiToken: API_TOKEN,
      database: join(folder, "server.kv"),
    };
    const config = join(folder, "cfbe.config.ts");
    await Deno.writeTextFile(config, configFile(account.list));
    await registerWebhook(stage);
    return {
      ...stage,
      start(env = {}) {
        const server = startServer({
          PORT: ownPort,
          CFBE_KV: stage.database,
          CFBE_CONFIG: config,
          CFBE_SALT: SALT,
          CFBE_API_TOKEN: API_TOKEN,
          CFBE_ANSWER_FLOOR_MS: "0",
          CFBE_PROVIDER: "bluefox",
          CFBE_PROVIDER_URL: `${sandbox}/api`,
          CFBE_PROVIDER_PROJECT: account.project,
          CFBE_PROVIDER_API_KEY: account.apiKey,
          ...env,
        });
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

/** Creates the project and API key in the provider's database before it starts. A customer would copy them from a page. */
async function provisionIn(database: string, sandboxUrl: string) {
  const opened = await openKv(database);
  try {
    return await createSandbox({
      kv: opened.kv,
      clock: systemClock,
      random: systemRandom,
      fetch,
      log: { info() {}, warn() {}, error() {} },
      baseUrl: new URL(sandboxUrl).origin,
      allowed: () => true,
    }).provision();
  } finally {
    opened.close();
  }
}

/** Returns a config file that gives every webhook call its own IP address, so that the limits per IP don't apply. */
function configFile(list: string): string {
  const settings = {
    general: { defaultList: list, knownLists: [{ id: list, name: "Newsletter", doubleOptIn: true }] },
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

async function registerWebhook({ api, apiKey, namespace }: Pick<Stage, "api" | "apiKey" | "namespace">) {
  const response = await fetch(`${api}/webhook`, {
    method: "PATCH",
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({
      url: `${namespace}/provider-hook`,
      secretKey: apiKey,
      subscription: true,
      bounce: true,
      complaint: true,
    }),
  });
  const body = await response.text();
  if (!response.ok) throw new Error(`The webhook could not be registered: ${response.status} ${body}`);
}
