import type { ProviderKind } from "../providers.ts";

/** What people get when something fails during the delivery of their signup. `docs/reliability.md` shows this table. */

/** How many confirmation emails a person gets. */
export type Emails = "one" | "one or two" | "none";

/** Each is tried at every request of a delivery. */
export const SITUATIONS = {
  lost: "The connection breaks before a request arrives",
  unanswered: "The connection breaks before its response arrives",
  killed: "cfbe dies between two requests, or between a request and its result",
} as const;
export type Situation = keyof typeof SITUATIONS;

/** Whom the signup is about. */
export type Person =
  /** Unknown to the provider. */
  | "new"
  /** In the account, but not on the list. */
  | "known";

/** What a provider that accepts a signup reports while its own mail server is down. */
export type MailServer = "an error, and cfbe tries again" | "nothing";

export interface Row {
  /** Absent if nobody can be in the account without being on the list. */
  emails: Readonly<Partial<Record<Person, Readonly<Record<Situation, Emails>>>>>;
  mailServer: MailServer;
  /** Whether somebody who unsubscribed gets a new confirmation email. */
  takesBack: "yes" | "no";
}

const ALWAYS_ONE = { lost: "one", unanswered: "one", killed: "one" } as const;
/** A second call may send a second email, because nothing at the provider shows whether the first one was sent. */
const UNSEEN = { lost: "one", unanswered: "one or two", killed: "one or two" } as const;
export const RELIABILITY: Readonly<Record<ProviderKind, Row>> = {
  bluefox: {
    emails: { new: ALWAYS_ONE, known: ALWAYS_ONE },
    mailServer: "nothing",
    takesBack: "no",
  },
  brevo: {
    emails: { new: UNSEEN, known: UNSEEN },
    mailServer: "nothing",
    takesBack: "no",
  },
  buttondown: {
    emails: { new: ALWAYS_ONE },
    mailServer: "nothing",
    takesBack: "no",
  },
  kit: {
    emails: { new: ALWAYS_ONE, known: ALWAYS_ONE },
    mailServer: "nothing",
    takesBack: "no",
  },
  klaviyo: {
    emails: { new: UNSEEN, known: UNSEEN },
    mailServer: "nothing",
    takesBack: "no",
  },
  listmonk: {
    emails: { new: UNSEEN, known: UNSEEN },
    mailServer: "an error, and cfbe tries again",
    takesBack: "yes",
  },
  mailchimp: {
    emails: { new: ALWAYS_ONE, known: ALWAYS_ONE },
    mailServer: "nothing",
    takesBack: "yes",
  },
  mailerlite: {
    // Somebody who has confirmed for another group is subscribed at once.
    emails: { new: ALWAYS_ONE, known: { lost: "none", unanswered: "none", killed: "none" } },
    mailServer: "nothing",
    takesBack: "no",
  },
};
