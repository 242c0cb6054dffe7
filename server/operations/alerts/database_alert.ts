import type { Clock, Log } from "../../platform/deps.ts";
import type { Kv } from "../../platform/kv/port.ts";
import type { AlertEvent, Hooks } from "../../settings/hooks/hooks.ts";
import { type Alerts, alertsOf, withPlausibleTimes } from "./alerts.ts";
import { notificationOf } from "./notification.ts";
import type { Problem } from "../checks/check.ts";
import { logAlert } from "./send_job.ts";
import { type OpenAlert, openAlerts, openIn, pastKey } from "./rows.ts";

/**
 * The alert about the database. It lives in the memory of its process and is sent without a job, because neither rows nor
 * jobs can be stored while the database fails.
 */
export interface DatabaseAlert {
  /** Opens, repeats or resolves the alert and sends its notifications. Call it once a minute. Never rejects. */
  check(): Promise<void>;
  /** Returns the alert if it is open. */
  open(): OpenAlert[];
}

/** Notifications that a listener did not take are kept until the next check, up to this many. */
const MOST_KEPT = 10;

export function createDatabaseAlert(
  { kv, clock, log, hooks, baseUrl, problems }: {
    kv: Kv;
    clock: Clock;
    log: Log;
    hooks: Hooks;
    baseUrl: string;
    problems: () => Problem[];
  },
): DatabaseAlert {
  let alerts: Alerts = {};
  let unsent: AlertEvent[] = [];

  async function send() {
    const events = unsent;
    unsent = [];
    for (const event of events) {
      if (await hooks.emit("cfbe_alert", event)) logAlert(log, event);
      else unsent = [...unsent, event].slice(-MOST_KEPT);
    }
  }

  return {
    async check() {
      const now = clock.now();
      const before = withPlausibleTimes(alerts, now);
      const { alerts: after, changes } = alertsOf(problems(), before, now, ["database"]);
      alerts = after;
      for (const change of changes) {
        unsent.push(notificationOf(change, { baseUrl, at: now }));
        const { problem, opened } = change.alert;
        if (change.state !== "resolved") continue;
        const past = { v: 1, kind: change.kind, problem, openedAt: opened!.at, resolvedAt: now } as const;
        await kv.set(pastKey(now, change.kind), past).catch(() => {
          // `DatabaseHealth` has noted it.
        });
      }
      await send();
    },
    open: () => openIn(alerts),
  };
}

/** Returns all open alerts, the worst first: those in the database, and the one about it. */
export async function allOpenAlerts(
  { kv, databaseAlert }: { kv: Kv; databaseAlert: Pick<DatabaseAlert, "open"> },
): Promise<OpenAlert[]> {
  return [...databaseAlert.open(), ...await openAlerts(kv)];
}
