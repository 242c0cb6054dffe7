import type { Provider } from "../port/port.ts";
import type { Trouble } from "../port/trouble.ts";
import { absent } from "../port/unsupported.ts";

/**
 * Makes a call, or returns a trouble instead of it.
 *
 * @param signal the caller's, if it passed one
 */
export type Around = <R>(call: () => Promise<R>, signal: AbortSignal | undefined) => Promise<R | Trouble>;

/** The members of a provider that send requests. */
const CALLS = [
  "subscribe",
  "status",
  "resend",
  "sendTriggered",
  "sendTransactional",
  "contact",
  "saveContact",
  "erase",
  "reactivate",
  "importConfirmed",
  "lists",
  "template",
  "connection",
  "getWebhook",
  "setWebhook",
  "emailOf",
  "changed",
  "unconfirmed",
] as const satisfies readonly (keyof Provider)[];

type Call = typeof CALLS[number];
type AnyCall = (...args: unknown[]) => Promise<unknown>;

/** Its calls are on the prototype, because each delivery wraps a provider several times, and makes two calls. */
class WrappedProvider implements Omit<Provider, Call> {
  constructor(readonly provider: Provider, readonly around: Around) {}

  /** Read at each use, because they change when another provider is chosen. */
  get capabilities() {
    return this.provider.capabilities;
  }

  readWebhook(...args: Parameters<Provider["readWebhook"]>) {
    return this.provider.readWebhook(...args);
  }
}

for (const name of CALLS) {
  Object.defineProperty(WrappedProvider.prototype, name, {
    value(this: WrappedProvider, ...args: unknown[]) {
      const { provider, around } = this;
      const call = () => (provider[name] as AnyCall | undefined)?.call(provider, ...args) ?? absent();
      return around<unknown>(call, args.find((arg) => arg instanceof AbortSignal));
    },
  });
}

/** Returns the provider with `around` making every call, except `readWebhook`, which sends no request. */
export function wrapCalls(provider: Provider, around: Around): Provider {
  return new WrappedProvider(provider, around) as unknown as Provider;
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
