import { type Key, typed } from "../kv/key.ts";
import { keys } from "../kv/keys.ts";

/** What the sandbox remembers, and where. Times are Unix milliseconds; addresses are lowercased. */

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
  /** 24 hex digits, like every id there. */
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
  /** The unguessable part of the links in this person's mails. */
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
  /** Custom properties that were given; absent in rows from before there were any. */
  properties?: Record<string, string | number>;
  createdAt: number;
  updatedAt: number;
}

/** A custom property that contacts of the project may have. */
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

/** A mail in the inbox. Its links are made when it is shown, for the public address may change. */
export interface MailRow {
  v: 1;
  id: string;
  at: number;
  to: string;
  kind: MailKind;
  subject: string;
  /** Plain text. */
  text: string;
  /** Of the subscription that the links speak for; transactional mail has none. */
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
  /** What the last attempt came to: an HTTP status, or words. */
  answer: string;
}
