import { cfbeCommand } from "../../platform/config/cfbe_command.ts";
import { counted, countedTo100 } from "../../platform/words/counted.ts";
import { isOutage } from "../../providers/outage_end.ts";
import { DELIVERY_CALLS, type Unresolved } from "../../providers/provider_health.ts";
import { asSentence } from "../../providers/port/trouble.ts";
import type { Rule } from "./problem.ts";

const MINUTE_MS = 60 * 1000;
const RECENTLY_MS = 24 * 60 * 60 * 1000;

/** The provider rejects the key. */
export const refusedKey: Rule = ({ troubles, now }) => {
  const refused = troubles.find(({ code, at }) => code === "forbidden" && now - at < RECENTLY_MS);
  return refused && {
    id: "provider.forbidden",
    tone: "bad",
    what: `The provider does not allow our requests: ${asSentence(refused.reason)}`,
    todo: "Test the connection, or run " +
      `\`${cfbeCommand()} doctor\`, to see whether the key or one of its permissions is the problem. Signups are stored in ` +
      "the meantime.",
    todoForOthers: "Signups are stored in the meantime. Ask an admin to check the key and its permissions.",
    link: { to: "/provider#step-connection", label: "Test the connection" },
    // No later attempt of a delivery can succeed before someone changes the key or its permissions.
    ...(DELIVERY_CALLS.includes(refused.call) ? { certain: true as const } : certainty([refused])),
  };
};

/** Requests to the provider fail. */
export const troubled: Rule = ({ troubles, waitingDeliveries, now }) => {
  if (troubles.some(({ code }) => code === "forbidden")) return undefined;
  const recent = troubles.filter(({ at }) => now - at < RECENTLY_MS);
  const [latest] = recent;
  return latest && {
    id: "provider.trouble",
    tone: "warn",
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
};

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
