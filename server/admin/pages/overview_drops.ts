import type { Entry, Note } from "../../observe/counters.ts";

/** Why a request became no signup, for the site's owner. */
export interface Reason {
  what: string;
  /** One sentence on what to do about it. */
  todo: string;
  /** Where, below the admin. */
  to?: string;
}

type Lost = Exclude<Entry, "accepted"> | `note.${Extract<Note, "cfg_unverified" | "cart_foreign">}`;

/** Limits that count elsewhere, and refuse no signup of a visitor. */
type Elsewhere = `rate_limited.${
  | "hook_ip"
  | "cart_email_ip"
  | "cart_email_mailbox"
  | "cart_ip"
  | "confirmation_mails"
  | "login_ip"
  | "login_user"
  | "login_user_ip"
  | "login_user_network"
  | "login_device"}`;

export const REASONS: Readonly<Record<Exclude<Lost, Elsewhere>, Reason>> = {
  "dropped.honeypot": {
    what: "Filled in what no person sees",
    todo: "Nothing: these are bots, and they believe that it worked.",
  },
  "dropped.origin": {
    what: "Sent from a page that is not on the allowed origins",
    todo: "If the page is yours, add its origin to the allowed origins.",
    to: "/general",
  },
  "dropped.token_missing": {
    what: "Came without a form token",
    todo: "Nothing if they are few; if visitors complain, look for a script of your own that sends the form.",
    to: "/forms",
  },
  "dropped.token_malformed": {
    what: "Came with a token that is none",
    todo: "Nothing: whoever sends that has never asked for one.",
  },
  "dropped.token_wrong": {
    what: "Came with a token of another service",
    todo: "If you have changed the salt, name the old one in CFBE_SALT_PREVIOUS; otherwise nothing.",
  },
  "dropped.token_young": {
    what: "Sent within 3 seconds of seeing the form",
    todo: "Nothing: the widget waits by itself, so these are bots, or a form of your own that does not wait.",
  },
  "dropped.token_old": {
    what: "Sent with a token older than 2 hours",
    todo:
      "See that no cache keeps the answers of form-token: these may be people, and their signups are lost.",
  },
  "dropped.filter": {
    what: "Refused by your own filter",
    todo: "Look at what the filter cfbe_signup in your config file answers if they are more than you expect.",
  },
  "rate_limited.ip": {
    what: "More than 5 in 10 minutes from one IP",
    todo: "If they are many, see on the Privacy page whether all visitors seem to have your proxy's address.",
    to: "/privacy",
  },
  "rate_limited.site": {
    what: "More than 30 in a minute on the whole site",
    todo:
      "If you expect such a rush, raise the limit by the filter cfbe_signup_site_limit; otherwise it kept bots out.",
  },
  "rate_limited.mailbox": {
    what: "More than 3 in an hour for one mailbox",
    todo: "Nothing: somebody tries again and again, or tries to flood somebody's inbox.",
  },
  "rate_limited.shop_ip": {
    what: "A server sent more than it may",
    todo:
      "Let the shop or integration send signups one by one as they come, and try again after Retry-After.",
  },
  "invalid.fields": {
    what: "Was not filled in right",
    todo: "If they are many, ask for less: every field that is required costs signups.",
    to: "/form",
  },
  "invalid.source": {
    what: "Named no form that there is",
    todo: "See which page of yours sends a form without the widget, and what it says as its source.",
    to: "/forms",
  },
  "invalid.not_json": {
    what: "Was no JSON",
    todo: "If a script of your own sends signups, let it send JSON; otherwise these are bots.",
  },
  "invalid.too_large": {
    what: "Was larger than 4 KB",
    todo: "Shorten the tags of your forms if visitors complain; otherwise these are bots.",
    to: "/forms",
  },
  "rejected.not_configured": {
    what: "Came while the service was off or had no provider",
    todo:
      "Enter project and key, choose a default list, and switch the service on: these visitors were turned away.",
    to: "/general",
  },
  "rejected.error": {
    what: "Met an error of this service",
    todo: "Search the log for subscribe.request_failed: these visitors were asked to try again.",
  },
  "note.cart_foreign": {
    what: "Carts sent from a page that is not on the allowed origins",
    todo: "If the page is yours, add its origin to the allowed origins.",
    to: "/general",
  },
  "note.cfg_unverified": {
    what: "Carried a signed configuration that does not verify",
    todo: "Paste the snippet of the Forms page again: such a signup counts, but goes to the default list.",
    to: "/forms",
  },
};

export interface Drop extends Reason {
  entry: string;
  count: number;
}

/** @param entries counts by entry of the books. @returns what there was, the most frequent first */
export function dropsOf(entries: Record<string, number>): Drop[] {
  return Object.entries(REASONS)
    .flatMap(([entry, reason]) => entries[entry] ? [{ entry, count: entries[entry], ...reason }] : [])
    .sort((a, b) => b.count - a.count);
}
