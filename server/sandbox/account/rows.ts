import { type Key, typed } from "../../platform/kv/key.ts";
import { keys } from "../../platform/kv/keys.ts";

/** The rows of the sandbox and their keys. Times are Unix milliseconds; email addresses are in lower case. */

export const projectKey = (): Key<ProjectRow> => typed(keys.sandboxProject());
export const listKey = (id: string): Key<ListRow> => typed(keys.sandboxList(id));
export const subscriberKey = (list: string, email: string): Key<SubscriberRow> =>
  typed(keys.sandboxSubscriber(list, email));
export const contactKey = (email: string): Key<ContactRow> => typed(keys.sandboxContact(email));
export const fieldKey = (name: string): Key<FieldRow> => typed(keys.sandboxField(name));
export const linkKey = (token: string): Key<LinkRow> => typed(keys.sandboxLink(token));
export const webhookKey = (): Key<WebhookRow> => typed(keys.sandboxWebhook());

export interface ProjectRow {
  v: 1;
  /** 24 hex digits, like every ID of the provider. */
  id: string;
  apiKey: string;
  name: string;
  createdAt: number;
}

export interface ListRow {
  v: 1;
  id: string;
  name: string;
  doubleOptIn: boolean;
  private: boolean;
  createdAt: number;
}

export const SUBSCRIBER_STATUSES = ["unverified", "active", "unsubscribed", "paused"] as const;
export type SubscriberStatus = (typeof SUBSCRIBER_STATUSES)[number];

export interface SubscriberRow {
  v: 1;
  id: string;
  list: string;
  email: string;
  name: string;
  status: SubscriberStatus;
  pausedUntil?: number;
  /** The unguessable part of the links in this subscriber's emails. */
  token: string;
  createdAt: number;
  updatedAt: number;
}

export interface ContactRow {
  v: 1;
  id: string;
  email: string;
  name: string;
  tags: string[];
  /** Custom properties with a value; absent in rows from before custom properties existed. */
  properties?: Record<string, string | number>;
  createdAt: number;
  updatedAt: number;
}

/** A custom property that contacts of the project can have. */
export interface FieldRow {
  v: 1;
  id: string;
  name: string;
  type: "string" | "number";
}

export interface LinkRow {
  v: 1;
  list: string;
  email: string;
}

const MAIL_KINDS = ["confirmation", "transactional", "triggered"] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

/** An email in the inbox. Its links are built when it is shown, because the public URL may change. */
export interface MailRow {
  v: 1;
  id: string;
  at: number;
  to: string;
  kind: MailKind;
  subject: string;
  /** Plain text. */
  text: string;
  /** Token of the subscription that the links belong to; absent in transactional email. */
  token?: string;
}

export interface WebhookRow {
  v: 1;
  url: string;
  secretKey: string;
  subscription: boolean;
  bounce: boolean;
  complaint: boolean;
  open: boolean;
  click: boolean;
  sent: boolean;
  failed: boolean;
}

export type DeliveryOutcome = "waiting" | "delivered" | "failed" | "lost";

export interface DeliveryRow {
  v: 1;
  id: string;
  at: number;
  type: string;
  email: string;
  url: string;
  outcome: DeliveryOutcome;
  attempts: number;
  /** Result of the last attempt: an HTTP status or a description. */
  answer: string;
}
