/**
 * A process that moves subscribers from MailerLite to listmonk, for `migration_test.ts`, which kills it. Its time passes
 * as fast as the call budget is used: a sleep ends at once, and only moves the clock.
 */
import { runAction } from "../../server/admin/action_table.ts";
import { readEnvironment } from "../../server/settings/store/environment.ts";
import { LOCAL } from "../../server/admin/auth/actor.ts";
import { type Clock, systemRandom } from "../../server/platform/deps.ts";
import { createHooks } from "../../server/settings/hooks/hooks.ts";
import { transport } from "../../server/platform/http/outbound/transport.ts";
import { runAttempt } from "../../server/platform/jobs/attempt.ts";
import { createQueue } from "../../server/platform/jobs/queue.ts";
import { createKeyVersions } from "../../server/operations/keys/key_versions.ts";
import { fixedSalts } from "../../dev/testing/fixed_salts.ts";
import { createKeyring } from "../../server/platform/keys/keyring.ts";
import { openKv } from "../../server/platform/kv/open.ts";
import { createListmonk } from "../../server/providers/adapters/listmonk/adapter.ts";
import { createMailerlite } from "../../server/providers/adapters/mailerlite/adapter.ts";
import { createServices } from "../../server/program/services.ts";
import { openSettings } from "../../server/settings/store/store.ts";
import { readMigration } from "../../server/subscribers/migration/run.ts";
import { createDatabaseHealth } from "../../server/platform/observe/database_health.ts";
import { memoryLog } from "../../dev/testing/memory_log.ts";

/** What the test passes as JSON. */
export interface ProcessInput {
  database: string;
  old: { url: string; token: string; list: string };
  fresh: { url: string; token: string; list: string };
  /** Unix milliseconds. */
  now: number;
}

const input: ProcessInput = JSON.parse(Deno.args[0]!);
let now = input.now;
const clock: Clock = {
  now: () => now,
  async sleep(ms, signal) {
    // The renewal of a lease would otherwise let time run on by itself.
    if (ms > 5_000) return await waitFor(signal);
    if (!signal?.aborted) now += ms;
  },
};
const waitFor = (signal: AbortSignal | undefined) =>
  new Promise<void>((resolve) => {
    if (signal?.aborted) resolve();
    else signal?.addEventListener("abort", () => resolve(), { once: true });
  });

const { kv, close } = await openKv(input.database);
const salts = ["a salt for tests, long enough to be one"] as const;
const keyring = createKeyring(salts);
const log = memoryLog();
const config = readEnvironment({ CFBE_BASE_URL: "http://news.example" });
const common = { kv, keyring, clock, callClock: clock, random: systemRandom };
const { old, fresh } = input;
const services = createServices({
  ...common,
  keyVersions: createKeyVersions({ ...common, source: fixedSalts(salts) }),
  config,
  log,
  databaseHealth: createDatabaseHealth({ clock, log }),
  databaseFile: () => undefined,
  settings: await openSettings({
    ...common,
    // A move asks only a provider whose key is still set.
    fixed: [{ general: { provider: "listmonk", mailerliteApiKey: old.token } }],
    fallback: {},
  }),
  hooks: createHooks({ filters: {}, actions: {} }, { clock, log }),
  provider: createListmonk({
    baseUrl: () => fresh.url,
    token: () => fresh.token,
    fetch: transport,
    now: clock.now,
  }),
  providerNamed: () =>
    createMailerlite({
      baseUrl: old.url,
      apiKey: () => old.token,
      webhookSecret: () => "",
      fetch: transport,
      now: clock.now,
    }),
  refresh: () => Promise.resolve(),
  wake: () => {},
});
const queue = createQueue({ kv, clock, random: systemRandom });
const definition = services.jobs.find(({ name }) => name === "cfbe_migrate_provider");

if (!await readMigration(kv)) {
  const lists = { [old.list]: fresh.list };
  const outcome = await runAction(services, LOCAL, "cfbe_migrate_provider", { from: "mailerlite", lists });
  if (!outcome.ok) throw new Error(outcome.message);
}
while (!(await readMigration(kv))!.ended) {
  for (const job of await queue.claim(1)) {
    await runAttempt({ queue, clock, log }, definition, job, new AbortController().signal);
  }
  now += 1_000;
  // The parent reads the time of the process from here.
  console.log(now);
}
close();
