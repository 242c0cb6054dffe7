import { z } from "zod";
import type { SetWebhookResult, Trouble, Webhook, WebhookResult, WebhookWish } from "../port.ts";
import type { Answer, Call } from "./http.ts";
import { isMissing, trouble } from "./meaning.ts";

/** The project's webhook: there is one, and a PATCH replaces all of it. */

const WEBHOOK_EVENTS = [
  "subscription",
  "bounce",
  "complaint",
  "open",
  "click",
  "sent",
  "failed",
] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/**
 * One newsletter's opens would pass the 60 calls a minute that the hook route takes, and shut out the
 * confirmations; these three are rare.
 */
const WANTED: readonly WebhookEvent[] = ["subscription", "bounce", "complaint"];

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

/** The documentation does not say how a project without a webhook is shown: nothing, an empty object, or a 404. */
function isNone(answer: Answer): boolean {
  return isMissing(answer) ||
    (answer.kind === "result" && z.strictObject({}).safeParse(answer.result).success);
}

type Ask = (call: Call) => Promise<Answer>;

/**
 * `GET|PATCH|DELETE P/webhook`. Source: the documentation's page "Webhook".
 *
 * @param ask sends one request
 * @param path of the webhook, encoded
 * @param key the API key in use
 */
export function webhookRequests(ask: Ask, path: () => string, key: () => string | undefined) {
  async function read() {
    const answer = await ask({ method: "GET", path: path() });
    if (isNone(answer)) return { kind: "found" as const, row: null };
    const found = answer.kind === "result" ? registration.safeParse(answer.result) : undefined;
    return found?.success ? { kind: "found" as const, row: found.data } : trouble(answer, "reads");
  }

  /** What is registered now, by whomever. The secret stays out of the result. */
  async function getWebhook(): Promise<WebhookResult> {
    const found = await read();
    return found.kind === "trouble"
      ? found
      : { kind: "webhook", webhook: found.row && info(found.row, key()) };
  }

  /** Registers `url` for subscription, bounce and complaint; reads first, and never overwrites unasked. */
  async function setWebhook(wish: WebhookWish): Promise<SetWebhookResult> {
    const found = await read();
    if (found.kind === "trouble") return found;
    const { row } = found;
    if (row && row.url !== wish.url && !wish.replace) return { kind: "foreign", url: row.url };
    const wanted = { url: wish.url, secretKey: wish.secretKey, ...flags() };
    if (row && WEBHOOK_EVENTS.every((event) => row[event] === wanted[event])) {
      // Not timing-sensitive: the provider's answer is compared with our setting.
      if (row.url === wanted.url && row.secretKey === wanted.secretKey) {
        return { kind: "registered", webhook: info(row, key()) };
      }
    }
    const answer = await ask({ method: "PATCH", path: path(), body: wanted });
    if (answer.kind === "result") {
      return { kind: "registered", webhook: info(wanted, key()) };
    }
    if (answer.kind === "error" && answer.status === 400 && answer.message !== undefined) {
      return { kind: "refused", reason: answer.message || "HTTP 400" };
    }
    return trouble(answer, "writes");
  }

  /** Takes the registration away; that none was there is no trouble. */
  async function removeWebhook(): Promise<{ kind: "removed" } | Trouble> {
    const answer = await ask({ method: "DELETE", path: path() });
    const gone = answer.kind === "result" || (answer.kind === "error" && answer.status === 404);
    return gone ? { kind: "removed" } : trouble(answer, "writes");
  }

  return { getWebhook, setWebhook, removeWebhook };
}

function flags(): Record<WebhookEvent, boolean> {
  return Object.fromEntries(
    WEBHOOK_EVENTS.map((event) => [event, WANTED.includes(event)]),
  ) as Record<WebhookEvent, boolean>;
}

function info(row: NonNullable<z.infer<typeof registration>>, key: string | undefined): Webhook {
  const events = WEBHOOK_EVENTS.filter((event) => row[event]);
  return {
    url: row.url,
    events,
    missing: WANTED.filter((event) => !row[event]),
    surplus: events.filter((event) => !WANTED.includes(event)),
    // Not timing-sensitive: the provider's answer is compared with our setting.
    ...(row.secretKey !== undefined && { keyFits: row.secretKey === key }),
  };
}
