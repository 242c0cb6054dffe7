import { cfbeCommand } from "../../../platform/config/cfbe_command.ts";
import { counted } from "../../../platform/words/counted.ts";
import { z } from "zod";
import { createBringForward } from "../../../platform/jobs/bring_forward.ts";
import { createJobAdmin } from "../../../platform/jobs/job_admin.ts";
import { cancelBulk } from "../../../subscribers/bulk/run.ts";
import { cancelMigration } from "../../../subscribers/migration/run.ts";
import { BULK_JOB, MIGRATION_JOB } from "../../../subscribers/person/run_jobs.ts";
import { type Action, defineAction } from "../../frame/action.ts";
import type { AdminServices } from "../../frame/services.ts";
import { Refusal } from "../../frame/refusal.ts";

const id = z.string().min(1).max(1000);

/** Jobs of a run whose row contains addresses: it ends in the commit that deletes the job. */
const RUNS: ReadonlyMap<string, (app: AdminServices) => Promise<boolean>> = new Map([
  [BULK_JOB.id, cancelBulk],
  [MIGRATION_JOB.id, cancelMigration],
]);

/** Actions that activate and deactivate cfbe, and retry and cancel jobs. */
export const serviceActions: Action[] = [
  defineAction({
    name: "cfbe_activate",
    title: "Activate",
    group: "service",
    capability: "operate",
    input: z.object({}),
    async run({ app }) {
      const resumed = await app.activation.activate();
      if (resumed === undefined) {
        throw new Refusal(
          409,
          "restore_incomplete",
          "A backup is being restored, or its restore was interrupted, so data are missing. Activate cfbe once it is " +
            `complete: if it was interrupted, run \`${cfbeCommand()} restore <file>\` again with the same file.`,
        );
      }
      return {
        message: `Activated cfbe. ${counted(resumed, "job")} resumed.`,
        data: { resumed },
      };
    },
  }),
  defineAction({
    name: "cfbe_deactivate",
    title: "Deactivate",
    group: "service",
    capability: "operate",
    input: z.object({}),
    async run({ app }) {
      const parked = await app.activation.deactivate();
      return {
        message: `Deactivated cfbe. ${counted(parked, "job")} paused until you activate it again.`,
        data: { cancelled: parked },
      };
    },
  }),
  defineAction({
    name: "cfbe_retry_job",
    title: "Retry job",
    group: "service",
    capability: "signups",
    input: z.object({ id }),
    target: (input) => input.id,
    async run({ app }, input) {
      requireActive(app);
      const isRetried = await createJobAdmin(app).retryDead(input.id) ||
        await createBringForward(app).one(input.id);
      if (!isRetried) throw gone("There is no job with this ID that has failed or waits for its retry.");
      app.wake();
      return { message: "Job queued for another try." };
    },
  }),
  defineAction({
    name: "cfbe_retry_waiting_jobs",
    title: "Run all waiting retries now",
    group: "service",
    capability: "operate",
    input: z.object({}),
    async run({ app }) {
      requireActive(app);
      const retried = await createBringForward(app).all();
      app.wake();
      return { message: `${counted(retried, "job")} queued to run now.`, data: { retried } };
    },
  }),
  defineAction({
    name: "cfbe_retry_dead_jobs",
    title: "Retry all failed jobs",
    group: "service",
    capability: "operate",
    input: z.object({}),
    async run({ app }) {
      requireActive(app);
      const jobAdmin = createJobAdmin(app);
      // Only jobs that have failed by now: one that fails again meanwhile gets a later time, and is not retried twice.
      const until = app.clock.now();
      let retried = 0;
      for (let after: string | undefined, first = true; first || after; first = false) {
        const page = await jobAdmin.list({ state: "dead", after, limit: 100 });
        const dead = page.rows.filter(({ due }) => due <= until);
        for (const row of dead) if (await jobAdmin.retryDead(row.id)) retried++;
        after = dead.length === page.rows.length ? page.after : undefined;
      }
      app.wake();
      return { message: `${counted(retried, "job")} queued for another try.`, data: { retried } };
    },
  }),
  defineAction({
    name: "cfbe_cancel_job",
    title: "Cancel job",
    group: "service",
    capability: "operate",
    input: z.object({ id }),
    target: (input) => input.id,
    async run({ app }, input) {
      const isCanceled = await RUNS.get(input.id)?.(app) || await createJobAdmin(app).cancel(input.id);
      if (!isCanceled) throw gone("There is no job with this ID.");
      return { message: "Job canceled." };
    },
  }),
];

/** @throws {Refusal} while cfbe is deactivated */
function requireActive({ activation }: AdminServices): void {
  if (!activation.isActive()) {
    throw new Refusal(409, "deactivated", "cfbe is deactivated. Activate it first.");
  }
}

function gone(message: string): Refusal {
  return new Refusal(404, "unknown_job", message);
}
