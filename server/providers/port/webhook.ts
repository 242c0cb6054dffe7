import type { Trouble } from "./trouble.ts";

/** The part of the provider port about webhooks: registering one, and reading its calls. */

/** The webhook registered at the provider. */
export interface Webhook {
  url: string;
  /** Registered events, by the provider's names. */
  events: string[];
  /** Events that cfbe needs and that are not registered. */
  missing: string[];
  /** Registered events that cfbe does not need. */
  surplus: string[];
  /** Whether it sends the current API key; absent if the provider does not return the key. */
  keyFits?: boolean;
}

/** Returns what a webhook that sends these events lacks, and what it does not need to send. */
export function comparedEvents(
  events: string[],
  needed: readonly string[],
): Pick<Webhook, "events" | "missing" | "surplus"> {
  return {
    events,
    missing: needed.filter((event) => !events.includes(event)),
    surplus: events.filter((event) => !needed.includes(event)),
  };
}

export type WebhookResult = { kind: "webhook"; webhook: Webhook | null } | Trouble;

export type SetWebhookResult =
  /** `keep`: fields of the adapter to store, such as a signing secret that the provider returns only once. */
  | { kind: "registered"; webhook: Webhook; keep?: Readonly<Record<string, string>> }
  /** Another system's URL is registered; `replace: true` overwrites it. */
  | { kind: "foreign"; url: string }
  | { kind: "refused"; reason: string }
  | Trouble;

export interface WebhookOptions {
  url: string;
  /** The API key, for a provider that sends it as bearer token. A provider that signs its webhooks ignores it. */
  secretKey: string;
  /** Overwrites another registered URL. */
  replace?: boolean;
}

/** A webhook call as it arrived; a signature covers exactly these bytes. */
export interface WebhookRequest {
  headers: Headers;
  /** 64 KB at most. */
  body: Uint8Array;
  /** Parameters of the URL, for a provider whose webhooks have a secret there. Absent: none. */
  query?: URLSearchParams;
  /** Whether it contained the API key or the webhook secret. If not, it needs a valid signature. */
  authenticated: boolean;
}

/** An event that the provider reports. It confirms nothing by itself: it only makes cfbe read the status. */
export type ProviderEvent =
  /** A subscription changed, on `list` or on every list. `ended` includes paused. */
  | { kind: "subscription"; email: string; list?: string; change: "active" | "ended" | "other" }
  /** A subscription changed, but the call contains only the provider's ID of the person, which `emailOf` looks up. */
  | { kind: "unnamed"; id: string; list?: string; change: "active" | "ended" | "other" }
  /** An email was delivered, opened and so on. `email` is set if the event is a bounce or a complaint. */
  | { kind: "mail"; email?: string }
  /** One of the site's automations reached this contact. */
  | { kind: "automation"; email: string };

export type WebhookReading =
  | {
    kind: "read";
    /** The provider's name for the event. */
    type: string;
    /** Passed to the site's hooks. */
    payload: Record<string, unknown>;
    /** Empty if cfbe does not need the event. Addresses are normalized. */
    events: ProviderEvent[];
  }
  /** The signature is missing, wrong or too old. */
  | { kind: "refused"; reason: "unauthorized" }
  /** The body is invalid. */
  | { kind: "refused"; reason: "malformed" }
  /** The event needs an address and has none. */
  | { kind: "refused"; reason: "no_email"; type: string; payload: Record<string, unknown> };
