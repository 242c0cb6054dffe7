import { ADMIN_PATH } from "../../platform/config/config.ts";
import type { AlertEvent, WeeklySummary } from "../../settings/hooks/types.ts";
import type { Change } from "./alerts.ts";
import { summaryText } from "./weekly_summary.ts";

const PREFIXES = { opened: "", repeated: "Still open: ", resolved: "Resolved: " };

/** Returns the notification of a change. @param at Unix milliseconds */
export function notificationOf(
  { kind, state, alert: { problem, since }, index }: Change,
  { baseUrl, at }: { baseUrl: string; at: number },
): AlertEvent {
  const alert = `${kind}-${since}`;
  const todo = state === "resolved" ? "" : problem.todo;
  return withText({
    id: `${alert}-${index}`,
    alert,
    kind,
    state,
    level: problem.tone === "bad" ? "error" : "warning",
    what: PREFIXES[state] + problem.what,
    todo,
    url: baseUrl + ADMIN_PATH + (state !== "resolved" && problem.link?.to || "/alerts"),
    since,
    at,
  }, baseUrl);
}

/** Returns the notification of a weekly summary. @param at Unix milliseconds */
export function summaryNotification(
  summary: WeeklySummary,
  { baseUrl, at }: { baseUrl: string; at: number },
): AlertEvent {
  const id = `summary-${summary.from}`;
  return withText({
    id,
    alert: id,
    kind: "summary",
    state: "summary",
    level: "info",
    what: summaryText(summary),
    todo: "",
    url: `${baseUrl}${ADMIN_PATH}/overview?from=${summary.from}&to=${summary.to}`,
    since: at,
    at,
    summary,
  }, baseUrl);
}

/** Returns a notification without a problem, to test the hook. @param at Unix milliseconds */
export function testNotification({ baseUrl, at }: { baseUrl: string; at: number }): AlertEvent {
  const id = `test-${at}`;
  return withText({
    id,
    alert: id,
    kind: "test",
    state: "test",
    level: "info",
    what: "This is a test alert.",
    todo: "No action is needed.",
    url: `${baseUrl}${ADMIN_PATH}/alerts`,
    since: at,
    at,
  }, baseUrl);
}

function withText(event: Omit<AlertEvent, "text">, baseUrl: string): AlertEvent {
  const { what, todo, url } = event;
  const sentences = [`${new URL(baseUrl).host} (cfbe):`, what, todo, url];
  return { ...event, text: sentences.filter((sentence) => sentence !== "").join(" ") };
}
