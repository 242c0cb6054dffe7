import { z } from "zod";
import type { Capabilities } from "../capabilities.ts";
import type { ClientOptions } from "../json_client.ts";
import { skewOf } from "../json_response.ts";
import type { ConnectionResult, Provider } from "../port.ts";
import { attributeCreator } from "./attributes.ts";
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

const CAPABILITIES: Capabilities = {
  optIn: "template",
  // Of contacts and lists, for every plan. Other calls are rare.
  limits: { perSecond: 10, perHour: 36_000 },
  showsPending: false,
  resend: true,
  listsChanged: true,
  listsUnconfirmed: false,
  triggered: true,
  transactional: true,
  contacts: true,
  erasure: true,
  reactivation: true,
  imports: true,
  webhook: true,
  signedWebhooks: false,
  probesWebhook: false,
};

/** Creates the adapter for Brevo. Source: developers.brevo.com, API version 3. Its calls never throw. */
export function createBrevo(options: BrevoOptions): Provider {
  const send = brevoClient(options);
  const ensure = attributeCreator(send, options.apiKey);

  return {
    name: "brevo",
    capabilities: { ...CAPABILITIES },
    ...subscriptionCalls(send, ensure, options),
    ...importCall(send, ensure),
    ...contactCalls(send, ensure),
    ...mailCalls(send),
    ...listingCalls(send, () => readTemplate(send, options.template())),
    ...webhookCalls(send, options.apiKey),
    readWebhook: readBrevoWebhook,
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
