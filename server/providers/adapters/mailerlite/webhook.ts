import { z } from "zod";
import { isOwnError } from "../../http/json_response.ts";
import type { Provider } from "../../port/port.ts";
import type { Trouble } from "../../port/trouble.ts";
import { comparedEvents, type Webhook, type WebhookOptions } from "../../port/webhook.ts";
import { type MailerliteResponse, type MailerliteSend, trouble } from "./http.ts";
import { nextPage } from "./listing.ts";
import { id } from "./results.ts";

/** An account has any number of webhooks. cfbe's is the one with this name; the others belong to other systems. */
export const WEBHOOK_NAME = "cfbe";

/** `subscriber.updated` also reports confirmations. Opens and clicks would exceed the webhook route's limit of calls. */
export const NEEDED_EVENTS = [
  "subscriber.updated",
  "subscriber.unsubscribed",
  "subscriber.bounced",
  "subscriber.spam_reported",
];

/** 500 webhooks, so that an endless chain of pages ends. */
const PAGES_MAX = 10;

const registration = z.object({
  id,
  name: z.string().catch(""),
  url: z.string(),
  events: z.array(z.string()),
  enabled: z.boolean(),
  secret: z.string().min(1).optional().catch(undefined),
});
type Registration = z.infer<typeof registration>;

function registrationsOf(response: MailerliteResponse): Registration[] | undefined {
  if (response.kind !== "ok" || !Array.isArray(response.body.data)) return undefined;
  return response.body.data.flatMap((raw) => {
    const found = registration.safeParse(raw).data;
    return found ? [found] : [];
  });
}

/**
 * Returns the calls for the webhook. Source: developers.mailerlite.com/docs/webhooks.
 *
 * @param storedSecret returns the signing secret in the settings; empty if there is none
 */
export function webhookCalls(
  send: MailerliteSend,
  storedSecret: () => string,
): Pick<Provider, "getWebhook" | "setWebhook"> {
  /** Returns the webhook with cfbe's name, or null if there is none. */
  async function find(): Promise<{ kind: "found"; row: Registration | null } | Trouble> {
    let next: string | undefined = "page=1";
    for (let page = 0; next !== undefined && page < PAGES_MAX; page++) {
      const response = await send({ method: "GET", path: `/webhooks?${next}` });
      const rows = registrationsOf(response);
      if (!rows) return trouble(response, "reads");
      const row = rows.find(({ name }) => name === WEBHOOK_NAME);
      if (row) return { kind: "found", row };
      next = response.kind === "ok" && rows.length > 0 ? nextPage(response.body) : undefined;
    }
    return { kind: "found", row: null };
  }

  return {
    async getWebhook() {
      const found = await find();
      if (found.kind === "trouble") return found;
      return { kind: "webhook", webhook: found.row && webhookOf(found.row, storedSecret()) };
    },

    async setWebhook({ url, replace }: WebhookOptions) {
      const found = await find();
      if (found.kind === "trouble") return found;
      const { row } = found;
      if (row && row.url !== url && !replace) return { kind: "foreign", url: row.url };
      if (row && row.url === url && isComplete(row)) return registered(row);
      const body = { name: WEBHOOK_NAME, url, events: NEEDED_EVENTS, enabled: true };
      const response = await send(
        row
          ? { method: "PUT", path: `/webhooks/${row.id}`, body }
          : { method: "POST", path: "/webhooks", body },
      );
      if (isOwnError(response, 422)) {
        return { kind: "refused", reason: "MailerLite does not accept the webhook's URL or its events." };
      }
      const saved = response.kind === "ok" ? registration.safeParse(response.body.data).data : undefined;
      return saved ? registered(saved) : trouble(response, "writes");
    },
  };
}

/** The secret is part of every response, and signs all later calls. */
function registered(row: Registration) {
  const { secret } = row;
  return {
    kind: "registered" as const,
    webhook: webhookOf(row, secret ?? ""),
    ...(secret !== undefined && { keep: { mailerliteWebhookSecret: secret } }),
  };
}

function isComplete({ enabled, events }: Registration): boolean {
  return enabled && events.length === NEEDED_EVENTS.length &&
    NEEDED_EVENTS.every((event) => events.includes(event));
}

/** Returns the webhook without its secret. One that is disabled reports no events. */
function webhookOf({ url, events, enabled, secret }: Registration, stored: string): Webhook {
  return {
    url,
    ...comparedEvents(enabled ? events : [], NEEDED_EVENTS),
    // Not timing-sensitive: the provider's response is compared with our setting.
    ...(secret !== undefined && { keyFits: secret === stored }),
  };
}
