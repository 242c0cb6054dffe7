import { freePort } from "../../../dev/free_port.ts";
import type { Fetch } from "../../platform/deps.ts";
import { transport } from "../../platform/http/outbound/transport.ts";
import type { ProviderHarness } from "../conformance.ts";
import type { Provider } from "../port/port.ts";
import type { ServedDouble } from "./serve_double.ts";

/** What the harness of an adapter has to say itself. */
type OwnParts =
  & Pick<ProviderHarness, "confirm" | "unsubscribe" | "suppressedAddress" | "wrongKey">
  & Partial<ProviderHarness>;

interface Lossy {
  /** Selects the request of `subscribe` whose response gets lost, if not each one that changes data. */
  losesResponseTo?(request: { method: string; target: string }): boolean;
}

const changesData = ({ method }: { method: string }) => method !== "GET";

/** Returns the harness of a served double. What `own` contains replaces the usual parts. */
export function doubleHarness(
  served: ServedDouble<{ baseUrl: string; apiKey: () => string; fetch: Fetch }>,
  { losesResponseTo = changesData, ...own }: OwnParts & Lossy,
): ProviderHarness {
  const { front, url, list, apiKey, settings, template, mails, limit } = served;
  return {
    provider: served.provider(),
    url,
    ...(settings && { settings }),
    ...(template !== undefined && { template }),
    apiKey,
    doubleOptIn: list,
    mailsTo: (email) => Promise.resolve(mails.filter((to) => to === email).length),
    withWrongKey: () => served.provider({ apiKey: () => own.wrongKey }),
    fault(fault) {
      limit(fault === "rate limited" ? 7 : undefined);
      if (fault === "lost response") front.fail("resets after storing", losesResponseTo);
      else front.recover();
      return Promise.resolve();
    },
    unreachable: () => served.provider({ baseUrl: `http://127.0.0.1:${freePort()}` }),
    withFetch: (wrap) => served.provider({ fetch: wrap(transport) }),
    [Symbol.asyncDispose]: () => served[Symbol.asyncDispose](),
    ...own,
  };
}

/** Returns the adapter, which also stores the settings that `setWebhook` returns, as cfbe does after a registration. */
export function keepingSettings(provider: Provider, keep: (kept: Record<string, string>) => void): Provider {
  return {
    ...provider,
    async setWebhook(options) {
      const set = await provider.setWebhook(options);
      if (set.kind === "registered" && set.keep) keep(set.keep);
      return set;
    },
  };
}
