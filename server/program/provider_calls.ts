import type { Clock, Random } from "../platform/deps.ts";
import type { Providers } from "./job_table.ts";
import type { ProviderHealth } from "../providers/provider_health.ts";
import { type CallBudget, createCallBudget } from "../providers/calls/call_budget.ts";
import type { Provider } from "../providers/port/port.ts";
import { type BeforeCall, whileActive, withStepBefore, wrapCalls } from "../providers/calls/wrap_calls.ts";
import { keyOfOther } from "../settings/store/provider.ts";
import type { SettingsStore } from "../settings/store/store.ts";

type Kind = "urgent" | "background";

interface Deps {
  clock: Clock;
  random: Pick<Random, "float">;
  settings: SettingsStore;
  /** The provider of the settings. */
  provider: Provider;
  providerNamed(name: string): Provider | undefined;
  health: ProviderHealth;
  isActive: () => boolean;
}

/** Returns the providers for each kind of caller. All calls to an account share its call budget. */
export function createProviders(
  { clock, random, settings, provider, providerNamed, health, isActive }: Deps,
): Providers {
  const chosen = () => settings.current().general.provider;
  const budgets = new Map<string, CallBudget>();
  let isSlow = false;
  function budgetOf(name: string): CallBudget {
    const known = budgets.get(name);
    if (known) return known;
    const limits = () => (providerNamed(name) ?? provider).capabilities.limits;
    const budget = createCallBudget(limits, { clock, random });
    if (isSlow) budget.startSlowly();
    budgets.set(name, budget);
    return budget;
  }

  const watched = health.watch(provider, chosen);
  const calls = (kind: Kind) => wrapCalls(watched, (call, signal) => budgetOf(chosen())[kind](call, signal));
  const urgent = calls("urgent");
  function named(name: string, kind: Kind, before?: BeforeCall): Provider | undefined {
    const isUsable = name === chosen() ||
      keyOfOther(settings.current(), name, settings.providers) !== undefined;
    const found = isUsable ? providerNamed(name) : undefined;
    if (!found) return undefined;
    const watched = health.watch(found, () => chosen() === name ? name : undefined);
    return wrapCalls(before ? withStepBefore(watched, before) : watched, budgetOf(name)[kind]);
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
      isSlow = true;
      for (const budget of budgets.values()) budget.startSlowly();
    },
  };
}
