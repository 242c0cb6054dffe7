import { z } from "zod";
import type { ClientOptions } from "../../http/json_client.ts";
import { skewOf } from "../../http/json_response.ts";
import type { ConnectionResult, Provider } from "../../port/port.ts";
import { brevoAttributes } from "./attributes.ts";
import { brevoCapabilities } from "./capabilities.ts";
import type { OptInSettings } from "./confirmation.ts";
import { contactCalls } from "./contacts.ts";
import { brevoClient, type BrevoResponse } from "./http.ts";
import { importCall } from "./import.ts";
import { listingCalls } from "./listing.ts";
import { mailCalls } from "./mails.ts";
import { forbiddenCauses, trouble } from "./results.ts";
import { subscriptionCalls } from "./subscriptions.ts";
import { readTemplate } from "./templates.ts";
import { webhookCalls } from "./webhook.ts";
import { readBrevoWebhook } from "./webhook_events.ts";

export interface BrevoOptions extends ClientOptions, OptInSettings {
  apiKey: () => string;
}

/** Creates the adapter for Brevo. Source: developers.brevo.com, API version 3. Its calls never throw. */
export function createBrevo(options: BrevoOptions): Provider {
  const send = brevoClient(options);
  const attributesOf = brevoAttributes(send, options.apiKey, options.now);

  return {
    capabilities: brevoCapabilities,
    ...subscriptionCalls(send, attributesOf, options),
    ...importCall(send, attributesOf),
    ...contactCalls(send, attributesOf),
    ...mailCalls(send),
    ...listingCalls(send, () => readTemplate(send, options.template())),
    ...webhookCalls(send, options.apiKey),
    readWebhook: (request) => Promise.resolve(readBrevoWebhook(request)),
    async template(id) {
      const read = await readTemplate(send, id);
      return read.kind === "found" ? { kind: "found", name: read.name } : read;
    },
    connection: async () => connectionResult(await send({ method: "GET", path: "/account" })),
  };
}

const account = z.object({
  companyName: z.string().catch(""),
  plan: z.array(z.object({ type: z.string() })).catch([]),
});

/** Returns the result of a connection test from the response about the account. */
export function connectionResult(response: BrevoResponse): ConnectionResult {
  const skew = skewOf(response);
  if (response.kind === "error" && (response.status === 401 || response.status === 403)) {
    const { reason } = trouble(response, "reads");
    return { kind: "forbidden", message: reason, likely: forbiddenCauses(response), ...skew };
  }
  const found = response.kind === "ok" ? account.safeParse(response.body).data : undefined;
  if (!found) return trouble(response, "reads");
  const { companyName, plan } = found;
  return { kind: "connected", name: companyName || "Brevo", status: plan[0]?.type ?? "", ...skew };
}
