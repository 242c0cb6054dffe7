import type { ClientOptions } from "../../http/json_client.ts";
import type { Provider } from "../../port/port.ts";
import { mailerliteCapabilities } from "./capabilities.ts";
import { mailerliteFields } from "./fields.ts";
import { mailerliteClient } from "./http.ts";
import { importCall } from "./import.ts";
import { listingCalls } from "./listing.ts";
import { connectionResult } from "./results.ts";
import { subscriptionCalls } from "./subscriptions.ts";
import { unsupportedCalls } from "./unsupported.ts";
import { webhookCalls } from "./webhook.ts";
import { readMailerliteWebhook } from "./webhook_events.ts";

export interface MailerliteOptions extends ClientOptions {
  /** The secret that MailerLite signs its webhook calls with; empty if there is none yet. */
  webhookSecret: () => string;
}

/**
 * Creates the adapter for MailerLite's current API, not for "MailerLite Classic". Source: developers.mailerlite.com/docs,
 * and the responses that the vendor recorded for its Ruby library.
 *
 * @returns an adapter whose calls never throw; each request ends within `timeoutMs` (default: 10 s)
 */
export function createMailerlite(options: MailerliteOptions): Provider {
  const { webhookSecret } = options;
  const send = mailerliteClient(options);
  const fieldsOf = mailerliteFields(send, () => options.apiKey() ?? "", options.now);

  return {
    capabilities: mailerliteCapabilities,
    ...unsupportedCalls,
    ...subscriptionCalls(send, fieldsOf),
    ...importCall(send, fieldsOf),
    ...listingCalls(send),
    ...webhookCalls(send, webhookSecret),
    readWebhook: (request) => Promise.resolve(readMailerliteWebhook(request, webhookSecret())),
    connection: async () => connectionResult(await send({ method: "GET", path: "/groups?limit=1" })),
  };
}
