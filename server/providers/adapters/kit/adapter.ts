import type { ClientOptions } from "../../http/json_client.ts";
import type { Provider } from "../../port/port.ts";
import { kitCapabilities } from "./capabilities.ts";
import { kitCustomFields } from "./custom_fields.ts";
import { kitClient } from "./http.ts";
import { listingCalls } from "./listing.ts";
import { connectionResult } from "./results.ts";
import { subscriptionCalls } from "./subscriptions.ts";
import { unsupportedCalls } from "./unsupported.ts";
import { webhookCalls } from "./webhook.ts";
import { readKitWebhook } from "./webhook_events.ts";

export interface KitOptions extends ClientOptions {
  /** The secret that Kit signs its webhook calls with; empty if there is none yet. */
  webhookSecret: () => string;
}

/**
 * Creates the adapter for version 4 of Kit's API. Source: developers.kit.com/api-reference.
 *
 * @returns an adapter whose calls never throw; each request ends within `timeoutMs` (default: 10 s)
 */
export function createKit(options: KitOptions): Provider {
  const { apiKey, webhookSecret, now = Date.now } = options;
  const send = kitClient(options);

  return {
    capabilities: kitCapabilities,
    ...unsupportedCalls,
    ...subscriptionCalls(send, kitCustomFields(send, () => apiKey() ?? "", now)),
    ...listingCalls(send),
    ...webhookCalls(send, webhookSecret),
    readWebhook: (request) =>
      Promise.resolve(readKitWebhook(request, { secret: webhookSecret(), now: now() })),
    connection: async () => connectionResult(await send({ method: "GET", path: "/account" })),
  };
}
