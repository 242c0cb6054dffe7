import type { FieldName } from "../../../shared/contract.ts";
import type { CounterEntry, FormDay, Note } from "../../platform/observe/counters.ts";
import type { Tab } from "../../settings/schema/schema.ts";
import type { Days } from "./overview_period.ts";

/** Why requests were not accepted, for the site's owner. */
export interface Reason {
  title: string;
  /** What to do about it. */
  todo: string;
  /** The settings page where the owner can do it. */
  to?: Tab;
}

type NotAccepted =
  | Exclude<CounterEntry, "accepted">
  | `note.${Extract<Note, "cfg_unverified" | "cart_foreign" | "beyond_site_limit" | "disposable">}`;

/** Limits that reject no visitor's signup. */
type OtherLimits = `rate_limited.${
  | "hook_ip"
  | "cart_email_ip"
  | "cart_email_mailbox"
  | "cart_ip"
  | "variant_seen_ip"
  | "confirmation_mails"
  | "wrong_token_ip"
  | "login_ip"
  | "login_user"
  | "login_user_ip"
  | "login_user_network"
  | "login_device"}`;

export const REASONS: Readonly<Record<Exclude<NotAccepted, OtherLimits>, Reason>> = {
  "dropped.honeypot": {
    title: "Bot: filled in the hidden field",
    todo: "No action needed. These are bots, and they were shown a success message.",
  },
  "dropped.origin": {
    title: "Sent from an origin that is not allowed",
    todo: "If the page is yours, add its origin to the allowed origins.",
    to: "general",
  },
  "dropped.challenge": {
    title: "Attack mode: no solved task",
    todo:
      "No action needed while an attack lasts: these are bots. If visitors report problems, check whether your own code signs people up without the widget.",
    to: "privacy",
  },
  "dropped.token_missing": {
    title: "No form token",
    todo:
      "A few are normal. If visitors report problems, check whether your own code submits the form without a token.",
    to: "forms",
  },
  "dropped.token_malformed": {
    title: "Malformed form token",
    todo: "No action needed. The sender never requested a token, so it is not a real form.",
  },
  "dropped.token_wrong": {
    title: "Form token signed with a different salt",
    todo: "If you have changed the salt, set the old one as CFBE_SALT_PREVIOUS. Otherwise, no action needed.",
  },
  "dropped.token_young": {
    title: "Submitted within 3 seconds",
    todo:
      "No action needed. The widget waits three seconds, so these are bots, or your own code that does not wait.",
  },
  "dropped.token_old": {
    title: "Form token older than 2 hours",
    todo:
      "Check that no cache stores the responses of form-token. These may be people whose signups are lost.",
  },
  "dropped.filter": {
    title: "Rejected by your own filter",
    todo: "If there are more than you expect, check what the cfbe_signup filter in your config file returns.",
  },
  "rate_limited.ip": {
    title: "Rate limited: more than 5 in 10 minutes from one IP",
    todo:
      "If this is common, check on the Privacy page that visitors are not all seen as your proxy's IP address. If it was you, testing: forget your limits there.",
    to: "privacy",
  },
  "rate_limited.site": {
    title: "Rate limited: more than 30 per minute on the whole site",
    todo:
      "If you expect this many signups, raise the limit with the cfbe_signup_site_limit filter. Otherwise, the limit kept bots out.",
  },
  "rate_limited.mailbox": {
    title: "Rate limited: more than 3 per hour for one mailbox",
    todo:
      "No action needed. Someone keeps retrying, or is trying to flood another person's inbox. If it was you, testing: forget the mailbox's limits on the Privacy page.",
    to: "privacy",
  },
  "rate_limited.shop_ip": {
    title: "Integration exceeded its rate limit",
    todo: "Have the shop or integration send signups as they happen, and retry after Retry-After.",
  },
  "invalid.fields": {
    title: "Invalid or missing fields",
    todo: "If this is common, ask for fewer fields: each required field costs signups.",
    to: "form",
  },
  "invalid.source": {
    title: "Unknown signup method",
    todo: "Find the page that submits without the widget, and check the value of “source” that it sends.",
    to: "forms",
  },
  "invalid.form": {
    title: "Unknown form in a request from your server",
    todo:
      "These signups were not stored. Send the name of a form on the Forms page, or leave out “form” for the default form.",
    to: "forms",
  },
  "invalid.not_json": {
    title: "Not valid JSON",
    todo: "If your own code sends signups, it must send JSON. Otherwise, these are bots.",
  },
  "invalid.too_large": {
    title: "Larger than 4 KB",
    todo: "If visitors report problems, shorten the tags of your forms. Otherwise, these are bots.",
    to: "forms",
  },
  "rejected.not_configured": {
    title: "cfbe was deactivated or had no provider",
    todo:
      "Enter the provider's settings, choose a default list and activate cfbe. These visitors were turned away.",
    to: "general",
  },
  "rejected.error": {
    title: "Server error",
    todo: "Search the log for subscribe.request_failed. These visitors were asked to try again.",
  },
  "note.cart_foreign": {
    title: "Cart sent from an origin that is not allowed",
    todo: "If the page is yours, add its origin to the allowed origins.",
    to: "general",
  },
  "note.beyond_site_limit": {
    title: "Accepted beyond the site’s limit per minute",
    todo:
      "No action needed. One network filled the limit and was refused, and these visitors from other networks were accepted.",
  },
  "note.disposable": {
    title: "Disposable address",
    todo:
      "No action needed: these signups were accepted with the tag “disposable”, unless you have them refused. If they are bots or never read your emails, refuse them.",
    to: "form",
  },
  "note.cfg_unverified": {
    title: "Invalid signed configuration",
    todo:
      "Copy the snippet from the Forms page again. These signups were accepted, but added to the default list.",
    to: "forms",
  },
};

/** Returns the title of a counter's reason. */
export function reasonTitle(entry: string): string {
  return Object.hasOwn(REASONS, entry) ? REASONS[entry as keyof typeof REASONS].title : entry;
}

/** A field as it is counted: those that only some forms have count as one. */
type NotedField = FieldName | "other";

/** Titles of the fields that can be invalid. */
export const FIELD_TITLES: Readonly<Record<NotedField, string>> = {
  email: "Email address",
  name: "Name",
  interests: "Interests",
  consent: "Consent",
  source: "Signup method",
  other: "Other fields",
};

export interface Drop extends Reason {
  entry: string;
  /** Forms whose own settings the advice is about, in place of `to`. */
  at?: string[];
  count: number;
  /** Counts by form, the highest first. */
  forms: [form: string, count: number][];
  /** Counts by invalid field, the highest first. A request with several invalid fields counts for each. */
  fields: [field: NotedField, count: number][];
}

/** Returns the reasons that occurred in the period, the most frequent first. */
export function dropsOf(counts: readonly FormDay[], { from, until }: Days): Drop[] {
  const sums = sumsByEntry(counts.filter(({ day }) => day >= from && day < until));
  return Object.entries(REASONS).flatMap(([entry, reason]) => {
    const found = sums.get(entry);
    if (!found) return [];
    const isInvalid = entry === "invalid.fields";
    return [{
      entry,
      ...reason,
      count: total(found),
      forms: highestFirst(found),
      fields: isInvalid ? fieldsOf(sums) : [],
      ...(isInvalid && requiredAdvice(sums)),
    }];
  }).sort((a, b) => b.count - a.count);
}

/** Fields that visitors leave empty only where a form requires them. */
const REQUIRED: readonly NotedField[] = ["name", "consent", "other"];

/** Counts by form. */
type ByForm = Map<string, number>;

/** Returns the counts of all days, by entry and form. */
function sumsByEntry(counts: readonly FormDay[]): Map<string, ByForm> {
  const sums = new Map<string, ByForm>();
  for (const { form, entries } of counts) {
    for (const entry in entries) {
      let byForm = sums.get(entry);
      if (!byForm) sums.set(entry, byForm = new Map());
      byForm.set(form, (byForm.get(form) ?? 0) + entries[entry]!);
    }
  }
  return sums;
}

const invalid = (field: NotedField): `note.${Note}` => `note.invalid.${field}`;

function fieldsOf(sums: ReadonlyMap<string, ByForm>): [NotedField, number][] {
  const fields = Object.keys(FIELD_TITLES) as NotedField[];
  return highestFirst(
    new Map(fields.flatMap((field) => {
      const found = sums.get(invalid(field));
      return found ? [[field, total(found)]] : [];
    })),
  );
}

/** Returns the advice for signups without a required field: the widget always has it, but a page's own markup may not. */
function requiredAdvice(sums: ReadonlyMap<string, ByForm>): Pick<Drop, "todo" | "at"> | undefined {
  const missing = REQUIRED.filter((field) => sums.has(invalid(field)));
  if (missing.length === 0) return undefined;
  const at: ByForm = new Map();
  for (const field of missing) {
    for (const [form, count] of sums.get(invalid(field))!) at.set(form, (at.get(form) ?? 0) + count);
  }
  return {
    todo: `The markup of your page may lack a field that the form requires: ${
      missing.map((field) => FIELD_TITLES[field]).join(", ")
    }. Add it to the page, or make it optional.`,
    at: highestFirst(at).map(([form]) => form),
  };
}

const total = (sums: ReadonlyMap<string, number>) =>
  [...sums.values()].reduce((sum, count) => sum + count, 0);

function highestFirst<Key>(sums: ReadonlyMap<Key, number>): [Key, number][] {
  return [...sums].sort(([, a], [, b]) => b - a);
}
