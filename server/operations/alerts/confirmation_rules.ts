import { countedTo100 } from "../../platform/words/counted.ts";
import type { Rule } from "./problem.ts";

/** Rules about signups that are not confirmed, or whose confirmation cfbe does not see. */

/** Fewer confirmations found by polling prove nothing, because a webhook call can get lost. */
const ENOUGH_BY_POLL = 3;

export const unconfirmable: Rule = ({ singleOptIn }) =>
  singleOptIn.length === 0 ? undefined : {
    id: "lists.single_opt_in",
    tone: "warn",
    what: `Double opt-in is off for ${singleOptIn.join(", ")}: anyone can sign up other people.`,
    todo: "Turn it on at the provider, then reload the lists.",
    link: { to: "/provider#step-opt-in", label: "Check double opt-in" },
  };

export const silentWebhook: Rule = ({ week: { confirmed }, sendsWebhooks }) =>
  !sendsWebhooks || confirmed.poll < ENOUGH_BY_POLL || confirmed.webhook + confirmed.automation > 0
    ? undefined
    : {
      id: "webhook.silent",
      tone: "warn",
      what:
        `No webhook calls received. All ${confirmed.poll} confirmations in the last 7 days were found by polling.`,
      todo:
        "Check that the webhook is registered with the current key. Until then, confirmations are detected within 15 minutes.",
      link: { to: "/provider#step-webhook", label: "Check the webhook" },
    };

export const unreachable: Rule = ({ unreachable: found }) => {
  if (found.length === 0) return undefined;
  const total = found.reduce((sum, { count }) => sum + count, 0);
  const open = countedTo100(total, "confirmation is open", "confirmations are open");
  return {
    id: "confirmations.unreachable",
    tone: "warn",
    what: `${open} at ${found.map(({ provider }) => provider).join(" and ")}, which has no API key any more.`,
    todo:
      "People who confirm there are not recorded. Enter the key again, or end the open confirmations. Otherwise, " +
      "they expire after 30 days.",
    link: { to: "/provider", label: "Go to Provider" },
    action: {
      name: "cfbe_end_confirmations",
      label: "End open confirmations",
      asks: {
        title: "End the open confirmations?",
        text:
          "These signups expire now. People who confirm later are subscribed at that provider, but not in cfbe.",
      },
    },
  };
};
