/** The two providers whose double is the sandbox: in the server under test, or in a process of its own. */
import { join } from "node:path";
import { systemClock, systemRandom } from "../../server/platform/deps.ts";
import { openKv } from "../../server/platform/kv/open.ts";
import { PROVIDERS, SANDBOX, SANDBOX_API } from "../../server/providers/providers.ts";
import { createSandbox } from "../../server/sandbox/sandbox.ts";
import { type ProgramProcess, startServer } from "../crash/program_process.ts";
import { freePort } from "../../dev/free_port.ts";
import type { ConfirmationMail, ProviderFault, RemoteProvider, UsedBy } from "./remote_provider.ts";

const PAGE_SIZE = 30;
const MODES: Readonly<Record<ProviderFault, string>> = {
  "none": "none",
  "unavailable": "503",
  "hang-after": "hang-after",
  "error-after": "error-after",
};

type Account = Awaited<ReturnType<typeof provisionIn>>;

/** The built-in sandbox: it runs in the server, shares its database and is killed with it. */
export async function builtInSandbox({ baseUrl, namespace, database }: UsedBy): Promise<RemoteProvider> {
  const sandbox = `${baseUrl}/sandbox`;
  const account = await provisionIn(database, sandbox);
  return {
    ...connectTo(sandbox, account, namespace),
    isInServer: true,
    env: { CFBE_PROVIDER: SANDBOX },
    settings: {},
    async [Symbol.asyncDispose]() {},
  };
}

/** BlueFox: a second server, whose sandbox plays the provider. It is never killed. */
export async function bluefoxProcess({ folder, namespace }: UsedBy): Promise<RemoteProvider> {
  const port = `${freePort()}`;
  const sandbox = `http://127.0.0.1:${port}/sandbox`;
  const database = join(folder, "provider.kv");
  const account = await provisionIn(database, sandbox);
  const process: ProgramProcess = startServer({ PORT: port, CFBE_KV: database });
  try {
    await process.ready();
    await registerWebhook(sandbox, account, namespace);
  } catch (error) {
    await process[Symbol.asyncDispose]();
    throw error;
  }
  return {
    ...connectTo(sandbox, account, namespace),
    isInServer: false,
    env: {
      CFBE_PROVIDER: SANDBOX_API,
      CFBE_PROVIDER_URL: `${sandbox}/api`,
      CFBE_PROVIDER_PROJECT: account.project,
      CFBE_PROVIDER_API_KEY: account.apiKey,
    },
    settings: {
      general: {
        defaultList: account.list,
        knownLists: [{ id: account.list, name: "Newsletter", doubleOptIn: true }],
      },
    },
    [Symbol.asyncDispose]: () => process[Symbol.asyncDispose](),
  };
}

/** Creates the project and API key in the database before the server starts. A customer would copy them from a page. */
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

const projectUrl = (sandbox: string, { project }: Account) => `${sandbox}/api/v1/projectId/${project}`;

async function registerWebhook(sandbox: string, account: Account, namespace: string): Promise<void> {
  await request(`${projectUrl(sandbox, account)}/webhook`, {
    method: "PATCH",
    headers: { authorization: `Bearer ${account.apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({
      url: `${namespace}/provider-hook`,
      secretKey: account.apiKey,
      subscription: true,
      bounce: true,
      complaint: true,
    }),
  });
}

interface MailPage {
  mails: { id: string; to: string; links: { confirm: string } }[];
  before: string | null;
}

/** Returns what people and the provider do at a sandbox, over HTTP. */
function connectTo(sandbox: string, account: Account, namespace: string) {
  const { apiKey, list } = account;
  const headers = { authorization: `Bearer ${apiKey}` };

  async function click(link: string): ReturnType<ConfirmationMail["click"]> {
    try {
      const opened = await fetch(link);
      await opened.body?.cancel();
      return opened.ok ? "confirmed" : "refused";
    } catch {
      return "unanswered";
    }
  }

  return {
    capabilities: PROVIDERS[SANDBOX_API].capabilities,
    sendsWebhooks: true,
    list,
    async behave({ fault, webhooks }) {
      const mode = fault && MODES[fault];
      await request(`${sandbox}/faults`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ ...(mode && { mode }), ...(webhooks && { webhooks }) }),
      });
    },
    async mails() {
      const { mails } = await request<MailPage>(`${sandbox}/inbox.json?limit=100`);
      return mails.map(({ id, to, links }) => ({ id, to, click: () => click(links.confirm) }));
    },
    async mailCounts() {
      const counts = new Map<string, number>();
      let before = "";
      do {
        const page = await request<MailPage>(`${sandbox}/inbox.json?limit=100&before=${before}`);
        for (const { to } of page.mails) counts.set(to, (counts.get(to) ?? 0) + 1);
        before = page.before ?? "";
      } while (before !== "");
      return counts;
    },
    async subscribers() {
      const found = new Map<string, string[]>();
      for (let skip = 0;; skip += PAGE_SIZE) {
        const query = `limit=${PAGE_SIZE}&skip=${skip}&sort=createdAt&order=asc`;
        const { result } = await request<{ result: { items: { email: string; status: string }[] } }>(
          `${projectUrl(sandbox, account)}/subscriber-lists/${list}/subscribers?${query}`,
          { headers },
        );
        for (const { email, status } of result.items) found.set(email, [...found.get(email) ?? [], status]);
        if (result.items.length < PAGE_SIZE) return found;
      }
    },
    async repeatWebhook(email) {
      const subscription = { email, status: "active", subscriberList: { _id: list } };
      const body = JSON.stringify({ type: "subscribe", subscription });
      await request(`${namespace}/provider-hook`, { method: "POST", headers, body });
    },
  } satisfies Partial<RemoteProvider>;
}

async function request<T>(url: string, init: RequestInit = {}): Promise<T> {
  const response = await fetch(url, init);
  const text = await response.text();
  if (!response.ok) throw new Error(`${init.method ?? "GET"} ${url}: ${response.status} ${text}`);
  return JSON.parse(text) as T;
}
