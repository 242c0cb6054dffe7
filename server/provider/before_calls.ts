import type { Provider } from "./port.ts";
import type { Trouble } from "./trouble.ts";

/** Runs before a call. If it returns a result, that replaces the call. */
type Before = () => Trouble | void | Promise<Trouble | void>;

/** Returns the provider with `before` run before every call, except `readWebhook`, which sends no request. */
export function beforeCalls(provider: Provider, before: Before): Provider {
  return {
    // Read at each use, because they change when another provider is chosen.
    get name() {
      return provider.name;
    },
    get capabilities() {
      return provider.capabilities;
    },
    subscribe: async (...args) => await before() ?? provider.subscribe(...args),
    status: async (...args) => await before() ?? provider.status(...args),
    resend: async (...args) => await before() ?? provider.resend(...args),
    sendTriggered: async (...args) => await before() ?? provider.sendTriggered(...args),
    sendTransactional: async (...args) => await before() ?? provider.sendTransactional(...args),
    contact: async (...args) => await before() ?? provider.contact(...args),
    saveContact: async (...args) => await before() ?? provider.saveContact(...args),
    erase: async (...args) => await before() ?? provider.erase(...args),
    reactivate: async (...args) => await before() ?? provider.reactivate(...args),
    lists: async (...args) => await before() ?? provider.lists(...args),
    connection: async (...args) => await before() ?? provider.connection(...args),
    getWebhook: async (...args) => await before() ?? provider.getWebhook(...args),
    setWebhook: async (...args) => await before() ?? provider.setWebhook(...args),
    readWebhook: (request) => provider.readWebhook(request),
    changed: async (...args) => await before() ?? provider.changed(...args),
    unconfirmed: async (...args) => await before() ?? provider.unconfirmed(...args),
  };
}

/** Returns the provider with every call refused while cfbe is deactivated. */
export function whileActive(provider: Provider, isActive: () => boolean): Provider {
  return beforeCalls(provider, () => {
    if (!isActive()) {
      return { kind: "trouble", code: "deactivated", reason: "cfbe is deactivated.", unknown: false };
    }
  });
}
