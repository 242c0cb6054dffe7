import type { Clock, Fetch, Log, Random } from "../../deps.ts";
import type { Config } from "../../config.ts";
import type { ProxyHeaders } from "../../http/visitor/proxy_headers.ts";
import type { Activation } from "../activation.ts";
import type { Provider } from "../../provider/port.ts";
import type { SettingsStore } from "../../settings/store.ts";
import type { Shop } from "../../shop/port.ts";

/** Something that is wrong, or will be. */
export interface Finding {
  /** What kind of thing it is, for scripts: `provider.key`, `webhook.foreign`. */
  id: string;
  /** `error`: signups, confirmations or data suffer. `warning`: they may. */
  level: "error" | "warning";
  what: string;
  why: string;
  todo: string;
}

/** What the checks look at. */
export interface DoctorDeps {
  config: Config;
  kv: Deno.Kv;
  clock: Clock;
  random: Random;
  log: Log;
  settings: SettingsStore;
  provider: Provider;
  activation: Activation;
  proxyHeaders: ProxyHeaders;
  shop: () => Shop;
}

/** One thing that is looked at. It says what it found, nothing when all is well, and "skipped" when it can't know. */
export interface Check {
  name: string;
  look(app: DoctorDeps, outside: { fetch: Fetch }): Promise<Finding[] | "skipped">;
}

export function finding(
  level: Finding["level"],
  id: string,
  { what, why, todo }: Omit<Finding, "id" | "level">,
): Finding {
  return { id, level, what, why, todo };
}
