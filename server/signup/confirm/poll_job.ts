import { z } from "zod";
import type { Poll } from "./poll.ts";
import type { JobDefinition } from "../../platform/jobs/handler.ts";

/** The recurring job of the poll (see `poll.ts`). */
export const POLL_JOB = { id: "poll", name: "cfbe_poll_pending", payload: null } as const;

export function pollPending(poll: Poll): JobDefinition<null> {
  return {
    name: POLL_JOB.name,
    payload: z.null(),
    async handle(job) {
      const { trouble, mayPass } = await poll.run(job.signal);
      return trouble !== undefined && mayPass ? { kind: "retry", reason: trouble } : { kind: "done" };
    },
  };
}
