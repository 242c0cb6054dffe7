import type { Provider } from "../port/port.ts";
import type { Trouble } from "../port/trouble.ts";
import { absent } from "../port/unsupported.ts";

/**
 * Makes a call, or returns a trouble instead of it.
 *
 * @param signal the caller's, if it passed one
 */
export type Around = <R>(call: () => Promise<R>, signal: AbortSignal | undefined) => Promise<R | Trouble>;

/** Returns the provider with `around` making every call, except `readWebhook`, which sends no request. */
export function wrapCalls(provider: Provider, around: Around): Provider {
  const wrap =
    <Args extends unknown[], R>(call: (...args: Args) => Promise<R>) =>
    (...args: Args): Promise<R | Trouble> =>
      around(() => call(...args), args.find((arg) => arg instanceof AbortSignal));
  return {
    // Read at each use, because they change when another provider is chosen.
    get capabilities() {
      return provider.capabilities;
    },
    subscribe: wrap((...args) => provider.subscribe(...args)),
    status: wrap((...args) => provider.status(...args)),
    resend: wrap((...args) => provider.resend(...args)),
    sendTriggered: wrap((...args) => provider.sendTriggered(...args)),
    sendTransactional: wrap((...args) => provider.sendTransactional(...args)),
    contact: wrap((...args) => provider.contact(...args)),
    saveContact: wrap((...args) => provider.saveContact(...args)),
    erase: wrap((...args) => provider.erase(...args)),
    reactivate: wrap((...args) => provider.reactivate(...args)),
    importConfirmed: wrap((...args) => provider.importConfirmed(...args)),
    lists: wrap((...args) => provider.lists(...args)),
    template: wrap((...args) => provider.template(...args)),
    connection: wrap((...args) => provider.connection(...args)),
    getWebhook: wrap((...args) => provider.getWebhook(...args)),
    setWebhook: wrap((...args) => provider.setWebhook(...args)),
    emailOf: wrap((...args) => provider.emailOf?.(...args) ?? absent()),
    readWebhook: (request) => provider.readWebhook(request),
    changed: wrap((...args) => provider.changed(...args)),
    unconfirmed: wrap((...args) => provider.unconfirmed(...args)),
  };
}

/** Runs just before a call is sent. Returns a trouble if the call must not be sent. */
export type BeforeCall = () => Promise<Trouble | undefined>;

/** Returns the provider with `before` running before every call. */
export function withStepBefore(provider: Provider, before: BeforeCall): Provider {
  return wrapCalls(provider, async (call) => await before() ?? await call());
}

/** Returns the provider with every call refused while cfbe is deactivated. */
export function whileActive(provider: Provider, isActive: () => boolean): Provider {
  const deactivated = () =>
    Promise.resolve<Trouble>({
      kind: "trouble",
      code: "deactivated",
      reason: "cfbe is deactivated.",
      unknown: false,
    });
  return wrapCalls(provider, (call) => isActive() ? call() : deactivated());
}
