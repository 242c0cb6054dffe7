import { z } from "zod";
import type { Kv } from "../../platform/kv/port.ts";
import { listsWith } from "./pending_index.ts";
import type { Clock, Log, Random } from "../../platform/deps.ts";
import type { JobDefinition } from "../../platform/jobs/handler.ts";
import { createPass, type Pass } from "../../platform/jobs/pass.ts";
import { checkJob } from "./check_job.ts";
import { deliverJobId } from "../delivery/job.ts";
import type { JobRow } from "../../platform/jobs/row.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { SettingsStore } from "../../settings/store/store.ts";
import { eraseSignup } from "../record/erase.ts";
import { putRecord, RETURNED } from "../record/record.ts";
import { signupKey, type SignupRecord } from "../record/row.ts";
import { cas } from "../../platform/kv/cas.ts";
import { farAheadFrom, isFarAhead } from "../../platform/time/stored_time.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** How long a run takes at most; well below the time limit of an attempt. */
const MAX_RUN_MS = 60_000;

export const DELETE_UNCONFIRMED_JOB = {
  id: "delete_unconfirmed",
  name: "cfbe_delete_unconfirmed",
  payload: null,
} as const;
export const DELETE_UNCONFIRMED_EVERY_MS = 60 * 60 * 1000;

/** Statuses of a signup that was never confirmed; only a new signup changes them. */
const ENDED = ["expired", "failed"] as const;

/**
 * Returns whether a signup may be deleted: it expired or failed at least `keptMs` milliseconds ago, was never confirmed,
 * and has no waiting or running job.
 */
export function mayDelete(
  record: SignupRecord | null,
  jobs: readonly (JobRow | null)[],
  { now, keptMs }: { now: number; keptMs: number },
): boolean {
  return record !== null && record.confirmed === undefined &&
    ENDED.some((status) => status === record.status) && now - record.since >= keptMs &&
    jobs.every((job) => job === null || job.state === "dead");
}

/**
 * Deletes signups that were never confirmed, after the retention of the settings. Anyone can create them with somebody
 * else's address. The request counters are kept.
 */
export function deleteUnconfirmed(
  deps: { kv: Kv; clock: Clock; random: Random; log: Log; settings: SettingsStore },
): JobDefinition<null> {
  const { clock, log, settings } = deps;

  /** Yields the signups with a status whose retention is over, by list, oldest first. */
  async function* endedBefore(pass: Pass, status: typeof ENDED[number], until: number) {
    for await (const list of listsWith(pass.kv, status)) {
      for await (const { key } of pass.list({ prefix: keys.byStatusOn(status, list) })) {
        const [since, email] = key.slice(-2) as [number, string];
        if (since > until) break;
        yield { email, list };
      }
    }
  }

  /**
   * Makes the time of signups that was stored while the clock was ahead begin now: they would not end until then.
   *
   * @returns whether all were corrected before the time was over
   */
  async function correctTimes(pass: Pass, now: number, isOver: () => boolean): Promise<boolean> {
    for (const status of ["pending", RETURNED, ...ENDED] as const) {
      const time = status === RETURNED ? "pendingSince" : "since";
      for await (const list of listsWith(pass.kv, status)) {
        const prefix = keys.byStatusOn(status, list);
        for await (const { key } of pass.list({ prefix, start: [...prefix, farAheadFrom(now)] })) {
          if (isOver()) return false;
          await pass.row(() =>
            cas(pass.kv, { record: signupKey(String(key.at(-1)), list) }, ({ record: { value: before } }) => {
              if (!before || !isFarAhead(before[time] ?? now, now)) return { value: undefined };
              return {
                value: undefined,
                write: (tx) => void putRecord(tx, before, { ...before, [time]: now }),
              };
            }, deps)
          );
        }
      }
    }
    return true;
  }

  return {
    name: DELETE_UNCONFIRMED_JOB.name,
    payload: z.null(),
    runsWhileDeactivated: true,
    async handle(job) {
      const now = clock.now();
      const pass = createPass(deps, DELETE_UNCONFIRMED_JOB.name);
      const more = { kind: "snooze", until: now, reason: "More to delete." } as const;
      const isOver = () => job.signal.aborted || clock.now() - now > MAX_RUN_MS;
      // Also without a retention, because a pending signup expires by its time.
      if (!await correctTimes(pass, now, isOver)) return more;
      const days = settings.current().privacy.unconfirmedRetentionDays;
      if (days === 0) {
        await pass.end();
        return { kind: "done" };
      }
      const keptMs = days * DAY_MS;
      let deleted = 0;
      const report = () => deleted > 0 && log.info("signup.deleted", { deleted });
      for (const status of ENDED) {
        for await (const target of endedBefore(pass, status, now - keptMs)) {
          if (isOver()) {
            report();
            return more;
          }
          const erased = await pass.row(() =>
            eraseSignup({ ...deps, kv: pass.kv }, target, {
              jobs: [deliverJobId(target), checkJob(target, "poll").id],
              may: (record, jobs) => mayDelete(record, jobs, { now, keptMs }),
            })
          );
          if (erased) deleted++;
        }
      }
      report();
      await pass.end();
      return { kind: "done" };
    },
  };
}
