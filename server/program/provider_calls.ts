import type { Clock, Random } from "../platform/deps.ts";
import type { Keyring } from "../platform/keys/keyring.ts";
import type { Providers } from "./job_table.ts";
import type { ProviderHealth } from "../providers/provider_health.ts";
import { type CallBudget, createCallBudget } from "../providers/calls/call_budget.ts";
import type { SharedPauses } from "../providers/calls/shared_pauses.ts";
import type { Provider } from "../providers/port/port.ts";
import { type BeforeCall, whileActive, withStepBefore, wrapCalls } from "../providers/calls/wrap_calls.ts";
import { keyOfOther, moduleNamed, valuesOf } from "../settings/store/provider.ts";
import type { SettingsStore } from "../settings/store/store.ts";

type Kind = "urgent" | "background";

interface Deps {
  clock: Clock;
  random: Pick<Random, "float">;
  settings: SettingsStore;
  keyring: Keyring;
  pauses: SharedPauses;
  /** The provider of the settings. */
  provider: Provider;
  providerNamed(name: string): Provider | undefined;
  health: ProviderHealth;
  isActive: () => boolean;
}

/** Returns the providers for each kind of caller. All calls to an account share its call budget. */
export function createProviders(
  { clock, random, settings, keyring, pauses, provider, providerNamed, health, isActive }: Deps,
): Providers {
  const chosen = () => settings.current().general.provider;
  /** Of the account in use, by the provider's name. */
  const budgets = new Map<string, { account: string; budget: CallBudget }>();
  /** When much work was last found waiting, in Unix milliseconds. */
  let slowSince: number | undefined;
  function budgetOf(name: string): CallBudget {
    const account = accountOf(name);
    const known = budgets.get(name);
    if (known?.account === account) return known.budget;
    const limits = () => (providerNamed(name) ?? provider).capabilities.limits;
    const budget = createCallBudget(limits, { clock, random, shared: pauses.of(account) });
    if (slowSince !== undefined) budget.startSlowly(slowSince);
    budgets.set(name, { account, budget });
    return budget;
  }

  /** By the provider's name, with what they were computed from: each call to a provider needs one. */
  let accounts = { of: settings.current(), by: keyring.generation, ids: new Map<string, string>() };

  /** Returns a keyed hash of a provider's settings: with another key or URL it is another account. */
  function accountOf(name: string): string {
    const [of, by] = [settings.current(), keyring.generation];
    if (accounts.of !== of || accounts.by !== by) accounts = { of, by, ids: new Map() };
    let id = accounts.ids.get(name);
    if (id === undefined) {
      const module = moduleNamed(name, settings.providers);
      const values = module ? valuesOf(of, module) : {};
      id = keyring.identify("cfbe/fingerprint", JSON.stringify(["account", name, values]));
      accounts.ids.set(name, id);
    }
    return id;
  }

  const watched = health.watch(provider, chosen);
  const calls = (kind: Kind) => wrapCalls(watched, (call, signal) => budgetOf(chosen())[kind](call, signal));
  const urgent = calls("urgent");
  function watchedNamed(name: string): Provider | undefined {
    const isUsable = name === chosen() ||
      keyOfOther(settings.current(), name, settings.providers) !== undefined;
    const found = isUsable ? providerNamed(name) : undefined;
    return found && health.watch(found, () => chosen() === name ? name : undefined);
  }
  function named(name: string, kind: Kind, before?: BeforeCall): Provider | undefined {
    const watched = watchedNamed(name);
    return watched && wrapCalls(
      before ? withStepBefore(watched, before) : watched,
      (call, signal) => budgetOf(name)[kind](call, signal),
    );
  }
  return {
    urgent: whileActive(urgent, isActive),
    background: whileActive(calls("background"), isActive),
    always: urgent,
    named(...args) {
      const found = named(...args);
      return found && whileActive(found, isActive);
    },
    alwaysNamed: (name) => named(name, "urgent"),
    startSlowly() {
      slowSince = clock.now();
      for (const { budget } of budgets.values()) budget.startSlowly(slowSince);
    },
  };
}
