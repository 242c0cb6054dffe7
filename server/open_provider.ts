import type { Config } from "./config.ts";
import type { Clock } from "./deps.ts";
import { transport } from "./http/outbound/transport.ts";
import { untraced } from "./observe/untraced.ts";
import { chosenProvider } from "./provider/chosen.ts";
import type { Provider } from "./provider/port.ts";
import { SANDBOX } from "./provider/providers.ts";
import type { Sandbox } from "./sandbox/sandbox.ts";
import { moduleNamed, valuesOf } from "./settings/provider.ts";
import type { SettingsStore } from "./settings/store.ts";

interface Deps {
  config: Pick<Config, "provider" | "providerUrl">;
  settings: SettingsStore;
  clock: Clock;
  /** The built-in sandbox, if it was the provider at start. */
  sandbox: Pick<Sandbox, "apiUrl" | "localFetch"> | undefined;
}

export interface OpenProviders {
  /** The provider set in `general.provider`. */
  provider: Provider;
  /** Returns the provider with that name, or undefined if there is none. */
  providerNamed(name: string): Provider | undefined;
}

/**
 * Returns the provider set in `general.provider`, which is read at each call, and the others by name. Each adapter is
 * created when first needed.
 */
export function openProviders({ config, settings, clock, sandbox }: Deps): OpenProviders {
  const made = new Map<string, Provider>();

  function make(choice: string): Provider {
    const module = moduleNamed(choice, settings.providers)!;
    const deps = { settings: () => valuesOf(settings.current(), module), clock };
    if (choice !== SANDBOX) {
      // The URL in the environment is only for the provider in the environment: keys must not be sent elsewhere.
      const url = choice === config.provider ? config.providerUrl : undefined;
      return module.create({ ...deps, url, fetch: untraced(transport) });
    }
    // If the sandbox is selected while the program runs, it opens at the next start. Until then no call is sent.
    return module.create({
      ...deps,
      url: sandbox?.apiUrl ?? "",
      fetch: sandbox?.localFetch(transport) ?? transport,
    });
  }

  function opened(choice: string): Provider {
    const adapter = made.get(choice) ?? make(choice);
    made.set(choice, adapter);
    return adapter;
  }

  return {
    provider: chosenProvider(() => opened(settings.current().general.provider)),
    providerNamed: (name) => moduleNamed(name, settings.providers) && opened(name),
  };
}
