import { loadOnce } from "../load_once.ts";
import type { JobDefinition } from "./handler.ts";

type Eager<P> = Pick<
  JobDefinition<P>,
  "name" | "payload" | "longestMs" | "runsWhileDeactivated" | "afterRetention"
>;

/**
 * Returns a job whose code is loaded at its first attempt, for jobs that most processes never run.
 *
 * @param load if it fails, the attempt fails and is retried
 */
export function lazyJob<P>(
  eager: Eager<P>,
  load: () => Promise<Pick<JobDefinition<P>, "handle" | "onDead">>,
): JobDefinition<P> {
  const loaded = loadOnce(load);
  return {
    ...eager,
    handle: async (job) => await (await loaded()).handle(job),
    async onDead(job, reason) {
      await (await loaded()).onDead?.(job, reason);
    },
  };
}
