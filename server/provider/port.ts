import type { ListStatus } from "../../shared/outcomes.ts";
import type { FailureCode } from "../http/outbound/failure.ts";

/** Why a call failed. Code must decide by this, never by the text of a reason. */
export type TroubleCode =
  | FailureCode
  /** A setting that the call needs is missing or malformed; nothing was sent. */
  | "not_configured"
  /** The key contains characters that are not allowed in a request; nothing was sent. */
  | "invalid_key"
  /** The account does not allow it now: out of credits, over its cap, restricted. The site's owner has to act. */
  | "account"
  /** cfbe is deactivated; nothing was sent. */
  | "deactivated";

/** The result of a call that failed or whose effect is unknown. Every call can return it. */
export interface Trouble {
  kind: "trouble";
  code: TroubleCode;
  /** Plain text for the log and the admin, never for the visitor. */
  reason: string;
  /** How long to wait before a retry (the provider's `Retry-After`), milliseconds. */
  retryAfterMs?: number;
  /** Whether the call may have taken effect despite the failure: a timeout, a reset, an invalid response. */
  unknown: boolean;
}

/** The provider rejects the address (the contract's 405). */
export interface Suppressed {
  kind: "suppressed";
  /** True if emails to the address bounce; otherwise it is suppressed for another reason. */
  bounced?: boolean;
  reason: string;
}

export type SubscribeResult =
  /**
   * The provider accepted the address; `status()` returns the resulting status. `isPending` is true if the response
   * itself says that the address now awaits its confirmation. No other status counts here: only `status()` confirms.
   */
  | { kind: "accepted"; isPending?: true }
  /** The address was on the list already; `status()` returns its status. */
  | { kind: "exists" }
  | Suppressed
  /** The provider will never accept this address. */
  | { kind: "refused"; reason: string }
  | Trouble;

export type StatusResult =
  /** `changedAt` is the time of the last change, Unix milliseconds, if the provider returns it. */
  | { kind: "found"; status: ListStatus; changedAt?: number }
  | { kind: "absent" }
  | Trouble;

export type ResendResult = { kind: "sent" } | Suppressed | { kind: "refused"; reason: string } | Trouble;

/** One email that the provider creates from a template. */
export interface TriggeredMail {
  /** The template's ID at the provider. */
  template: string;
  /** Never empty: a provider may send an email without recipients to everyone. */
  emails: readonly [string, ...string[]];
  /** Values for the template. */
  data: Record<string, unknown>;
}

/** One email to one person about their own order or similar, which the provider creates from a template. */
export interface TransactionalMail {
  /** The template's ID at the provider. */
  template: string;
  email: string;
  /** Values for the template. */
  data: Record<string, unknown>;
}

export type MailResult =
  /** The provider accepted the email. */
  | { kind: "sent" }
  /** The provider will never send it: the address is bounced or suppressed, or the request is invalid. */
  | { kind: "refused"; reason: string }
  | Trouble;

/** A person in the provider's account, whether on a list or not. */
export interface Contact {
  /** Empty if unknown. */
  name: string;
  tags: string[];
}

export type ContactResult = { kind: "found"; contact: Contact } | { kind: "absent" } | Trouble;

/** The new values of a contact. Members that are not set stay unchanged at the provider. */
export interface ContactChange {
  name?: string;
  /** Replaces all tags: read, merge, write. */
  tags: string[];
  /** Custom properties by name; the adapter creates those that do not exist at the provider. */
  properties: Readonly<Record<string, string | number>>;
}

export type SaveContactResult =
  | { kind: "saved" }
  /** The provider will never accept this address. */
  | { kind: "refused"; reason: string }
  | Trouble;

export type EraseResult =
  /** The provider has deleted all data about the address. */
  | { kind: "erased" }
  /** The provider had no data about the address. */
  | { kind: "absent" }
  | Trouble;

export type ReactivateResult =
  | { kind: "active" }
  | { kind: "absent" }
  | { kind: "refused"; reason: string }
  | Trouble;

export interface ProviderList {
  id: string;
  name: string;
  doubleOptIn: boolean;
}

export type ListsResult = { kind: "lists"; lists: ProviderList[] } | Trouble;

/** One subscriber in a listing. */
export interface ListedSubscriber {
  email: string;
  status: ListStatus;
  /** Time of the last change, Unix milliseconds; absent if the provider does not return it. */
  changedAt?: number;
}

/** A page of one list's subscribers. `total` counts all matches, `more` says whether another page follows. */
export type PageResult = { kind: "page"; items: ListedSubscriber[]; total: number; more: boolean } | Trouble;

export interface Capabilities {
  /** Resends confirmation emails. */
  resend: boolean;
  /** Lists subscribers by last change and by status. Without it, the poll checks one address at a time. */
  listing: boolean;
  /** Sends emails from the provider's templates. */
  triggered: boolean;
  /** Sends such an email to one person, who need not be a contact. */
  transactional: boolean;
  /** Stores contacts with tags and custom properties. */
  contacts: boolean;
  /** Erases an address from every list. */
  erasure: boolean;
  /** Reactivates a person who unsubscribed, without another confirmation. */
  reactivation: boolean;
  /** Registers the webhook's URL through the API. */
  webhook: boolean;
  /**
   * Signs its webhooks, and `readWebhook` verifies the signature. Without this capability, a webhook must contain the API
   * key or the webhook secret.
   */
  signedWebhooks: boolean;
}

/** Why a provider may reject a key that was copied correctly. */
export type ForbiddenCause =
  /** The account or the project is restricted or disabled. */
  | "restricted"
  /** The account accepts calls only from certain domains or IPs. */
  | "allowlist";

/** The provider's response to a connection test with the key and the project. */
export type ConnectionResult =
  | {
    kind: "connected";
    /** The project's name at the provider. */
    name: string;
    /** The provider's name for the kind of account. */
    status: string;
    restricted: boolean;
    restrictedReason?: string;
    /** Domains that may call the API; empty means any. */
    whiteList: string[];
    skewMs?: number;
  }
  /**
   * The provider rejects the key: it is wrong, belongs to another project, or this site is not on the allowlist.
   * `message` is the provider's own text, and `likely` the causes that the adapter found in it.
   */
  | { kind: "forbidden"; message: string; likely?: ForbiddenCause[]; skewMs?: number }
  /** The project does not exist. */
  | { kind: "absent"; skewMs?: number }
  | Trouble;

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
  /** Whether it contained the API key or the webhook secret. If not, it needs a valid signature. */
  authenticated: boolean;
}

/** An event that the provider reports. It confirms nothing by itself: it only makes cfbe read the status. */
export type ProviderEvent =
  /** A subscription changed, on `list` or on every list. `ended` includes paused. */
  | { kind: "subscription"; email: string; list?: string; change: "active" | "ended" | "other" }
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

/** An address on a list. */
export interface Target {
  list: string;
  email: string;
}

/**
 * What cfbe needs from an email provider. `subscribe` only requests a subscription; `status` returns the actual state.
 * Calls never throw: every failure is a `Trouble`. Each call ends within its timeout.
 */
export interface Provider {
  readonly name: string;
  readonly capabilities: Capabilities;
  subscribe(target: Target, person: { name?: string; tags: string[] }): Promise<SubscribeResult>;
  status(target: Target, signal?: AbortSignal): Promise<StatusResult>;
  resend(target: Target): Promise<ResendResult>;
  /** Refuses an empty list of addresses without a request. */
  sendTriggered(mail: TriggeredMail, signal?: AbortSignal): Promise<MailResult>;
  sendTransactional(mail: TransactionalMail, signal?: AbortSignal): Promise<MailResult>;
  contact(email: string, signal?: AbortSignal): Promise<ContactResult>;
  /** Creates or changes the contact. Does not subscribe it to a list. Idempotent. */
  saveContact(email: string, change: ContactChange, signal?: AbortSignal): Promise<SaveContactResult>;
  /** Erases an address from every list permanently. Idempotent. */
  erase(email: string, signal?: AbortSignal): Promise<EraseResult>;
  /** Makes an unsubscribed address active again, without a confirmation. Call it only if the person asked for it. */
  reactivate(target: Target, signal?: AbortSignal): Promise<ReactivateResult>;
  lists(): Promise<ListsResult>;
  /**
   * Tests the key and the project. `skewMs` is how far the provider's clock is ahead of ours, accurate to a second; absent
   * if the provider does not send its time.
   */
  connection(): Promise<ConnectionResult>;
  /** Returns the registered webhook, even if another system registered it. The result contains no secret. */
  getWebhook(): Promise<WebhookResult>;
  /** Registers a URL for the events that cfbe needs. Overwrites another URL only with `replace`. */
  setWebhook(options: WebhookOptions): Promise<SetWebhookResult>;
  /** Reads a webhook call, and verifies its signature if the provider signs. Sends no request and never throws. */
  readWebhook(request: WebhookRequest): WebhookReading;
  /** Lists subscribers, newest change first. `page` counts from 0. */
  changed(list: string, page: number): Promise<PageResult>;
  /** Lists subscribers who have not confirmed, oldest first. `page` counts from 0. */
  unconfirmed(list: string, page: number): Promise<PageResult>;
}
