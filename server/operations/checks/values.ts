import type { AttackMode } from "../../platform/attack/attack_mode.ts";
import type { Attack } from "../../platform/attack/decide.ts";
import type { Config } from "../../platform/config/config.ts";
import type { Clock, Random } from "../../platform/deps.ts";
import { isCommonPassword } from "../../platform/keys/common_password.ts";
import type { ProxyHeaders, Traffic } from "../../platform/http/visitor/proxy_headers.ts";
import { createJobAdmin } from "../../platform/jobs/job_admin.ts";
import { keepsFailing } from "../../platform/jobs/keeps_failing.ts";
import { jobKey, type JobRow } from "../../platform/jobs/row.ts";
import { countSkipped } from "../../platform/jobs/pass.ts";
import { readReadable } from "../../platform/kv/bad_rows.ts";
import type { DiskSpace } from "../../platform/kv/database_file.ts";
import { embeddedFile } from "../../platform/kv/open.ts";
import type { Kv } from "../../platform/kv/port.ts";
import type { Counters } from "../../platform/observe/counters.ts";
import type { DatabaseFailure, DatabaseHealth } from "../../platform/observe/database_health.ts";
import { entriesOf, type Funnel, funnelOf } from "../../platform/observe/funnel.ts";
import type { RefusedOrigins } from "../../platform/observe/refused_origins.ts";
import type { ApiTokens, ListedToken } from "../../platform/tokens/store.ts";
import type { ProviderTable } from "../../providers/module.ts";
import type { Capabilities } from "../../providers/port/capabilities.ts";
import type { Processes, ProcessRow } from "../database/processes.ts";
import type { Provider } from "../../providers/port/port.ts";
import { type ProviderHealth, type Unresolved, unresolved } from "../../providers/provider_health.ts";
import type { Settings } from "../../settings/schema/schema.ts";
import { siteDay } from "../../settings/schema/time_zone.ts";
import { moduleNamed } from "../../settings/store/provider.ts";
import type { ProviderHistory } from "../../settings/store/provider_history.ts";
import type { SettingsStore } from "../../settings/store/store.ts";
import type { Hooks } from "../../settings/hooks/hooks.ts";
import { readShopCheck } from "../../shops/coupons/shop_check.ts";
import type { Shop } from "../../shops/systems/port.ts";
import { withoutTests } from "../../forms/public/test_form.ts";
import { countUnreachable } from "../../signup/confirm/unreachable.ts";
import { DELIVER_JOB } from "../../signup/delivery/job.ts";
import type { SignupProviders } from "../../signup/record/provider_of.ts";
import type { ConfirmedBy } from "../../../shared/outcomes.ts";
import type { Activation } from "../activation/activation.ts";
import { type LimitOff, limitsOff } from "../activation/limits_off.ts";
import { type BackupHistory, readBackupLog } from "../backup/backup_log.ts";
import { unfinishedRestore } from "../database/lost_database.ts";
import type { ConnectionReport } from "../provider/connection.ts";
import type { WebhookState } from "../provider/webhook.ts";

/** Why a value could not be read or a check could not run, and what to do if it should. */
export interface Skipped {
  skipped: string;
}

/** What is known about the database. */
export interface DatabaseFacts {
  /** What fails now, or was damaged since the start. */
  failure: Pick<DatabaseFailure, "cause" | "reason" | "ofRows"> | undefined;
  /** Path of an embedded database; undefined for a server. */
  file: string | undefined;
  disk: DiskSpace | undefined;
}

/** What the public URL leads to. */
export type PublicUrl = { kind: "service" | "cached" } | { kind: "unreachable"; reason: string };

/** A file of the service, and its permissions as bits. */
export interface FileMode {
  of: "salt" | "token" | "database" | "folder";
  path: string;
  mode: number;
}

/** Users who can't sign in. The one of `CFBE_ADMIN_PASSWORD` counts only if no other admin can. */
export interface LockedOut {
  users: number;
  allAdmins: boolean;
}

/** A recurring job that is reported if it keeps failing. */
export interface WatchedJob {
  id: string;
  /** What is not done meanwhile, as in `old carts are not deleted`. */
  undone: string;
}

/** What the checks read, by name. Everything counted is counted up to 100. */
export interface Values {
  /** Unix milliseconds. */
  now: number;
  config: Pick<Config, "baseUrl" | "deploy" | "backups">;
  adminPasswordIsCommon: boolean;
  environment: Readonly<Record<string, string | undefined>>;
  settings: Settings;
  providers: ProviderTable;
  capabilities: Capabilities;
  shop: Pick<Shop, "name" | "missingSettings"> & { capabilities: Pick<Shop["capabilities"], "coupons"> };
  active: boolean;
  traffic: Traffic;
  /** Sites whose pages asked for a form, but are not on an allowed origin. */
  refusedOrigins: readonly string[];
  /** Limits that a filter of the config file turns off. */
  limitsOff: readonly LimitOff[];
  /** Why the shop did not create the latest discount code; undefined if it did, or while coupons are off. */
  couponTrouble: string | undefined;
  /** Failed jobs, those that wait too long (see `waitsTooLong`), and for how long the oldest that is due has been. */
  jobs: { dead: number; tooLate: number; lateMs: number };
  /** Recurring jobs that keep failing, with their latest errors. */
  failingJobs:
    readonly (Pick<JobRow, "name" | "failures"> & Pick<WatchedJob, "undone"> & { reason: string })[];
  /** How long a delivery among the next ten jobs has waited for the provider's rate limit, at most; 0 if none does. */
  heldMs: number;
  /** Rows that passes over the database have skipped, because they can't be read or used. */
  skippedRows: number;
  /** Failed provider calls without a later success, the latest first, and the deliveries that wait meanwhile. */
  failedCalls: { troubles: readonly Unresolved[]; waitingDeliveries: number };
  /** Open confirmations at providers whose key was removed, by the provider's title. */
  unreachable: readonly { provider: string; count: number }[];
  /** The provider's lists. Only the doctor and the connection test ask the provider; else those loaded last. */
  lists: Readonly<Settings["general"]["knownLists"]>;
  /** Counters of the last seven days, including today. */
  week: {
    accepted: number;
    /** By what detected the confirmation. */
    confirmed: Readonly<Record<Extract<ConfirmedBy, "webhook" | "automation" | "poll">, number>>;
    cfgUnverified: number;
    tokenOld: number;
  };
  /** The last seven whole days, and the four weeks before them. */
  rates: { lately: Funnel; before: Funnel };
  /** Signups of this hour and the last one: rejected by the site's limit, and accepted beyond it. */
  siteLimit: { rejected: number; beyond: number };
  /** The attack that lasts now, and since the hour of its begin: dropped signups, those with a solved challenge, and forms without JavaScript that were shown again. */
  attack: Attack & { dropped: number; solved: number; again: number } | undefined;
  backups: BackupHistory;
  database: DatabaseFacts;
  /** The stored API tokens. */
  apiTokens: readonly ListedToken[];
  /** Names of the users with the role `admin`. */
  admins: readonly string[];
  /** How many users of the admin can't sign in, because passwords are off, and whether all admins are among them. */
  lockedOut: LockedOut;
  /** The running processes, if several can share the database. */
  processes: readonly ProcessRow[];
  /** Whether announcements of changes arrive in this process; undefined if that is not known. */
  announced: boolean | undefined;
  /** Path of the file that an interrupted restore has left. */
  unfinishedRestore: string | undefined;
  /** What needs a request to the provider or to cfbe itself, or looks at files: only for who asks. */
  connection: ConnectionReport;
  /** Email templates in use that the provider does not have, and the settings that name them. */
  missingTemplates: readonly { id: string; where: string[] }[];
  webhook: Extract<WebhookState, { kind: "state" }>;
  publicUrl: PublicUrl;
  files: readonly FileMode[];
}

/** How to read each value. */
export type Readers<App> = {
  readonly [Name in keyof Values]?: (app: App) => Values[Name] | Skipped | Promise<Values[Name] | Skipped>;
};

export interface ValueDeps {
  config: Pick<Config, "adminPassword" | "baseUrl" | "deploy" | "kv" | "backups">;
  kv: Kv;
  databaseHealth: DatabaseHealth;
  clock: Clock;
  random: Random;
  settings: SettingsStore;
  hooks: Hooks;
  counters: Pick<Counters, "days" | "totals">;
  health: ProviderHealth;
  proxyHeaders: ProxyHeaders;
  refusedOrigins: RefusedOrigins;
  attackMode: Pick<AttackMode, "current">;
  activation: Pick<Activation, "isActive">;
  processes: Pick<Processes, "read">;
  apiTokens: Pick<ApiTokens, "list">;
  admin: {
    waysIn: { lockedOut(): Promise<LockedOut> };
    users: { list(): Promise<readonly { name: string; role: string }[]> };
  };
  provider: Pick<Provider, "capabilities">;
  providerHistory: Pick<ProviderHistory, "names">;
  signupProviders: SignupProviders;
  shop: () => Shop;
  watchedJobs: readonly WatchedJob[];
}

const HOUR_MS = 60 * 60 * 1000;
const WEEK = 7;
const FOUR_WEEKS = 28;
/** The readers look at the counters of this many days, including today. */
export const DAYS_NEEDED = 1 + WEEK + FOUR_WEEKS;
const MOST_COUNTED = 100;

/** Returns the values that need no reading. */
export function settingsValues(
  { config, settings, provider, shop }: Pick<ValueDeps, "config" | "settings" | "provider" | "shop">,
): Pick<Values, "config" | "settings" | "providers" | "capabilities" | "shop" | "lists"> {
  return {
    config,
    settings: settings.current(),
    lists: settings.current().general.knownLists,
    providers: settings.providers,
    capabilities: provider.capabilities,
    shop: shop(),
  };
}

/** Reads what needs no request. */
export const READERS = {
  now: ({ clock }) => clock.now(),
  config: ({ config }) => config,
  adminPasswordIsCommon: async ({ config }) =>
    config.adminPassword !== undefined && await isCommonPassword(config.adminPassword),
  settings: ({ settings }) => settings.current(),
  providers: ({ settings }) => settings.providers,
  capabilities: ({ provider }) => provider.capabilities,
  shop: ({ shop }) => shop(),
  active: ({ activation }) => activation.isActive(),
  traffic: ({ proxyHeaders }) => proxyHeaders.read(),
  refusedOrigins: async ({ refusedOrigins }) => (await refusedOrigins.recent()).map(({ origin }) => origin),
  limitsOff: (app) => limitsOff(app),
  async couponTrouble(app) {
    if (!app.settings.current().general.modules.coupons) return undefined;
    const check = await readShopCheck(app);
    return check?.ok === false ? check.reason ?? "the last test code failed" : undefined;
  },
  async jobs(app) {
    const admin = createJobAdmin(app);
    const [counts, tooLate] = await Promise.all([
      admin.counts(MOST_COUNTED, ["waiting", "dead"]),
      admin.countTooLong(MOST_COUNTED),
    ]);
    return { dead: counts.dead, tooLate, lateMs: counts.lateMs };
  },
  async failingJobs({ kv, watchedJobs }) {
    const rows = await readReadable(kv, watchedJobs.map(({ id }) => jobKey(id)));
    return rows.flatMap((row, at) => {
      const reason = row ? keepsFailing(row) : undefined;
      if (!row || reason === undefined) return [];
      return [{ name: row.name, failures: row.failures, undone: watchedJobs[at]!.undone, reason }];
    });
  },
  async heldMs(app) {
    const now = app.clock.now();
    return Math.max(0, ...(await nextDeliveries(app, 10)).map(({ heldSince = now }) => now - heldSince));
  },
  skippedRows: ({ kv, clock }) => countSkipped(kv, clock.now()),
  async failedCalls(app) {
    const troubles = unresolved(await app.health.read());
    return {
      troubles,
      waitingDeliveries: troubles.length > 0 ? (await nextDeliveries(app, MOST_COUNTED)).length : 0,
    };
  },
  async unreachable(app) {
    const { providers } = app.settings;
    return (await countUnreachable(app, MOST_COUNTED)).map(({ provider, count }) => ({
      provider: moduleNamed(provider, providers)?.title ?? provider,
      count,
    }));
  },
  lists: ({ settings }) => settings.current().general.knownLists,
  async week(app) {
    const days = daysUntilTomorrow(app, WEEK);
    const entries = entriesOf(withoutTests(await app.counters.days(days.from, days.until)), days);
    const of = (entry: string) => entries[entry] ?? 0;
    return {
      accepted: of("accepted"),
      confirmed: {
        webhook: of("note.confirmed.webhook"),
        automation: of("note.confirmed.automation"),
        poll: of("note.confirmed.poll"),
      },
      cfgUnverified: of("note.cfg_unverified"),
      tokenOld: of("dropped.token_old"),
    };
  },
  async rates(app) {
    const { from, until } = daysUntilTomorrow(app, DAYS_NEEDED);
    const counts = withoutTests(await app.counters.days(from, until));
    const today = until - 1;
    return {
      lately: funnelOf(counts, { from: today - WEEK, until: today }),
      before: funnelOf(counts, { from, until: today - WEEK }),
    };
  },
  async siteLimit({ counters, clock }) {
    const totals = await counters.totals(Math.floor(clock.now() / HOUR_MS) - 1);
    return { rejected: totals["rate_limited.site"] ?? 0, beyond: totals["note.beyond_site_limit"] ?? 0 };
  },
  async attack({ attackMode, counters }) {
    const attack = attackMode.current();
    if (!attack) return undefined;
    const totals = await counters.totals(Math.floor(attack.since / HOUR_MS));
    return {
      ...attack,
      dropped: totals["dropped.challenge"] ?? 0,
      solved: totals["note.challenge_solved"] ?? 0,
      again: totals["note.challenge_again"] ?? 0,
    };
  },
  backups: ({ kv, clock }) => readBackupLog(kv, clock.now()),
  database: readDatabase,
  apiTokens: ({ apiTokens }) => apiTokens.list(),
  admins: async ({ admin }) =>
    (await admin.users.list()).flatMap(({ name, role }) => role === "admin" ? [name] : []),
  lockedOut: ({ admin }) => admin.waysIn.lockedOut(),
  processes: ({ processes }) => processes.read(),
  announced: ({ kv }) => kv.changes?.arrive(),
  unfinishedRestore: ({ config }) => unfinishedRestore(config),
} satisfies Readers<ValueDeps>;

/** Returns what is known about the database, without another call. */
export function readDatabase(
  { databaseHealth, config }: Pick<ValueDeps, "databaseHealth" | "config">,
): DatabaseFacts {
  return {
    failure: databaseHealth.failure() ?? databaseHealth.damage(),
    file: embeddedFile(config.kv),
    disk: databaseHealth.disk(),
  };
}

function daysUntilTomorrow({ settings, clock }: ValueDeps, count: number): { from: number; until: number } {
  const until = siteDay(settings.current(), clock.now()) + 1;
  return { from: until - count, until };
}

/** Returns the deliveries that wait, among the next jobs. */
async function nextDeliveries(app: ValueDeps, limit: number): Promise<JobRow[]> {
  const { rows } = await createJobAdmin(app).list({ state: "waiting", limit });
  return rows.filter(({ name }) => name === DELIVER_JOB);
}
