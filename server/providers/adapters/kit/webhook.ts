import { z } from "zod";
import { isOwnError } from "../../http/json_response.ts";
import type { Provider } from "../../port/port.ts";
import type { Trouble } from "../../port/trouble.ts";
import {
  comparedEvents,
  type SetWebhookResult,
  type Webhook,
  type WebhookOptions,
} from "../../port/webhook.ts";
import { type KitResponse, type KitSend, trouble } from "./http.ts";
import { nextCursor } from "./listing.ts";

/** An account has any number of webhooks. cfbe's is the one with this name; the others belong to other systems. */
export const WEBHOOK_NAME = "cfbe";

export const NEEDED_EVENTS = [
  "subscriber.activated",
  "subscriber.unsubscribed",
  "subscriber.bounced",
  "subscriber.complained",
];

/** 5,000 webhooks, so that an endless chain of pages ends. */
const PAGES_MAX = 10;

const registration = z.object({
  id: z.number().int().positive(),
  name: z.string().catch(""),
  url: z.string(),
  events: z.array(z.string()),
  status: z.string(),
  secret: z.string().min(1).optional().catch(undefined),
});
type Registration = z.infer<typeof registration>;

function registrationIn(response: KitResponse): Registration | undefined {
  return response.kind === "ok" ? registration.safeParse(response.body["webhook_endpoint"]).data : undefined;
}

/**
 * Returns the calls for the webhook. Source: developers.kit.com/api-reference/webhooks.
 *
 * @param storedSecret returns the signing secret in the settings; empty if there is none
 */
export function webhookCalls(
  send: KitSend,
  storedSecret: () => string,
): Pick<Provider, "getWebhook" | "setWebhook"> {
  /** Returns the webhook with cfbe's name, or null if there is none. */
  async function find(): Promise<{ kind: "found"; row: Registration | null } | Trouble> {
    let cursor: string | undefined;
    for (let page = 0; page < PAGES_MAX; page++) {
      const query: Record<string, string> = cursor === undefined ? {} : { after: cursor };
      const response = await send({ method: "GET", path: "/webhook_endpoints", query });
      const rows = response.kind === "ok" ? response.body["webhook_endpoints"] : undefined;
      if (response.kind !== "ok" || !Array.isArray(rows)) return trouble(response, "reads");
      const row = rows.map((raw) => registration.safeParse(raw).data).find((row) =>
        row?.name === WEBHOOK_NAME
      );
      if (row) return { kind: "found", row };
      cursor = rows.length === 0 ? undefined : nextCursor(response.body);
      if (cursor === undefined) break;
    }
    return { kind: "found", row: null };
  }

  return {
    async getWebhook() {
      const found = await find();
      if (found.kind === "trouble") return found;
      return { kind: "webhook", webhook: found.row && webhookOf(found.row, storedSecret() !== "") };
    },

    async setWebhook({ url, replace }: WebhookOptions) {
      const found = await find();
      if (found.kind === "trouble") return found;
      const { row } = found;
      if (row && row.url !== url && !replace) return { kind: "foreign", url: row.url };
      const wanted = { url, events: NEEDED_EVENTS };
      if (!row) {
        const body = { ...wanted, name: WEBHOOK_NAME };
        return registerResult(await send({ method: "POST", path: "/webhook_endpoints", body }));
      }
      const path = `/webhook_endpoints/${row.id}`;
      if (row.url !== url || !isComplete(row)) {
        const updated = await send({ method: "PATCH", path, body: { ...wanted, status: "active" } });
        if (!registrationIn(updated)) return refusedOrTrouble(updated);
      }
      // Kit never shows a secret again, so only a new one is known to be right. The current one stays valid beside it for a
      // day. `force`: also if that is still so since the last registration.
      const body = { force: true };
      return registerResult(await send({ method: "POST", path: `${path}/rotate_secret`, body }));
    },
  };
}

/** Returns the result of a response that contains the secret. */
export function registerResult(response: KitResponse): SetWebhookResult {
  const row = registrationIn(response);
  if (!row || row.secret === undefined) return refusedOrTrouble(response);
  return { kind: "registered", webhook: webhookOf(row, true), keep: { kitWebhookSecret: row.secret } };
}

function refusedOrTrouble(response: KitResponse): Trouble | { kind: "refused"; reason: string } {
  return isOwnError(response, 422)
    ? { kind: "refused", reason: "Kit does not accept the webhook's URL or its events." }
    : trouble(response, "writes");
}

function isComplete({ status, events }: Registration): boolean {
  return status === "active" && events.length === NEEDED_EVENTS.length &&
    NEEDED_EVENTS.every((event) => events.includes(event));
}

/** Returns the webhook without its secret. One that is disabled reports no events. */
function webhookOf({ url, events, status }: Registration, hasSecret: boolean): Webhook {
  return {
    url,
    ...comparedEvents(status === "active" ? events : [], NEEDED_EVENTS),
    ...(!hasSecret && { keyFits: false }),
  };
}
