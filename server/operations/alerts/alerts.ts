import type { AlertKind } from "../../settings/hooks/types.ts";
import { plausibleTime } from "../../platform/time/stored_time.ts";
import type { Problem } from "../checks/check.ts";
import { alertKindOf } from "../checks/registry.ts";

const MINUTE_MS = 60 * 1000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/**
 * An alert of a kind opens once a problem of the kind is `openAfterMs` old, or certain, and is resolved when the problem
 * has been away for `resolveAfterMs`. A problem that comes and goes within that time is one alert.
 */
const KINDS: Readonly<Record<AlertKind, { openAfterMs: number; resolveAfterMs: number }>> = {
  jobs: { openAfterMs: 0, resolveAfterMs: 0 },
  provider: { openAfterMs: 10 * MINUTE_MS, resolveAfterMs: 30 * MINUTE_MS },
  webhook: { openAfterMs: 0, resolveAfterMs: DAY_MS },
  limit: { openAfterMs: 0, resolveAfterMs: 2 * HOUR_MS },
  tokens: { openAfterMs: 0, resolveAfterMs: DAY_MS },
  backup: { openAfterMs: 0, resolveAfterMs: 0 },
  disk: { openAfterMs: 0, resolveAfterMs: 30 * MINUTE_MS },
  processes: { openAfterMs: 10 * MINUTE_MS, resolveAfterMs: 10 * MINUTE_MS },
  users: { openAfterMs: 0, resolveAfterMs: 0 },
  database: { openAfterMs: MINUTE_MS, resolveAfterMs: 5 * MINUTE_MS },
};
/** The kinds of alerts that are stored in the database. */
const STORED_KINDS = (Object.keys(KINDS) as AlertKind[]).filter((kind) => kind !== "database");
const REPEAT_AFTER_MS = DAY_MS;

/** An alert, or a problem that may become one. Times are Unix milliseconds. */
export interface Alert {
  /** The problem as last seen. */
  problem: Problem;
  /** When the problem was first and last seen. */
  since: number;
  seenAt: number;
  /** Set once the alert is open. */
  opened?: {
    at: number;
    /** When the latest notification was caused, and how many were. */
    notifiedAt: number;
    notifications: number;
    /** The worst tone that the operator was notified of. */
    tone: Problem["tone"];
  };
}

export type Alerts = { readonly [Kind in AlertKind]?: Alert };

/** Something that the operator is notified of. */
export interface Change {
  kind: AlertKind;
  state: "opened" | "repeated" | "resolved";
  alert: Alert;
  /** Counts the notifications of this alert, from 0. */
  index: number;
}

/**
 * Returns the alerts after a check, and what the operator is notified of. An open alert is repeated once a day while
 * signups or data are being lost, and at once if it becomes as bad as that.
 *
 * @param problems found now
 * @param now Unix milliseconds
 * @param kinds of the alerts to return
 */
export function alertsOf(
  problems: readonly Problem[],
  before: Alerts,
  now: number,
  kinds: readonly AlertKind[] = STORED_KINDS,
): { alerts: Alerts; changes: Change[] } {
  const alerts: { [Kind in AlertKind]?: Alert } = {};
  const changes: Change[] = [];
  for (const kind of kinds) {
    const problem = problems.find(({ id }) => alertKindOf(id) === kind);
    const next = nextAlert(KINDS[kind], problem, before[kind], now);
    if (next.alert) alerts[kind] = next.alert;
    if (next.change) changes.push({ kind, ...next.change });
  }
  return { alerts, changes };
}

/** Returns alerts with times that can be right; with others they would neither be repeated nor resolved until then. */
export function withPlausibleTimes(alerts: Alerts, now: number): Alerts {
  const entries = Object.entries(alerts) as [AlertKind, Alert][];
  return Object.fromEntries(entries.map(([kind, { since, seenAt, opened, ...others }]) => [kind, {
    ...others,
    since: plausibleTime(since, now),
    seenAt: plausibleTime(seenAt, now),
    ...(opened && {
      opened: {
        ...opened,
        at: plausibleTime(opened.at, now),
        notifiedAt: plausibleTime(opened.notifiedAt, now),
      },
    }),
  }]));
}

interface Next {
  alert?: Alert;
  change?: Omit<Change, "kind">;
}

function nextAlert(
  { openAfterMs, resolveAfterMs }: typeof KINDS[AlertKind],
  problem: Problem | undefined,
  before: Alert | undefined,
  now: number,
): Next {
  if (!problem) {
    if (!before) return {};
    if (now - before.seenAt < resolveAfterMs) return { alert: before };
    return before.opened
      ? { change: { state: "resolved", alert: before, index: before.opened.notifications } }
      : {};
  }
  const alert: Alert = { ...before, problem, since: before?.since ?? now, seenAt: now };
  const { opened } = alert;
  if (!opened) {
    const isTooEarly = !problem.certain && now - alert.since < openAfterMs;
    return isTooEarly ? { alert } : notified(alert, "opened", now);
  }
  const isWorse = problem.tone === "bad" && opened.tone === "warn";
  const isDue = problem.tone === "bad" && now - opened.notifiedAt >= REPEAT_AFTER_MS;
  return isWorse || isDue ? notified(alert, "repeated", now) : { alert };
}

function notified(alert: Alert, state: "opened" | "repeated", now: number): Next {
  const index = alert.opened?.notifications ?? 0;
  const opened = {
    at: alert.opened?.at ?? now,
    notifiedAt: now,
    notifications: index + 1,
    tone: alert.problem.tone,
  };
  const after = { ...alert, opened };
  return { alert: after, change: { state, alert: after, index } };
}
