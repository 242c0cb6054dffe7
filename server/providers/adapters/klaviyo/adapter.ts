import type { ClientOptions } from "../../http/json_client.ts";
import type { Provider } from "../../port/port.ts";
import { klaviyoCapabilities } from "./capabilities.ts";
import { contactCalls } from "./contacts.ts";
import { klaviyoClient } from "./http.ts";
import { listingCalls } from "./listing.ts";
import { profileReader } from "./profile.ts";
import { subscriptionCalls } from "./subscriptions.ts";
import { unsupportedCalls } from "./unsupported.ts";
import { readKlaviyoWebhook } from "./webhook_events.ts";

export interface KlaviyoOptions extends ClientOptions {
  /** The secret that a system webhook is signed with; empty if there is none. */
  webhookSecret: () => string;
}

/**
 * Creates the adapter for Klaviyo's API, revision 2026-07-15. Source: the specification at
 * github.com/klaviyo/openapi, and developers.klaviyo.com.
 *
 * @returns an adapter whose calls never throw; each request ends within `timeoutMs` (default: 10 s)
 */
export function createKlaviyo(options: KlaviyoOptions): Provider {
  const { webhookSecret, now = Date.now } = options;
  const send = klaviyoClient(options);
  const profiles = profileReader(send);

  return {
    capabilities: klaviyoCapabilities,
    ...unsupportedCalls,
    ...subscriptionCalls(send, profiles),
    ...contactCalls(send, profiles),
    ...listingCalls(send),
    readWebhook: (request) => Promise.resolve(readKlaviyoWebhook(request, webhookSecret(), now())),
  };
}
