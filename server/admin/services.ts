import type { ExperimentCounts } from "../experiments/counts.ts";
import type { PageCounts } from "../attribution/page_counts.ts";
import type { Config } from "../config.ts";
import type { Clock, Log, Random } from "../deps.ts";
import type { Hooks } from "../hooks/hooks.ts";
import type { ClientIp } from "../http/visitor/client_ip.ts";
import type { ProxyHeaders } from "../http/visitor/proxy_headers.ts";
import type { Keyring } from "../keys/keyring.ts";
import type { Chains } from "../kv/chains.ts";
import type { FullLimits } from "../limits/full_limits.ts";
import type { Policies } from "../limits/policies.ts";
import type { DatabaseAlert } from "../alerts/database_alert.ts";
import type { DatabaseHealth } from "../observe/database_health.ts";
import type { Counters } from "../observe/counters.ts";
import type { RefusedOrigins } from "../observe/refused_origins.ts";
import type { ProviderHealth } from "../observe/provider_health.ts";
import type { WebhookCalls } from "../observe/webhook_calls.ts";
import type { Activation } from "../ops/activation.ts";
import type { People } from "../privacy/people.ts";
import type { Provider } from "../provider/port.ts";
import type { SignupProviders } from "../signup/record/provider_of.ts";
import type { ProviderHistory } from "../settings/provider_history.ts";
import type { SettingsStore } from "../settings/store.ts";
import type { Shop } from "../shop/port.ts";
import type { SignupService } from "../signup/service.ts";
import type { Admin } from "./admin.ts";

/** The services that the admin's pages and actions use. */
export interface AdminServices {
  config: Config;
  kv: Deno.Kv;
  databaseHealth: DatabaseHealth;
  databaseAlert: DatabaseAlert;
  clock: Clock;
  random: Random;
  log: Log;
  keyring: Keyring;
  settings: SettingsStore;
  hooks: Hooks;
  provider: Provider;
  /** Returns another provider of the table, with its settings; undefined for an unknown name. */
  providerNamed(name: string): Provider | undefined;
  signupProviders: SignupProviders;
  providerHistory: ProviderHistory;
  chains: Chains;
  policies: Policies;
  fullLimits: FullLimits;
  counters: Counters;
  pageCounts: PageCounts;
  experimentCounts: ExperimentCounts;
  health: ProviderHealth;
  webhookCalls: WebhookCalls;
  proxyHeaders: ProxyHeaders;
  refusedOrigins: RefusedOrigins;
  activation: Activation;
  signups: SignupService;
  /** Returns whether the service is active and has a provider, so that it accepts signups. */
  acceptsSignups(): boolean;
  people: People;
  admin: Admin;
  shop: () => Shop;
  clientIp: ClientIp;
  /** Wakes the job runner. */
  wake: () => void;
}
