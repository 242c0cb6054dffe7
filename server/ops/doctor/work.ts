import { createJobAdmin } from "../../jobs/job_admin.ts";
import { type Check, type DoctorDeps, type Finding, finding } from "./finding.ts";

const OVERDUE_MS = 15 * 60 * 1000;

/** Whether the service is on and its work gets done. */
export const workCheck: Check = { name: "work gets done", look };

async function look(app: DoctorDeps): Promise<Finding[]> {
  const findings: Finding[] = [];
  if (!app.activation.isActive()) {
    findings.push(finding("error", "service.off", {
      what: "The service is switched off.",
      why: "Every signup is refused, and no background work is done.",
      todo: "Run: deno task cfbe activate",
    }));
  }
  const jobAdmin = createJobAdmin(app);
  const dead = (await jobAdmin.list({ state: "dead", limit: 100 })).rows;
  if (dead.length > 0) {
    const count = dead.length === 100
      ? "100 or more jobs were"
      : dead.length === 1
      ? "1 job was"
      : `${dead.length} jobs were`;
    findings.push(finding("warning", "jobs.dead", {
      what: `${count} given up after three days.`,
      why: "What they stood for did not happen.",
      todo:
        "See why with `deno task cfbe jobs --state dead`, and send them again with `deno task cfbe jobs retry --all`.",
    }));
  }
  const [next] = (await jobAdmin.list({ state: "waiting", limit: 1 })).rows;
  const waited = next ? app.clock.now() - next.due : 0;
  if (waited > OVERDUE_MS && app.activation.isActive()) {
    findings.push(finding("error", "jobs.overdue", {
      what: `A job has been due for ${Math.round(waited / 60_000)} minutes, and nobody has run it.`,
      why: "Signups don't reach the provider.",
      todo: "Start the service; if it runs, look for errors in its log.",
    }));
  }
  return findings;
}
