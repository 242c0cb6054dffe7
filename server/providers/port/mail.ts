import type { Trouble } from "./trouble.ts";

/** The part of the provider port about single emails, from templates at the provider. */

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

export type TemplateResult = { kind: "found"; name: string } | { kind: "absent" } | Trouble;

export type MailResult =
  /** The provider accepted the email. */
  | { kind: "sent" }
  /** The provider will never send it: the address is bounced or suppressed, or the request is invalid. */
  | { kind: "refused"; reason: string }
  | Trouble;
