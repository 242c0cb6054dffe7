import type { SignupSource } from "../../../shared/contract.ts";
import type { ConfirmedBy, ListStatus, LocalStatus, Outcome } from "../../../shared/outcomes.ts";

/** Every hook with its arguments and its result. docs/hooks.md describes them with examples. */

/** Fires at least once per accepted signup, when the outcome of its first delivery attempt is known (contract 12.1). */
export interface SubscribedEvent {
  email: string;
  list: string;
  source: SignupSource;
  outcome: Outcome;
  record: SubscribedRecord;
  /** When the visitor signed up, Unix milliseconds. */
  at: number;
}

/** Fires at least once when a signup becomes active, whatever reported it: a webhook, the poll or a delivery. */
export interface ConfirmedEvent {
  email: string;
  list: string;
  source: SignupSource;
  /** What reported it. `delivery`: the list needs no confirmation. */
  by: ConfirmedBy;
  record: SubscribedRecord;
  /** When cfbe learned of it, Unix milliseconds. */
  at: number;
}

/** The record of a signup, as passed to functions of the config file. Times are Unix milliseconds. */
export interface SubscribedRecord {
  /** In lower case. */
  email: string;
  list: string;
  status: LocalStatus;
  /** When `status` last changed. */
  since: number;
  /** The list status last reported by the provider; absent before the first report. */
  listStatus?: ListStatus;
  /** Why the signup failed. */
  reason?: string;
  /** URL of the provider's form, if the signup failed because only that form accepts the address again. */
  rejoinUrl?: string;
  confirmed?: { at: number; by: ConfirmedBy };
  name?: string;
  tags: string[];
  source: SignupSource;
  /** Name of the form, if it is a named one. */
  form?: string;
  createdAt: number;
  updatedAt: number;
}

/** Fires for every authenticated webhook while the Inbound webhooks module is on (contract 12.2). */
export interface WebhookEvent {
  /** The parsed body. Empty when the body was too large or was not a JSON object. */
  payload: Record<string, unknown>;
  /** `rejected`: the webhook was authenticated, but its body got 400 or 413. */
  action: "queued" | "ignored" | "received" | "rejected";
  /** Set when `action` is `rejected`. */
  reason?: "too_large" | "not_json" | "no_email";
  /** When the webhook was handled, Unix milliseconds. */
  at: number;
}

/** Fires when settings that affect cached pages have been saved (contract 2.9). */
export interface PurgeEvent {
  tab: "form" | "forms" | "popup" | "coupon";
}

/** Fires when an alert opens, while it lasts, when it is resolved, with the weekly summary, and on request as a test. Has no personal data. */
export interface AlertEvent {
  /** The same whenever this event fires again: after a crash, or because a listener failed. */
  id: string;
  /** The alert, from `opened` to `resolved`. For a summary, its own `id`. */
  alert: string;
  kind: AlertKind | "summary" | "test";
  /** `repeated`: it is still open, or has become worse. At most once a day. */
  state: "opened" | "repeated" | "resolved" | "summary" | "test";
  /** `error`: signups or data are being lost. `warning`: they may be. */
  level: "error" | "warning" | "info";
  /** What happened, in a sentence. */
  what: string;
  /** What to do about it. Empty when the alert is resolved. */
  todo: string;
  /** The page of the admin that shows it or fixes it. */
  url: string;
  /** All of this as one text, ready to be posted or mailed. */
  text: string;
  /** When the alert's problem was first seen, Unix milliseconds. */
  since: number;
  /** Unix milliseconds. */
  at: number;
  /** Only with `state: "summary"`. */
  summary?: WeeklySummary;
}

export type AlertKind =
  | "jobs"
  | "provider"
  | "webhook"
  | "limit"
  | "tokens"
  | "backup"
  | "disk"
  | "processes"
  | "users"
  | "database";

/** The figures of a week, without test signups. */
export interface WeekFigures {
  signups: number;
  confirmed: number;
  /** Requests that were not accepted, by counter, such as `dropped.honeypot`. */
  notAccepted: Record<string, number>;
  /** Jobs that failed in this week and have not been retried since. */
  failedJobs: number;
}

export interface WeeklySummary extends WeekFigures {
  /** First and last day (UTC), such as `2026-11-16`. */
  from: string;
  to: string;
  /** The figures of the week before. */
  before: WeekFigures;
}

/** A signup before it is accepted. A filter can change `name`, `list` and `tags`. */
export interface SignupDraft {
  /** In lower case. */
  email: string;
  name?: string;
  list: string;
  tags: string[];
  /** Values of the form's fields that are not in the contract, by name. */
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly source: SignupSource;
  /** Name of the form, if it is a named one. */
  readonly form?: string;
  readonly placement?: string;
  /** Whether the consent box was ticked. */
  readonly consent: boolean;
  /** The visitor's IP; null if the source does not provide it. */
  readonly ip: string | null;
  /** Origin of the page, if the browser sent it. */
  readonly origin?: string;
}

/** Whose tags are filtered, and why. */
export interface TagsContext {
  email: string;
  /** `signup`: tags sent with a subscription; `contact`: tags added to a customer's contact. */
  for: "signup" | "contact";
  /** For a signup: the list and the source. */
  list?: string;
  source?: SignupSource;
}

/** The email that the data is for. */
export interface MailContext {
  kind: "cart" | "coupon" | "order";
  email: string;
  /** The template's ID at the provider. */
  template: string;
}

export interface Actions {
  cfbe_subscribed(event: SubscribedEvent): unknown;
  cfbe_confirmed(event: ConfirmedEvent): unknown;
  cfbe_webhook_received(event: WebhookEvent): unknown;
  cfbe_purge_page_cache(event: PurgeEvent): unknown;
  cfbe_alert(event: AlertEvent): unknown;
}

export interface Filters {
  /** @param ip found as set on the Privacy page. Return the visitor's IP. An invalid IP is ignored. */
  cfbe_client_ip(ip: string, request: Request): string | Promise<string>;
  /**
   * @param perMinute the default of 30. Return the number of signups per minute for the whole site; 0
   * disables the limit.
   */
  cfbe_signup_site_limit(perMinute: number): number | Promise<number>;
  /** @param capability required by an admin action. Return the capability to require instead. */
  cfbe_capability(capability: string): string | Promise<string>;
  /** Return the signup, changed or not. Return false to drop it; the visitor sees the usual success message. */
  cfbe_signup(signup: SignupDraft): SignupDraft | false | Promise<SignupDraft | false>;
  /** Return the tags to send to the provider. */
  cfbe_tags(tags: string[], context: TagsContext): string[] | Promise<string[]>;
  /** Return the data for the email's template. */
  cfbe_mail_data(
    data: Record<string, unknown>,
    context: MailContext,
  ): Record<string, unknown> | Promise<Record<string, unknown>>;
}

/** One function or several per hook, called in order. */
export type Listeners<Hooked> = { [Name in keyof Hooked]?: Hooked[Name] | readonly Hooked[Name][] };

/** The value that a filter passes on. */
export type FilterResult<Name extends keyof Filters> = Awaited<ReturnType<Filters[Name]>>;
