import type { Kv } from "../../platform/kv/port.ts";
import type { AlertEvent, AlertKind, WeeklySummary } from "../../settings/hooks/types.ts";
import { type Key, readRow, typed } from "../../platform/kv/key.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { Alert, Alerts } from "./alerts.ts";
import type { Problem } from "../checks/check.ts";

/** The state after the latest check. Times are Unix milliseconds. */
export interface AlertsRow {
  v: 1;
  alerts: Alerts;
  /** When the latest weekly summary was due. */
  summaryDue: number;
  /**
   * The Monday of that summary, in days since 1970: when it is due depends on the time zone. Absent in rows of earlier
   * versions.
   */
  summaryMonday?: number;
}

/** An alert that has been resolved, or a weekly summary. */
export type PastRow =
  | { v: 1; kind: AlertKind; problem: Problem; openedAt: number; resolvedAt: number }
  | { v: 1; kind: "summary"; at: number; summary: WeeklySummary };

/** A notification that is still to be sent. */
export interface OutboxRow {
  v: 1;
  event: AlertEvent;
}

export const alertsKey = (): Key<AlertsRow> => typed(keys.alerts());
export const pastKey = (at: number, id: string): Key<PastRow> => typed(keys.alertPast(at, id));
export const outboxKey = (at: number, id: string): Key<OutboxRow> => typed(keys.alertOutbox(at, id));

export interface OpenAlert {
  kind: AlertKind;
  problem: Problem;
  /** When the problem was first and last seen, and when the alert opened, in Unix milliseconds. */
  since: number;
  seenAt: number;
  openedAt: number;
}

/** Returns the open alerts, the worst first. */
export async function openAlerts(kv: Kv): Promise<OpenAlert[]> {
  const { alerts = {} } = await readRow(kv, alertsKey()) ?? {};
  return openIn(alerts);
}

/** Returns those of the alerts that are open, the worst first. */
export function openIn(alerts: Alerts): OpenAlert[] {
  const all = Object.entries(alerts) as [AlertKind, Alert][];
  return all.flatMap(([kind, { problem, since, seenAt, opened }]) =>
    opened ? [{ kind, problem, since, seenAt, openedAt: opened.at }] : []
  ).sort((a, b) => Number(b.problem.tone === "bad") - Number(a.problem.tone === "bad"));
}

/** How long resolved alerts and summaries are kept. */
export const PAST_KEPT_MS = 30 * 24 * 60 * 60 * 1000;

/** Returns what is kept of the past, newest first. */
export async function pastAlerts(kv: Kv): Promise<PastRow[]> {
  const rows = await Array.fromAsync(kv.list<PastRow>({ prefix: keys.alertPastAll() }, { reverse: true }));
  return rows.map(({ value }) => value);
}
