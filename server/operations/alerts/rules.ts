import { counted, countedTo100 } from "../../platform/words/counted.ts";
import { asSentence } from "../../providers/port/trouble.ts";
import { cfbeCommand } from "../../platform/config/cfbe_command.ts";
import { TAB_TITLES } from "../../settings/store/tabs.ts";
import { backupFailed, backupOld } from "./backup_rules.ts";
import { databaseFails, diskLow } from "./database_rules.ts";
import { silentWebhook, unconfirmable, unreachable } from "./confirmation_rules.ts";
import { refusedKey, troubled } from "./provider_rules.ts";
import { hasDropped } from "./confirmation_rate.ts";
import { incompleteText, isLimitOfProvider, pageToComplete } from "./incomplete_module_texts.ts";
import { refusedOriginsText } from "./refused_origins_text.ts";
import type { IncompleteModule } from "./incomplete_modules.ts";
import type { Facts, Problem, Rule } from "./problem.ts";
import type { Funnel } from "../../platform/observe/funnel.ts";

/** Fewer expired tokens are noise. */
const ENOUGH_TOO_OLD = 5;
/** Fewer signups over the limit are a short rush. */
const ENOUGH_OVER_LIMIT = 5;

const off: Rule = ({ active }) =>
  active ? undefined : {
    id: "service.off",
    tone: "bad",
    what: "cfbe is deactivated: all signups are rejected.",
    todo: "Activate it. Queued signups are then delivered.",
    action: { name: "cfbe_activate", label: "Activate" },
  };

const notConfigured: Rule = ({ missing }) =>
  missing.length === 0 ? undefined : {
    id: "provider.not_configured",
    tone: "bad",
    what: `Signups are rejected until you enter ${missing.join(" and ")}.`,
    todo: "Getting started guides you through it.",
    link: { to: "/first-run", label: "Continue setup" },
  };

const sandbox: Rule = ({ sandboxInPublic }) =>
  sandboxInPublic
    ? {
      id: "sandbox.public",
      tone: "bad",
      what: "The sandbox is the provider: no emails are sent, and nobody is subscribed.",
      todo: "Choose a provider. If CFBE_PROVIDER sets the sandbox, change it there, and restart cfbe.",
      link: { to: "/provider", label: "Choose a provider" },
    }
    : undefined;

const unknownVisitors: Rule = ({ unknownVisitors }) =>
  unknownVisitors === 0 ? undefined : {
    id: "visitor_ip.unknown",
    tone: "bad",
    what: "The visitors' IP addresses are unknown: all visitors share one rate limit, and most are rejected.",
    todo: `Run \`${cfbeCommand()} doctor\`, and select the header that your host or proxy sets.`,
    todoForOthers: "Ask an admin to select the header that your host or proxy sets.",
    link: { to: "/privacy", label: "Go to Privacy" },
  };

const unencrypted: Rule = ({ plainHttp }) =>
  plainHttp
    ? {
      id: "address.http",
      tone: "bad",
      what: "The public URL does not use https: email addresses and passwords are sent unencrypted.",
      todo: "Put a proxy with a certificate in front of cfbe, and set CFBE_BASE_URL to its https URL.",
    }
    : undefined;

const dead: Rule = ({ deadJobs }) => {
  if (deadJobs === 0) return undefined;
  const one = deadJobs === 1;
  return {
    id: "jobs.dead",
    tone: "bad",
    what: `${countedTo100(deadJobs, "job has", "jobs have")} failed.`,
    todo: `Find out why ${one ? "it" : "they"} failed, fix the cause, then retry ${one ? "it" : "them"}.`,
    link: { to: "/jobs?state=dead", label: "Show failed jobs", personal: true },
  };
};

const tooLate: Rule = ({ jobsTooLate }) => {
  if (jobsTooLate === 0) return undefined;
  return {
    id: "jobs.too_late",
    tone: "bad",
    what: `${countedTo100(jobsTooLate, "job is", "jobs are")} due more than three days ahead, so ${
      jobsTooLate === 1 ? "its" : "their"
    } work is not done.`,
    todo: `The clock may have been wrong. Correct it, then run \`${cfbeCommand()} jobs retry --waiting\`.`,
    todoForOthers: "The clock may have been wrong. Ask an admin to correct it, and to retry the jobs.",
    link: { to: "/jobs", label: "Show jobs", personal: true },
  };
};

const skipped: Rule = ({ skippedRows }) =>
  skippedRows === 0 ? undefined : {
    id: "rows.skipped",
    tone: "warn",
    what: skippedRowsText(skippedRows),
    todo:
      `Look for job.rows_skipped in the log. To find damage, stop cfbe and run \`${cfbeCommand()} doctor --full\`.`,
    todoForOthers: "Ask whoever runs cfbe to look at the database.",
  };

/** Returns the sentence about rows that were skipped. */
export function skippedRowsText(rows: number): string {
  return `${
    counted(rows, "stored row")
  } can't be read or used. What cfbe does with all rows, such as deleting old IP addresses, skips ${
    rows === 1 ? "it" : "them"
  }.`;
}

const incomplete = (module: IncompleteModule["module"]): Rule => ({ incomplete }) => {
  const found = incomplete.find((each) => each.module === module);
  if (!found) return undefined;
  const tab = pageToComplete(found);
  return {
    id: `${module}.incomplete`,
    tone: module === "orders" ? "bad" : "warn",
    what: incompleteText(found),
    todo: module === "orders"
      ? "Enter the same secret in the shop. Signups at checkout are lost until then."
      : isLimitOfProvider(found)
      ? "Or move to a provider that can."
      : "What is due is retried for three days and then fails. Failed jobs can be retried.",
    link: { to: `/${tab}`, label: `Go to ${TAB_TITLES[tab]}` },
  };
};

const couponsFailing: Rule = ({ couponTrouble }) =>
  couponTrouble === undefined ? undefined : {
    id: "coupons.failing",
    tone: "warn",
    what: `Discount codes can't be created: ${asSentence(couponTrouble)}`,
    todo:
      "New subscribers wait for their codes, for up to three days. Fix the cause, then create a test code to check it.",
    link: { to: "/coupon", label: "Go to Coupons" },
  };

const unverified: Rule = ({ week: { cfgUnverified: count } }) =>
  count === 0 ? undefined : {
    id: "cfg.unverified",
    tone: "warn",
    what: `${counted(count, "request")} in the last 7 days had an invalid signed configuration.`,
    todo:
      "Copy the snippet to your page again. If you have changed the salt, set the old one as CFBE_SALT_PREVIOUS. " +
      "These signups are added to the default list.",
    link: { to: "/forms", label: "Go to Forms" },
  };

const otherSites: Rule = ({ refusedOrigins }) =>
  refusedOrigins.length === 0 ? undefined : {
    id: "origins.refused",
    tone: "warn",
    ...refusedOriginsText(refusedOrigins),
    link: { to: "/general", label: "Go to General" },
  };

const cachedTokens: Rule = ({ week: { tokenOld, accepted } }) =>
  tokenOld < ENOUGH_TOO_OLD || tokenOld < accepted / 10 ? undefined : {
    id: "tokens.old",
    tone: "bad",
    what: `${tokenOld} signups were lost in the last 7 days because their form token was older than 2 hours.`,
    todo: "Exclude form-token from every cache in front of cfbe. Its responses must never be cached.",
  };

const overSiteLimit: Rule = ({ overSiteLimit }) =>
  overSiteLimit < ENOUGH_OVER_LIMIT ? undefined : {
    id: "signups.over_limit",
    tone: "bad",
    what:
      `${overSiteLimit} signups were rejected in the last two hours because the site's limit per minute was reached.`,
    todo:
      "If you expect this many signups, raise the limit with the cfbe_signup_site_limit filter. Otherwise, the limit kept bots out.",
    link: { to: "/overview#drops", label: "Show rejected requests" },
  };

const confirmationRateDrop: Rule = ({ lately, before }) => {
  if (!hasDropped(lately, before)) return undefined;
  const percent = ({ accepted, confirmed }: Funnel) => `${Math.round(confirmed / accepted * 100)}%`;
  return {
    id: "confirmations.fell",
    tone: "warn",
    what: `Confirmation rate has dropped: ${percent(lately)} in the last 7 days, ${
      percent(before)
    } in the previous four weeks.`,
    todo: "Sign up yourself and check whether the email lands in spam. Then compare the forms.",
    link: { to: "/overview#forms", label: "Show forms" },
  };
};

const RULES: readonly Rule[] = [
  databaseFails,
  off,
  notConfigured,
  sandbox,
  unknownVisitors,
  unencrypted,
  refusedKey,
  troubled,
  incomplete("orders"),
  dead,
  tooLate,
  skipped,
  incomplete("coupons"),
  couponsFailing,
  incomplete("carts"),
  incomplete("orderEmails"),
  overSiteLimit,
  cachedTokens,
  backupFailed,
  diskLow,
  silentWebhook,
  backupOld,
  confirmationRateDrop,
  unconfirmable,
  unreachable,
  unverified,
  otherSites,
];

/** Returns the problems, `bad` before `warn`. */
export function problemsOf(facts: Facts): Problem[] {
  const found = RULES.flatMap((rule) => rule(facts) ?? []);
  return found.sort((a, b) => Number(b.tone === "bad") - Number(a.tone === "bad"));
}
