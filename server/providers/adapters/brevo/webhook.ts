import { z } from "zod";
import { isOwnError } from "../../http/json_response.ts";
import type { Trouble } from "../../port/trouble.ts";
import {
  comparedEvents,
  type SetWebhookResult,
  type Webhook,
  type WebhookOptions,
  type WebhookResult,
} from "../../port/webhook.ts";
import type { BrevoSend } from "./http.ts";
import { createdId, isMissing, trouble } from "./results.ts";

/**
 * The registered webhook. A Brevo account has up to 40; the one of cfbe has a description of its own, and those of other
 * systems are left alone.
 */
const DESCRIPTION = "cfbe";

/**
 * Only rare events: the opens of one newsletter would exceed the webhook route's limit of 60 calls per minute and block
 * confirmations.
 */
const NEEDED_EVENTS = ["hardBounce", "listAddition", "spam", "unsubscribed"];

const registration = z.object({
  id: z.number(),
  url: z.string(),
  description: z.string().nullish().catch(null),
  events: z.array(z.string()),
  auth: z.object({ token: z.string().optional() }).nullish().catch(null),
  isActive: z.boolean().nullish().catch(null),
});
type Registration = z.infer<typeof registration>;

const page = z.object({ webhooks: z.array(z.unknown()) });

/** Returns the calls for the webhook. Source: developers.brevo.com, pages "Webhooks" and "Secure webhook calls". */
export function webhookCalls(send: BrevoSend, key: () => string) {
  /** Reads cfbe's webhook; the one at `url` or with the current key, if there are several, and of these an active one. */
  async function read(url?: string): Promise<{ kind: "found"; row: Registration | undefined } | Trouble> {
    const response = await send({ method: "GET", path: "/webhooks?type=marketing" });
    if (isMissing(response)) return { kind: "found", row: undefined };
    const found = response.kind === "ok" ? page.safeParse(response.body).data : undefined;
    if (!found) return trouble(response, "reads");
    const rows = found.webhooks.flatMap((raw) => registration.safeParse(raw).data ?? [])
      .toSorted((a, b) => Number(isDeactivated(a)) - Number(isDeactivated(b)));
    const ours = rows.filter((row) => row.description === DESCRIPTION);
    // Not timing-sensitive: the provider's response is compared with our setting.
    const row = rows.find((row) => row.url === url) ?? ours.find((row) => row.auth?.token === key()) ??
      ours[0];
    return { kind: "found", row };
  }

  /** Returns cfbe's webhook. The result contains no key. */
  async function getWebhook(): Promise<WebhookResult> {
    const found = await read();
    if (found.kind === "trouble") return found;
    return { kind: "webhook", webhook: found.row ? info(found.row, key()) : null };
  }

  /** Registers `url` for the events that cfbe needs. Overwrites another URL of cfbe only with `replace`. */
  async function setWebhook({ url, secretKey, replace }: WebhookOptions): Promise<SetWebhookResult> {
    const found = await read(url);
    if (found.kind === "trouble") return found;
    let { row } = found;
    if (row && row.url !== url && !replace) return { kind: "foreign", url: row.url };
    const wanted = {
      url,
      description: DESCRIPTION,
      events: NEEDED_EVENTS,
      auth: { type: "bearer", token: secretKey },
    };
    // Brevo has no call that activates it again.
    if (row && isDeactivated(row)) {
      const deleted = await send({ method: "DELETE", path: `/webhooks/${row.id}` });
      if (deleted.kind !== "ok" && !isMissing(deleted)) return trouble(deleted, "writes");
      row = undefined;
    }
    const response = row
      ? await send({ method: "PUT", path: `/webhooks/${row.id}`, body: wanted })
      : await send({ method: "POST", path: "/webhooks", body: { ...wanted, type: "marketing" } });
    const id = row && response.kind === "ok" ? row.id : createdId(response);
    if (id !== undefined) return { kind: "registered", webhook: info({ id, ...wanted }, key()) };
    if (isOwnError(response, 400)) {
      const reason = "Brevo refuses the webhook. It needs a URL with https:, and allows 40 webhooks.";
      return { kind: "refused", reason };
    }
    return trouble(response, "writes");
  }

  return { getWebhook, setWebhook };
}

/** Returns whether Brevo sends nothing to a webhook. */
const isDeactivated = ({ isActive }: Pick<Registration, "isActive">) => isActive === false;

function info({ url, auth, ...row }: Registration, key: string): Webhook {
  const events = isDeactivated(row) ? [] : row.events;
  // Brevo may show only a part of the token.
  const token = auth?.token?.includes("*") ? undefined : auth?.token;
  return {
    url,
    ...comparedEvents(events.toSorted(), NEEDED_EVENTS),
    // Not timing-sensitive: Brevo's response is compared with our setting.
    ...(token !== undefined && { keyFits: token === key }),
  };
}
