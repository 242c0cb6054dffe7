import { normalizeEmail } from "../../../platform/http/email.ts";
import { secretsEqual } from "../../../platform/keys/keyring.ts";
import type { ProviderEvent, WebhookReading, WebhookRequest } from "../../port/webhook.ts";
import { isFromProvider } from "../../port/webhook_auth.ts";
import { tokenOf, webhookToken } from "./webhook_token.ts";

/**
 * Reads Mailchimp's webhook calls. They are form-encoded: `type`, `fired_at` and `data[...]`. Source:
 * mailchimp.com/developer/marketing/guides/sync-audience-data-webhooks.
 */

const AUTH = { kind: "timed", header: "x-mailchimp-signature", toleranceMs: 5 * 60_000 } as const;

export interface WebhookKeys {
  apiKey: string;
  /** The signing secret of each audience's webhook. */
  signingSecrets: readonly string[];
  /** Unix milliseconds. */
  now: number;
}

/** Reads a webhook call. It needs the secret in its URL or a valid signature. */
export function readMailchimpWebhook(request: WebhookRequest, keys: WebhookKeys): WebhookReading {
  if (!isGenuine(request, keys)) return { kind: "refused", reason: "unauthorized" };
  const payload = Object.fromEntries(new URLSearchParams(new TextDecoder().decode(request.body)));
  const type = payload["type"] ?? "";
  if (type === "") return { kind: "refused", reason: "malformed" };
  return { kind: "read", type: type.slice(0, 100), payload, events: eventsOf(type, payload) };
}

function isGenuine(request: WebhookRequest, { apiKey, signingSecrets, now }: WebhookKeys): boolean {
  return request.authenticated || secretsEqual(tokenOf(request.query), webhookToken(apiKey)) ||
    signingSecrets.some((secret) => isFromProvider(AUTH, request, { secret, now }));
}

function eventsOf(type: string, payload: Record<string, string>): ProviderEvent[] {
  const addressIn = (name: string) => normalizeEmail(payload[`data[${name}]`]);
  const listId = payload["data[list_id]"];
  const list = listId ? { list: listId } : {};
  const about = (name: string, change: "active" | "ended" | "other"): ProviderEvent[] => {
    const email = addressIn(name);
    return email === undefined ? [] : [{ kind: "subscription", email, ...list, change }];
  };
  switch (type) {
    case "subscribe":
      return about("email", "active");
    case "unsubscribe":
      return about("email", "ended");
    case "upemail":
      return [...about("old_email", "ended"), ...about("new_email", "other")];
    case "cleaned": {
      const email = addressIn("email");
      return email === undefined ? [] : [{ kind: "mail", email }];
    }
    default:
      return [];
  }
}
