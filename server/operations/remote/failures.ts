import { createJobAdmin } from "../../platform/jobs/job_admin.ts";
import { readRow } from "../../platform/kv/key.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { Kv } from "../../platform/kv/port.ts";
import { withoutAddresses } from "../../platform/observe/log.ts";
import type { Clock, Random } from "../../platform/deps.ts";
import { signupKey } from "../../signup/record/row.ts";

/** Failed signups and jobs by reason, without personal data. */
export interface Failures {
  /** Failed signups by reason, the most frequent first; `latest` in Unix milliseconds. */
  signups: { reason: string; list: string; count: number; latest: number }[];
  /** Failed jobs, newest first; `diedAt` in Unix milliseconds. */
  jobs: { name: string; diedAt: number; attempts: number; reason: string }[];
  /** True when there are more failed signups than were read. */
  more: boolean;
}

/** Enough to see what is wrong; each signup costs a read. */
const MAX_READ = 5_000;

interface Deps {
  kv: Kv;
  clock: Clock;
  random: Random;
}

/**
 * Returns why signups and jobs failed.
 *
 * @param limit how many reasons and how many jobs to return at most
 */
export async function failures(app: Deps, limit: number): Promise<Failures> {
  const groups = new Map<string, Failures["signups"][number]>();
  let read = 0;
  // The index is sorted by list first, so the latest failures may come last: read them all, up to the maximum.
  for await (const { key } of app.kv.list({ prefix: keys.byStatusAll("failed") }, { limit: MAX_READ + 1 })) {
    if (++read > MAX_READ) break;
    const [list, since, email] = key.slice(-3) as [string, number, string];
    const record = await readRow(app.kv, signupKey(email, list));
    const reason = withoutAddresses(record?.reason ?? "no reason given");
    const group = groups.get(`${list} ${reason}`) ?? { reason, list, count: 0, latest: 0 };
    groups.set(`${list} ${reason}`, {
      ...group,
      count: group.count + 1,
      latest: Math.max(group.latest, since),
    });
  }
  const signups = [...groups.values()].sort((a, b) => b.count - a.count).slice(0, limit);
  return { signups, jobs: await deadJobs(app, limit), more: read > MAX_READ };
}

async function deadJobs(app: Deps, limit: number): Promise<Failures["jobs"]> {
  const { rows } = await createJobAdmin(app).list({ state: "dead", limit: 100 });
  return rows.toReversed().slice(0, limit).map(({ name, due, attempts, history }) => ({
    name,
    diedAt: due,
    attempts,
    reason: withoutAddresses(history.at(-1)?.note ?? ""),
  }));
}
