import { cfbeCommand } from "../../platform/config/cfbe_command.ts";
import { counted, countedTo100 } from "../../platform/words/counted.ts";
import { isOutage } from "../../providers/outage_end.ts";
import { asSentence } from "../../providers/port/trouble.ts";
import { DELIVERY_CALLS, type Unresolved } from "../../providers/provider_health.ts";
import { missingFields, unsafeUrls } from "../../settings/store/provider.ts";
import { unsafeUrl } from "../provider/connection_causes.ts";
import { check } from "./check.ts";

const MINUTE_MS = 60 * 1000;
const RECENTLY_MS = 24 * 60 * MINUTE_MS;
/** Beyond this, the provider's times cannot be compared with ours. */
const SKEW_MS = MINUTE_MS;
const KEY_LINE = "the API key works";
const LIST = new Intl.ListFormat("en");

/** The connection to the provider. */
export const providerChecks = [
  check("provider.not_configured", "bad", {
    in: { overview: true, start: true },
    reads: ["settings", "providers"],
    find({ settings, providers }) {
      const missing = missingFields(settings, providers);
      const set = LIST.format(missing.map(([name, { variable }]) => variable ?? `general.${name}`));
      return missing.length > 0 && {
        what: `Signups are rejected until you enter ${LIST.format(missing.map(([, { noun }]) => noun))}.`,
        todo: `Getting started guides you through it. Or set ${set}.`,
        todoForOthers: "Getting started guides you through it.",
        link: { to: "/first-run", label: "Continue setup" },
      };
    },
  }),
  check("provider.unsafe_url", "warn", {
    in: { start: true },
    reads: ["settings", "providers"],
    find: ({ settings, providers }) =>
      unsafeUrls(settings, providers).map(([name, field]) => unsafeUrl(name, field)),
  }),
  check("provider.forbidden", "bad", {
    in: { alert: "provider", overview: true },
    reads: ["failedCalls", "now"],
    find({ failedCalls: { troubles }, now }) {
      const refused = troubles.find(({ code, at }) => code === "forbidden" && now - at < RECENTLY_MS);
      return refused && {
        what: `The provider does not allow our requests: ${asSentence(refused.reason)}`,
        todo: "Test the connection, or run " +
          `\`${cfbeCommand()} doctor\`, to see whether the key or one of its permissions is the problem. Signups are stored in ` +
          "the meantime.",
        todoForOthers:
          "Signups are stored in the meantime. Ask an admin to check the key and its permissions.",
        link: { to: "/provider#step-connection", label: "Test the connection" },
        // No later attempt of a delivery can succeed before someone changes the key or its permissions.
        ...(DELIVERY_CALLS.includes(refused.call) ? { certain: true as const } : certainty([refused])),
      };
    },
  }),
  check("provider.trouble", "warn", {
    in: { alert: "provider", overview: true },
    reads: ["failedCalls", "now"],
    find({ failedCalls: { troubles, waitingDeliveries }, now }) {
      if (troubles.some(({ code }) => code === "forbidden")) return undefined;
      const recent = troubles.filter(({ at }) => now - at < RECENTLY_MS);
      const [latest] = recent;
      return latest && {
        what: failedRequests(recent, latest.reason) + waitingText(waitingDeliveries),
        todo: "Signups are stored and retried for three days. Test the connection, or run " +
          `\`${cfbeCommand()} doctor\`, to find the cause. Once the provider works ` +
          "again, cfbe delivers them one after the other.",
        todoForOthers:
          "Signups are stored and retried for three days. If it does not end soon, ask an admin to test the connection. " +
          "Once the provider works again, cfbe delivers them one after the other.",
        link: { to: "/provider#step-connection", label: "Test the connection" },
        ...certainty(recent),
      };
    },
  }),
  check("provider.*", "bad", {
    in: { doctor: KEY_LINE },
    reads: ["connection"],
    find({ connection }) {
      if (connection.ok) {
        return connection.causes.map(({ code, ...cause }) => ({
          id: `provider.${code}`,
          tone: "warn",
          why: "The key is valid, but requests or emails may still be rejected.",
          ...cause,
        }));
      }
      const [likeliest, ...others] = connection.causes;
      const also = others.map(({ what, todo }) => ` Or: ${what} ${todo}`).join("");
      return likeliest && {
        id: `provider.${likeliest.code}`,
        what: `The provider cannot be used: ${asSentence(connection.reason)} Likely cause: ${likeliest.what}`,
        why: "Signups are kept but reach no list, and no confirmation emails are sent.",
        todo: likeliest.todo + also,
      };
    },
  }),
  check("clock.skew", "bad", {
    in: { doctor: KEY_LINE, connection: true },
    reads: ["connection"],
    find({ connection: { skewMs = 0 } }) {
      const seconds = Math.round(Math.abs(skewMs) / 1000);
      return Math.abs(skewMs) >= SKEW_MS && {
        what: `This machine's clock is ${seconds} s ${skewMs > 0 ? "behind" : "ahead of"} the provider's.`,
        why:
          "Confirmations and proof of consent get wrong times, and several machines would reject each other's " +
          "form tokens.",
        todo: "Turn on time synchronization (NTP) on this machine: timedatectl set-ntp true",
        todoForOthers: "Ask whoever runs cfbe to turn on time synchronization (NTP).",
      };
    },
  }),
];

/** An outage of a minute or more is certain. A provider that restarts can fail several requests in the same second. */
function certainty(troubles: readonly Unresolved[]): { certain?: true } {
  const isCertain = troubles.some((trouble) =>
    isOutage(trouble) && trouble.at - (trouble.since ?? trouble.at) >= MINUTE_MS
  );
  return isCertain ? { certain: true } : {};
}

/** Says for how long all requests have failed, if more than one has. */
function failedRequests(troubles: readonly Unresolved[], reason: string): string {
  const first = Math.min(...troubles.map(({ at, since = at }) => since));
  const minutes = Math.floor((Math.max(...troubles.map(({ at }) => at)) - first) / MINUTE_MS);
  if (minutes === 0) return `The last request to the provider failed: ${asSentence(reason)}`;
  const time = minutes < 120 ? counted(minutes, "minute") : counted(Math.floor(minutes / 60), "hour");
  return `Requests to the provider have failed for ${time}. The latest: ${asSentence(reason)}`;
}

function waitingText(count: number): string {
  if (count === 0) return "";
  return ` ${countedTo100(count, "signup waits", "signups wait")} for delivery.`;
}
