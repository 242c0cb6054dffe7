/** The providers with a double of their own: how it starts, and what a person's confirmation does there. */
import { serveBrevo } from "../../server/providers/adapters/brevo/testing/serve.ts";
import { buttondownSignature } from "../../server/providers/adapters/buttondown/testing/double.ts";
import { serveButtondown } from "../../server/providers/adapters/buttondown/testing/serve.ts";
import { kitSignature } from "../../server/providers/adapters/kit/testing/double.ts";
import { serveKit } from "../../server/providers/adapters/kit/testing/serve.ts";
import { serveKlaviyo } from "../../server/providers/adapters/klaviyo/testing/serve.ts";
import { serveListmonk } from "../../server/providers/adapters/listmonk/testing/serve.ts";
import { mailchimpSignature } from "../../server/providers/adapters/mailchimp/testing/double.ts";
import { serveMailchimp } from "../../server/providers/adapters/mailchimp/testing/serve.ts";
import { mailerliteSignature } from "../../server/providers/adapters/mailerlite/testing/double.ts";
import { serveMailerlite } from "../../server/providers/adapters/mailerlite/testing/serve.ts";
import type { ProviderKind } from "../../server/providers/providers.ts";
import type { ServedDouble } from "../../server/providers/testing/serve_double.ts";
import type { RemoteProvider } from "./remote_provider.ts";

/** A webhook call. */
interface WebhookCall {
  headers: Record<string, string>;
  body: string;
}

/** A double on a real socket, and what people do there. */
export interface PlayedDouble {
  served: Omit<ServedDouble<never>, "provider">;
  /** With them, cfbe accepts what `confirmed` returns. */
  settings?: RemoteProvider["settings"];
  /** Does what the link in the confirmation email does. */
  confirm(email: string): void;
  /** Yields the address and status of everyone whom the provider shows on the list. */
  subscribers(): Iterable<[email: string, status: string]>;
  /** Returns the webhook call about a confirmation, at a provider with webhooks. */
  confirmed?(email: string): WebhookCall;
}

/** Signs the webhooks, or comes with those that are not signed. */
const SECRET = "a-webhook-secret-of-the-end-to-end-tests";
const JSON_TYPE = { "content-type": "application/json" };

/** One row per provider. The double of BlueFox is the sandbox, in `sandboxes.ts`. */
export const DOUBLES: Readonly<Partial<Record<ProviderKind, () => Promise<PlayedDouble>>>> = {
  async listmonk() {
    const served = await serveListmonk();
    const { double, list } = served;
    return {
      served,
      confirm: (email) => double.confirm(list, email),
      subscribers: () => double.members(list),
    };
  },

  async mailerlite() {
    const served = await serveMailerlite();
    const { account, list } = served;
    return {
      served,
      settings: { general: { mailerliteWebhookSecret: SECRET } },
      confirm: (email) => account.put(email, "active"),
      *subscribers() {
        for (const { email, status, groups } of account.people.values()) {
          if (groups.has(list)) yield [email, status];
        }
      },
      confirmed(email) {
        const body = JSON.stringify({ event: "subscriber.updated", email, status: "active", account_id: 1 });
        return { headers: { ...JSON_TYPE, signature: mailerliteSignature(body, SECRET) }, body };
      },
    };
  },

  async brevo() {
    const served = await serveBrevo();
    const { account, apiKey, list } = served;
    return {
      served,
      confirm: (email) => account.confirm(list, email),
      *subscribers() {
        for (const { email, listIds } of account.contacts.values()) {
          if (listIds.includes(Number(list))) yield [email, "active"];
        }
      },
      confirmed: (email) => ({
        headers: { ...JSON_TYPE, authorization: `Bearer ${apiKey}` },
        body: JSON.stringify({ id: 1, event: "list_addition", email, list_id: [Number(list)], ts: 1 }),
      }),
    };
  },

  async mailchimp() {
    const served = await serveMailchimp();
    const { account, list } = served;
    return {
      served,
      settings: { general: { mailchimpSigningSecrets: SECRET } },
      confirm: (email) => account.put(list, email, "subscribed"),
      *subscribers() {
        for (const { email, status } of account.audiences.get(list)!.members.values()) yield [email, status];
      },
      confirmed(email) {
        const fields = { type: "subscribe", "data[email]": email, "data[list_id]": list };
        const body = new URLSearchParams(fields).toString();
        const headers = {
          "content-type": "application/x-www-form-urlencoded",
          "x-mailchimp-signature": mailchimpSignature(body, SECRET, Date.now()),
        };
        return { headers, body };
      },
    };
  },

  async kit() {
    const served = await serveKit();
    const { account, list } = served;
    return {
      served,
      settings: { general: { kitWebhookSecret: SECRET } },
      confirm: (email) => account.put(email, "active"),
      *subscribers() {
        for (const { email, state, forms } of account.people.values()) {
          if (forms.has(Number(list))) yield [email, state];
        }
      },
      confirmed(email) {
        const events = [{ type: "subscriber.activated", data: { subscriber: { email_address: email } } }];
        const body = JSON.stringify({ delivery_id: 1, events });
        const signature = kitSignature(body, [SECRET], Math.floor(Date.now() / 1000));
        return { headers: { ...JSON_TYPE, "x-kit-signature": signature }, body };
      },
    };
  },

  async buttondown() {
    const served = await serveButtondown();
    const { double, own, put } = served;
    // Everybody signs up on one day.
    double.rules.creationsLeft = Infinity;
    return {
      served,
      settings: { general: { buttondownWebhookSecret: SECRET } },
      confirm: (email) => put(email, "regular"),
      *subscribers() {
        for (const { email, type } of own.people.values()) yield [email, type];
      },
      confirmed(email) {
        const data = { subscriber: own.people.get(email.toLowerCase())!.id, newsletter: own.id };
        const body = JSON.stringify({ id: "ext_evt_1", event_type: "subscriber.confirmed", data });
        const signature = buttondownSignature(body, SECRET);
        return { headers: { ...JSON_TYPE, "x-buttondown-signature": signature }, body };
      },
    };
  },

  async klaviyo() {
    const served = await serveKlaviyo();
    const { account, list } = served;
    return {
      served,
      settings: { webhooks: { secret: SECRET } },
      confirm: (email) => account.confirm(email, list),
      *subscribers() {
        for (const { email, consent, joined } of account.profiles.values()) {
          if (consent === "SUBSCRIBED" && joined.has(list)) yield [email, "active"];
        }
      },
      // What a flow's webhook action sends.
      confirmed: (email) => ({
        headers: { ...JSON_TYPE, "x-cfbe-secret": SECRET },
        body: JSON.stringify({ email }),
      }),
    };
  },
};
