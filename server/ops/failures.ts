import { createJobAdmin } from "../jobs/job_admin.ts";
import { readRow } from "../kv/key.ts";
import { keys } from "../kv/keys.ts";
import { withoutAddresses } from "../observe/log.ts";
import type { Clock, Random } from "../deps.ts";
import { signupKey } from "../signup/record/row.ts";

/** What did not work, by reason, and never whom it was about. */
export interface Failures {
  /** Signups that failed, by reason, the most frequent first. */
  signups: { reason: string; list: string; count: number; latest: number }[];
  /** Jobs that were given up, newest first. */
  jobs: { name: string; diedAt: number; attempts: number; reason: string }[];
  /** More failed signups than were looked at. */
  more: boolean;
}

/** Enough to tell what is going on; each costs a read. */
const LOOKED_AT = 5_000;

/** @param limit of reasons, and of jobs */
interface Deps {
  kv: Deno.Kv;
  clock: Clock;
  random: Random;
}

export async function failures(app: Deps, limit: number): Promise<Failures> {
  const groups = new Map<string, Failures["signups"][number]>();
  let looked = 0;
  // By list and then by time, so that the latest are not the first; all are looked at, as far as that goes.
  for await (const { key } of app.kv.list({ prefix: keys.byStatusAll("failed") }, { limit: LOOKED_AT + 1 })) {
    if (++looked > LOOKED_AT) break;
    const [list, since, email] = key.slice(-3) as [string, number, string];
    const record = await readRow(app.kv, signupKey(email, list));
    const reason = withoutAddresses(record?.reason ?? "no reason was given");
    const group = groups.get(`${list} ${reason}`) ?? { reason, list, count: 0, latest: 0 };
    groups.set(`${list} ${reason}`, {
      ...group,
      count: group.count + 1,
      latest: Math.max(group.latest, since),
    });
  }
  const signups = [...groups.values()].sort((a, b) => b.count - a.count).slice(0, limit);
  return { signups, jobs: await deadJobs(app, limit), more: looked > LOOKED_AT };
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
