import type { ListStatus } from "../../shared/outcomes.ts";
import type { FailureCode } from "../http/outbound/failure.ts";

/** Why a call did not settle the question, for programs: decide by this, and never by a reason's words. */
export type TroubleCode =
  | FailureCode
  /** A setting that the call needs is missing or malformed; nothing was sent. */
  | "not_configured"
  /** The key holds characters that no request can carry; nothing was sent. */
  | "invalid_key"
  /** The account can't do it now: out of credits, over its cap, restricted. The site's owner has to act. */
  | "account"
  /** cfbe is deactivated; nothing was sent. */
  | "deactivated";

/** What every adapter may answer when the call did not settle the question. */
export interface Trouble {
  kind: "trouble";
  code: TroubleCode;
  /** Plain text for the log and the admin, never for the visitor. */
  reason: string;
  /** How long the provider asks us to wait (`Retry-After`), milliseconds. */
  retryAfterMs?: number;
  /** Whether the call may have taken effect all the same: a time-out, a reset, an answer that made no sense. */
  unknown: boolean;
}

/** The provider rejects the address (the contract's 405). */
export interface Suppressed {
  kind: "suppressed";
  /** It says that mail to the address bounces; otherwise it suppresses the address for another reason. */
  bounced?: boolean;
  reason: string;
}

export type SubscribeResult =
  /** The provider took it; `status()` tells what came of it. */
  | { kind: "accepted" }
  /** It had the address already; `status()` tells in which state. */
  | { kind: "exists" }
  | Suppressed
  /** The provider will never take this address. */
  | { kind: "refused"; reason: string }
  | Trouble;

export type StatusResult =
  /** `changedAt` is when it last changed, Unix milliseconds, where the provider says so. */
  | { kind: "found"; status: ListStatus; changedAt?: number }
  | { kind: "absent" }
  | Trouble;

export type ResendResult = { kind: "sent" } | Suppressed | { kind: "refused"; reason: string } | Trouble;

/** One mail, made from a template at the provider. */
export interface TriggeredMail {
  /** The template's id there. */
  template: string;
  /** Never empty: a provider may take an empty list for everybody. */
  emails: readonly [string, ...string[]];
  /** What the template fills in. */
  data: Record<string, unknown>;
}

/** One mail to one person about something of their own, such as an order, made from a template at the provider. */
export interface TransactionalMail {
  /** The template's id there. */
  template: string;
  email: string;
  /** What the template fills in. */
  data: Record<string, unknown>;
}

export type MailResult =
  /** The provider took it. */
  | { kind: "sent" }
  /** It will never send this: the address is bounced or suppressed there, or it makes no sense of the mail. */
  | { kind: "refused"; reason: string }
  | Trouble;

/** A person of the account, on lists or not. */
export interface Contact {
  /** Empty where there is none. */
  name: string;
  tags: string[];
}

export type ContactResult = { kind: "found"; contact: Contact } | { kind: "absent" } | Trouble;

/** What a contact is to be. Members that are not given stay as they are there. */
export interface ContactChange {
  name?: string;
  /** Replaces all tags: read, merge, write. */
  tags: string[];
  /** The site's own members of a contact by name; those the provider does not know yet are made there. */
  properties: Readonly<Record<string, string | number>>;
}

export type SaveContactResult =
  | { kind: "saved" }
  /** The provider will never take this address. */
  | { kind: "refused"; reason: string }
  | Trouble;

export type EraseResult =
  /** It holds nothing of the address any more. */
  | { kind: "erased" }
  /** It held nothing. */
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

/** One subscriber as a listing shows it. */
export interface Listed {
  email: string;
  status: ListStatus;
  /** When it last changed, Unix milliseconds; absent where the provider does not say. */
  changedAt?: number;
}

/** A page of subscribers of one list. `total` counts all that match, `more` says whether another page follows. */
export type PageResult = { kind: "page"; items: Listed[]; total: number; more: boolean } | Trouble;

export interface Capabilities {
  /** A confirmation mail can be sent again. */
  resend: boolean;
  /** Subscribers can be listed by what changed last, and by status. Without it the poll asks one by one. */
  listing: boolean;
  /** It sends mail from templates of its own when asked to. */
  triggered: boolean;
  /** The same for one person, who need not be a contact there. */
  transactional: boolean;
  /** Contacts with tags and properties of the site's own. */
  contacts: boolean;
  /** An address can be erased there, from every list. */
  erasure: boolean;
  /** Somebody who left can be brought back, without another confirmation. */
  reactivation: boolean;
  /** Its API registers the address to which it sends webhooks. */
  webhook: boolean;
  /**
   * It signs its webhooks, and `readWebhook` verifies that. Without it a webhook must carry the API key or the webhook
   * secret.
   */
  signedWebhooks: boolean;
}

/** Why a provider may refuse a key that was copied correctly. */
export type ForbiddenCause =
  /** The account or the project is restricted or disabled. */
  | "restricted"
  /** The account only takes calls from certain domains or addresses. */
  | "allowlist";

/** What the provider says of the key and of the project that it opens. */
export type ConnectionResult =
  | {
    kind: "connected";
    /** The project's name there. */
    name: string;
    /** The provider's word for what kind of account it is. */
    status: string;
    restricted: boolean;
    restrictedReason?: string;
    /** Domains that may call its API; empty: any. */
    whiteList: string[];
    skewMs?: number;
  }
  /**
   * It refuses the key: wrong, another project's, or this site is not on its allowlist. `message` in the provider's
   * own words; `likely` where these words, which only the adapter reads, name a cause.
   */
  | { kind: "forbidden"; message: string; likely?: ForbiddenCause[]; skewMs?: number }
  /** It knows no such project. */
  | { kind: "absent"; skewMs?: number }
  | Trouble;

/** The address that the provider tells of changes. */
export interface Webhook {
  url: string;
  /** What it tells, in the provider's words; of what the service needs, what is missing; and what it does not need. */
  events: string[];
  missing: string[];
  surplus: string[];
  /** Whether it sends the API key in use; absent where the provider does not show the key. */
  keyFits?: boolean;
}

export type WebhookResult = { kind: "webhook"; webhook: Webhook | null } | Trouble;

export type SetWebhookResult =
  /** `keep`: fields of the adapter to save with it, such as a signing secret that the provider shows only now. */
  | { kind: "registered"; webhook: Webhook; keep?: Readonly<Record<string, string>> }
  /** Somebody else's address is registered there; `replace: true` overwrites it. */
  | { kind: "foreign"; url: string }
  | { kind: "refused"; reason: string }
  | Trouble;

export interface WebhookWish {
  url: string;
  /** The API key in use, for a provider that sends it back as bearer. One that signs its webhooks ignores it. */
  secretKey: string;
  /** Overwrite an address that is not `url`. */
  replace?: boolean;
}

/** A webhook as it arrived; a signature is over these very bytes. */
export interface WebhookRequest {
  headers: Headers;
  /** 64 KB at most. */
  body: Uint8Array;
  /** Whether it carried the API key or the webhook secret. If not, only a valid signature makes it count. */
  authenticated: boolean;
}

/** What the provider reports. It confirms nothing by itself: it makes the service ask for the status. */
export type ProviderEvent =
  /** A subscription changed, on every list unless one is named: now active, ended or paused, or another status. */
  | { kind: "subscription"; email: string; list?: string; change: "active" | "ended" | "other" }
  /** An email was delivered, opened and so on; `email` where the address itself is in doubt: a bounce, a complaint. */
  | { kind: "mail"; email?: string }
  /** An automation of the site reached this contact. */
  | { kind: "automation"; email: string };

export type WebhookReading =
  | {
    kind: "read";
    /** The provider's word for what happened. */
    type: string;
    /** What the site's own hook gets. */
    payload: Record<string, unknown>;
    /** Empty where nothing concerns us. Addresses are normalized. */
    events: ProviderEvent[];
  }
  /** The signature is missing, wrong or too old. */
  | { kind: "refused"; reason: "unauthorized" }
  /** The body makes no sense. */
  | { kind: "refused"; reason: "malformed" }
  /** It needs an address and has none. */
  | { kind: "refused"; reason: "no_email"; type: string; payload: Record<string, unknown> };

/** An address on a list. */
export interface Target {
  list: string;
  email: string;
}

/**
 * What the service asks of an e-mail provider. `subscribe` states an intent, `status` is the truth. Calls never
 * throw: whatever goes wrong on the way is a `Trouble`. Each call ends within its time-out.
 */
export interface Provider {
  readonly name: string;
  readonly capabilities: Capabilities;
  subscribe(target: Target, person: { name?: string; tags: string[] }): Promise<SubscribeResult>;
  status(target: Target, signal?: AbortSignal): Promise<StatusResult>;
  resend(target: Target): Promise<ResendResult>;
  /** Refuses an empty list of addresses by itself, without asking anybody. */
  sendTriggered(mail: TriggeredMail, signal?: AbortSignal): Promise<MailResult>;
  sendTransactional(mail: TransactionalMail, signal?: AbortSignal): Promise<MailResult>;
  contact(email: string, signal?: AbortSignal): Promise<ContactResult>;
  /** Makes the contact or changes it. It subscribes nobody to anything, and may be repeated without harm. */
  saveContact(email: string, change: ContactChange, signal?: AbortSignal): Promise<SaveContactResult>;
  /** Erases an address from every list, for good. May be repeated without harm. */
  erase(email: string, signal?: AbortSignal): Promise<EraseResult>;
  /** Makes somebody who left active again. Only ever for who asked for it: no confirmation is sent. */
  reactivate(target: Target, signal?: AbortSignal): Promise<ReactivateResult>;
  lists(): Promise<ListsResult>;
  /**
   * Whether the key opens the project. `skewMs` is how far the provider's clock is ahead of ours, to a second,
   * where it tells the time.
   */
  connection(): Promise<ConnectionResult>;
  /** What is registered now, by whomever; no secret is in the result. */
  getWebhook(): Promise<WebhookResult>;
  /** Registers an address for what the service needs to be told. Never overwrites another one unasked. */
  setWebhook(wish: WebhookWish): Promise<SetWebhookResult>;
  /** Reads and, if it is signed, verifies a webhook. Asks nobody, and never throws, whatever was sent. */
  readWebhook(request: WebhookRequest): WebhookReading;
  /** Newest change first. `page` counts from 0. */
  changed(list: string, page: number): Promise<PageResult>;
  /** Those still awaiting confirmation, oldest first. `page` counts from 0. */
  unconfirmed(list: string, page: number): Promise<PageResult>;
}
