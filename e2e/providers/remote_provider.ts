/** A provider as the end-to-end tests see it: how a server uses it, and what people and their mailboxes do there. */
import type { Capabilities } from "../../server/providers/port/capabilities.ts";

/** How the provider responds. All but "none" fail: before the request takes effect, or with its response lost. */
export type ProviderFault = "none" | "unavailable" | "hang-after" | "error-after";

/** Result of a click on a confirmation link. "unanswered": nobody can say whether it took effect. */
export type ClickResult = "confirmed" | "refused" | "unanswered";

export interface ConfirmationMail {
  id: string;
  to: string;
  /** Clicks the link in the email. */
  click(): Promise<ClickResult>;
}

export interface RemoteProvider extends AsyncDisposable {
  capabilities: Capabilities;
  /** Whether it runs in the server that uses it, and is killed with it. */
  isInServer: boolean;
  /** Whether it reports confirmations. Otherwise only the poll finds them. */
  sendsWebhooks: boolean;
  /** Environment variables of a server that uses it. */
  env: Record<string, string>;
  /** Settings of such a server, for its config file. */
  settings: { general?: Record<string, unknown>; webhooks?: Record<string, unknown> };
  /** ID of a list with double opt-in. */
  list: string;
  /** Sets how it responds, and how often it sends each webhook. */
  behave(behavior: { fault?: ProviderFault; webhooks?: "deliver" | "twice" }): Promise<void>;
  /** Returns the latest confirmation emails, at most a hundred. */
  mails(): Promise<ConfirmationMail[]>;
  /** Returns the number of confirmation emails by address. */
  mailCounts(): Promise<Map<string, number>>;
  /** Returns the statuses of each address on the list: one per subscription that the provider shows. */
  subscribers(): Promise<Map<string, string[]>>;
  /** Sends the webhook about a confirmation again. Does nothing at a provider without webhooks. */
  repeatWebhook(email: string): Promise<void>;
}

/** What a provider knows of the server that uses it. */
export interface UsedBy {
  /** Folder for databases. */
  folder: string;
  /** URL of the server, and of its API. */
  baseUrl: string;
  namespace: string;
  /** Path of the server's database. */
  database: string;
}
