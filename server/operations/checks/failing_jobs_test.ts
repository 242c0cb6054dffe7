import assert from "node:assert/strict";
import { harness } from "../../../dev/testing/harness.ts";
import { offline } from "../../../dev/testing/offline.ts";
import { createJobAdmin } from "../../platform/jobs/job_admin.ts";
import { keepsFailing } from "../../platform/jobs/keeps_failing.ts";
import { CHANGED } from "../../platform/jobs/row.ts";
import { BLANK_IPS_JOB } from "../../signup/record/blank_ips_job.ts";
import { startRecurringJobs } from "../../program/recurring_jobs.ts";
import { openAlerts } from "../alerts/rows.ts";
import { diagnose } from "../doctor/doctor.ts";
import { readProblems } from "./registry.ts";

const LONGEST_RETRY_MS = 6 * 60 * 60 * 1000;

Deno.test("a recurring job that always fails is an alert, on the Overview and a finding of the doctor, until it is done", async () => {
  await using app = await harness();
  const { services, clock, kv, queue } = app;
  const definition = services.jobs.find(({ name }) => name === BLANK_IPS_JOB.name)!;
  const { handle } = definition;
  definition.handle = () => Promise.reject(new TypeError("disk I/O error"));
  const attempts = async (count: number) => {
    for (let n = 0; n < count; n++) {
      await startRecurringJobs(services);
      await app.work();
      await clock.advance(LONGEST_RETRY_MS);
    }
  };
  const reported = async () => {
    const onOverview = await readProblems(services, ({ overview }) => overview);
    const { findings } = await diagnose(services, offline);
    const inAlerts = (await openAlerts(kv)).map(({ problem }) => problem);
    return [onOverview, findings, inAlerts].map((problems) =>
      problems.filter(({ id }) => id === "jobs.failing")
    );
  };

  await attempts(9);
  assert.deepEqual(await reported(), [[], [], []], "nine failures");
  await attempts(9);
  assert.equal((await createJobAdmin(services).counts()).dead, 0);
  for (const problems of await reported()) {
    assert.match(
      problems[0]!.what,
      /^The job cfbe_blank_ips keeps failing, so old IP addresses are not deleted\. The latest of \d\d failures: .*disk I\/O error\.$/,
    );
  }

  definition.handle = handle;
  await attempts(1);
  assert.equal(await queue.get(BLANK_IPS_JOB.id), null);
  assert.deepEqual(await reported(), [[], [], []]);
});

Deno.test("a job keeps failing from its tenth failure on, while it goes on and not only snoozes", () => {
  const failed = { note: "HTTP 500", at: 0 };
  const snoozed = { note: "snoozed: More to delete.", at: 1 };
  const row = { state: "waiting", failures: 10, history: [failed, snoozed] } as const;
  const reason = (more: Partial<Parameters<typeof keepsFailing>[0]>) =>
    keepsFailing({ ...row, history: [...row.history], ...more });
  assert.equal(reason({}), "HTTP 500");
  assert.equal(reason({ state: "running" }), "HTTP 500");
  assert.equal(reason({ state: "dead" }), undefined, "which `jobs.dead` reports");
  assert.equal(reason({ state: "parked" }), undefined);
  assert.equal(reason({ failures: 9 }), undefined);
  assert.equal(reason({ history: [snoozed, snoozed] }), undefined);
  for (const note of Object.values(CHANGED)) {
    assert.equal(reason({ history: [failed, { note, at: 1 }] }), "HTTP 500", note);
  }
});
