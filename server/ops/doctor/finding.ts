import { asSentence } from "../../provider/trouble.ts";
import type { Clock, Fetch, Log, Random } from "../../deps.ts";
import type { Config } from "../../config.ts";
import type { ProxyHeaders } from "../../http/visitor/proxy_headers.ts";
import type { DatabaseHealth } from "../../observe/database_health.ts";
import type { RefusedOrigins } from "../../observe/refused_origins.ts";
import type { Activation } from "../activation.ts";
import type { Hooks } from "../../hooks/hooks.ts";
import type { Provider } from "../../provider/port.ts";
import type { SettingsStore } from "../../settings/store.ts";
import type { Shop } from "../../shop/port.ts";

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
