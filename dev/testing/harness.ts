import type { Page } from "../../server/admin/frame/page.ts";
import type { Kv, KvLimits } from "../../server/platform/kv/port.ts";
import { environmentLayer, readEnvironment } from "../../server/settings/store/environment.ts";
import { createApp } from "../../server/program/app.ts";
import { createHooks, type SubscribedEvent, type WebhookEvent } from "../../server/settings/hooks/hooks.ts";
import type { ConfigFile } from "../../server/settings/hooks/config_file.ts";
import { runAttempt } from "../../server/platform/jobs/attempt.ts";
import { beginningsOf, namesWhileDeactivated } from "../../server/platform/jobs/handler.ts";
import { createQueue, type Queue } from "../../server/platform/jobs/queue.ts";
import { createKeyVersions } from "../../server/operations/keys/key_versions.ts";
import { createKeyring } from "../../server/platform/keys/keyring.ts";
import { issueToken } from "../../server/platform/keys/form_token.ts";
import { keys } from "../../server/platform/kv/keys.ts";
import type { Moves } from "../../server/operations/move/moves.ts";
import { createServices, type Services } from "../../server/program/services.ts";
import type { Layer } from "../../server/settings/store/precedence.ts";
import { createFormHistory } from "../../server/settings/forms/form_history.ts";
import { openSettings } from "../../server/settings/store/store.ts";
import { readConsents } from "../../server/signup/record/consents.ts";
import type { ConsentRow, SignupRecord } from "../../server/signup/record/row.ts";
import { countingKv, type KvCounts } from "./counting_kv.ts";
import { CallClock } from "./call_clock.ts";
import { fixedSalts } from "./fixed_salts.ts";
import { ManualClock } from "./manual_clock.ts";
import { type MemoryLog, memoryLog } from "./memory_log.ts";
import { seededRandom } from "./seeded_random.ts";
import { type StubProvider, stubProvider } from "./stub_provider.ts";
import { tempKv } from "./temp_kv.ts";
import { createDatabaseHealth } from "../../server/platform/observe/database_health.ts";
import { NAMESPACE } from "../../shared/contract.ts";
import { lazyProvider } from "../../server/providers/calls/lazy_provider.ts";

/**
 * Services and app with a counting database, a manual clock and an in-memory provider, without a port or a
 * job runner.
 */
export interface Harness extends AsyncDisposable {
  services: Services;
  clock: ManualClock;
  /** The clock by which calls to the provider wait for their budget. */
  callClock: CallClock;
  provider: StubProvider;
  log: MemoryLog;
  queue: Queue;
  kv: Kv;
  /** The same database, but it stores values as they are, for rows that can't be read. */
  engine: Kv;
  counts: KvCounts;
  /** Returns the number of rows that lists have returned. */
  listed(): number;
  /** Resets the counts of round trips and rows. */
  reset(): void;
  /** The events that `cfbe_subscribed` fired. */
  subscribedEvents: SubscribedEvent[];
  /** The events that `cfbe_webhook_received` fired. */
  webhookEvents: WebhookEvent[];
  fetch(path: string, init?: RequestInit, peer?: string): Promise<Response>;
  /** Posts to `subscribe`, with a valid token unless the body contains one. */
  post(body: Record<string, unknown>, options?: Posted): Promise<Response>;
  hook(payload: unknown, headers?: Record<string, string>, peer?: string): Promise<Response>;
  token(ageMs?: number): string;
  /** Runs due jobs until no job is due. Waits of their calls for the budget pass. */
  work(): Promise<void>;
  record(email: string, list?: string): Promise<SignupRecord | null>;
  /** Returns the proofs of consent of a signup, oldest first. */
  consents(email: string, list?: string): Promise<ConsentRow[]>;
  /** Returns the whole database as text, to compare or to search. */
  dump(): Promise<string>;
}

interface Posted {
  peer?: string;
  headers?: Record<string, string>;
}

export const API_KEY = "the-provider-key";
export const SECRET = "the-webhook-secret";
export const LIST = "list-1";

interface Options {
  settings?: Layer;
  env?: Record<string, string>;
  file?: ConfigFile;
  /** Whether the service is configured; true by default. */
  configured?: boolean;
  /** Providers other than `provider`, by name. One of them is used while its name is chosen, and before and after. */
  others?: Record<string, StubProvider>;
  /** The limits of the database; by default, those that every engine allows. */
  limits?: KvLimits;
  /** Further pages of the admin. */
  adminPages?: readonly Page[];
}

export async function harness(
  { settings = {}, env = {}, file = {}, configured = true, others = {}, limits, adminPages }: Options = {},
): Promise<Harness> {
  const temp = await tempKv("memory", limits);
  const clock = new ManualClock();
  const callClock = new CallClock(clock);
  // No jitter, because random delays have their own tests.
  const random = { ...seededRandom(1), float: () => 0 };
  const log = memoryLog();
  const databaseHealth = createDatabaseHealth({ clock, log });
  const { kv, counts, listed, reset } = countingKv(databaseHealth.watch(temp.kv));
  const provider = stubProvider(clock);
  const salts = ["a salt for tests, long enough to be one"] as const;
  const keyring = createKeyring(salts);
  const config = readEnvironment(
    { CFBE_BASE_URL: "http://news.example", CFBE_ANSWER_FLOOR_MS: "0", ...env },
  );
  const base = configured
    ? { general: { apiKey: API_KEY, defaultList: LIST }, webhooks: { secret: SECRET } }
    : {};
  const { hooks, ...events } = recordingHooks(file, { clock, log });
  const opened = await openSettings({
    kv,
    keyring,
    random,
    clock,
    fixed: [settings, environmentLayer(config)],
    fallback: base,
    sandboxKey: () => configured ? API_KEY : "",
    saved: createFormHistory({ kv, random, log }).record,
  });
  const chosen = () => opened.current().general.provider;
  const providerNamed = (name: string) => others[name] ?? (name === chosen() ? provider : undefined);
  function adapterFor(name: string) {
    const found = providerNamed(name)!;
    return { capabilities: found.capabilities, load: () => Promise.resolve(found) };
  }
  const services = createServices({
    config,
    kv,
    databaseHealth,
    databaseFile: () => undefined,
    clock,
    callClock,
    random,
    log,
    keyring,
    keyVersions: createKeyVersions({ kv, clock, random, keyring, source: fixedSalts(salts) }),
    settings: opened,
    hooks,
    provider: Object.keys(others).length === 0 ? provider : lazyProvider(() => adapterFor(chosen())),
    providerNamed,
    refresh: () => Promise.resolve(),
    wake: () => {},
  });
  const app = appWithoutFiles(services, adminPages);
  const queue = createQueue({ kv, clock, random, alongside: services.pauses });
  const token = (ageMs = 10_000) => issueToken(keyring, clock.now() - ageMs);

  const made: Harness = {
    services,
    clock,
    callClock,
    provider,
    log,
    queue,
    kv,
    engine: temp.engine,
    counts,
    listed,
    reset,
    ...events,
    token,
    fetch: async (path, init, peer = "192.0.2.1") =>
      await app.fetch(new Request(config.baseUrl + path, init), { peer }),
    post: (body, { peer, headers = {} } = {}) =>
      made.fetch(`${NAMESPACE}/subscribe`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify({ source: "shortcode", cfbe_token: token(), ...body }),
      }, peer),
    hook: (payload, headers = { authorization: `Bearer ${API_KEY}` }, peer) =>
      made.fetch(`${NAMESPACE}/provider-hook`, {
        method: "POST",
        headers,
        body: typeof payload === "string" ? payload : JSON.stringify(payload),
      }, peer),
    work: () => callClock.passDuring(runDueJobs({ queue, clock, log }, services.jobs)),
    record: async (email, list = LIST) => (await temp.kv.get<SignupRecord>(keys.signup(email, list))).value,
    async consents(email, list = LIST) {
      const { value } = await temp.kv.get<SignupRecord>(keys.signup(email, list));
      return (await readConsents(temp.kv, value ?? { email, list })).toReversed();
    },
    async dump() {
      const rows = await Array.fromAsync(temp.kv.list({ prefix: [] }));
      return rows.map(({ key, value }) => Deno.inspect([key, value], { depth: 9 })).join("\n");
    },
    [Symbol.asyncDispose]: () => temp[Symbol.asyncDispose](),
  };
  return made;
}

/** Creates the hooks of a config file, and records the events of two actions. */
function recordingHooks(file: ConfigFile, deps: Parameters<typeof createHooks>[1]) {
  const subscribedEvents: SubscribedEvent[] = [];
  const webhookEvents: WebhookEvent[] = [];
  const hooks = createHooks({
    filters: file.filters ?? {},
    actions: {
      cfbe_subscribed: (event) => void subscribedEvents.push(event),
      cfbe_webhook_received: (event) => void webhookEvents.push(event),
      ...file.actions,
    },
  }, deps);
  return { hooks, subscribedEvents, webhookEvents };
}

const unmoved = () => Promise.reject(new Error("this database can't be moved"));
/** For a database that no address opens. */
export const unmovable = (kv: Kv): Moves => ({
  kv,
  hasMoved: () => false,
  file: () => undefined,
  inspect: () => Promise.resolve({}),
  move: unmoved,
  dryRun: unmoved,
  cancel: unmoved,
  check: () => Promise.resolve(),
  close: () => Promise.resolve(),
});

/** Creates the app without the widget's files, the sandbox and the demo page. */
export function appWithoutFiles(services: Services, adminPages: readonly Page[] = []) {
  const noFile = (c: { notFound(): Response | Promise<Response> }) => c.notFound() as Response;
  return createApp(services, {
    widget: { loader: noFile, named: noFile, chunk: noFile },
    adminPages,
    mounts: [],
    freshness: { refreshIfStale: () => Promise.resolve() },
    moves: unmovable(services.kv),
  });
}

/** Runs due jobs until no job is due. */
export async function runDueJobs(
  deps: { queue: Queue; clock: ManualClock; log: MemoryLog },
  definitions: Services["jobs"],
): Promise<void> {
  const byName = new Map(definitions.map((definition) => [definition.name, definition]));
  const whileDeactivated = namesWhileDeactivated(definitions);
  const claim = () => deps.queue.claim(8, whileDeactivated, beginningsOf(definitions));
  for (let due = await claim(); due.length > 0; due = await claim()) {
    for (const job of due) {
      await runAttempt(deps, byName.get(job.row.name), job, new AbortController().signal);
    }
  }
}
