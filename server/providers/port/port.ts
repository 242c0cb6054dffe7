import type { ListStatus } from "../../../shared/outcomes.ts";
import type { Capabilities } from "./capabilities.ts";
import type { MailResult, TemplateResult, TransactionalMail, TriggeredMail } from "./mail.ts";
import type { Trouble } from "./trouble.ts";
import type {
  SetWebhookResult,
  WebhookOptions,
  WebhookReading,
  WebhookRequest,
  WebhookResult,
} from "./webhook.ts";

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
  /**
   * The person unsubscribed from the list earlier, and is not taken back; `reason` says why, if the adapter knows. With
   * `isUnexplained`, the provider blocks the address and does not say why, as in `FoundStatus`.
   */
  | { kind: "left"; reason?: string; isUnexplained?: true }
  /** The provider accepts the address again only through its own form, at `url`. */
  | { kind: "elsewhere"; url: string }
  | Suppressed
  /** The provider will never accept this address. */
  | { kind: "refused"; reason: string }
  | Trouble;

/** The status of an address on a list. */
export interface FoundStatus {
  kind: "found";
  status: ListStatus;
  /** Time of the last change, Unix milliseconds, if the provider returns it. */
  changedAt?: number;
  /**
   * True if the provider blocks the address and does not say why. The status is then `unsubscribed`, but the address may
   * also bounce or be suppressed.
   */
  isUnexplained?: true;
}

export type StatusResult =
  | FoundStatus
  /** The address is not on the list. At a provider without `showsPending`, it may also be pending. */
  | { kind: "absent" }
  | Trouble;

export type EmailResult = { kind: "found"; email: string } | { kind: "absent" } | Trouble;

export type ResendResult = { kind: "sent" } | Suppressed | { kind: "refused"; reason: string } | Trouble;

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

/** A person who confirmed at another provider, with the proof of it. */
export interface ConfirmedPerson {
  name?: string;
  tags: readonly string[];
  /** When the person confirmed, Unix milliseconds. */
  confirmedAt: number;
  /** IP of the signup; absent if unknown. */
  ip?: string;
  /** Custom properties by name, only for providers with that capability. */
  properties?: Readonly<Record<string, string | number>>;
}

/**
 * Why a provider did not store a property. `exists`: the account knew the person, who keeps what it stores. `refused`: the
 * account can't have a field for it. `type`: its field can't hold the value.
 */
export type OmissionReason = "exists" | "refused" | "type";

/** The properties that were not stored, by name. */
export type OmittedProperties = Readonly<Record<string, OmissionReason>>;

export type ImportResult =
  /** The person is on the list now, with all properties but the omitted ones. */
  | { kind: "imported"; omitted: OmittedProperties }
  /** The provider knew the person already and left them as they are, for example unsubscribed. */
  | { kind: "exists"; status: ListStatus }
  /** The provider will never accept this address. */
  | { kind: "refused"; reason: string }
  | Trouble;

export interface ProviderList {
  id: string;
  name: string;
  /** Whether a signup to the list has to be confirmed; absent if the provider does not show it. */
  doubleOptIn?: boolean;
}

export type ListsResult = { kind: "lists"; lists: ProviderList[] } | Trouble;

/** One subscriber in a listing. */
export interface ListedSubscriber {
  email: string;
  status: ListStatus;
  /** Time of the last change, Unix milliseconds; absent if the provider does not return it. */
  changedAt?: number;
  /** True if the listing does not say why the address is blocked, so that only `status` can tell. */
  needsStatus?: true;
}

/** A page of one list's subscribers. */
export interface SubscriberPage {
  kind: "page";
  items: ListedSubscriber[];
  /** Continues the listing; only for the next call, never stored. Absent on the last page. */
  cursor?: string;
  /** Number of subscribers on all pages, if the provider returns it. */
  total?: number;
}

export type PageResult = SubscriberPage | Trouble;

/** Why a provider may reject a key that was copied correctly. */
export type ForbiddenCause =
  /** The account or the project is restricted or disabled. */
  | "restricted"
  /** The account accepts calls only from certain domains or IPs. */
  | "allowlist";

/** A permission that the key does not have. */
export interface MissingPermission {
  /** As the provider calls it. */
  permission: string;
  /** What fails without it: all signups, or only emails from templates. */
  for: "signups" | "emails";
}

/** The provider's response to a connection test with the key and the project. */
export type ConnectionResult =
  | {
    kind: "connected";
    /** The project's name at the provider. */
    name: string;
    /** The provider's name for the kind of account. */
    status: string;
    /** True if the provider has restricted the project. */
    restricted?: boolean;
    restrictedReason?: string;
    /** Domains that may call the API. Missing or empty means any. */
    whiteList?: string[];
    /** What the key is not allowed to do, at providers that show it. */
    missingPermissions?: readonly MissingPermission[];
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

/** What a visitor entered beside the address. A contact that exists keeps what it has: anyone can submit a public form. */
export interface NewPerson {
  name?: string;
  tags: string[];
  /** Custom properties by name, only for providers with that capability. */
  properties?: Readonly<Record<string, string | number>>;
}

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
  readonly capabilities: Capabilities;
  subscribe(target: Target, person: NewPerson): Promise<SubscribeResult>;
  status(target: Target, signal?: AbortSignal): Promise<StatusResult>;
  /**
   * Sends the confirmation email to an address that is pending.
   *
   * @param beforeSend runs just before the request that sends it, at a provider with `sendsSeparately`
   */
  resend(target: Target, beforeSend?: () => Promise<void>): Promise<ResendResult>;
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
  /**
   * Adds a person who confirmed at another provider, with as much of the proof as the provider can store, and without a
   * confirmation email. Reads the address first, and changes nobody who is on the list, left it, or is suppressed.
   * Idempotent.
   */
  importConfirmed(target: Target, person: ConfirmedPerson, signal?: AbortSignal): Promise<ImportResult>;
  lists(): Promise<ListsResult>;
  /** Looks up a template by its ID. */
  template(id: string): Promise<TemplateResult>;
  /**
   * Tests the key and the project. `skewMs` is how far the provider's clock is ahead of ours, accurate to a second; absent
   * if the provider does not send its time.
   */
  connection(): Promise<ConnectionResult>;
  /** Returns the registered webhook, even if another system registered it. The result contains no secret. */
  getWebhook(): Promise<WebhookResult>;
  /** Registers a URL for the events that cfbe needs. Overwrites another URL only with `replace`. */
  setWebhook(options: WebhookOptions): Promise<SetWebhookResult>;
  /**
   * Looks up the address that belongs to an ID in a webhook call. Absent at providers whose calls contain addresses. The
   * address is normalized.
   */
  emailOf?(who: { id: string; list?: string }, signal?: AbortSignal): Promise<EmailResult>;
  /** Reads a webhook call, and verifies its signature if the provider signs. Sends no request and never throws. */
  readWebhook(request: WebhookRequest): Promise<WebhookReading>;
  /**
   * Lists the subscribers that changed at `since` or later (Unix milliseconds), in any order. Each of them is on one page
   * or more, even if the list changes meanwhile; pages may also contain older changes. If an item has no `changedAt`, the
   * listing does not say what changed.
   *
   * @param cursor from the previous page; without it, the listing starts
   */
  changed(list: string, since: number, cursor?: string): Promise<PageResult>;
  /**
   * Lists the subscribers who have not confirmed. While the list changes, it may leave out some: callers read the status of
   * an address before they conclude anything from its absence.
   */
  unconfirmed(list: string, cursor?: string): Promise<PageResult>;
}
