import { CARTS_MAX_BYTES } from "../../shared/limits.ts";
import { type Admin, createAdmin } from "../admin/auth/admin.ts";
import { type AttackMode, createAttackMode } from "../platform/attack/attack_mode.ts";
import type { Config } from "../platform/config/config.ts";
import type { Kv } from "../platform/kv/port.ts";
import { countConfirmed, countConfirmedVariants } from "../signup/confirm/count_confirmed.ts";
import { createPoll, type Poll } from "../signup/confirm/poll.ts";
import { type Clock, type Log, type Random, steadyClock } from "../platform/deps.ts";
import { LONGEST_WAIT_MS } from "../platform/http/database_timeout.ts";
import type { Hooks } from "../settings/hooks/hooks.ts";
import { transport } from "../platform/http/outbound/transport.ts";
import { type ClientIp, createClientIp } from "../platform/http/visitor/client_ip.ts";
import { createNoteVisitor, type NoteVisitor } from "../platform/http/visitor/note_visitor.ts";
import type { ProxyHeaders } from "../platform/http/visitor/proxy_headers.ts";
import { createJobs } from "./job_table.ts";
import type { JobDefinition } from "../platform/jobs/handler.ts";
import type { KeyVersions } from "../operations/keys/key_versions.ts";
import type { Keyring } from "../platform/keys/keyring.ts";
import { Chains } from "../platform/kv/chains.ts";
import { FullLimits } from "../platform/limits/full_limits.ts";
import { createPolicies, type Policies } from "../platform/limits/policies.ts";
import { createSites, type Sites } from "../platform/tokens/sites/store.ts";
import { type ApiTokens, createApiTokens } from "../platform/tokens/store.ts";
import { createDatabaseAlert, type DatabaseAlert } from "../operations/alerts/database_alert.ts";
import { problemsIn, readProblems } from "../operations/checks/registry.ts";
import { readDatabase, type WatchedJob } from "../operations/checks/values.ts";
import type { DatabaseHealth } from "../platform/observe/database_health.ts";
import type { ExperimentCounts } from "../forms/experiments/counts.ts";
import { countOrderedVariants } from "../shops/orders/count_ordered_variants.ts";
import type { PageCounts } from "../signup/attribution/page_counts.ts";
import type { Counters } from "../platform/observe/counters.ts";
import type { WebhookCalls } from "../platform/observe/webhook_calls.ts";
import type { RefusedOrigins } from "../platform/observe/refused_origins.ts";
import type { Meters } from "../platform/observe/meters.ts";
import type { ProviderHealth } from "../providers/provider_health.ts";
import { createObservers } from "./observers.ts";
import { type Activation, createActivation } from "../operations/activation/activation.ts";
import type { Provider } from "../providers/port/port.ts";
import { createProviders } from "./provider_calls.ts";
import { WATCHED_JOBS } from "./recurring_jobs.ts";
import { PAUSE_MS } from "../providers/calls/call_budget.ts";
import { createSharedPauses, type SharedPauses } from "../providers/calls/shared_pauses.ts";
import { createProviderHistory, type ProviderHistory } from "../settings/store/provider_history.ts";
import type { SettingsStore } from "../settings/store/store.ts";
import { type Carts, createCarts } from "../shops/carts/carts.ts";
import { createDraining, type Draining } from "../operations/checks/draining.ts";
import { createProcesses, type Processes } from "../operations/database/processes.ts";
import { thisProcess } from "../platform/observe/this_process.ts";
import { createErasures } from "../subscribers/privacy/erasures.ts";
import { createPeople, type People } from "../subscribers/privacy/people.ts";
import { createClaims } from "../shops/carts/claims.ts";
import { contactEffect } from "../shops/orders/contacts.ts";
import { notifyOnActive } from "../signup/confirm/confirmed_hook.ts";
import { couponOnActive } from "../shops/coupons/triggers.ts";
import { createMarkers } from "../shops/mail/markers.ts";
import { createOnceMail } from "../shops/mail/once_mail.ts";
import { orderMailEffect } from "../shops/orders/order_mail.ts";
import { createOrders, type Orders } from "../shops/orders/orders.ts";
import { sandboxData } from "../sandbox/account/personal_data.ts";
import type { Shop } from "../shops/systems/port.ts";
import { createShops } from "../shops/systems/shops.ts";
import { siteDay } from "../settings/schema/time_zone.ts";
import { addUnlessThere } from "../platform/jobs/add.ts";
import { POLL_JOB } from "../signup/confirm/poll_job.ts";
import { USUAL_DAYS, usualDays } from "../signup/subscribe/usual_days.ts";
import { createResponseTimer, type ResponseTimer } from "../signup/subscribe/response_timer.ts";
import { type ConsentTexts, createConsentTexts } from "../forms/consent_texts.ts";
import type { SignupProviders } from "../signup/record/provider_of.ts";
import { allOnActive } from "../signup/record/record.ts";
import { createSignupService, type SignupService } from "../signup/subscribe/service.ts";

/** Dependencies that are passed in; see `deps.ts` for their types. */
export interface Outside {
  config: Config;
  /** Watched by `databaseHealth`. */
  kv: Kv;
  databaseHealth: DatabaseHealth;
  /** Returns the file of the database in use; undefined if it is not a file. */
  databaseFile(): string | undefined;
  clock: Clock;
  /** The clock by which calls to providers wait for their budget. */
  callClock: Clock;
  random: Random;
  log: Log;
  keyring: Keyring;
  keyVersions: KeyVersions;
  settings: SettingsStore;
  hooks: Hooks;
  provider: Provider;
  /** Returns a provider by its name in `general.provider`; undefined for an unknown name. */
  providerNamed(name: string): Provider | undefined;
  /** Reads again what other processes may have changed. */
  refresh: () => Promise<void>;
  /** Wakes the job runner because a job was added. */
  wake: () => void;
}

/** The services that routes and jobs use. */
export interface Services extends Outside {
  chains: Chains;
  fullLimits: FullLimits;
  policies: Policies;
  attackMode: AttackMode;
  counters: Counters;
  pageCounts: PageCounts;
  experimentCounts: ExperimentCounts;
  webhookCalls: WebhookCalls;
  refusedOrigins: RefusedOrigins;
  /** Latest results of calls to the provider. */
  health: ProviderHealth;
  /** Until when nothing is sent to an account; the queue reads it with the jobs. */
  pauses: SharedPauses;
  meters: Meters;
  /** The alert about the database, which can't be stored in it. */
  databaseAlert: DatabaseAlert;
  proxyHeaders: ProxyHeaders;
  responseTimer: ResponseTimer;
  consentTexts: ConsentTexts;
  signups: SignupService;
  carts: Carts;
  orders: Orders;
  /** Returns the shop system that is currently set. */
  shop: () => Shop;
  poll: Poll;
  providerHistory: ProviderHistory;
  signupProviders: SignupProviders;
  /** The recurring jobs that are reported if they keep failing. */
  watchedJobs: readonly WatchedJob[];
  activation: Activation;
  processes: Processes;
  draining: Draining;
  /** Exports and erases all data about a person. */
  people: People;
  admin: Admin;
  apiTokens: ApiTokens;
  sites: Sites;
  jobs: JobDefinition<unknown>[];
  /** Returns whether there is an API key and a default list. */
  isConfigured(): boolean;
  /** Returns whether the service is active and configured. If not, signups are `rejected` (contract 4.17). */
  acceptsSignups(): boolean;
  /** Returns the client's IP: by the privacy settings, then the filter `cfbe_client_ip` (contract 1.7). */
  clientIp: ClientIp;
  noteVisitor: NoteVisitor;
  /** Makes calls to providers begin slowly, because much work is waiting. */
  startSlowly: () => void;
}

/** Creates the services and passes to each the others it needs. */
export function createServices(outside: Outside): Services {
  const { config, kv, clock, random, log, keyring, settings, hooks, wake } = outside;
  const chains = new Chains({ ms: LONGEST_WAIT_MS, clock: steadyClock });
  const fullLimits = new FullLimits();
  const policies = createPolicies(keyring);
  const markers = createMarkers(keyring);
  const startSlowly = () => providers.startSlowly();
  const observed = createObservers({ ...outside, startSlowly });
  const { health, proxyHeaders } = observed;

  const activation = createActivation({
    kv,
    clock,
    random,
    log,
    refresh: outside.refresh,
    wake,
    startSlowly,
    get jobs() {
      return jobs;
    },
  });
  const { isActive } = activation;
  const processes = createProcesses({ ...outside, self: thisProcess() });
  const pauses = createSharedPauses({ kv, clock, random, log, longestMs: PAUSE_MS.longest });
  const providers = createProviders({ ...outside, clock: outside.callClock, pauses, health, isActive });
  const providerHistory = createProviderHistory(outside);
  const signupProvidersFor = (kind: "urgent" | "background"): SignupProviders => ({
    nameOf: ({ provider }) => provider ?? providerHistory.first(),
    named: (name, before) => providers.named(name, kind, before),
  });
  const signupProviders = signupProvidersFor("urgent");
  const onActive = allOnActive(
    couponOnActive({ settings, clock }),
    countConfirmedVariants(observed),
    notifyOnActive({ hooks, clock }),
  );
  const attackMode = attackModeOf(outside, observed);
  const onConfirmed = countConfirmed({ ...observed, attackMode });
  const poll = createPoll({
    ...outside,
    signupProviders: signupProvidersFor("background"),
    providerHistory,
    onConfirmed,
    onActive,
  });

  const signups = createSignupService({
    kv,
    clock,
    random,
    chains,
    policies,
    fullLimits,
    hooks,
    signupProviders,
    wake,
  });
  const admin = createAdmin({ config, kv, clock, random, keyring, fetch: transport });
  const apiTokens = createApiTokens({ kv, clock, random, log });
  const sites = createSites({ kv, clock, random, log, keyring, apiTokens });
  const others = [sandboxData({ kv, clock, random })];
  const people = createPeople({ ...outside, markers, policies, providerHistory, audit: admin.audit, others });
  const erasures = createErasures({ ...outside, markers, audit: admin.audit });
  const shop = createShops({
    checkout: () => settings.current().checkout,
    hasSite: () => sites.connected().some(({ modules }) => modules.length > 0),
    fetch: transport,
    clock,
  });

  const jobs = createJobs({
    ...outside,
    ...observed,
    attackMode,
    policies,
    audit: admin.audit,
    markers,
    claims: createClaims({ kv, clock, random, markers }),
    onceMail: createOnceMail({
      kv,
      clock,
      random,
      log,
      hooks,
      settings,
      erasures,
      provider: providers.urgent,
    }),
    shop,
    signups,
    people,
    erasures,
    poll,
    onConfirmed,
    onActive,
    providers,
    signupProviders,
    readProblems: () =>
      readProblems({
        ...outside,
        ...observed,
        attackMode,
        activation,
        processes,
        admin,
        apiTokens,
        provider: providers.urgent,
        providerHistory,
        signupProviders,
        shop,
        watchedJobs: WATCHED_JOBS,
      }, ({ alert }) => alert),
  });

  const databaseAlert = createDatabaseAlert({
    kv,
    clock,
    log,
    hooks,
    baseUrl: config.baseUrl,
    problems: () => problemsIn({ database: readDatabase(outside) }, ({ alert }) => alert === "database"),
  });
  const isConfigured = () => settings.apiKey() !== "" && settings.current().general.defaultList !== "";
  const privacy = () => settings.current().privacy;
  return {
    ...outside,
    ...observed,
    provider: providers.always,
    pauses,
    providerHistory,
    signupProviders,
    watchedJobs: WATCHED_JOBS,
    chains,
    fullLimits,
    policies,
    attackMode,
    poll,
    activation,
    processes,
    draining: createDraining({ clock }),
    admin,
    apiTokens,
    sites,
    people,
    responseTimer: createResponseTimer({ clock, random, floorMs: config.answerFloorMs }),
    consentTexts: createConsentTexts(kv),
    signups,
    carts: createCarts({ kv, clock, random, chains, markers, settings, maxBytes: CARTS_MAX_BYTES, wake }),
    shop,
    orders: createOrders({
      kv,
      clock,
      random,
      log,
      markers,
      settings,
      wake,
      isActive,
      effects: [
        contactEffect({ kv, random, keyring, markers, settings, isActive }),
        orderMailEffect({ markers, settings, isActive }),
        countOrderedVariants({ kv, ...observed }),
      ],
    }),
    jobs,
    databaseAlert,
    isConfigured,
    acceptsSignups: () => isActive() && isConfigured(),
    clientIp: createClientIp({
      baseUrl: config.baseUrl,
      privacy,
      filter: hooks.has("cfbe_client_ip")
        ? (ip, request) => hooks.filter("cfbe_client_ip", ip, request)
        : undefined,
    }),
    noteVisitor: createNoteVisitor({ log, proxyHeaders, privacy }),
    startSlowly,
  };
}

/** Creates attack mode with the thresholds in the settings. */
function attackModeOf(
  { kv, clock, random, log, settings, wake }: Outside,
  { counters }: Pick<Services, "counters">,
): AttackMode {
  return createAttackMode({
    kv,
    clock,
    log,
    thresholds() {
      const { privacy } = settings.current();
      return {
        mode: privacy.attackMode,
        networkSignups: privacy.attackNetworkSignups,
        tokenSignups: privacy.attackTokenSignups,
        signups: privacy.attackSignups,
        calmMinutes: privacy.attackCalmMinutes,
      };
    },
    holdsDeliveries: () => settings.current().privacy.attackHold,
    async usual() {
      const today = siteDay(settings.current(), clock.now());
      return usualDays(await counters.days(today - USUAL_DAYS, today), today);
    },
    async askForConfirmations() {
      await addUnlessThere({ kv, clock, random }, POLL_JOB);
      wake();
    },
  });
}
