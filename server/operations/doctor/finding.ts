import { asSentence } from "../../providers/port/trouble.ts";
import type { Clock, Fetch, Log, Random } from "../../platform/deps.ts";
import type { Config } from "../../platform/config/config.ts";
import type { ProxyHeaders } from "../../platform/http/visitor/proxy_headers.ts";
import type { DatabaseHealth } from "../../platform/observe/database_health.ts";
import type { RefusedOrigins } from "../../platform/observe/refused_origins.ts";
import type { Activation } from "../activation/activation.ts";
import type { Hooks } from "../../settings/hooks/hooks.ts";
import type { Provider } from "../../providers/port/port.ts";
import type { SettingsStore } from "../../settings/store/store.ts";
import type { Shop } from "../../shops/systems/port.ts";

/** A problem that a check found. */
export interface Finding {
  /** Kind of problem, for scripts: `provider.key`, `webhook.foreign`. */
  id: string;
  /** `error`: signups, confirmations or data are affected. `warning`: they may be. */
  level: "error" | "warning";
  what: string;
  why: string;
  todo: string;
}

/** What the checks need. */
export interface DoctorDeps {
  config: Config;
  kv: Deno.Kv;
  databaseHealth: DatabaseHealth;
  clock: Clock;
  random: Random;
  log: Log;
  settings: SettingsStore;
  hooks: Hooks;
  provider: Provider;
  activation: Activation;
  proxyHeaders: ProxyHeaders;
  refusedOrigins: RefusedOrigins;
  shop: () => Shop;
}

/** Why a check could not run, and what to do if it should. */
export interface Skipped {
  skipped: string;
}

/** One check. Returns its findings (none if it passed). */
export interface Check {
  name: string;
  run(app: DoctorDeps, outside: { fetch: Fetch }): Promise<Finding[] | Skipped>;
}

export function finding(
  level: Finding["level"],
  id: string,
  { what, why, todo }: Omit<Finding, "id" | "level">,
): Finding {
  return { id, level, what, why, todo };
}

/** Returns why a check of the provider was skipped. */
export const noAnswer = (reason: string): string =>
  `The provider did not answer: ${asSentence(reason)} Fix that, then run the doctor again.`;
