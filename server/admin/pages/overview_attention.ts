import type { ConfirmedBy } from "../../../shared/outcomes.ts";
import type { Unresolved } from "../../observe/provider_health.ts";
import type { Funnel } from "./overview_numbers.ts";

/** Something that the site's owner should look at, why, and where. */
export interface Attention {
  id: string;
  /** `bad`: signups are being lost or turned away. `warn`: they may be. */
  tone: "bad" | "warn";
  what: string;
  todo: string;
  /** Where something can be done, below the admin, and what the link there says. */
  link?: { to: string; says: string };
  /** An action without input that mends it, and what its button says. */
  action?: { name: string; says: string };
}

/** What the rules look at. */
export interface Facts {
  /** Unix milliseconds. */
  now: number;
  active: boolean;
  /** What has to be entered before anything is accepted. */
  missing: readonly string[];
  /** The sandbox is the provider, on an address that everybody can reach. */
  sandboxInPublic: boolean;
  /** How many of the latest requests came without the visitor's address. */
  unknownVisitors: number;
  /** The public address is http, and not this machine's own. */
  plainHttp: boolean;
  /** Jobs that were given up, counted to 100. */
  deadJobs: number;
  /** Calls to the provider that no good answer has followed, the latest first. */
  troubles: readonly Unresolved[];
  /** Names of lists in use that ask nobody to confirm. */
  singleOptIn: readonly string[];
  /** What was counted in the last seven days, today included. */
  week: {
    accepted: number;
    /** By what made us look. */
    confirmed: Readonly<Record<Extract<ConfirmedBy, "webhook" | "automation" | "poll">, number>>;
    cfgUnverified: number;
    tokenOld: number;
  };
  /** The last seven whole days, and the four weeks before them. */
  lately: Funnel;
  before: Funnel;
}

type Rule = (facts: Facts) => Attention | undefined;

const RECENTLY_MS = 24 * 60 * 60 * 1000;
/** Fewer by the poll prove nothing: a call may get lost. */
const ENOUGH_BY_POLL = 3;
/** What is less than this is noise. */
const ENOUGH_TOO_OLD = 5;

const off: Rule = ({ active }) =>
  active ? undefined : {
    id: "service.off",
    tone: "bad",
    what: "The service is switched off: every visitor is turned away.",
    todo: "Switch it on; what was queued is delivered then.",
    action: { name: "cfbe_activate", says: "Switch it on" },
  };

const notConfigured: Rule = ({ missing }) =>
  missing.length === 0 ? undefined : {
    id: "provider.not_configured",
    tone: "bad",
    what: `Nothing is accepted yet: ${missing.join(" and ")} must be entered first.`,
    todo: "First run leads through it.",
    link: { to: "/first-run", says: "Go on with the first run" },
  };

const sandbox: Rule = ({ sandboxInPublic }) =>
  sandboxInPublic
    ? {
      id: "sandbox.public",
      tone: "bad",
      what: "The sandbox is the provider: no mail goes out, and nobody gets a newsletter.",
      todo:
        "Set CFBE_PROVIDER, CFBE_PROVIDER_PROJECT and CFBE_PROVIDER_API_KEY, and start the service again.",
    }
    : undefined;

const unknownVisitors: Rule = ({ unknownVisitors }) =>
  unknownVisitors === 0 ? undefined : {
    id: "visitor_ip.unknown",
    tone: "bad",
    what: "The host does not say where visitors come from: they all share one limit, and most are refused.",
    todo: "Run `cfbe doctor`, and choose the header that your host or proxy sets.",
    link: { to: "/privacy", says: "Choose the visitor IP address" },
  };

const unencrypted: Rule = ({ plainHttp }) =>
  plainHttp
    ? {
      id: "address.http",
      tone: "bad",
      what: "The public address is not https: addresses and passwords travel in the clear.",
      todo: "Put a proxy with a certificate in front, and set CFBE_BASE_URL to its https address.",
    }
    : undefined;

const refusedKey: Rule = ({ troubles, now }) => {
  const refused = troubles.find(({ code, at }) => code === "forbidden" && now - at < RECENTLY_MS);
  return refused && {
    id: "provider.forbidden",
    tone: "bad",
    what: "The provider answers 403: it refuses this service.",
    todo:
      "Test the connection: it names what may be wrong with key, project and whitelist. Signups are kept meanwhile.",
    link: { to: "/general#connection", says: "Test the connection" },
  };
};

const troubled: Rule = ({ troubles, now }) => {
  if (troubles.some(({ code }) => code === "forbidden")) return undefined;
  const latest = troubles.find(({ at }) => now - at < RECENTLY_MS);
  return latest && {
    id: "provider.trouble",
    tone: "warn",
    what: `The provider last answered with trouble: ${latest.reason}.`,
    todo: "Signups are kept and tried again by themselves; test the connection if it lasts.",
    link: { to: "/general#connection", says: "Test the connection" },
  };
};

const dead: Rule = ({ deadJobs }) => {
  if (deadJobs === 0) return undefined;
  const one = deadJobs === 1;
  return {
    id: "jobs.dead",
    tone: "bad",
    what: `${deadJobs >= 100 ? "100 or more" : deadJobs} ${one ? "job was" : "jobs were"} given up.`,
    todo: `See why ${one ? "it" : "they"} failed, mend that, and send ${one ? "it" : "them"} again.`,
    link: { to: "/jobs?state=dead", says: "See the dead jobs" },
  };
};

const unconfirmable: Rule = ({ singleOptIn }) =>
  singleOptIn.length === 0 ? undefined : {
    id: "lists.single_opt_in",
    tone: "warn",
    what: `Double opt-in is off for ${singleOptIn.join(", ")}: anybody can sign up anybody else.`,
    todo: "Switch it on at the provider, then load the lists again.",
    link: { to: "/general#lists", says: "See the lists" },
  };

const silentWebhook: Rule = ({ week: { confirmed } }) =>
  confirmed.poll < ENOUGH_BY_POLL || confirmed.webhook + confirmed.automation > 0 ? undefined : {
    id: "webhook.silent",
    tone: "warn",
    what:
      `The webhook is silent: all ${confirmed.poll} confirmations of the last 7 days were found by the poll.`,
    todo:
      "See whether it is registered with the present key; until it is, confirmations take up to 15 minutes.",
    link: { to: "/webhooks", says: "See the webhook" },
  };

const unverified: Rule = ({ week: { cfgUnverified: count } }) =>
  count === 0 ? undefined : {
    id: "cfg.unverified",
    tone: "warn",
    what:
      `${count} ${
        count === 1 ? "request" : "requests"
      } of the last 7 days carried a signed configuration that ` +
      `does not verify.`,
    todo: "Paste the snippet again where it was changed; if you renewed the salt, name the old one in " +
      "CFBE_SALT_PREVIOUS. Such signups go to the default list.",
    link: { to: "/forms", says: "See the snippets" },
  };

const cachedTokens: Rule = ({ week: { tokenOld, accepted } }) =>
  tokenOld < ENOUGH_TOO_OLD || tokenOld < accepted / 10 ? undefined : {
    id: "tokens.old",
    tone: "bad",
    what: `${tokenOld} signups of the last 7 days were lost: their form token was older than 2 hours.`,
    todo: "Exempt form-token from every cache in front of the service: it must never be kept.",
  };

const fellBehind: Rule = ({ lately, before }) => {
  if (!hasFallen(lately, before)) return undefined;
  const percent = ({ accepted, confirmed }: Funnel) => `${Math.round(confirmed / accepted * 100)} %`;
  return {
    id: "confirmations.fell",
    tone: "warn",
    what: `Fewer confirm: ${percent(lately)} of the last 7 days' signups, ${
      percent(before)
    } in the four weeks before.`,
    todo: "Sign up yourself and see where the mail lands; then look at which form the others came by.",
    link: { to: "/overview#forms", says: "See the forms" },
  };
};

const ENOUGH_SIGNUPS = 20;
/** One week in 200 looks like that by chance. */
const Z = 2.58;
const A_QUARTER = 0.75;

/** Whether the share that confirms is smaller than before by more than chance explains, and by enough to matter. */
export function hasFallen(lately: Funnel, before: Funnel): boolean {
  if (lately.accepted < ENOUGH_SIGNUPS || before.accepted < ENOUGH_SIGNUPS) return false;
  const [now, then] = [lately, before].map(({ accepted, confirmed }) => Math.min(1, confirmed / accepted));
  if (now! >= then! * A_QUARTER) return false;
  const all = lately.accepted + before.accepted;
  const pooled = Math.min(1, (lately.confirmed + before.confirmed) / all);
  const error = Math.sqrt(pooled * (1 - pooled) * (1 / lately.accepted + 1 / before.accepted));
  return then! - now! > Z * error;
}

const RULES: readonly Rule[] = [
  off,
  notConfigured,
  sandbox,
  unknownVisitors,
  unencrypted,
  refusedKey,
  troubled,
  dead,
  cachedTokens,
  silentWebhook,
  fellBehind,
  unconfirmable,
  unverified,
];

/** What needs attention, the worst first. */
export function attentionFor(facts: Facts): Attention[] {
  const found = RULES.flatMap((rule) => rule(facts) ?? []);
  return found.sort((a, b) => Number(b.tone === "bad") - Number(a.tone === "bad"));
}
