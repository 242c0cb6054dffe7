import { cfbeCommand } from "../../platform/config/cfbe_command.ts";
import { asSentence } from "../../providers/port/trouble.ts";
import type { ProviderList } from "../../providers/port/port.ts";
import { type ConnectionReport, connectionReport } from "./connection.ts";
import type { Cause } from "./connection_causes.ts";
import { shownUrl } from "../../platform/http/shown_url.ts";
import { missingLists } from "../provider/lists.ts";
import { optInFindings, templateFindings } from "./provider_setup.ts";
import { isReachable, type WebhookState, webhookState } from "../provider/webhook.ts";
import { type Check, type DoctorDeps, type Finding, finding, noAnswer, type Skipped } from "./finding.ts";

/** Beyond this, the provider's times cannot be compared with ours. */
const SKEW_MS = 60_000;

/** Checks of the API key, the lists and the webhook at the provider. */
export const providerChecks: readonly Check[] = [
  {
    name: "the API key works",
    async run(app) {
      const report = await connectionReport(app);
      return [...connectionFindings(report), ...skewFindings(report)];
    },
  },
  {
    name: "the lists exist and use double opt-in",
    async run(app) {
      const found = await app.provider.lists();
      // The check of the API key reports the reason.
      return found.kind === "trouble" ? { skipped: noAnswer(found.reason) } : listFindings(app, found.lists);
    },
  },
  { name: "the email templates exist", run: templateFindings },
  {
    name: "the webhook is registered",
    async run(app) {
      const found = await webhookState(app);
      const findings = webhookFindings(found);
      const isFine = Array.isArray(findings) && findings.length === 0;
      // Nothing can be registered there, so there is nothing to advise.
      return found.kind === "state" && !isFine && !isReachable(app)
        ? { skipped: `The provider can't reach ${found.url}. Set CFBE_BASE_URL to a public URL first.` }
        : findings;
    },
  },
];

function connectionFindings(report: ConnectionReport): Finding[] {
  const [likeliest, ...others] = report.causes;
  if (!likeliest) return [];
  if (report.ok) return report.causes.map((cause) => obstacle(cause));
  const also = others.map(({ what, todo }) => ` Or: ${what} ${todo}`).join("");
  return [finding("error", `provider.${likeliest.code}`, {
    what: `The provider cannot be used: ${asSentence(report.reason)} Likely cause: ${likeliest.what}`,
    why: "Signups are kept but reach no list, and no confirmation emails are sent.",
    todo: likeliest.todo + also,
  })];
}

function obstacle({ code, what, todo }: Cause): Finding {
  return finding("warning", `provider.${code}`, {
    what,
    why: "The key is valid, but requests or emails may still be rejected.",
    todo,
  });
}

function skewFindings({ skewMs = 0 }: ConnectionReport): Finding[] {
  if (Math.abs(skewMs) < SKEW_MS) return [];
  const seconds = Math.round(Math.abs(skewMs) / 1000);
  return [finding("error", "clock.skew", {
    what: `This machine's clock is ${seconds} s ${skewMs > 0 ? "behind" : "ahead of"} the provider's.`,
    why:
      "Confirmations and proof of consent get wrong times, and several machines would reject each other's " +
      "form tokens.",
    todo: "Turn on time synchronization (NTP) on this machine: timedatectl set-ntp true",
  })];
}

function listFindings({ settings, provider }: DoctorDeps, lists: readonly ProviderList[]): Finding[] {
  const current = settings.current();
  const findings: Finding[] = [];
  if (current.general.defaultList === "") {
    findings.push(finding("error", "lists.no_default", {
      what: "No default list is selected.",
      why: "Every signup is rejected.",
      todo: `On the admin's Provider page, select one of: ${
        lists.map(({ id, name }) => `${name} (${id})`).join(", ") || "none at the provider"
      }`,
    }));
  }
  for (const { id, where } of missingLists(current, lists)) {
    findings.push(finding("error", "lists.missing", {
      what: `The list ${id}, selected in ${where.join(", ")}, does not exist at the provider.`,
      why: "Its signups cannot be delivered and fail after three days.",
      todo: `Select another list, or run \`${cfbeCommand()} lists load\` to compare.`,
    }));
  }
  return [...findings, ...optInFindings(current, lists, provider.capabilities.optIn)];
}

function webhookFindings(found: WebhookState): Finding[] | Skipped {
  if (found.kind === "none") {
    return { skipped: "The provider has none. Polling finds confirmations within 15 minutes." };
  }
  if (found.kind === "trouble") return { skipped: noAnswer(found.reason) };
  if (found.kind === "unsupported") {
    return {
      skipped: `The provider does not show its webhook. Compare its dashboard with this URL: ${found.url}`,
    };
  }
  const pollOnly = "Confirmations are found only by polling, within 15 minutes.";
  const register = `Register it on the admin's Provider page, or run: ${cfbeCommand()} webhook register`;
  const { state, registered, url } = found;
  switch (state) {
    case "none":
      return [finding("error", "webhook.not_registered", {
        what: "No webhook is registered at the provider.",
        why: pollOnly,
        todo: register,
      })];
    case "foreign":
      return [finding("error", "webhook.foreign", {
        what: `The provider's webhook points to ${shownUrl(registered!.url)} instead of ${url}.`,
        why: pollOnly,
        todo: `If that URL is no longer needed, run: ${cfbeCommand()} webhook register --replace`,
      })];
    case "stale_key":
      return [finding("error", "webhook.stale_key", {
        what: "The provider's webhook uses a different API key.",
        why: `Its calls are rejected with 401. ${pollOnly}`,
        todo: register,
      })];
    case "ours":
      return [
        ...(registered!.missing.length > 0
          ? [finding("warning", "webhook.missing_events", {
            what: `The provider's webhook does not send: ${registered!.missing.join(", ")}.`,
            why: pollOnly,
            todo: register,
          })]
          : []),
        ...(registered!.surplus.length > 0
          ? [finding("warning", "webhook.surplus_events", {
            what: `The provider's webhook also sends: ${registered!.surplus.join(", ")}.`,
            why:
              "When a newsletter is opened, these events exceed 60 calls per minute and crowd out confirmations.",
            todo: register,
          })]
          : []),
      ];
  }
}
