import type { Provider } from "../provider/port.ts";
import type { SettingsStore } from "../settings/store.ts";
import type { SignupRecord } from "../signup/record/row.ts";

/** Where the status of a signup is read. */
export interface ProviderChoice {
  /** The provider of the settings. */
  provider: Provider;
  /** Returns another provider by its name in `general.provider`. */
  providerNamed(name: string): Provider | undefined;
  settings: Pick<SettingsStore, "current">;
}

/** Returns the provider that a signup was delivered to. That is another one if the settings have changed since. */
export function providerOf(
  { provider, providerNamed, settings }: ProviderChoice,
  record: Pick<SignupRecord, "provider"> | null,
): Provider {
  const name = record?.provider;
  if (name === undefined || name === settings.current().general.provider) return provider;
  return providerNamed(name) ?? provider;
}
