import type { Fetch } from "../../deps.ts";
import type { ConnectionResult, Provider } from "../port.ts";
import { type MailchimpRequest, type MailchimpResponse, sendRequest, trouble } from "./http.ts";
import { importCall } from "./import.ts";
import { listingCalls } from "./listing.ts";
import { subscriptionCalls } from "./subscriptions.ts";
import { unsupportedCalls } from "./unsupported.ts";
import { secretsIn, webhookCalls } from "./webhook.ts";
import { readMailchimpWebhook } from "./webhook_events.ts";

export interface MailchimpOptions {
  /** URL of the API; undefined: that of the data center at the end of the API key. */
  baseUrl: string | undefined;
  /** Runs before each call, so that a change in the admin takes effect immediately. */
  apiKey: () => string;
  /** The signing secrets of the webhooks, separated by spaces; empty if there are none. */
  signingSecrets: () => string;
  fetch: Fetch;
  timeoutMs?: number;
  /** Returns Unix milliseconds; the system clock by default. */
  now?: () => number;
}

/**
 * Creates the adapter for Mailchimp's Marketing API 3.0. Source: mailchimp.com/developer/marketing.
 *
 * @returns an adapter whose calls never throw; each request ends within `timeoutMs` (default: 10 s)
 */
export function createMailchimp(options: MailchimpOptions): Provider {
  const { apiKey, signingSecrets, fetch, timeoutMs = 10_000, now = Date.now } = options;
  const http = { baseUrl: options.baseUrl?.replace(/\/+$/, ""), apiKey, fetch, timeoutMs, now };
  const send = (request: MailchimpRequest) => sendRequest(http, request);

  return {
    name: "mailchimp",
    capabilities: {
      optIn: "list",
      limits: { concurrent: 10 },
      showsPending: true,
      resend: false,
      listsChanged: true,
      listsUnconfirmed: true,
      triggered: false,
      transactional: false,
      contacts: false,
      erasure: true,
      reactivation: false,
      imports: true,
      webhook: true,
      signedWebhooks: true,
      probesWebhook: true,
    },
    ...unsupportedCalls,
    ...subscriptionCalls(send),
    ...importCall(send),
    ...listingCalls(send),
    ...webhookCalls(send, { apiKey, signingSecrets }),
    readWebhook: (request) =>
      readMailchimpWebhook(request, {
        apiKey: apiKey(),
        signingSecrets: secretsIn(signingSecrets()),
        now: now(),
      }),
    connection: async () => connectionResult(await send({ method: "GET", path: "/ping" })),
  };
}

/** Returns the result of a connection test. A 403 without Mailchimp's JSON means too many calls. */
function connectionResult(response: MailchimpResponse): ConnectionResult {
  const skew = response.kind !== "failed" && response.skewMs !== undefined ? { skewMs: response.skewMs } : {};
  const found = response.kind === "error" ? trouble(response, "reads") : undefined;
  if (found?.code === "forbidden") return { kind: "forbidden", message: found.reason, ...skew };
  const isUp = response.kind === "ok" && typeof response.body["health_status"] === "string";
  return isUp ? { kind: "connected", name: "Mailchimp", status: "", ...skew } : trouble(response, "reads");
}
