import type { ProviderList } from "../../provider/port.ts";
import { type Cause, type ConnectionReport, testConnection } from "../connection.ts";
import { chosenLists, missingLists } from "../lists.ts";
import { type WebhookState, webhookState } from "../webhook.ts";
import { type Check, type DoctorDeps, type Finding, finding } from "./finding.ts";

/** Beyond this, times that the provider tells are not comparable with ours. */
const SKEW_MS = 60_000;

/** What the provider says of key, lists and webhook. */
export const providerChecks: readonly Check[] = [
  {
    name: "the API key opens the project",
    async look(app) {
      const report = await testConnection(app);
      return [...connectionFindings(report), ...skewFindings(report)];
    },
  },
  {
    name: "the lists are there, with double opt-in",
    async look(app) {
      const found = await app.provider.lists();
      // The key's own check says why.
      return found.kind === "trouble" ? "skipped" : listFindings(app, found.lists);
    },
  },
  {
    name: "the webhook is registered",
    look: async (app) => webhookFindings(await webhookState(app)),
  },
];

function connectionFindings(report: ConnectionReport): Finding[] {
  const [likeliest, ...others] = report.causes;
  if (!likeliest) return [];
  if (report.ok) return report.causes.map((cause) => obstacle(cause));
  const also = others.map(({ what, todo }) => ` Or: ${what} ${todo}`).join("");
  return [finding("error", `provider.${likeliest.code}`, {
    what: `The provider can't be used: ${report.reason}. Likely: ${likeliest.what}`,
    why: "Signups are kept here and reach no list; nobody gets a mail to confirm.",
    todo: likeliest.todo + also,
  })];
}

function obstacle({ code, what, todo }: Cause): Finding {
  return finding("warning", `provider.${code}`, {
    what,
    why: "The key is right, but calls or mails may be refused all the same.",
    todo,
  });
}

function skewFindings({ skewMs = 0 }: ConnectionReport): Finding[] {
  if (Math.abs(skewMs) < SKEW_MS) return [];
  const seconds = Math.round(Math.abs(skewMs) / 1000);
  return [finding("error", "clock.skew", {
    what: `This machine's clock is ${seconds} s ${skewMs > 0 ? "behind" : "ahead of"} the provider's.`,
    why:
      "Confirmations and proof of consent carry wrong times, and several machines would refuse each other's " +
      "form tokens.",
    todo: "Switch on time synchronisation (NTP) on this machine: timedatectl set-ntp true",
  })];
}

function listFindings({ settings }: DoctorDeps, lists: readonly ProviderList[]): Finding[] {
  const current = settings.current();
  const findings: Finding[] = [];
  if (current.general.defaultList === "") {
    findings.push(finding("error", "lists.no_default", {
      what: "No default list is chosen.",
      why: "Every signup is rejected.",
      todo: `Choose one of: ${
        lists.map(({ id, name }) => `${name} (${id})`).join(", ") || "none at the provider"
      }`,
    }));
  }
  for (const { id, where } of missingLists(current, lists)) {
    findings.push(finding("error", "lists.missing", {
      what: `The list ${id}, chosen in ${where.join(", ")}, is not at the provider.`,
      why: "Signups for it can't be delivered, and are given up after three days.",
      todo: "Choose another one, or run `deno task cfbe lists load` and compare.",
    }));
  }
  const chosen = chosenLists(current);
  for (const { id, name, doubleOptIn } of lists) {
    if (doubleOptIn || !chosen.has(id)) continue;
    findings.push(finding("error", "lists.single_opt_in", {
      what: `Double opt-in is off for the list ${name} (${id}), chosen in ${chosen.get(id)!.join(", ")}.`,
      why: "Anybody can sign up anybody else, and there is no proof that the owner of an address wanted it.",
      todo: "Switch double opt-in on for the list at the provider, then run `deno task cfbe lists load`.",
    }));
  }
  return findings;
}

function webhookFindings(found: WebhookState): Finding[] | "skipped" {
  if (found.kind !== "state") return "skipped";
  const late = "Confirmations are noticed by the poll alone, within 15 minutes.";
  const register = "Run: deno task cfbe webhook register";
  const { state, registered, url } = found;
  switch (state) {
    case "none":
      return [finding("error", "webhook.not_registered", {
        what: "No webhook is registered at the provider.",
        why: late,
        todo: register,
      })];
    case "foreign":
      return [finding("error", "webhook.foreign", {
        what: `The provider's webhook leads to ${registered!.url}, and not to ${url}.`,
        why: late,
        todo: `If nobody needs that address any more, run: deno task cfbe webhook register --replace`,
      })];
    case "stale_key":
      return [finding("error", "webhook.stale_key", {
        what: "The provider's webhook sends another API key than the one in use.",
        why: `Its calls are refused with 401. ${late}`,
        todo: register,
      })];
    case "ours":
      return [
        ...(registered!.missing.length > 0
          ? [finding("warning", "webhook.missing_events", {
            what: `The provider's webhook does not tell of: ${registered!.missing.join(", ")}.`,
            why: late,
            todo: register,
          })]
          : []),
        ...(registered!.surplus.length > 0
          ? [finding("warning", "webhook.surplus_events", {
            what: `The provider's webhook also tells of: ${registered!.surplus.join(", ")}.`,
            why: "A newsletter's opens exceed 60 calls a minute, and shut out the confirmations.",
            todo: register,
          })]
          : []),
      ];
  }
}
