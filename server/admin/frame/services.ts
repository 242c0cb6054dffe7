import type { AttackMode } from "../../platform/attack/attack_mode.ts";
import type { ExperimentCounts } from "../../forms/experiments/counts.ts";
import type { Kv } from "../../platform/kv/port.ts";
import type { PageCounts } from "../../signup/attribution/page_counts.ts";
import type { Config } from "../../platform/config/config.ts";
import type { Clock, Log, Random } from "../../platform/deps.ts";
import type { Hooks } from "../../settings/hooks/hooks.ts";
import type { ClientIp } from "../../platform/http/visitor/client_ip.ts";
import type { WatchedJob } from "../../operations/checks/values.ts";
import type { Processes } from "../../operations/database/processes.ts";
import type { ProxyHeaders } from "../../platform/http/visitor/proxy_headers.ts";
import type { KeyVersions } from "../../operations/keys/key_versions.ts";
import type { Keyring } from "../../platform/keys/keyring.ts";
import type { Chains } from "../../platform/kv/chains.ts";
import type { ApiTokens } from "../../platform/tokens/store.ts";
import type { Sites } from "../../platform/tokens/sites/store.ts";
import type { FullLimits } from "../../platform/limits/full_limits.ts";
import type { Policies } from "../../platform/limits/policies.ts";
import type { DatabaseAlert } from "../../operations/alerts/database_alert.ts";
import type { DatabaseHealth } from "../../platform/observe/database_health.ts";
import type { Counters } from "../../platform/observe/counters.ts";
import type { RefusedOrigins } from "../../platform/observe/refused_origins.ts";
import type { ProviderHealth } from "../../providers/provider_health.ts";
import type { WebhookCalls } from "../../platform/observe/webhook_calls.ts";
import type { Activation } from "../../operations/activation/activation.ts";
import type { People } from "../../subscribers/privacy/people.ts";
import type { Provider } from "../../providers/port/port.ts";
import type { SignupProviders } from "../../signup/record/provider_of.ts";
import type { ProviderHistory } from "../../settings/store/provider_history.ts";
import type { SettingsStore } from "../../settings/store/store.ts";
import type { Shop } from "../../shops/systems/port.ts";
import type { SignupService } from "../../signup/subscribe/service.ts";
import type { Admin } from "../auth/admin.ts";

/** The services that the admin's pages and actions use. */
export interface AdminServices {
  config: Config;
  kv: Kv;
  databaseHealth: DatabaseHealth;
  databaseAlert: DatabaseAlert;
  clock: Clock;
  random: Random;
  log: Log;
  keyring: Keyring;
  keyVersions: KeyVersions;
  settings: SettingsStore;
  hooks: Hooks;
  provider: Provider;
  /** Returns another provider of the table, with its settings; undefined for an unknown name. */
  providerNamed(name: string): Provider | undefined;
  signupProviders: SignupProviders;
  providerHistory: ProviderHistory;
  watchedJobs: readonly WatchedJob[];
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
  processes: Pick<Processes, "read">;
  attackMode: AttackMode;
  activation: Activation;
  signups: SignupService;
  /** Returns whether the service is active and has a provider, so that it accepts signups. */
  acceptsSignups(): boolean;
  people: People;
  admin: Admin;
  apiTokens: ApiTokens;
  sites: Sites;
  shop: () => Shop;
  clientIp: ClientIp;
  /** Wakes the job runner. */
  wake: () => void;
}
