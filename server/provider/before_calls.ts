import type { Provider, Trouble } from "./port.ts";

/** Runs in front of a call. What it returns stands for the call, which is then not made. */
type Before = () => Trouble | void | Promise<Trouble | void>;

/** Returns the same provider with `before` in front of every call. Reading a webhook calls nobody. */
export function beforeCalls(provider: Provider, before: Before): Provider {
  return {
    // Asked at each use: they change when another provider is chosen.
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

/** The same provider for work that must not go on while the service is deactivated: no call begins then. */
export function whileActive(provider: Provider, isActive: () => boolean): Provider {
  return beforeCalls(provider, () => {
    if (!isActive()) {
      return { kind: "trouble", code: "deactivated", reason: "cfbe is deactivated.", unknown: false };
    }
  });
}
