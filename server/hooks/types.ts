import type { SignupSource } from "../../shared/contract.ts";
import type { ConfirmedBy, ListStatus, LocalStatus, Outcome } from "../../shared/outcomes.ts";

/** Every hook, its arguments and what it answers. docs/hooks.md says the same with examples. */

/** Told once per accepted signup, when its first delivery attempt is decided; at least once (contract 12.1). */
export interface SubscribedEvent {
  email: string;
  list: string;
  source: SignupSource;
  outcome: Outcome;
  record: SubscribedRecord;
  /** When the visitor signed up, Unix milliseconds. */
  at: number;
}

/** The record of a signup, as functions of the config file get it. Times are Unix milliseconds. */
export interface SubscribedRecord {
  /** Lowercased. */
  email: string;
  list: string;
  status: LocalStatus;
  /** When `status` last changed. */
  since: number;
  /** What the list last said; absent before the provider was asked. */
  listStatus?: ListStatus;
  /** Why the signup failed. */
  reason?: string;
  confirmed?: { at: number; by: ConfirmedBy };
  name?: string;
  tags: string[];
  source: SignupSource;
  /** The named form, if it was one. */
  form?: string;
  createdAt: number;
  updatedAt: number;
}

/** Fires for every authenticated webhook while the Inbound webhooks module is on (contract 12.2). */
export interface WebhookEvent {
  /** The parsed body. Empty when the body was too large or was not a JSON object. */
  payload: Record<string, unknown>;
  /** `rejected`: the webhook was authenticated and then answered with 400 or 413. */
  action: "queued" | "ignored" | "received" | "rejected";
  /** Set when `action` is `rejected`. */
  reason?: "too_large" | "not_json" | "no_email";
  /** When the webhook was handled, Unix milliseconds. */
  at: number;
}

/** Told when a tab that pages were built from has been saved (contract 2.9). */
export interface PurgeEvent {
  tab: "form" | "forms" | "popup" | "coupon";
}

/** A signup before it is accepted. `name`, `list` and `tags` may be answered otherwise; the rest is to decide by. */
export interface SignupDraft {
  /** Lowercased. */
  email: string;
  name?: string;
  list: string;
  tags: string[];
  readonly source: SignupSource;
  /** The named form, if it was one. */
  readonly form?: string;
  readonly placement?: string;
  /** Whether the consent box was ticked. */
  readonly consent: boolean;
  /** The visitor's; null where the source does not tell. */
  readonly ip: string | null;
  /** Origin of the page, if the browser told. */
  readonly origin?: string;
}

/** Whom tags are for, and on what occasion. */
export interface TagsContext {
  email: string;
  /** `signup`: sent with a subscription; `contact`: to be added to a buyer's contact. */
  for: "signup" | "contact";
  /** With a signup: the list, and where it came from. */
  list?: string;
  source?: SignupSource;
}

/** Which mail its data is for. */
export interface MailContext {
  kind: "cart" | "coupon" | "order";
  email: string;
  /** The template's id at the provider. */
  template: string;
}

export interface Actions {
  cfbe_subscribed(event: SubscribedEvent): unknown;
  cfbe_webhook_received(event: WebhookEvent): unknown;
  cfbe_purge_page_cache(event: PurgeEvent): unknown;
}

export interface Filters {
  /** @param ip what the Privacy setting found. Answer the visitor's IP; what is none is passed over. */
  cfbe_client_ip(ip: string, request: Request): string | Promise<string>;
  /** @param perMinute the contract's 30. Answer signups per minute for the site; 0 switches the limit off. */
  cfbe_signup_site_limit(perMinute: number): number | Promise<number>;
  /** @param capability what an admin action asks for. Answer the capability to ask for instead. */
  cfbe_capability(capability: string): string | Promise<string>;
  /** Answer the signup, changed or not, or false: then it is not accepted, and the visitor reads what all do. */
  cfbe_signup(signup: SignupDraft): SignupDraft | false | Promise<SignupDraft | false>;
  /** Answer the tags to send to the provider. */
  cfbe_tags(tags: string[], context: TagsContext): string[] | Promise<string[]>;
  /** Answer what the mail's template gets. */
  cfbe_mail_data(
    data: Record<string, unknown>,
    context: MailContext,
  ): Record<string, unknown> | Promise<Record<string, unknown>>;
}

/** One function a hook or several, called in their order. */
export type Listeners<Hooked> = { [Name in keyof Hooked]?: Hooked[Name] | readonly Hooked[Name][] };

/** What a filter passes on. */
export type Filtered<Name extends keyof Filters> = Awaited<ReturnType<Filters[Name]>>;
