import { loadOnce } from "../../platform/load_once.ts";
import type { Capabilities } from "../port/capabilities.ts";
import type { Provider } from "../port/port.ts";
import type { Trouble } from "../port/trouble.ts";
import { absent } from "../port/unsupported.ts";

/** An adapter that is imported when it is first needed. */
export interface LazyAdapter {
  readonly capabilities: Capabilities;
  /** Resolves to the same adapter each time. Rejects if it can't be imported; the next call tries again. */
  load(): Promise<Provider>;
}

/**
 * Returns an adapter that is created at its first use.
 *
 * @param create imports the adapter and creates it
 */
export function lazyAdapter(capabilities: Capabilities, create: () => Promise<Provider>): LazyAdapter {
  return { capabilities, load: loadOnce(create) };
}

/**
 * Returns a provider that loads its adapter at the first call. While the adapter can't be imported, each call has no effect
 * and returns trouble, and `readWebhook` rejects, so that the provider sends the webhook again.
 *
 * @param current returns the adapter to use; read at each call, so that a change of the settings takes effect at once
 */
export function lazyProvider(current: () => LazyAdapter): Provider {
  const call =
    <Args extends unknown[], R>(make: (adapter: Provider, ...args: Args) => Promise<R>) =>
    async (...args: Args): Promise<R | Trouble> => {
      const adapter = await current().load().catch(notLoaded);
      return "kind" in adapter ? adapter : await make(adapter, ...args);
    };
  return {
    get capabilities() {
      return current().capabilities;
    },
    subscribe: call((adapter, ...args) => adapter.subscribe(...args)),
    status: call((adapter, ...args) => adapter.status(...args)),
    resend: call((adapter, ...args) => adapter.resend(...args)),
    sendTriggered: call((adapter, ...args) => adapter.sendTriggered(...args)),
    sendTransactional: call((adapter, ...args) => adapter.sendTransactional(...args)),
    contact: call((adapter, ...args) => adapter.contact(...args)),
    saveContact: call((adapter, ...args) => adapter.saveContact(...args)),
    erase: call((adapter, ...args) => adapter.erase(...args)),
    reactivate: call((adapter, ...args) => adapter.reactivate(...args)),
    importConfirmed: call((adapter, ...args) => adapter.importConfirmed(...args)),
    lists: call((adapter, ...args) => adapter.lists(...args)),
    template: call((adapter, ...args) => adapter.template(...args)),
    connection: call((adapter, ...args) => adapter.connection(...args)),
    getWebhook: call((adapter, ...args) => adapter.getWebhook(...args)),
    setWebhook: call((adapter, ...args) => adapter.setWebhook(...args)),
    emailOf: call((adapter, ...args) => adapter.emailOf?.(...args) ?? absent()),
    readWebhook: async (request) => (await current().load()).readWebhook(request),
    changed: call((adapter, ...args) => adapter.changed(...args)),
    unconfirmed: call((adapter, ...args) => adapter.unconfirmed(...args)),
  };
}

function notLoaded(error: unknown): Trouble {
  const reason = `The provider's adapter could not be loaded: ${
    error instanceof Error ? error.message : error
  }`;
  return { kind: "trouble", code: "unavailable", reason, unknown: false };
}
