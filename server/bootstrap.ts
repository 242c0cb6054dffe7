import { tryGetContext } from "hono/context-storage";
import type { RequestIdVariables } from "hono/request-id";
import { z } from "zod";
import { createApp } from "./app.ts";
import { type Config, ConfigError, parseConfig } from "./config.ts";
import { type Clock, type Log, type Random, systemClock, systemRandom } from "./deps.ts";
import { type ConfigFile, loadConfigFile } from "./hooks/config_file.ts";
import { createHooks } from "./hooks/hooks.ts";
import { readWidget } from "./http/widget_files.ts";
import { BLANK_IPS_EVERY_MS, BLANK_IPS_JOB } from "./signup/record/blank_ips_job.ts";
import { ERASE_CARTS_EVERY_MS, ERASE_CARTS_JOB } from "./carts/erase_carts_job.ts";
import { startMigration } from "./ops/migrate_rows_job.ts";
import { POLL_JOB } from "./confirm/poll_job.ts";
import { createQueue, type Queue } from "./jobs/queue.ts";
import { startSlot } from "./jobs/recurring.ts";
import { createRunner, type Runner } from "./jobs/runner.ts";
import { loadSecrets } from "./keys/secrets_file.ts";
import { openKv } from "./kv/open.ts";
import { createLog } from "./observe/log.ts";
import { traceWarning } from "./observe/untraced.ts";
import { openProvider } from "./open_provider.ts";
import type { ProviderTable } from "./provider/module.ts";
import { PROVIDERS, SANDBOX } from "./provider/providers.ts";
import type { Sandbox } from "./sandbox/sandbox.ts";
import { openKeyring } from "./ops/salts.ts";
import { createFreshness } from "./ops/freshness.ts";
import { isHalfRestored } from "./ops/backup/restore.ts";
import { PURGE_DELETED_EVERY_MS, PURGE_DELETED_JOB } from "./ops/purge_deleted_job.ts";
import { createServices, type Services } from "./services.ts";
import { DELETE_UNCONFIRMED_EVERY_MS, DELETE_UNCONFIRMED_JOB } from "./confirm/delete_unconfirmed_job.ts";
import { environmentLayer, type Layer } from "./settings/precedence.ts";
import { isSandbox } from "./settings/provider.ts";
import { secretsIn } from "./settings/schema.ts";
import { describeProblems, openSettings, type SettingsStore } from "./settings/store.ts";
import { openTryOut, type TryOut } from "./try_out.ts";
import { POLL_INTERVAL_MS } from "../shared/limits.ts";

/** The assembled program, before it listens. */
export interface Program {
  config: Config;
  services: Services;
  queue: Queue;
  runner: Runner;
  sandbox: Sandbox | undefined;
  log: Log;
  /**
   * Starts recurring work and overdue jobs, writes counters and reads other processes' settings. Call it at start and
   * once a minute.
   */
  tick(): Promise<void>;
  /** Creates the request handler. Reads the built widget, so it is only called by processes that serve requests. */
  createApp(): Promise<ReturnType<typeof createApp>>;
  /** Ends background work within `ms`, writes buffered data and closes the database. */
  close(ms: number): Promise<void>;
}

/** Replacements for tests. */
export interface Handed {
  clock?: Clock;
  random?: Random;
  /** Writes a log line; to standard error by default. */
  write?: (line: string) => void;
  /** Replaces the config file. */
  file?: ConfigFile;
  /** Replaces the built-in providers. */
  providers?: ProviderTable;
}

/**
 * Assembles the program from its environment.
 *
 * @throws {ConfigError} with every problem of environment, config file and settings in one message
 * @throws {DatabaseInUse} if another process has opened the embedded database
 * @throws {DatabaseUnusable} if the database can't be opened
 * @throws {WrongSalt} if the database was created under a salt that is not set
 */
export async function bootstrap(
  env: Record<string, string | undefined>,
  {
    clock = systemClock,
    random = systemRandom,
    write = (line) => console.error(line),
    file: own,
    providers = PROVIDERS,
  }: Handed = {},
): Promise<Program> {
  const { config, file } = await readConfiguration(env, own, providers);
  const database = await openKv(config.kv);
  const { kv } = database;
  try {
    if (await isHalfRestored(kv)) {
      throw new ConfigError([
        "a restore of this database was interrupted: run `deno task cfbe restore <file>` again with the same file",
      ]);
    }
    const secrets = await loadSecrets(config, random);
    config.apiToken = secrets.apiToken;
    const keyring = await openKeyring({
      kv,
      clock,
      random,
      salts: [secrets.salt, ...config.previousSalts],
      providers,
    });
    // Set below, because the log is needed to open the settings.
    const opened: { settings?: SettingsStore } = {};
    const log = createLog({
      clock,
      secrets: () => [
        secrets.salt,
        secrets.apiToken,
        ...config.previousSalts,
        config.adminPassword ?? "",
        ...secretsIn(opened.settings?.current() ?? environmentLayer(config, providers), providers),
      ],
      write,
      request: () => tryGetContext<{ Variables: RequestIdVariables }>()?.get("requestId"),
    });
    const traced = traceWarning(env, config);
    if (traced) log.warn("telemetry.contains_addresses", { message: traced });
    if (config.throwAway) {
      log.warn("preview.ephemeral", {
        message:
          "This preview has no CFBE_SALT and CFBE_API_TOKEN, so it uses the sandbox and an in-memory database and loses " +
          "all data when it stops. To keep data, set both in the Development context, to different values than production.",
      });
    }
    let tryOut: TryOut | undefined;
    const settings = await openSettings({
      kv,
      keyring,
      random,
      clock,
      fixed: [(file.settings ?? {}) as Layer, environmentLayer(config, providers)],
      // The lists and the API key of the sandbox are not valid for another provider.
      fallback: (above) => namesSandbox(above) ? tryOut?.settings ?? {} : {},
      providers,
      saved(tab) {
        // Cached pages depend on these tabs (contract 2.9).
        if (tab === "form" || tab === "forms" || tab === "popup" || tab === "coupon") {
          void hooks.act("cfbe_purge_page_cache", { tab });
        }
      },
    });
    opened.settings = settings;
    if (isSandbox(settings.current())) {
      tryOut = await openTryOut({ config, kv, clock, random, log });
      await settings.refresh();
    }
    const hooks = createHooks(file, { clock, log });
    const provider = openProvider({ config, settings, clock, sandbox: tryOut?.sandbox });
    const queue = createQueue({ kv, clock, random });
    const services = createServices({
      config,
      kv,
      clock,
      random,
      log,
      keyring,
      settings,
      hooks,
      provider,
      wake: () => runner.wake(),
    });
    services.meters.watchQueue(queue.counts);
    const runner = createRunner({ queue, definitions: services.jobs, clock, log });
    // With exclusive access to the file, every lease in it belongs to a process that has died.
    if (database.exclusive) await queue.reclaimAll();
    await services.activation.refresh();
    await tryOut?.connect(services, provider);
    const freshness = createFreshness({
      clock,
      log,
      async refresh() {
        await Promise.all([settings.refresh(), services.activation.refresh()]);
      },
      async flush() {
        await services.counters.flush();
        await services.webhookCalls.flush();
        await services.health.flush();
      },
    });

    return {
      config,
      services,
      queue,
      runner,
      sandbox: tryOut?.sandbox,
      log,
      async tick() {
        const now = clock.now();
        await freshness.refreshNow();
        try {
          await services.activation.completeTransition();
          if (services.activation.isActive()) await startRecurring(services, now);
        } catch (error) {
          log.error("tick.failed", { error });
        }
        runner.wake();
      },
      async createApp() {
        const widget = await readWidget(new URL("../widget/dist/", import.meta.url));
        return createApp(services, { widget, mounts: tryOut?.mounts(services) ?? [], freshness });
      },
      async close(ms) {
        await runner.drain(ms);
        await tryOut?.sandbox.close();
        await freshness.refreshNow();
        database.close();
      },
    };
  } catch (error) {
    database.close();
    if (error instanceof z.ZodError) throw new ConfigError(describeProblems(error));
    throw error;
  }
}

/** Starts the recurring jobs whose time has come since the last call. */
async function startRecurring(services: Services, now: number): Promise<void> {
  await startSlot(services, { name: "poll", everyMs: POLL_INTERVAL_MS, now }, POLL_JOB);
  await startSlot(services, { name: "blank_ips", everyMs: BLANK_IPS_EVERY_MS, now }, BLANK_IPS_JOB);
  await startSlot(
    services,
    { name: "purge_deleted", everyMs: PURGE_DELETED_EVERY_MS, now },
    PURGE_DELETED_JOB,
  );
  const unconfirmed = { name: "delete_unconfirmed", everyMs: DELETE_UNCONFIRMED_EVERY_MS, now };
  await startSlot(services, unconfirmed, DELETE_UNCONFIRMED_JOB);
  await startMigration(services);
  await startSlot(services, { name: "erase_carts", everyMs: ERASE_CARTS_EVERY_MS, now }, ERASE_CARTS_JOB);
}

/** Returns whether settings select the sandbox, which is also the default. */
function namesSandbox(tree: Layer): boolean {
  const { provider } = (tree["general"] ?? {}) as { provider?: unknown };
  return provider === undefined || provider === SANDBOX;
}

/** Reads environment and config file. The error lists the problems of both. */
async function readConfiguration(
  env: Record<string, string | undefined>,
  own: ConfigFile | undefined,
  providers: ProviderTable,
): Promise<{ config: Config; file: ConfigFile }> {
  const problems: string[] = [];
  const collect = (error: unknown) => {
    if (!(error instanceof ConfigError)) throw error;
    problems.push(...error.problems);
    return undefined;
  };
  let config: Config | undefined;
  try {
    config = parseConfig(env, providers);
  } catch (error) {
    collect(error);
  }
  const path = config?.configFile ?? (env["CFBE_CONFIG"] || undefined);
  const file = own ?? await loadConfigFile(path, providers).catch(collect);
  if (!config || !file) throw new ConfigError(problems);
  return { config, file };
}
