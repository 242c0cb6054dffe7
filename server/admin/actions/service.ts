import { z } from "zod";
import { createJobAdmin } from "../../jobs/job_admin.ts";
import { type Action, defineAction } from "../action.ts";
import type { AdminServices } from "../services.ts";
import { Refusal } from "../refusal.ts";

const id = z.string().min(1).max(1000);

/** Switching the service on and off, and what is done about its jobs. */
export const serviceActions: Action[] = [
  defineAction({
    name: "cfbe_activate",
    capability: "operate",
    input: z.object({}),
    async run({ app }) {
      const resumed = await app.activation.activate();
      return {
        message: `The service is on. ${counted(resumed, "job")} resumed.`,
        data: { resumed },
      };
    },
  }),
  defineAction({
    name: "cfbe_deactivate",
    capability: "operate",
    input: z.object({}),
    async run({ app }) {
      const cancelled = await app.activation.deactivate();
      return {
        message: `The service is off. ${counted(cancelled, "pending job")} cancelled; ` +
          "unfinished work resumes when you activate cfbe again.",
        data: { cancelled },
      };
    },
  }),
  defineAction({
    name: "cfbe_retry_job",
    capability: "operate",
    input: z.object({ id }),
    target: (input) => input.id,
    async run({ app }, input) {
      requireActive(app);
      if (!await createJobAdmin(app).retryDead(input.id)) {
        throw gone("There is no such job among those given up.");
      }
      app.wake();
      return { message: "The job is sent again." };
    },
  }),
  defineAction({
    name: "cfbe_retry_dead_jobs",
    capability: "operate",
    input: z.object({}),
    async run({ app }) {
      requireActive(app);
      const jobAdmin = createJobAdmin(app);
      // All that are dead now; one that dies again meanwhile comes later in time and is not met twice.
      const until = app.clock.now();
      let retried = 0;
      for (let after: string | undefined, first = true; first || after; first = false) {
        const page = await jobAdmin.list({ state: "dead", after, limit: 100 });
        const dead = page.rows.filter(({ due }) => due <= until);
        for (const row of dead) if (await jobAdmin.retryDead(row.id)) retried++;
        after = dead.length === page.rows.length ? page.after : undefined;
      }
      app.wake();
      return { message: `${counted(retried, "job")} sent again.`, data: { retried } };
    },
  }),
  defineAction({
    name: "cfbe_cancel_job",
    capability: "operate",
    input: z.object({ id }),
    target: (input) => input.id,
    async run({ app }, input) {
      if (!await createJobAdmin(app).cancel(input.id)) throw gone("There is no such job.");
      return { message: "The job is cancelled." };
    },
  }),
];

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** @throws {Refusal} while the service is deactivated, for what would add work */
function requireActive({ activation }: AdminServices): void {
  if (!activation.isActive()) {
    throw new Refusal(409, "deactivated", "cfbe is deactivated. Activate it first.");
  }
}

function gone(message: string): Refusal {
  return new Refusal(404, "unknown_job", message);
}
