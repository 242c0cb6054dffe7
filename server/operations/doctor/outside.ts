import { NAMESPACE } from "../../../shared/contract.ts";
import type { Clock, Fetch } from "../../platform/deps.ts";
import { exchange } from "../../platform/http/outbound.ts";
import { keys } from "../../platform/kv/keys.ts";
import { causeOf } from "../../platform/kv/trouble.ts";
import type { Provider } from "../../providers/port/port.ts";
import { asSentence } from "../../providers/port/trouble.ts";
import type { Settings } from "../../settings/schema/schema.ts";
import type { SettingsStore } from "../../settings/store/store.ts";
import { fileModes } from "../checks/files.ts";
import {
  type DatabaseFacts,
  type PublicUrl,
  readDatabase,
  READERS,
  type Readers,
  type Skipped,
  type ValueDeps,
  type Values,
} from "../checks/values.ts";
import { type ConnectionDeps, connectionReport } from "../provider/connection.ts";
import { isReachable, webhookState } from "../provider/webhook.ts";

/** Reads what needs a request or looks at files, which only the doctor and the connection test do. */

type AtProvider = { settings: Pick<SettingsStore, "current">; provider: Provider };
export type DoctorDeps = ValueDeps & ConnectionDeps & { provider: Provider; fetch: Fetch };

/** Reads what is set up at the provider. */
export const PROVIDER_READERS = {
  settings: ({ settings }) => settings.current(),
  providers: ({ settings }) => settings.providers,
  capabilities: ({ provider }) => provider.capabilities,
  connection: (app) => connectionReport(app),
  async lists({ provider }) {
    const found = await provider.lists();
    return found.kind === "trouble" ? noAnswer(found.reason) : found.lists;
  },
  missingTemplates,
} satisfies Readers<ConnectionDeps>;

export const DOCTOR_READERS: Readers<DoctorDeps> = {
  ...READERS,
  ...PROVIDER_READERS,
  database: probeDatabase,
  files: ({ config: { kv } }) => fileModes(kv),
  publicUrl,
  webhook,
};

const noAnswer = (reason: string): Skipped => ({
  skipped: `The provider did not answer: ${asSentence(reason)} Fix that, then run the doctor again.`,
});

/** Changes nothing, except for a row of its own that it deletes. */
async function probeDatabase(app: DoctorDeps): Promise<DatabaseFacts> {
  const { kv, databaseHealth, clock } = app;
  await databaseHealth.probeNow();
  const [row, value] = [keys.doctor(), { v: 1, at: clock.now() }];
  const error = await kv.set(row, value).then(() => kv.delete(row)).catch((error: unknown) => error);
  const database = readDatabase(app);
  if (database.failure || error === undefined) return database;
  const reason = error instanceof Error ? error.message : String(error);
  return { ...database, failure: { cause: causeOf(error) ?? "other", reason } };
}

/** Both responses are a few dozen bytes. */
const LIMITS = { timeoutMs: 8_000, bodyBytes: 64 * 1024 };
/** A token is a signed time in milliseconds: two tokens of the same millisecond are equal. */
const TOKENS_APART_MS = 20;

async function publicUrl(
  { config: { baseUrl }, clock, fetch }: { config: { baseUrl: string }; clock: Clock; fetch: Fetch },
): Promise<PublicUrl> {
  const get = async (path: string) => {
    const ended = await exchange(fetch, { method: "GET", url: baseUrl + path }, LIMITS);
    if (ended.kind !== "answered") throw new Error(ended.detail);
    const { status, json } = ended;
    return { status, body: json as Record<string, unknown> | null | undefined };
  };
  try {
    const { status, body } = await get("/healthz");
    if (status !== 200 || body?.service !== "cfbe") {
      return { kind: "unreachable", reason: `it responds with ${status}, but not like this service` };
    }
    const first = await get(`${NAMESPACE}/form-token`);
    await clock.sleep(TOKENS_APART_MS);
    const second = await get(`${NAMESPACE}/form-token`);
    // Not timing-sensitive: the doctor fetched both tokens.
    const isCached = first.body?.token !== undefined && first.body.token === second.body?.token;
    return { kind: isCached ? "cached" : "service" };
  } catch (error) {
    return { kind: "unreachable", reason: error instanceof Error ? error.message : String(error) };
  }
}

/** Returns the templates that the modules in use send, by ID, with the settings that name them. */
function templatesOf({ general: { modules }, coupon, carts, orders }: Settings): Map<string, string[]> {
  const used = new Map<string, string[]>();
  const use = (id: string, where: string) => {
    if (id !== "") used.set(id, [...used.get(id) ?? [], where]);
  };
  if (modules.coupons) use(coupon.template, "coupon.template");
  if (modules.carts) use(carts.template, "carts.template");
  if (modules.orderEmails) {
    for (const [status, id] of Object.entries(orders.templates)) use(id, `orders.templates.${status}`);
  }
  return used;
}

async function missingTemplates(
  { settings, provider }: AtProvider,
): Promise<Values["missingTemplates"] | Skipped> {
  const { templates, transactional, triggered } = provider.capabilities;
  if (!transactional && !triggered) return { skipped: "The provider sends no emails from templates." };
  const used = templatesOf(settings.current());
  if (used.size > 0 && !templates) {
    return {
      skipped: "The provider does not say which templates it has. Compare their IDs in its dashboard.",
    };
  }
  const missing: { id: string; where: string[] }[] = [];
  for (const [id, where] of used) {
    const found = await provider.template(id);
    if (found.kind === "trouble") return noAnswer(found.reason);
    if (found.kind === "absent") missing.push({ id, where });
  }
  return missing;
}

async function webhook(app: DoctorDeps): Promise<Values["webhook"] | Skipped> {
  const found = await webhookState(app);
  switch (found.kind) {
    case "none":
      return { skipped: "The provider has none. Polling finds confirmations within 15 minutes." };
    case "trouble":
      return noAnswer(found.reason);
    case "unsupported":
      return {
        skipped: `The provider does not show its webhook. Compare its dashboard with this URL: ${found.url}`,
      };
    case "state":
      // Nothing can be registered there, so there is nothing to advise.
      return found.state === "ours" || isReachable(app)
        ? found
        : { skipped: `The provider can't reach ${found.url}. Set CFBE_BASE_URL to a public URL first.` };
  }
}
