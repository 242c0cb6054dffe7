import type { Context } from "hono";
import { CARTS_MAX_BYTES } from "../shared/limits.ts";
import { type Admin, createAdmin } from "./admin/admin.ts";
import type { Config } from "./config.ts";
import { countConfirmed } from "./confirm/confirmed.ts";
import { createPoll, type Poll } from "./confirm/poll.ts";
import type { Clock, Log, Random } from "./deps.ts";
import type { Hooks } from "./hooks/hooks.ts";
import { transport } from "./http/outbound/transport.ts";
import { createProxyHeaders, type ProxyHeaders } from "./http/visitor/proxy_headers.ts";
import { inRanges, normalIp } from "./http/visitor/ip_ranges.ts";
import { visitorIp } from "./http/visitor/visitor_ip.ts";
import { cartMail } from "./carts/cart_mail_job.ts";
import { coupon } from "./coupons/coupon_job.ts";
import { checkoutSignup } from "./orders/checkout_signup_job.ts";
import { eraseCarts } from "./carts/erase_carts_job.ts";
import { blankIps } from "./signup/record/blank_ips_job.ts";
import { checkSignup } from "./confirm/check_job.ts";
import { deliverSignup } from "./signup/delivery/job.ts";
import { allowAgain } from "./subscribers/allow_again_job.ts";
import { erasePerson } from "./privacy/erase_job.ts";
import { migrateRows } from "./ops/migrate_rows_job.ts";
import { pollPending } from "./confirm/poll_job.ts";
import { orderMail } from "./orders/order_mail_job.ts";
import { syncContact } from "./orders/sync_contact_job.ts";
import type { JobDefinition } from "./jobs/handler.ts";
import type { Keyring } from "./keys/keyring.ts";
import { Chains } from "./kv/chains.ts";
import { createPolicies, type Policies } from "./limits/policies.ts";
import { type Counters, createCounters } from "./observe/counters.ts";
import { createWebhookCalls, type WebhookCalls } from "./observe/webhook_calls.ts";
import { createMeters, type Meters } from "./observe/meters.ts";
import { createProviderHealth, type ProviderHealth } from "./observe/provider_health.ts";
import { whileActive } from "./provider/before_calls.ts";
import { withCallBudget } from "./provider/call_budget.ts";
import { type Activation, createActivation } from "./ops/activation.ts";
import { purgeDeleted } from "./ops/purge_deleted_job.ts";
import { embeddedFile } from "./kv/open.ts";
import type { Provider } from "./provider/port.ts";
import type { SettingsStore } from "./settings/store.ts";
import { type Carts, createCarts } from "./carts/carts.ts";
import { createPeople, type People } from "./privacy/people.ts";
import { createClaims } from "./carts/claims.ts";
import { followWithContacts } from "./orders/contacts.ts";
import { couponOnActive } from "./coupons/causes.ts";
import { createMarkers } from "./mail/markers.ts";
import { createOnceMail } from "./mail/once_mail.ts";
import { followWithOrderMails } from "./orders/order_mail.ts";
import { createOrders, type Orders } from "./orders/orders.ts";
import { sandboxHeld } from "./sandbox/held.ts";
import type { Shop } from "./shop/port.ts";
import { createShops } from "./shop/shops.ts";
import { createPace, type Pace } from "./signup/answer.ts";
import { type ConsentTexts, createConsentTexts } from "./signup/record/consent_text.ts";
import { deleteUnconfirmed } from "./confirm/delete_unconfirmed_job.ts";
import { createSignupService, type SignupService } from "./signup/service.ts";

/** What is handed in from outside; see `deps.ts` for the shapes. */
export interface Outside {
  config: Config;
  kv: Deno.Kv;
  clock: Clock;
  random: Random;
  log: Log;
  keyring: Keyring;
  settings: SettingsStore;
  hooks: Hooks;
  provider: Provider;
  /** Tells the job runner that there is something to do. */
  wake: () => void;
}

/** Everything that routes and jobs work with. */
export interface Services extends Outside {
  chains: Chains;
  policies: Policies;
  counters: Counters;
  webhookCalls: WebhookCalls;
  /** What calls to the provider last came to. */
  health: ProviderHealth;
  meters: Meters;
  proxyHeaders: ProxyHeaders;
  pace: Pace;
  consentTexts: ConsentTexts;
  signups: SignupService;
  carts: Carts;
  orders: Orders;
  /** The shop system that the Checkout tab names now. */
  shop: () => Shop;
  poll: Poll;
  activation: Activation;
  /** Exports and erases whole persons. */
  people: People;
  admin: Admin;
  jobs: JobDefinition<unknown>[];
  /** Whether the service is on and has a provider to bring signups to; if not they are `rejected` (contract 4.17). */
  isConfigured(): boolean;
  /** The visitor's IP: Privacy setting first, then the filter `cfbe_client_ip` (contract 1.7). */
  clientIp(c: Context): Promise<string>;
}

/** What `app.fetch(request, …)` must be given: Deno knows the peer, Hono does not. */
export interface Peer {
  /** IP of the other end of the connection. */
  peer?: string;
}

export function createServices(outside: Outside): Services {
  const { config, kv, clock, random, log, keyring, settings, hooks, provider, wake } = outside;
  const chains = new Chains();
  const policies = createPolicies(keyring);
  const health = createProviderHealth({ kv, clock, random, log });
  const calls = withCallBudget(health.watch(provider), clock);
  const activation = createActivation({
    kv,
    clock,
    random,
    log,
    wake,
    get jobs() {
      return jobs;
    },
  });
  const { isActive } = activation;
  const urgent = whileActive(calls.urgent, isActive);
  const background = whileActive(calls.background, isActive);
  const onActive = couponOnActive({ settings, clock });
  const meters = createMeters();
  const counters = createCounters({ kv, clock, log, entered: meters.entered });
  const confirmed = countConfirmed({ meters, counters });
  const poll = createPoll({ kv, clock, random, provider: background, log, wake, confirmed, onActive });

  const signups = createSignupService({ kv, clock, random, chains, policies, hooks, wake });
  const proxyHeaders = createProxyHeaders();
  const markers = createMarkers(keyring);
  const claims = createClaims({ kv, clock, random, markers });
  const shop = createShops({ checkout: () => settings.current().checkout, fetch: transport, clock });
  const onceMail = createOnceMail({ kv, clock, random, log, hooks, provider: urgent });
  const admin = createAdmin({ config, kv, clock, random, keyring });
  const people = createPeople({
    kv,
    clock,
    random,
    keyring,
    markers,
    policies,
    others: [sandboxHeld({ kv, clock, random })],
    wake,
  });

  const jobs = [
    deliverSignup({
      kv,
      clock,
      random,
      keyring,
      policies,
      settings,
      provider: urgent,
      hooks,
      log,
      meters,
      confirmed,
      onActive,
    }),
    checkSignup({ kv, clock, random, provider: urgent, log, confirmed, onActive }),
    pollPending(poll),
    blankIps({ kv, clock, random, settings }),
    purgeDeleted({ kv, clock, log, file: embeddedFile(config.kv) }),
    deleteUnconfirmed({ kv, clock, random, log, settings }),
    cartMail({
      hooks,
      kv,
      clock,
      log,
      keyring,
      settings,
      provider: urgent,
      markers,
      claims,
      baseUrl: config.baseUrl,
    }),
    checkoutSignup({ log, counters, settings, signups, markers }),
    coupon({ kv, clock, random, log, settings, provider: urgent, shop, markers, onceMail }),
    eraseCarts({ kv, clock, random }),
    syncContact({ kv, clock, random, log, settings, hooks, provider: background, markers }),
    allowAgain({ kv, clock, random, log, provider: urgent }),
    erasePerson({ clock, log, provider: calls.urgent, people, audit: admin.audit }),
    orderMail({ settings, provider: urgent, markers, onceMail }),
    migrateRows({ kv, clock, random, log }),
  ] as JobDefinition<unknown>[];

  return {
    ...outside,
    provider: calls.urgent,
    chains,
    policies,
    poll,
    activation,
    admin,
    people,
    counters,
    health,
    proxyHeaders,
    webhookCalls: createWebhookCalls({ kv, clock, random, log }),
    meters,
    pace: createPace({ clock, random, floorMs: config.answerFloorMs }),
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
      followers: [
        followWithContacts({ kv, random, keyring, markers, settings, isActive }),
        followWithOrderMails({ markers, settings, isActive }),
      ],
    }),
    jobs,
    isConfigured() {
      const { general } = settings.current();
      return isActive() && general.apiKey !== "" && general.defaultList !== "";
    },
    async clientIp(c) {
      const peer = (c.env as Peer | undefined)?.peer ?? "";
      const { privacy } = settings.current();
      const found = visitorIp(peer, c.req.raw.headers, privacy);
      if (found === "" && proxyHeaders.read().unknown === 0) {
        log.error("visitor_ip.unknown", {
          message:
            "The host hands over no visitor's address: all visitors share one limit. See `cfbe doctor`.",
        });
      }
      proxyHeaders.note(c.req.raw.headers, found, inRanges(peer, privacy.trustedProxies));
      // Without its body, which is ours to read. Any visitor may have written the Host in its address.
      const { url, method, headers } = c.req.raw;
      const request = new Request(URL.canParse(url) ? url : config.baseUrl, { method, headers });
      return normalIp(await hooks.filter("cfbe_client_ip", found, request)) ?? found;
    },
  };
}
