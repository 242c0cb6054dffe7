import { cfbeCommand } from "../../platform/config/cfbe_command.ts";
import { FORWARDED, type Traffic } from "../../platform/http/visitor/proxy_headers.ts";
import { counted } from "../../platform/words/counted.ts";
import type { AttackReason } from "../../platform/attack/decide.ts";
import type { Settings } from "../../settings/schema/schema.ts";
import { check, type Found } from "./check.ts";
import type { Skipped } from "./values.ts";

/** Minimum number of requests for a result. */
const ENOUGH = 5;
const MANY = 30;
/** Any visitor can send the header. Only a proxy adds it to nearly all requests. */
const NEARLY_ALL = 0.9;
/** More sites are not named: any script can send any origin. */
const NAMED = 3;
/** Fewer expired tokens are noise. */
const ENOUGH_TOO_OLD = 5;
/** Fewer signups over the limit are a short rush. */
const ENOUGH_OVER_LIMIT = 5;
/** What each reason of an attack says. */
const ATTACK_REASONS: Readonly<Record<AttackReason, string>> = {
  manual: "it is set to be always on",
  network: "one network made very many signups",
  confirmations: "signups rose, and hardly anybody confirmed them",
  timing:
    "very many signups came equally long after their forms were opened, and hardly anybody confirmed them",
  token: "form tokens were used very often, and hardly anybody confirmed",
};
/** More forms are not named. */
const NAMED_FORMS = 3;
const LIST = new Intl.ListFormat("en");
const IP_LINE = "visitor IPs are distinguishable";

/** Visitors' requests: which ones are turned away, and whether their IPs differ, because limits count by IP. */
export const visitorChecks = [
  check("visitor_ip.unknown", "bad", {
    in: { overview: true, doctor: IP_LINE, ready: "visitorIps" },
    reads: ["traffic"],
    find: ({ traffic: { unknown, requests } }) =>
      unknown > 0 && {
        what: `${unknown} of the latest ${
          counted(requests, "request")
        } had no visitor IP: these visitors share one rate limit, and most are rejected.`,
        why: "The limit per IP is five signups in ten minutes.",
        todo:
          "Run cfbe on a host that provides the client's IP, or behind your own proxy, and set privacy.ipSource to " +
          "the header that the proxy sets.",
        todoForOthers: "Ask an admin to select the header that your host or proxy sets.",
        link: { to: "/privacy", label: "Go to Privacy" },
      },
  }),
  check("proxy.*", "bad", {
    in: { doctor: IP_LINE },
    reads: ["traffic", "settings"],
    find: ({ traffic, settings }) => traffic.unknown === 0 && proxyProblem(traffic, settings.privacy),
  }),
  check("limits.off", "warn", {
    in: { doctor: "the rate limits are on", start: true },
    reads: ["limitsOff"],
    find: ({ limitsOff }) =>
      limitsOff.map(({ filter, what }) => ({
        what,
        why: "Bots can sign up without limit, and flood strangers' inboxes.",
        todo:
          `Remove ${filter} from the config file before real visitors sign up, then restart cfbe. While you test, no action is needed.`,
      })),
  }),
  check("signups.attack", "bad", {
    in: { alert: "limit", overview: true },
    reads: ["attack"],
    find: ({ attack }) =>
      attack && {
        ...(attack.reasons.join() === "manual" && { tone: "warn" }),
        what: `Attack mode has been on since ${utcMinute(attack.since)}, because ${
          attack.reasons.map((reason) => ATTACK_REASONS[reason]).join("; ")
        }${ofForms(attack.forms)}. ${counted(attack.dropped, "signup")} without a solved task ${
          attack.dropped === 1 ? "was" : "were"
        } dropped, and ${attack.solved} with one ${attack.solved === 1 ? "was" : "were"} accepted.${
          attack.again === 0
            ? ""
            : ` ${counted(attack.again, "form")} without JavaScript had to be sent again.`
        }`,
        why: "Bots sign up strangers, who get confirmation emails that they did not ask for.",
        todo:
          "Look at the latest signups. Unless it is set to be always on, attack mode ends by itself once the attack is over.",
        link: { to: "/privacy#attack", label: "Go to attack mode" },
      },
  }),
  check("signups.over_limit", "bad", {
    in: { alert: "limit", overview: true },
    reads: ["siteLimit"],
    find: ({ siteLimit: { rejected, beyond } }) =>
      rejected >= ENOUGH_OVER_LIMIT && beyond === 0 && {
        what:
          `${rejected} signups were rejected in the last two hours because the site's limit per minute was reached.`,
        todo:
          "If you expect this many signups, raise the limit with the cfbe_signup_site_limit filter. Otherwise, the limit kept bots out.",
        link: { to: "/overview#drops", label: "Show rejected requests" },
      },
  }),
  check("signups.one_network", "bad", {
    in: { alert: "limit", overview: true },
    reads: ["siteLimit"],
    find: ({ siteLimit: { rejected, beyond } }) =>
      beyond > 0 && {
        what:
          `One network filled the site's limit of signups per minute in the last two hours. It was rejected (${rejected} ` +
          `rejected in all), and ${counted(beyond, "signup")} from other networks ${
            beyond === 1 ? "was" : "were"
          } accepted beyond the limit.`,
        why: "Somebody probably signs up strangers, who get confirmation emails that they did not ask for.",
        todo:
          "Look at the latest signups. If nobody confirms them, block the network at your host or proxy until it stops.",
        link: { to: "/overview#drops", label: "Show rejected requests" },
      },
  }),
  check("tokens.old", "bad", {
    in: { alert: "tokens", overview: true },
    reads: ["week"],
    find: ({ week: { tokenOld, accepted } }) =>
      tokenOld >= Math.max(ENOUGH_TOO_OLD, accepted / 10) && {
        what:
          `${tokenOld} signups were lost in the last 7 days because their form token was older than 2 hours.`,
        todo: "Exclude form-token from every cache in front of cfbe. Its responses must never be cached.",
      },
  }),
  check("cfg.unverified", "warn", {
    in: { overview: true },
    reads: ["week"],
    find: ({ week: { cfgUnverified: count } }) =>
      count > 0 && {
        what: `${counted(count, "request")} in the last 7 days had an invalid signed configuration.`,
        todo:
          "Copy the snippet to your page again. If you have changed the salt, set the old one as CFBE_SALT_PREVIOUS. " +
          "These signups are added to the default list.",
        link: { to: "/forms", label: "Go to Forms" },
      },
  }),
  check("origins.refused", "warn", {
    in: { overview: true, doctor: "pages with forms are on allowed origins" },
    reads: ["refusedOrigins"],
    find({ refusedOrigins: origins }) {
      const more = origins.length > NAMED ? ` and ${origins.length - NAMED} more` : "";
      return origins.length > 0 && {
        what: `A page on ${
          origins.slice(0, NAMED).join(", ")
        }${more} asked for a form, but is not in your list of allowed origins.`,
        why: "Browsers show no form on these pages, only the content of its element.",
        todo: "If it is your page, add its origin on the General page. Otherwise, no action is needed.",
        link: { to: "/general", label: "Go to General" },
      };
    },
  }),
];

/** Returns a time such as `2026-11-22 14:05 UTC`. */
const utcMinute = (at: number) => `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;

/** Returns ` (forms “a” and “b”)`, or nothing. */
function ofForms(forms: readonly string[] = []): string {
  if (forms.length === 0) return "";
  const named = forms.slice(0, NAMED_FORMS).map((form) => `“${form}”`);
  const left = forms.length - named.length;
  const names = LIST.format(left > 0 ? [...named, `${left} more`] : named);
  return ` (${forms.length === 1 ? "form" : "forms"} ${names})`;
}

function proxyProblem(
  { requests, carried, untrusted, ips }: Traffic,
  { ipSource }: Settings["privacy"],
): Found | Skipped | undefined {
  if (requests < ENOUGH) {
    return {
      skipped: `Too few visitors since the start: ${requests} of ${ENOUGH} requests. Open a page with a ` +
        "form a few times, then run the doctor again.",
    };
  }
  if (ipSource === "default") {
    const header = FORWARDED.find((name) => carried[name] >= requests * NEARLY_ALL);
    if (header) {
      return {
        id: "proxy.not_trusted",
        what:
          `${carried[header]} of the latest ${requests} requests carry ${header}, which proxies set, but ` +
          "privacy.ipSource is default.",
        why:
          "All visitors are seen as the proxy's IP and share one rate limit of five signups in ten minutes.",
        todo:
          `If the proxy sets ${header} itself, run: ${cfbeCommand()} settings set privacy.ipSource ${header}`,
      };
    }
  } else if (carried[ipSource] < requests * (1 - NEARLY_ALL)) {
    return {
      id: "proxy.header_missing",
      what: `privacy.ipSource is ${ipSource}, but ${
        requests - carried[ipSource]
      } of the latest ${requests} requests lack this header.`,
      why: "Without the header, all visitors are seen as the proxy's IP.",
      todo: "Set privacy.ipSource to the header that the proxy sets, or to `default` if there is no proxy.",
    };
  }
  if (ipSource !== "default" && untrusted >= requests * NEARLY_ALL) {
    return {
      id: "proxy.not_in_range",
      what:
        `${untrusted} of the latest ${requests} requests carry a proxy's header but come from an untrusted IP.`,
      why: "The header is ignored, so all visitors behind one proxy share its IP and its rate limit.",
      todo: "If they come through your proxy, add its IP or range to privacy.trustedProxies.",
    };
  }
  if (requests < MANY || ips > 1) return undefined;
  return {
    id: "proxy.one_ip",
    tone: "warn",
    what: `The latest ${requests} requests all came from one IP.`,
    why: "Limits count by IP: if these were different visitors, most of them were rate limited.",
    todo: "If there is a proxy in front, let it set X-Real-IP, and set privacy.ipSource to x-real-ip.",
  };
}
