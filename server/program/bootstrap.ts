import type { Page } from "../admin/frame/page.ts";
import { environmentLayer } from "../settings/store/environment.ts";
import { cfbeCommand } from "../platform/config/cfbe_command.ts";
import { z } from "zod";
import { type Config, ConfigError } from "../platform/config/config.ts";
import { readConfiguration } from "./configuration.ts";
import {
  type Clock,
  type Log,
  type Random,
  steadyClock,
  systemClock,
  systemRandom,
} from "../platform/deps.ts";
import type { ConfigFile } from "../settings/hooks/config_file.ts";
import { createHooks } from "../settings/hooks/hooks.ts";
import { purgeTargets, requestPurges } from "../settings/hooks/purge_urls.ts";
import { createQueue } from "../platform/jobs/queue.ts";
import { isDeactivated } from "../platform/jobs/parking.ts";
import { createRunner } from "../platform/jobs/runner.ts";
import { createKeyring } from "../platform/keys/keyring.ts";
import { allSalts } from "../platform/keys/salt_file.ts";
import { loadSecrets } from "../platform/keys/secrets_file.ts";
import { embeddedFile, type OpenedKv, openKv } from "../platform/kv/open.ts";
import { failedFile } from "../platform/kv/unusable.ts";
import { createDatabaseHealth } from "../platform/observe/database_health.ts";
import { createLog } from "../platform/observe/log.ts";
import { currentRequestId } from "../platform/observe/request_id.ts";
import { openProviders } from "./open_provider.ts";
import type { ProviderTable } from "../providers/module.ts";
import { PROVIDERS } from "../providers/providers.ts";
import { noteUse, requireDatabase } from "../operations/database/lost_database.ts";
import { openKeyringOf, requireSalt } from "../operations/database/open_keyring.ts";
import { reopenable, type ReopenableKeyring } from "../operations/database/salts.ts";
import { createKeyVersions } from "../operations/keys/key_versions.ts";
import { createSaltSource } from "../operations/keys/salt_source.ts";
import { isHalfRestored, watchRestores } from "../operations/backup/restores.ts";
import { createMoves } from "../operations/move/moves.ts";
import { requireUsable } from "../operations/move/require_usable.ts";
import { type Program, programOf } from "./program.ts";
import { createServices } from "./services.ts";
import { fixedBy, type Layer } from "../settings/store/precedence.ts";
import { isSandbox, namesSandbox } from "../settings/store/provider.ts";
import { createFormHistory } from "../settings/forms/form_history.ts";
import { secretsIn } from "../settings/schema/schema.ts";
import { describeProblems, openSettings, type SettingsStore } from "../settings/store/store.ts";
import type { TryOut } from "./try_out.ts";

/** Under load, how long to collect jobs before they are claimed together. A small part of a call to the provider. */
const GATHER_JOBS_MS = 20;

/** A move leaves half of the time to visitors. */
const MOVE_REST = 1;

/** What the entry point adds, and replacements for tests. */
export interface Overrides {
  /** Called before the database is opened or created, so that nothing is created if it throws. */
  beforeDatabase?: (config: Config) => Promise<void>;
  clock?: Clock;
  /** The clock by which calls to providers wait for their budget; `clock` by default. */
  callClock?: Clock;
  random?: Random;
  /** Writes a log line; to standard error by default. */
  write?: (line: string) => void;
  /** Opens the program without saved settings that are invalid, and is called with what is wrong (`openSettings`). */
  onInvalidSettings?: (problems: string[]) => void;
  /** Replaces the config file. */
  file?: ConfigFile;
  /** Opens the database, instead of `openKv`. */
  open?: (address: string | undefined) => Promise<OpenedKv>;
  /** Replaces the built-in providers. */
  providers?: ProviderTable;
  /** Further pages of the admin. */
  adminPages?: readonly Page[];
}

/**
 * Assembles the program from its environment.
 *
 * @throws {ConfigError} with every problem of environment, config file and settings in one message
 * @throws {DatabaseMissing} if the database file or its folder is gone
 * @throws {DatabaseInUse} if another process has opened the embedded database
 * @throws {DatabaseUnusable} if the database can't be opened
 * @throws {DatabaseMovedAway} if the data has moved to another database, or a move to this one was not finished
 * @throws {WrongSalt} if the database was created under a salt that is not set
 */
export async function bootstrap(
  env: Record<string, string | undefined>,
  overrides: Overrides = {},
): Promise<Program> {
  const {
    clock = systemClock,
    callClock = clock,
    random = systemRandom,
    write = (line: string) => console.error(line),
    open = openKv,
    providers = PROVIDERS,
    adminPages = [],
  } = overrides;
  const { config, file } = await readConfiguration(env, overrides.file, providers);
  await overrides.beforeDatabase?.(config);
  await requireDatabase(config);
  const database = await open(config.kv);
  try {
    await requireUsable(database, {
      clock: steadyClock,
      open,
      keyring: async () => createKeyring((await loadSecrets(config, random)).salts.accepted),
    });
    const { onInvalidSettings } = overrides;
    const program = await assemble({
      ...{ config, file, database, open, clock, callClock, random, write, providers, adminPages },
      ...(onInvalidSettings && { onInvalidSettings }),
    });
    await noteUse(config);
    return program;
  } catch (error) {
    database.close();
    if (error instanceof z.ZodError) {
      const isSaved = error.issues.some(({ path }) =>
        !fixedBy(fixedLayers({ config, file, providers }), path.join("."))
      );
      throw new ConfigError(describeProblems(error), isSaved ? savedHint() : undefined);
    }
    throw failedFile(embeddedFile(config.kv), error) ?? error;
  }
}

/** Returns the settings of config file and environment, which saved ones can't override. */
function fixedLayers(
  { config, file, providers }: Pick<Parts, "config" | "file" | "providers">,
): [Layer, Layer] {
  return [(file.settings ?? {}) as Layer, environmentLayer(config, providers)];
}

const savedHint = () =>
  "A newer version may have saved these settings: start that version, or remove each, such as general.origins, with " +
  `\`${cfbeCommand()} settings unset <path>\`.`;

/** Everything that the program is assembled from. */
interface Parts
  extends
    Required<Omit<Overrides, "file" | "beforeDatabase" | "onInvalidSettings">>,
    Pick<Overrides, "onInvalidSettings"> {
  config: Config;
  file: ConfigFile;
  database: OpenedKv;
}

async function assemble(parts: Parts): Promise<Program> {
  const { config, file, database, clock, callClock, random, providers, onInvalidSettings } = parts;
  if (await isHalfRestored(database.kv)) {
    throw new ConfigError([
      `a restore of this database was interrupted: run \`${cfbeCommand()} restore <file>\` again with the same file`,
    ]);
  }
  const restores = await watchRestores(database.kv);
  const moves = createMoves({
    ...{ database, config: { ...config }, open: parts.open, random, clock, steadyClock, rest: MOVE_REST },
    keyring: () => keyring,
    log: () => log,
  });
  await requireSalt(config, database.kv);
  const { salts, apiToken } = await loadSecrets(config, random);
  config.apiToken = apiToken;
  let resealed: string[] = [];
  const source = createSaltSource({
    ...{ config, random, salts },
    opened: () => opened.keyring!,
    hasMoved: moves.hasMoved,
  });
  // Set below, because the log is needed to open the settings and the sandbox.
  const opened: { settings?: SettingsStore; keyring?: ReopenableKeyring } = {};
  const { keyring, reopen } = opened.keyring = await reopenable(() =>
    openKeyringOf(config, {
      kv: moves.kv,
      clock,
      random,
      salts: source.current(),
      providers,
      onReseal: (paths) => resealed = paths,
    })
  );
  let tryOut: TryOut | undefined;
  const log = openLog(parts, () => [
    ...allSalts(source.current()),
    apiToken,
    config.adminPassword ?? "",
    tryOut?.account.apiKey ?? "",
    ...secretsIn(opened.settings?.current() ?? environmentLayer(config, providers), providers),
  ]);
  const previous = salts.accepted.length - 1;
  if (previous > 0) log.info("salt.previous_accepted", { previous });
  if (resealed.length > 0) log.info("salt.secrets_encrypted_again", { settings: resealed });
  const databaseHealth = createDatabaseHealth({ clock, log, inspect: moves.inspect });
  const kv = databaseHealth.watch(moves.kv);
  const formHistory = createFormHistory({ kv, random, log });
  const settings = await openSettings({
    kv,
    keyring,
    random,
    clock,
    fixed: fixedLayers(parts),
    // The lists of the sandbox are not valid for another provider.
    fallback: (above) => namesSandbox(above) ? tryOut?.settings ?? {} : {},
    sandboxKey: () => tryOut?.account.apiKey ?? "",
    providers,
    ...(onInvalidSettings && {
      onInvalid: (error: z.ZodError) => onInvalidSettings(describeProblems(error)),
    }),
    async saved(tabs, change) {
      await formHistory.record(tabs, change);
      // Cached pages depend on these tabs (contract 2.9).
      for (const tab of tabs) {
        if (tab !== "form" && tab !== "forms" && tab !== "popup" && tab !== "coupon") continue;
        void hooks.emit("cfbe_purge_page_cache", { tab });
        const targets = purgeTargets(settings.current().general.purgeUrls, services.sites.connected());
        void requestPurges(targets, { tab }, { keyring, clock, log });
      }
    },
  });
  opened.settings = settings;
  if (isSandbox(settings.current())) {
    const { openTryOut } = await import("./try_out.ts");
    tryOut = await openTryOut({ config, kv, clock, random, log });
    await settings.refresh();
  }
  const hooks = createHooks(file, { clock, log });
  const { provider, providerNamed, warmUp } = openProviders({ config, settings, clock, log, tryOut });

  async function readRestored(): Promise<void> {
    await reopen();
    services.consentTexts.forget();
    services.pageCounts.forget();
    await Promise.all([settings.refresh(), services.providerHistory.load()]);
    if (tryOut && isSandbox(settings.current())) {
      await tryOut.reload();
      await settings.refresh();
      await tryOut.connect(services, provider);
    }
    log.info("restore.noticed");
  }
  async function refresh(): Promise<void> {
    // First, because a process that is active again must know what was restored.
    const isWhole = await restores.check(readRestored);
    await Promise.all([
      isWhole && settings.refresh(),
      services.activation.refresh(),
      services.attackMode.refresh(),
      services.sites.refresh(),
    ]);
  }
  const wake = () => runner.wake();
  const services = createServices({
    config,
    kv,
    databaseHealth,
    databaseFile: moves.file,
    clock,
    callClock,
    random,
    log,
    keyring,
    keyVersions: createKeyVersions({ kv, clock, random, keyring, source, providers }),
    settings,
    hooks,
    provider,
    providerNamed,
    refresh,
    wake,
  });
  const queue = createQueue({
    ...{ kv, clock, random, alongside: services.pauses },
    async onActivation(row) {
      // A backup is restored only while the service is deactivated.
      if (isDeactivated(row) || !services.activation.isKnown(row)) await refresh();
    },
  });
  services.meters.watchQueue(queue.counts);
  const runner = createRunner({
    queue,
    definitions: services.jobs,
    clock,
    log,
    gather: () => systemClock.sleep(GATHER_JOBS_MS),
    // What became due while nothing ran must not be sent all at once.
    onBacklog: services.startSlowly,
  });
  // With exclusive access to the file, every lease in it belongs to a process that has died.
  if (database.exclusive) await queue.reclaimAll();
  await Promise.all([
    services.activation.refresh(),
    services.attackMode.refresh(),
    services.sites.refresh(),
    services.providerHistory.load(),
  ]);
  await tryOut?.connect(services, provider);
  const { adminPages } = parts;
  return programOf({
    ...{ services, queue, runner, tryOut, refresh, warmUp, adminPages, moves },
  });
}

/**
 * Opens the log, and warns about a preview that keeps nothing.
 *
 * @param secrets returns the texts that never appear in the log
 */
function openLog({ config, clock, write }: Parts, secrets: () => string[]): Log {
  const log = createLog({ clock, secrets, write, request: currentRequestId });
  if (config.throwAway) {
    log.warn("preview.ephemeral", {
      message:
        "This preview has no CFBE_SALT and CFBE_API_TOKEN, so it uses the sandbox and an in-memory database and loses " +
        "all data when it stops. To keep data, set both in the Development context, to different values than production.",
    });
  }
  return log;
}
