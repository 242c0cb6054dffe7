import type { Provider } from "../../providers/port/port.ts";
import { isLoopback } from "../../platform/config/config.ts";
import { readShopCheck } from "../../shops/coupons/shop_check.ts";
import { createJobAdmin } from "../../platform/jobs/job_admin.ts";
import { countSkipped } from "../../platform/jobs/pass.ts";
import type { Counters, FormDay } from "../../platform/observe/counters.ts";
import { unresolved } from "../../providers/provider_health.ts";
import { incompleteModules } from "../alerts/incomplete_modules.ts";
import { countUnreachable } from "../../signup/confirm/unreachable.ts";
import type { SignupProviders } from "../../signup/record/provider_of.ts";
import { DELIVER_JOB } from "../../signup/delivery/job.ts";
import { withoutTests } from "../../forms/public/test_form.ts";
import { chosenLists } from "../provider/lists.ts";
import { isPlainHttp } from "./start_warnings.ts";
import { isReachable } from "../provider/webhook.ts";
import { sendsWebhooks } from "../../providers/port/capabilities.ts";
import { isSandbox, missingFields, moduleNamed, moduleOf } from "../../settings/store/provider.ts";
import type { Config } from "../../platform/config/config.ts";
import type { Clock, Random } from "../../platform/deps.ts";
import type { ProxyHeaders } from "../../platform/http/visitor/proxy_headers.ts";
import type { RefusedOrigins } from "../../platform/observe/refused_origins.ts";
import { readDatabaseFacts } from "../alerts/database_rules.ts";
import { embeddedFile } from "../../platform/kv/open.ts";
import type { DatabaseHealth } from "../../platform/observe/database_health.ts";
import type { ProviderHealth } from "../../providers/provider_health.ts";
import type { Shop } from "../../shops/systems/port.ts";
import type { Activation } from "../activation/activation.ts";
import { readBackupLog } from "../backup/backup_log.ts";
import type { Settings } from "../../settings/schema/schema.ts";
import type { ProviderHistory } from "../../settings/store/provider_history.ts";
import type { SettingsStore } from "../../settings/store/store.ts";
import type { Facts } from "../alerts/problem.ts";
import { entriesOf, funnelOf } from "../../platform/observe/funnel.ts";
import { siteDay } from "../../settings/schema/time_zone.ts";

const HOUR_MS = 60 * 60 * 1000;
const WEEK = 7;
const FOUR_WEEKS = 28;
/** Number of days that `readFacts` needs, including today. */
export const DAYS_NEEDED = 1 + WEEK + FOUR_WEEKS;

export interface FactsDeps {
  config: Pick<Config, "baseUrl" | "kv">;
  kv: Deno.Kv;
  databaseHealth: DatabaseHealth;
  clock: Clock;
  random: Random;
  settings: SettingsStore;
  counters: Counters;
  health: ProviderHealth;
  proxyHeaders: ProxyHeaders;
  refusedOrigins: RefusedOrigins;
  activation: Pick<Activation, "isActive">;
  provider: Pick<Provider, "capabilities">;
  providerHistory: Pick<ProviderHistory, "names">;
  signupProviders: SignupProviders;
  shop: () => Shop;
}

/** Jobs are counted up to here. */
const MOST_JOBS = 100;
/** Open confirmations that cfbe can't follow are counted up to here. */
const MOST_UNREACHABLE = 100;

/**
 * Reads the facts for the rules, without a request to the provider.
 *
 * @param counts without test signups, of `DAYS_NEEDED` days or more
 */
export async function readFacts(app: FactsDeps, counts: readonly FormDay[]): Promise<Facts> {
  const now = app.clock.now();
  const settings = app.settings.current();
  const today = siteDay(settings, now);
  const [jobs, jobsTooLate, skippedRows, health, totals, backups, unreachable, refused, shopCheck] =
    await Promise.all([
      createJobAdmin(app).counts(MOST_JOBS),
      createJobAdmin(app).countTooLong(MOST_JOBS),
      countSkipped(app.kv, now),
      app.health.read(),
      app.counters.totals(Math.floor(now / HOUR_MS) - 1),
      readBackupLog(app.kv, now),
      countUnreachable(app, MOST_UNREACHABLE),
      app.refusedOrigins.recent(),
      settings.general.modules.coupons ? readShopCheck(app) : undefined,
    ]);
  const troubles = unresolved(health);
  const week = entriesOf(counts, { from: today - WEEK + 1, until: today + 1 });
  const of = (entry: string) => week[entry] ?? 0;
  return {
    now,
    active: app.activation.isActive(),
    missing: missingIn(app.settings),
    sandboxInPublic: isSandbox(settings) && !isLoopback(app.config.baseUrl),
    unknownVisitors: app.proxyHeaders.read().unknown,
    plainHttp: isPlainHttp(app.config.baseUrl),
    refusedOrigins: refused.map(({ origin }) => origin),
    incomplete: incompleteModules(settings, app.shop(), app.provider.capabilities),
    couponTrouble: shopCheck?.ok === false ? shopCheck.reason ?? "the last test code failed" : undefined,
    deadJobs: jobs.dead,
    jobsTooLate,
    skippedRows,
    troubles,
    waitingDeliveries: troubles.length > 0 ? await waitingDeliveries(app) : 0,
    unreachable: unreachable.map(({ provider, count }) => ({
      provider: moduleNamed(provider, app.settings.providers)?.title ?? provider,
      count,
    })),
    singleOptIn: singleOptIn(settings),
    sendsWebhooks: sendsWebhooks(moduleOf(settings, app.settings.providers).capabilities) && isReachable(app),
    week: {
      accepted: of("accepted"),
      confirmed: {
        webhook: of("note.confirmed.webhook"),
        automation: of("note.confirmed.automation"),
        poll: of("note.confirmed.poll"),
      },
      cfgUnverified: of("note.cfg_unverified"),
      tokenOld: of("dropped.token_old"),
    },
    overSiteLimit: totals["rate_limited.site"] ?? 0,
    backups,
    database: readDatabaseFacts(app.databaseHealth, embeddedFile(app.config.kv)),
    lately: funnelOf(counts, { from: today - WEEK, until: today }),
    before: funnelOf(counts, { from: today - WEEK - FOUR_WEEKS, until: today - WEEK }),
  };
}

/** Reads the facts with the counters of a week: enough for all rules except the one about the confirmation rate. */
export async function readFactsOfWeek(app: FactsDeps): Promise<Facts> {
  const today = siteDay(app.settings.current(), app.clock.now());
  return await readFacts(app, withoutTests(await app.counters.days(today - WEEK + 1, today + 1)));
}

/** Counts the deliveries that wait, among the next 100 jobs. */
async function waitingDeliveries(app: FactsDeps): Promise<number> {
  const { rows } = await createJobAdmin(app).list({ state: "waiting", limit: MOST_JOBS });
  return rows.filter(({ name }) => name === DELIVER_JOB).length;
}

/** Returns nouns for the settings that must be entered before signups can be delivered. */
function missingIn({ current, providers }: SettingsStore): string[] {
  return [
    ...missingFields(current(), providers).map(([, { noun }]) => noun),
    ...(current().general.defaultList === "" ? ["a default list"] : []),
  ];
}

/** Returns the names of lists in use that had no double opt-in when the lists were last loaded. */
function singleOptIn(settings: Settings): string[] {
  const chosen = chosenLists(settings);
  return settings.general.knownLists.filter(({ id, doubleOptIn }) => doubleOptIn === false && chosen.has(id))
    .map(({ name }) => name);
}
