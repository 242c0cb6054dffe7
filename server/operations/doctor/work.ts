import { counted, countedTo100 } from "../../platform/words/counted.ts";
import { cfbeCommand } from "../../platform/config/cfbe_command.ts";
import { skippedRowsText } from "../alerts/rules.ts";
import { countSkipped } from "../../platform/jobs/pass.ts";
import { createJobAdmin } from "../../platform/jobs/job_admin.ts";
import { type Check, type DoctorDeps, type Finding, finding } from "./finding.ts";

const OVERDUE_MS = 15 * 60 * 1000;

/** Checks that the service is active and its jobs run. */
export const workCheck: Check = { name: "background jobs are running", run: checkJobs };

async function checkJobs(app: DoctorDeps): Promise<Finding[]> {
  const findings: Finding[] = [];
  if (!app.activation.isActive()) {
    findings.push(finding("error", "service.off", {
      what: "The service is deactivated.",
      why: "All signups are rejected, and no background jobs run except those that delete personal data.",
      todo: `Run: ${cfbeCommand()} activate`,
    }));
  }
  const jobAdmin = createJobAdmin(app);
  const dead = (await jobAdmin.list({ state: "dead", limit: 100 })).rows;
  if (dead.length > 0) {
    findings.push(finding("warning", "jobs.dead", {
      what: `${countedTo100(dead.length, "job has", "jobs have")} failed permanently.`,
      why: "Their work was not done, and they are not retried automatically.",
      todo:
        `See the reasons with \`${cfbeCommand()} jobs --state dead\`, and retry with \`${cfbeCommand()} jobs retry --all\`.`,
    }));
  }
  const tooLate = await jobAdmin.countTooLong(100);
  if (tooLate > 0) {
    findings.push(finding("error", "jobs.too_late", {
      what: `${countedTo100(tooLate, "job is", "jobs are")} due more than three days ahead.`,
      why: "The clock was probably wrong when they were stored. Their work is not done until then.",
      todo: `Check the clock with \`date\`. Then run: ${cfbeCommand()} jobs retry --waiting`,
    }));
  }
  const skipped = await countSkipped(app.kv, app.clock.now());
  if (skipped > 0) {
    findings.push(finding("warning", "rows.skipped", {
      what: skippedRowsText(skipped),
      why: "They may be damaged, and personal data in them is not deleted on time.",
      todo:
        `Look for job.rows_skipped in the log. To find damage, stop the service and run: ${cfbeCommand()} doctor --full`,
    }));
  }
  const [next] = (await jobAdmin.list({ state: "waiting", limit: 1 })).rows;
  const waited = next ? app.clock.now() - next.due : 0;
  if (waited > OVERDUE_MS && app.activation.isActive()) {
    findings.push(finding("error", "jobs.overdue", {
      what: `A job has been due for ${counted(Math.round(waited / 60_000), "minute")} and has not run.`,
      why: "Signups do not reach the provider.",
      todo: "Start the service. If it is running, look for errors in its log.",
    }));
  }
  return findings;
}
