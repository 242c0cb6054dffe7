import { join } from "node:path";
import { systemClock, systemRandom } from "../../server/deps.ts";
import { openKv } from "../../server/kv/open.ts";
import { createSandbox } from "../../server/sandbox/sandbox.ts";
import { NAMESPACE } from "../../shared/contract.ts";
import { freePort, type ProgramProcess, startProcess } from "./program_process.ts";

/** Two real programs: one plays the provider and never dies, the other one is under test. */
export interface Stage extends AsyncDisposable {
  provider: ProgramProcess;
  /** Of the provider's sandbox pages. */
  sandbox: string;
  /** Of the provider's API, as far as its project, with the key it asks for. */
  api: string;
  apiKey: string;
  list: string;
  /** Of the program under test; the same whenever it is started. */
  baseUrl: string;
  namespace: string;
  apiToken: string;
  database: string;
  /** The program under test, once more. The caller has seen to it that the one before is gone. */
  start(env?: Record<string, string>): ProgramProcess;
}

export const SALT = "the salt of the crash test, the same at every start";
const API_TOKEN = "the-token-of-the-crash-test";

/** Set up both, and the provider's webhook to the program under test, which is not started yet. */
export async function setStage(): Promise<Stage> {
  const folder = await Deno.makeTempDir({ prefix: "cfbe_crash_" });
  let provider: ProgramProcess | undefined;
  const started: ProgramProcess[] = [];
  const strike = async () => {
    for (const each of [...started, ...(provider ? [provider] : [])]) await each[Symbol.asyncDispose]();
    await Deno.remove(folder, { recursive: true });
  };
  try {
    const port = freePort();
    const sandbox = `http://127.0.0.1:${port}/sandbox`;
    const providerDatabase = join(folder, "provider.kv");
    const made = await provisionIn(providerDatabase, sandbox);
    provider = startProcess({ PORT: port, CFBE_KV: providerDatabase });
    await provider.ready();

    const ownPort = freePort();
    const baseUrl = `http://127.0.0.1:${ownPort}`;
    const stage = {
      provider,
      sandbox,
      api: `${sandbox}/api/v1/projectId/${made.project}`,
      apiKey: made.apiKey,
      list: made.list,
      baseUrl,
      namespace: baseUrl + NAMESPACE,
      apiToken: API_TOKEN,
      database: join(folder, "own.kv"),
    };
    const config = join(folder, "cfbe.config.ts");
    await Deno.writeTextFile(config, configFile(made.list));
    await registerWebhook(stage);
    return {
      ...stage,
      start(env = {}) {
        const own = startProcess({
          PORT: ownPort,
          CFBE_KV: stage.database,
          CFBE_CONFIG: config,
          CFBE_SALT: SALT,
          CFBE_API_TOKEN: API_TOKEN,
          CFBE_ANSWER_FLOOR_MS: "0",
          CFBE_PROVIDER: "bluefox",
          CFBE_PROVIDER_URL: `${sandbox}/api`,
          CFBE_PROVIDER_PROJECT: made.project,
          CFBE_PROVIDER_API_KEY: made.apiKey,
          ...env,
        });
        started.push(own);
        return own;
      },
      [Symbol.asyncDispose]: strike,
    };
  } catch (error) {
    await strike();
    throw error;
  }
}

/** A real provider's customer reads id and key off a page; here they are made before the provider starts. */
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

/** Sees every visitor and every webhook as one of its own, so that the limits an IP are not what is tested. */
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
  if (!response.ok) throw new Error(`The webhook was not registered: ${response.status} ${body}`);
}
