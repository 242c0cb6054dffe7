import type { Config } from "../platform/config/config.ts";
import type { Clock, Log } from "../platform/deps.ts";
import { transport } from "../platform/http/outbound/transport.ts";
import { untraced } from "../platform/observe/untraced.ts";
import { type LazyAdapter, lazyAdapter, lazyProvider } from "../providers/calls/lazy_provider.ts";
import type { Provider } from "../providers/port/port.ts";
import { SANDBOX } from "../providers/providers.ts";
import { moduleNamed, valuesOf } from "../settings/store/provider.ts";
import type { SettingsStore } from "../settings/store/store.ts";
import type { TryOut } from "./try_out.ts";

interface Deps {
  config: Pick<Config, "provider" | "providerUrl">;
  settings: SettingsStore;
  clock: Clock;
  log: Log;
  /** The built-in sandbox with its own project and key, if it was the provider at start. */
  tryOut: Pick<TryOut, "sandbox" | "account"> | undefined;
}

export interface OpenProviders {
  /** The provider set in `general.provider`. */
  provider: Provider;
  /** Returns the provider with that name, or undefined if there is none. */
  providerNamed(name: string): Provider | undefined;
  /** Imports the adapter of the provider that is set. Logs a failure, and never rejects. */
  warmUp(): Promise<void>;
}

/**
 * Returns the provider set in `general.provider`, which is read at each call, and the others by name. Each adapter is
 * imported when first needed.
 */
export function openProviders({ config, settings, clock, log, tryOut }: Deps): OpenProviders {
  const opened = new Map<string, LazyAdapter>();

  function open(choice: string): LazyAdapter {
    const module = moduleNamed(choice, settings.providers)!;
    const { capabilities } = module;
    if (choice !== SANDBOX) {
      const deps = { settings: () => valuesOf(settings.current(), module), clock };
      // The URL in the environment is only for the provider in the environment: keys must not be sent elsewhere.
      const url = choice === config.provider ? config.providerUrl : undefined;
      return lazyAdapter(capabilities, () => module.create({ ...deps, url, fetch: untraced(transport) }));
    }
    // If the sandbox is selected while the program runs, it opens at the next start. Until then no call is sent.
    const url = tryOut?.sandbox.apiUrl ?? "";
    const fetch = tryOut?.sandbox.localFetch(transport) ?? transport;
    const account = (): Readonly<Record<string, string>> => tryOut?.account ?? {};
    return lazyAdapter(capabilities, () => module.create({ settings: account, clock, url, fetch }));
  }

  function adapterOf(choice: string): LazyAdapter {
    const adapter = opened.get(choice) ?? open(choice);
    opened.set(choice, adapter);
    return adapter;
  }
  const chosen = () => adapterOf(settings.current().general.provider);
  const lazy = new Map<string, Provider>();
  function providerNamed(name: string): Provider | undefined {
    if (!moduleNamed(name, settings.providers)) return undefined;
    const provider = lazy.get(name) ?? lazyProvider(() => adapterOf(name));
    lazy.set(name, provider);
    return provider;
  }

  return {
    provider: lazyProvider(chosen),
    providerNamed,
    async warmUp() {
      try {
        await chosen().load();
      } catch (error) {
        log.error("provider.not_loaded", { error });
      }
    },
  };
}
