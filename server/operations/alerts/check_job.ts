import { z } from "zod";
import type { Clock, Log, Random } from "../../platform/deps.ts";
import type { AtomicOperation, Kv } from "../../platform/kv/port.ts";
import type { AlertEvent, WeeklySummary } from "../../settings/hooks/types.ts";
import { addJob } from "../../platform/jobs/add.ts";
import type { JobDefinition } from "../../platform/jobs/handler.ts";
import { slotKey } from "../../platform/jobs/recurring.ts";
import { jobKey } from "../../platform/jobs/row.ts";
import { cas } from "../../platform/kv/cas.ts";
import { readEntries } from "../../platform/kv/entries.ts";
import { readRow } from "../../platform/kv/key.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { Counters } from "../../platform/observe/counters.ts";
import type { Problem } from "../checks/check.ts";
import { alertsOf, type Change, withPlausibleTimes } from "./alerts.ts";
import { notificationOf, summaryNotification } from "./notification.ts";
import { alertsKey, type AlertsRow, outboxKey, PAST_KEPT_MS, pastKey, type PastRow } from "./rows.ts";
import { SEND_ALERTS_JOB } from "./send_job.ts";
import { isEmpty, latestMonday, mondayOfRow, readSummary, type SummarySlot } from "./weekly_summary.ts";

export const CHECK_ALERTS_JOB = { id: "check_alerts", name: "cfbe_check_alerts", payload: null } as const;
/** Often enough for someone who has to get up at night, and seldom enough for hosts that charge for each read. */
export const CHECK_ALERTS_EVERY_MS = 5 * 60 * 1000;

interface Deps {
  kv: Kv;
  clock: Clock;
  random: Random;
  counters: Counters;
  baseUrl: string;
  /** Returns the time zone of the weekly summary. */
  zone: () => string;
  /** Returns the problems that can be alerts. */
  readProblems(): Promise<Problem[]>;
}

/**
 * Opens, repeats and resolves the alerts, and writes the weekly summary. One commit changes the alerts, puts the
 * notifications into the outbox and adds the job that sends them, so that each change is notified once (decision 47).
 */
export function checkAlerts(deps: Deps): JobDefinition<null> {
  const { kv, clock, random, baseUrl, zone } = deps;

  /** Returns the summary of a week that no summary was written for. The first check writes none. */
  async function dueSummary(slot: SummarySlot): Promise<WeeklySummary | undefined> {
    const row = await readRow(kv, alertsKey());
    if (!row || mondayOfRow(row, clock.now()) >= slot.monday) return undefined;
    const summary = await readSummary(deps, slot.monday, zone());
    return isEmpty(summary) ? undefined : summary;
  }

  return {
    name: CHECK_ALERTS_JOB.name,
    payload: z.null(),
    async handle(job) {
      const problems = await deps.readProblems();
      const now = clock.now();
      const slot = latestMonday(now, zone());
      const summary = await dueSummary(slot);
      await cas(kv, { row: alertsKey(), send: jobKey(SEND_ALERTS_JOB.id) }, ({ row, send }) => {
        const { alerts, changes } = alertsOf(problems, withPlausibleTimes(row.value?.alerts ?? {}, now), now);
        const latest = row.value && mondayOfRow(row.value, now);
        const isSummaryDue = latest !== null && latest < slot.monday;
        const summaryMonday = Math.max(slot.monday, latest ?? 0);
        const after: AlertsRow = { v: 1, alerts, summaryDue: slot.at, summaryMonday };
        const isQuiet = Object.keys({ ...alerts, ...row.value?.alerts }).length === 0;
        if (isQuiet && row.value?.summaryMonday === summaryMonday) return { value: undefined };
        const past = pastOf(changes, now);
        const events = changes.map((change) => notificationOf(change, { baseUrl, at: now }));
        if (isSummaryDue && summary) {
          past.push({ v: 1, kind: "summary", at: now, summary });
          events.push(summaryNotification(summary, { baseUrl, at: now }));
        }
        return {
          value: undefined,
          write(tx) {
            tx.set(row.key, after);
            for (const each of past) tx.set(pastKey(now, each.kind), each);
            putOutbox(tx, events, now);
            if (events.length > 0) addJob(tx, send, { ...SEND_ALERTS_JOB, due: now }, now);
          },
        };
      }, { clock, random, fence: job.fence });
      await deleteOld(now);
      return { kind: "done" };
    },
  };

  async function deleteOld(now: number): Promise<void> {
    const old = { start: keys.alertPastAll(), end: keys.alertPastUntil(now - PAST_KEPT_MS) };
    for await (const { key } of kv.list(old)) await kv.delete(key);
  }
}

/** Returns what looks for problems now instead of at the next check. Never rejects. */
export function checkAlertsNow(
  { kv, clock, random, log, wake }: Pick<Deps, "kv" | "clock" | "random"> & { log: Log; wake: () => void },
): () => Promise<void> {
  return async () => {
    try {
      await cas(kv, { job: jobKey(CHECK_ALERTS_JOB.id) }, ({ job }) => {
        const now = clock.now();
        return { value: undefined, write: (tx) => addJob(tx, job, { ...CHECK_ALERTS_JOB, due: now }, now) };
      }, { clock, random });
      wake();
    } catch (error) {
      log.error("alerts.not_checked", { error });
    }
  };
}

/**
 * Returns when the latest check for problems began, in Unix milliseconds, and whether it has ended; undefined before the
 * first one.
 */
export async function latestCheck(kv: Kv): Promise<{ at: number; ended: boolean } | undefined> {
  const { slot, job } = await readEntries(kv, {
    slot: slotKey(CHECK_ALERTS_JOB.id),
    job: jobKey(CHECK_ALERTS_JOB.id),
  });
  return slot.value === null ? undefined : { at: slot.value.at, ended: job.value === null };
}

function pastOf(changes: readonly Change[], now: number): PastRow[] {
  return changes.flatMap(({ kind, state, alert: { problem, opened } }) =>
    state === "resolved" ? [{ v: 1, kind, problem, openedAt: opened!.at, resolvedAt: now } as const] : []
  );
}

function putOutbox(tx: AtomicOperation, events: readonly AlertEvent[], now: number): void {
  for (const event of events) tx.set(outboxKey(now, event.id), { v: 1, event });
}
