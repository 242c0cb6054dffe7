import type { Provider } from "../../providers/port/port.ts";
import { SANDBOX } from "../../providers/providers.ts";
import { keyOfOther, providerTitle } from "../../settings/store/provider.ts";
import type { ProviderHistory } from "../../settings/store/provider_history.ts";
import type { SettingsStore } from "../../settings/store/store.ts";

/** A provider that may have data about a person, and whether an erasure reaches it. */
export interface ErasureTarget {
  /** As `general.provider` names it. */
  name: string;
  /** The display name: `MailerLite`. */
  title: string;
  /** `no_key`: it was chosen earlier, and its key is no longer set. `unsupported`: its API cannot erase. */
  state: "reachable" | "no_key" | "unsupported";
}

export interface ErasureTargetsDeps {
  settings: Pick<SettingsStore, "current" | "providers">;
  providerHistory: Pick<ProviderHistory, "names">;
  providerNamed(name: string): Pick<Provider, "capabilities"> | undefined;
}

/**
 * Returns the providers that may have data about a person: the chosen one first, then all others with a key, then those
 * that were chosen earlier. The sandbox counts only while it is chosen, because its data are erased with cfbe's own.
 */
export function erasureTargets(
  { settings, providerHistory, providerNamed }: ErasureTargetsDeps,
): ErasureTarget[] {
  const current = settings.current();
  const chosen = current.general.provider;
  const hasKey = (name: string) => keyOfOther(current, name, settings.providers) !== undefined;
  const withKey = Object.keys(settings.providers).filter(hasKey);
  const earlier = providerHistory.names().filter((name) => name !== SANDBOX);
  return [...new Set<string>([chosen, ...withKey, ...earlier])].map((name) => {
    const provider = name === chosen || hasKey(name) ? providerNamed(name) : undefined;
    const state = !provider ? "no_key" : provider.capabilities.erasure ? "reachable" : "unsupported";
    return { name, title: providerTitle(name, settings.providers), state };
  });
}

/** Returns the titles of the providers that an erasure reaches. */
export function reachableTitles(targets: readonly ErasureTarget[]): string[] {
  return targets.filter(({ state }) => state === "reachable").map(({ title }) => title);
}

/** Returns, for each provider that an erasure does not reach, why, and what the operator has to do there. */
export function unreachedSentences(targets: readonly ErasureTarget[]): string[] {
  return targets.flatMap(({ title, state }) => {
    if (state === "reachable") return [];
    return state === "unsupported"
      ? [`At ${title}, cfbe can't erase: delete the address there yourself, or it can still get emails.`]
      : [
        `At ${title}, which was the provider earlier, cfbe can't erase: its API key is no longer set. Delete the address there yourself, or set the key and erase again.`,
      ];
  });
}
