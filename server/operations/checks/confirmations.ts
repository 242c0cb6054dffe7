import { cfbeCommand } from "../../platform/config/cfbe_command.ts";
import type { Funnel } from "../../platform/observe/funnel.ts";
import { countedTo100 } from "../../platform/words/counted.ts";
import { sendsWebhooks } from "../../providers/port/capabilities.ts";
import { moduleOf } from "../../settings/store/provider.ts";
import { isReachable } from "../provider/webhook.ts";
import { check, type Found } from "./check.ts";
import type { Values } from "./values.ts";

/** Fewer confirmations found by polling prove nothing, because a webhook call can get lost. */
const ENOUGH_BY_POLL = 3;
const POLL_ONLY = "Confirmations are found only by polling, within 15 minutes.";
const STEP = "/provider#step-webhook";

/** Something about the webhook that is registered at the provider. */
const webhook = (
  id: string,
  tone: "bad" | "warn",
  { page }: { page: boolean },
  find: (registered: Values["webhook"]) => Omit<Found, "todo"> & { todo?: string } | undefined | false,
) =>
  check(id, tone, {
    in: { doctor: "the webhook is registered", ...(page && { pages: [STEP] }) },
    reads: ["webhook"],
    find(values) {
      const todo = `Register it on the admin's Provider page, or run: ${cfbeCommand()} webhook register`;
      const problem = find(values.webhook);
      return problem && { todo, ...problem };
    },
  });

/** Signups that are not confirmed, or whose confirmation cfbe does not see. */
export const confirmationChecks = [
  webhook(
    "webhook.not_registered",
    "bad",
    { page: false },
    ({ state }) => state === "none" && { what: "No webhook is registered at the provider.", why: POLL_ONLY },
  ),
  webhook("webhook.foreign", "bad", { page: true }, ({ state, registered, url }) =>
    state === "foreign" && {
      what: `The provider's webhook points to ${registered!.url} instead of ${url}.`,
      why: POLL_ONLY,
      todo: `If that URL is no longer needed, run: ${cfbeCommand()} webhook register --replace`,
    }),
  webhook("webhook.stale_key", "bad", { page: true }, ({ state }) =>
    state === "stale_key" && {
      what: "The provider's webhook uses a different API key.",
      why: `Its calls are rejected with 401. ${POLL_ONLY}`,
    }),
  webhook(
    "webhook.missing_events",
    "warn",
    { page: true },
    ({ state, registered }) =>
      state === "ours" && registered!.missing.length > 0 && {
        what: `The provider's webhook does not send: ${registered!.missing.join(", ")}.`,
        why: POLL_ONLY,
      },
  ),
  webhook(
    "webhook.surplus_events",
    "warn",
    { page: false },
    ({ state, registered }) =>
      state === "ours" && registered!.surplus.length > 0 && {
        what: `The provider's webhook also sends: ${registered!.surplus.join(", ")}.`,
        why:
          "When a newsletter is opened, these events exceed 60 calls per minute and crowd out confirmations.",
      },
  ),
  check("webhook.silent", "warn", {
    in: { alert: "webhook", overview: true },
    reads: ["week", "settings", "providers", "config"],
    find({ week: { confirmed }, settings, providers, config }) {
      const canCall = sendsWebhooks(moduleOf(settings, providers).capabilities) &&
        isReachable({ config, settings: { current: () => settings } });
      const isSilent = canCall && confirmed.poll >= ENOUGH_BY_POLL &&
        confirmed.webhook + confirmed.automation === 0;
      return isSilent && {
        what:
          `No webhook calls received. All ${confirmed.poll} confirmations in the last 7 days were found by polling.`,
        todo:
          "Check that the webhook is registered with the current key. Until then, confirmations are detected within 15 minutes.",
        link: { to: STEP, label: "Check the webhook" },
      };
    },
  }),
  check("confirmations.fell", "warn", {
    in: { overview: true },
    reads: ["rates"],
    find({ rates: { lately, before } }) {
      const percent = ({ accepted, confirmed }: Funnel) => `${Math.round(confirmed / accepted * 100)}%`;
      return hasDropped(lately, before) && {
        what: `Confirmation rate has dropped: ${percent(lately)} in the last 7 days, ${
          percent(before)
        } in the previous four weeks.`,
        todo: "Sign up yourself and check whether the email lands in spam. Then compare the forms.",
        link: { to: "/overview#forms", label: "Show forms" },
      };
    },
  }),
  check("confirmations.unreachable", "warn", {
    in: { overview: true },
    reads: ["unreachable"],
    find({ unreachable }) {
      const total = unreachable.reduce((sum, { count }) => sum + count, 0);
      const open = countedTo100(total, "confirmation is open", "confirmations are open");
      const where = unreachable.map(({ provider }) => provider).join(" and ");
      return total > 0 && {
        what: `${open} at ${where}, which has no API key any more.`,
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
    },
  }),
];

const ENOUGH_SIGNUPS = 20;
/** Critical value of the one-sided test: by chance, about one week in 200 exceeds it. */
const Z = 2.58;
/** Smaller drops don't matter. */
const RELEVANT_DROP = 0.75;

/** Returns whether the confirmation rate has dropped significantly, and by more than a quarter. */
export function hasDropped(lately: Funnel, before: Funnel): boolean {
  if (lately.accepted < ENOUGH_SIGNUPS || before.accepted < ENOUGH_SIGNUPS) return false;
  const [now, then] = [lately, before].map(({ accepted, confirmed }) => Math.min(1, confirmed / accepted));
  if (now! >= then! * RELEVANT_DROP) return false;
  const all = lately.accepted + before.accepted;
  const pooled = Math.min(1, (lately.confirmed + before.confirmed) / all);
  const error = Math.sqrt(pooled * (1 - pooled) * (1 / lately.accepted + 1 / before.accepted));
  return then! - now! > Z * error;
}
