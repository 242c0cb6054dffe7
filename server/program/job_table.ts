import { z } from "zod";
import { checkAlerts } from "../operations/alerts/check_job.ts";
import { BACKUP_JOB, LONGEST_BACKUP_MS } from "../operations/backup/job_name.ts";
import type { Problem } from "../operations/checks/check.ts";
import { sendAlerts } from "../operations/alerts/send_job.ts";
import type { Audit } from "../platform/audit/audit.ts";
import type { Kv } from "../platform/kv/port.ts";
import { cartMail } from "../shops/carts/cart_mail_job.ts";
import type { Claims } from "../shops/carts/claims.ts";
import { eraseCarts } from "../shops/carts/erase_carts_job.ts";
import type { AttackMode } from "../platform/attack/attack_mode.ts";
import type { Config } from "../platform/config/config.ts";
import { notifyConfirmed } from "../signup/confirm/confirmed_hook.ts";
import { checkSignup } from "../signup/confirm/check_job.ts";
import { deleteUnconfirmed } from "../signup/confirm/delete_unconfirmed_job.ts";
import { IDENTIFY_JOB, IdentifyPayload } from "../signup/confirm/identify_payload.ts";
import type { Poll } from "../signup/confirm/poll.ts";
import { pollPending } from "../signup/confirm/poll_job.ts";
import { coupon } from "../shops/coupons/coupon_job.ts";
import type { Clock, Log, Random } from "../platform/deps.ts";
import type { Hooks } from "../settings/hooks/hooks.ts";
import type { JobDefinition } from "../platform/jobs/handler.ts";
import { sweepImages } from "../forms/images/sweep_job.ts";
import { lazyJob } from "../platform/jobs/lazy_job.ts";
import type { Keyring } from "../platform/keys/keyring.ts";
import type { Policies } from "../platform/limits/policies.ts";
import type { Markers } from "../shops/mail/markers.ts";
import type { OnceMail } from "../shops/mail/once_mail.ts";
import type { Counters } from "../platform/observe/counters.ts";
import type { DatabaseHealth } from "../platform/observe/database_health.ts";
import type { Meters } from "../platform/observe/meters.ts";
import type { ProviderHealth } from "../providers/provider_health.ts";
import { resealOrders } from "../operations/keys/reseal_orders_job.ts";
import { migrateRows } from "../operations/database/migrate_rows_job.ts";
import { purgeDeleted } from "../operations/database/purge_deleted_job.ts";
import { checkoutSignup } from "../shops/orders/checkout_signup_job.ts";
import { orderMail } from "../shops/orders/order_mail_job.ts";
import { syncContact } from "../shops/orders/sync_contact_job.ts";
import { erasePerson } from "../subscribers/privacy/erase_job.ts";
import { ERASE_JOB } from "../subscribers/privacy/job_data.ts";
import type { People } from "../subscribers/privacy/people.ts";
import type { Provider } from "../providers/port/port.ts";
import type { BeforeCall } from "../providers/calls/wrap_calls.ts";
import type { SettingsStore } from "../settings/store/store.ts";
import type { Shop } from "../shops/systems/port.ts";
import type { Erasures } from "../signup/delivery/erasure_before.ts";
import { deliverSignup } from "../signup/delivery/job.ts";
import { resumeDeliveries } from "../signup/delivery/resume_job.ts";
import { blankIps } from "../signup/record/blank_ips_job.ts";
import type { SignupProviders } from "../signup/record/provider_of.ts";
import { indexSignups } from "../signup/record/index_signups_job.ts";
import type { OnActive, OnConfirmed } from "../signup/record/record.ts";
import type { SignupService } from "../signup/subscribe/service.ts";
import { siteZone } from "../settings/schema/time_zone.ts";
import { reactivateSubscriber } from "../subscribers/person/allow_again_job.ts";
import { BULK_ERASURE_JOB, BULK_JOB, MIGRATION_JOB, RunPayload } from "../subscribers/person/run_jobs.ts";

/** The dependencies of all jobs. Each job declares those it needs. */
export interface JobServices {
  config: Config;
  kv: Kv;
  databaseHealth: DatabaseHealth;
  databaseFile(): string | undefined;
  clock: Clock;
  random: Random;
  log: Log;
  keyring: Keyring;
  settings: SettingsStore;
  hooks: Hooks;
  policies: Policies;
  attackMode: AttackMode;
  counters: Counters;
  meters: Meters;
  audit: Audit;
  health: ProviderHealth;
  markers: Markers;
  claims: Claims;
  onceMail: OnceMail;
  shop: () => Shop;
  signups: SignupService;
  people: People;
  erasures: Erasures;
  poll: Poll;
  onConfirmed: OnConfirmed;
  onActive: OnActive;
  providers: Providers;
  signupProviders: SignupProviders;
  /** Returns the problems that can be alerts. */
  readProblems(): Promise<Problem[]>;
}

/** The provider, for different kinds of callers. */
export interface Providers {
  /** For work that someone is waiting for. Fails while the service is deactivated. */
  urgent: Provider;
  /** For work that yields the account's call budget to urgent work. Fails while the service is deactivated. */
  background: Provider;
  /** For admin requests, which also run while the service is deactivated. */
  always: Provider;
  /**
   * Returns the provider with that name, whichever is chosen meanwhile; undefined if it can't be used (see
   * `SignupProviders`). Shares the account's call budget. Fails while the service is deactivated.
   *
   * @param before runs once the budget allows a call
   */
  named(name: string, kind: "urgent" | "background", before?: BeforeCall): Provider | undefined;
  /** Like `named` with `urgent`, for erasures, which also run while the service is deactivated. */
  alwaysNamed(name: string): Provider | undefined;
  /** Makes the calls to each account begin slowly, because much work is waiting. */
  startSlowly(): void;
}

/** Returns every kind of background job. */
export function createJobs(services: JobServices): JobDefinition<unknown>[] {
  const { config, poll, providers } = services;
  const urgent = { ...services, provider: providers.urgent };
  const loadBulk = async () => {
    const { bulkPeople } = await import("../subscribers/bulk/job.ts");
    return bulkPeople(urgent);
  };
  // Their payload only names the run.
  const run = { payload: RunPayload, afterRetention: (payload: RunPayload) => payload };
  const jobs = [
    deliverSignup(urgent),
    resumeDeliveries(urgent),
    checkSignup(urgent),
    lazyJob({ name: IDENTIFY_JOB, payload: IdentifyPayload }, async () => {
      const { identifySubscriber } = await import("../signup/confirm/identify_job.ts");
      return identifySubscriber(urgent);
    }),
    pollPending(poll),
    blankIps({
      ...services,
      kept: () => ({ keptDead: [ERASE_JOB], definitions: jobs }),
      async endRuns() {
        const { bulkRun } = await import("../subscribers/bulk/run.ts");
        const { migrationRun } = await import("../subscribers/migration/run.ts");
        for (const run of [bulkRun, migrationRun]) await run.endWithoutJob(services);
      },
    }),
    purgeDeleted({ ...services, file: services.databaseFile }),
    deleteUnconfirmed(services),
    cartMail({ ...urgent, baseUrl: config.baseUrl }),
    checkoutSignup(services),
    coupon(urgent),
    notifyConfirmed(services),
    eraseCarts(services),
    sweepImages(services),
    syncContact({ ...services, provider: providers.background }),
    reactivateSubscriber(urgent),
    lazyJob({ ...run, name: BULK_JOB.name }, loadBulk),
    lazyJob({ ...run, name: BULK_ERASURE_JOB.name, runsWhileDeactivated: true }, loadBulk),
    lazyJob({ ...run, name: MIGRATION_JOB.name }, async () => {
      const { migrateProvider } = await import("../subscribers/migration/job.ts");
      return migrateProvider({
        ...services,
        provider: providers.background,
        providerNamed: (name) => providers.named(name, "background"),
      });
    }),
    erasePerson({ ...services, providerNamed: (name) => providers.alwaysNamed(name) }),
    orderMail(urgent),
    lazyJob({ name: BACKUP_JOB.name, payload: z.null(), longestMs: LONGEST_BACKUP_MS }, async () => {
      const { scheduledBackup } = await import("../operations/backup/scheduled/backup_job.ts");
      return scheduledBackup({ ...services, backups: config.backups });
    }),
    migrateRows(services),
    resealOrders(services),
    indexSignups(services),
    checkAlerts({ ...services, baseUrl: config.baseUrl, zone: () => siteZone(services.settings.current()) }),
    sendAlerts(services),
  ] as JobDefinition<unknown>[];
  return jobs;
}
