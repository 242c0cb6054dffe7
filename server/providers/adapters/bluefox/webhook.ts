import { isOwnError } from "../../http/json_response.ts";
import { rejectedBy } from "../../http/response_trouble.ts";
import { z } from "zod";
import {
  comparedEvents,
  type SetWebhookResult,
  type Webhook,
  type WebhookOptions,
  type WebhookResult,
} from "../../port/webhook.ts";
import type { BluefoxResponse, BluefoxSend } from "./http.ts";
import { isMissing, trouble } from "./results.ts";

/** The project's webhook. A project has at most one, and a PATCH replaces it completely. */

const WEBHOOK_EVENTS = [
  "subscription",
  "bounce",
  "complaint",
  "open",
  "click",
  "sent",
  "failed",
] as const;
export type WebhookEventName = (typeof WEBHOOK_EVENTS)[number];

/**
 * Only rare events: the opens of one newsletter would exceed the webhook route's limit of 60 calls per minute and block
 * confirmations.
 */
const NEEDED_EVENTS: readonly WebhookEventName[] = ["subscription", "bounce", "complaint"];

const flag = z.boolean().catch(false);
const registration = z.object({
  url: z.string(),
  secretKey: z.string().optional().catch(undefined),
  subscription: flag,
  bounce: flag,
  complaint: flag,
  open: flag,
  click: flag,
  sent: flag,
  failed: flag,
}).nullable();

/** The documentation does not define the response without a webhook; null, an empty object and a 404 are accepted. */
function hasNoWebhook(response: BluefoxResponse): boolean {
  return isMissing(response) ||
    (response.kind === "ok" && z.strictObject({}).safeParse(response.body).success);
}

/**
 * Returns the calls for the webhook. Source: the documentation's page "Webhook".
 *
 * @param send sends one request
 * @param path returns the path of the webhook, encoded
 * @param key returns the current API key
 */
export function webhookRequests(send: BluefoxSend, path: () => string, key: () => string | undefined) {
  async function read() {
    const response = await send({ method: "GET", path: path() });
    if (hasNoWebhook(response)) return { kind: "found" as const, row: null };
    const found = response.kind === "ok" ? registration.safeParse(response.body) : undefined;
    return found?.success ? { kind: "found" as const, row: found.data } : trouble(response, "reads");
  }

  /** Returns the registered webhook, even if another system registered it. The result does not contain the secret. */
  async function getWebhook(): Promise<WebhookResult> {
    const found = await read();
    return found.kind === "trouble"
      ? found
      : { kind: "webhook", webhook: found.row && info(found.row, key()) };
  }

  /** Registers `url` for subscription, bounce and complaint. Overwrites another URL only with `replace`. */
  async function setWebhook(options: WebhookOptions): Promise<SetWebhookResult> {
    const found = await read();
    if (found.kind === "trouble") return found;
    const { row } = found;
    if (row && row.url !== options.url && !options.replace) return { kind: "foreign", url: row.url };
    const wanted = { url: options.url, secretKey: options.secretKey, ...flags() };
    if (row && WEBHOOK_EVENTS.every((event) => row[event] === wanted[event])) {
      // Not timing-sensitive: the provider's response is compared with our setting.
      if (row.url === wanted.url && row.secretKey === wanted.secretKey) {
        return { kind: "registered", webhook: info(row, key()) };
      }
    }
    const response = await send({ method: "PATCH", path: path(), body: wanted });
    if (response.kind === "ok") {
      return { kind: "registered", webhook: info(wanted, key()) };
    }
    if (isOwnError(response, 400)) {
      return { kind: "refused", reason: rejectedBy("the provider", response) };
    }
    return trouble(response, "writes");
  }

  return { getWebhook, setWebhook };
}

function flags(): Record<WebhookEventName, boolean> {
  return Object.fromEntries(
    WEBHOOK_EVENTS.map((event) => [event, NEEDED_EVENTS.includes(event)]),
  ) as Record<WebhookEventName, boolean>;
}

function info(row: NonNullable<z.infer<typeof registration>>, key: string | undefined): Webhook {
  return {
    url: row.url,
    ...comparedEvents(WEBHOOK_EVENTS.filter((event) => row[event]), NEEDED_EVENTS),
    // Not timing-sensitive: the provider's response is compared with our setting.
    ...(row.secretKey !== undefined && { keyFits: row.secretKey === key }),
  };
}
