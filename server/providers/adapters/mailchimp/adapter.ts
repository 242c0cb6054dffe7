import { skewOf } from "../../http/json_response.ts";
import type { ConnectionResult, Provider } from "../../port/port.ts";
import { mailchimpCapabilities } from "./capabilities.ts";
import { mailchimpClient, type MailchimpClientOptions, type MailchimpResponse, trouble } from "./http.ts";
import { importCall } from "./import.ts";
import { listingCalls } from "./listing.ts";
import { mergeFieldCreator } from "./merge_fields.ts";
import { subscriptionCalls } from "./subscriptions.ts";
import { unsupportedCalls } from "./unsupported.ts";
import { secretsIn, webhookCalls } from "./webhook.ts";
import { readMailchimpWebhook } from "./webhook_events.ts";

export interface MailchimpOptions extends MailchimpClientOptions {
  /** The signing secrets of the webhooks, separated by spaces; empty if there are none. */
  signingSecrets: () => string;
}

/**
 * Creates the adapter for Mailchimp's Marketing API 3.0. Source: mailchimp.com/developer/marketing.
 *
 * @returns an adapter whose calls never throw; each request ends within `timeoutMs` (default: 10 s)
 */
export function createMailchimp(options: MailchimpOptions): Provider {
  const { apiKey, signingSecrets, now = Date.now } = options;
  const send = mailchimpClient(options);
  const mergeFieldsOf = mergeFieldCreator(send, apiKey, now);

  return {
    capabilities: mailchimpCapabilities,
    ...unsupportedCalls,
    ...subscriptionCalls(send, mergeFieldsOf),
    ...importCall(send, mergeFieldsOf),
    ...listingCalls(send),
    ...webhookCalls(send, { apiKey, signingSecrets }),
    readWebhook: (request) =>
      Promise.resolve(readMailchimpWebhook(request, {
        apiKey: apiKey(),
        signingSecrets: secretsIn(signingSecrets()),
        now: now(),
      })),
    connection: async () => connectionResult(await send({ method: "GET", path: "/ping" })),
  };
}

/** Returns the result of a connection test. A 403 without Mailchimp's JSON means too many calls. */
function connectionResult(response: MailchimpResponse): ConnectionResult {
  const skew = skewOf(response);
  const found = response.kind === "error" ? trouble(response, "reads") : undefined;
  if (found?.code === "forbidden") return { kind: "forbidden", message: found.reason, ...skew };
  const isUp = response.kind === "ok" && typeof response.body["health_status"] === "string";
  return isUp ? { kind: "connected", name: "Mailchimp", status: "", ...skew } : trouble(response, "reads");
}
