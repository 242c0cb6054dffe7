import type { Provider } from "../../providers/port/port.ts";
import type { WebhookReading, WebhookRequest } from "../../providers/port/webhook.ts";
import { SANDBOX_API } from "../../providers/providers.ts";
import { apiKeyOf, isSandbox, keyOfOther, withProvider } from "../../settings/store/provider.ts";
import type { SettingsStore } from "../../settings/store/store.ts";

/** A provider whose webhooks are accepted. */
export interface WebhookSource {
  /** As `general.provider` names it. */
  name: string;
  provider: Provider;
  apiKey: string;
}

export interface WebhookSourcesDeps {
  settings: SettingsStore;
  /** The provider of the settings. */
  provider: Provider;
  providerNamed(name: string): Provider | undefined;
}

/**
 * Returns the providers whose webhooks are accepted: the chosen one first, then each whose key is still set, because
 * confirmations may be open there. The sandbox also accepts the key of the provider whose API it has, as
 * `CFBE_PROVIDER_API_KEY` sets it, so that webhooks can be tried out with one's own key.
 */
export function webhookSources(
  { settings, provider, providerNamed }: WebhookSourcesDeps,
): [WebhookSource, ...WebhookSource[]] {
  const current = settings.current();
  const chosen = current.general.provider;
  const others = Object.keys(settings.providers).filter((name) => name !== chosen).flatMap((name) => {
    const apiKey = keyOfOther(current, name, settings.providers);
    const other = apiKey === undefined ? undefined : providerNamed(name);
    return other && apiKey !== undefined ? [{ name, provider: other, apiKey }] : [];
  });
  const ownKey = isSandbox(current) && apiKeyOf(withProvider(current, SANDBOX_API), settings.providers);
  return [
    { name: chosen, provider, apiKey: settings.apiKey() },
    ...others,
    ...(ownKey ? [{ name: chosen, provider, apiKey: ownKey }] : []),
  ];
}

/** A webhook call that was read, and the provider that it is from. */
export interface SourcedReading {
  source: WebhookSource;
  reading: WebhookReading;
}

/**
 * Reads a call as one of the first provider that finds an event in it, or else as one of the first that accepts it. A
 * call with the webhook secret does not say which provider sent it, and one with a signature only to that provider.
 *
 * @param sources one or more; not asked are those that could not verify the call
 */
export async function readFrom(
  sources: readonly [WebhookSource, ...WebhookSource[]],
  request: WebhookRequest,
): Promise<SourcedReading> {
  let accepted: SourcedReading | undefined;
  let refused: SourcedReading | undefined;
  for (const source of sources) {
    const canRead = request.authenticated || source.provider.capabilities.signedWebhooks;
    const reading: WebhookReading = canRead
      ? await source.provider.readWebhook(request)
      : { kind: "refused", reason: "unauthorized" };
    const read = { source, reading };
    if (reading.kind === "read" && reading.events.length > 0) return read;
    if (reading.kind === "refused" && reading.reason === "unauthorized") refused ??= read;
    else accepted ??= read;
  }
  return accepted ?? refused!;
}
