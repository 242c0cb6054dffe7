import type { ClientOptions } from "../../http/json_client.ts";
import type { Provider } from "../../port/port.ts";
import { bluefoxCapabilities } from "./capabilities.ts";
import { contactCalls } from "./contacts.ts";
import { bluefoxCustomFields } from "./custom_fields.ts";
import { bluefoxClient } from "./http.ts";
import { importCall } from "./import.ts";
import { listingCalls } from "./listing.ts";
import { mailCalls } from "./mails.ts";
import { personValues } from "./person_values.ts";
import { connectionResult } from "./project.ts";
import { subscriptionCalls } from "./subscriptions.ts";
import { webhookRequests } from "./webhook.ts";
import { readBluefoxWebhook } from "./webhook_events.ts";

export interface BluefoxOptions extends Omit<ClientOptions, "apiKey"> {
  /** The project's `_id`. A function runs before each call, so that a change in the admin takes effect immediately. */
  project: string | (() => string);
  apiKey: string | (() => string | undefined);
}

/**
 * Creates the adapter for BlueFox Email. Source: bluefox.email/docs/api, and this project's notes on the provider.
 *
 * @returns an adapter whose calls never throw and end within `timeoutMs` (default: 10 s)
 */
export function createBluefox(options: BluefoxOptions): Provider {
  const { apiKey: key, project } = options;
  const apiKey = typeof key === "function" ? key : () => key;
  const send = bluefoxClient({ ...options, apiKey });
  const root = () =>
    `/v1/projectId/${encodeURIComponent(typeof project === "function" ? project() : project)}`;
  const fieldsOf = bluefoxCustomFields(send, root, options.now);
  const contacts = contactCalls(send, root, fieldsOf);
  const valuesOf = personValues(contacts.contact, fieldsOf);

  return {
    capabilities: bluefoxCapabilities,
    ...subscriptionCalls(send, root, valuesOf),
    ...importCall(send, root, valuesOf),
    ...mailCalls(send, root),
    ...contacts,
    ...listingCalls(send, root),
    ...webhookRequests(send, () => `${root()}/webhook`, apiKey),
    readWebhook: (request) => Promise.resolve(readBluefoxWebhook(request)),
    connection: async () => connectionResult(await send({ method: "GET", path: root() })),
  };
}
