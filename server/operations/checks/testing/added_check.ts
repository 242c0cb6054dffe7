/**
 * A worker that runs the program with a check that cfbe does not have, and posts where its problem is. A worker has modules
 * of its own, so that no other test meets the check.
 */
import { adminHarness } from "../../../../dev/testing/admin_harness.ts";
import { startRecurringJobs } from "../../../program/recurring_jobs.ts";
import { openAlerts } from "../../alerts/rows.ts";
import { diagnose, testConnection } from "../../doctor/doctor.ts";
import { type Check, check } from "../check.ts";
import { CHECKS } from "../registry.ts";
import { logStartWarnings } from "../start_warnings.ts";

const cold = check("carts.cold", "bad", {
  in: {
    alert: "jobs",
    overview: true,
    doctor: "background jobs are running",
    start: true,
    connection: true,
    pages: ["/carts"],
  },
  reads: ["settings"],
  find: ({ settings }) =>
    settings.general.modules.carts && {
      what: "The carts are cold.",
      why: "Nobody likes that.",
      todo: "Warm them up.",
    },
});
(CHECKS as Check[]).push(cold);

const app = await adminHarness({
  settings: { general: { projectId: "p", modules: { carts: true } }, carts: { template: "t" } },
});
const { services, clock, kv, log } = app;
const admin = await app.signIn();
await clock.advance(5 * 60_000);
await startRecurringJobs(services);
await app.work();
const { findings } = await diagnose(services, { fetch: () => Promise.reject(new TypeError("refused")) });
await logStartWarnings(services, {});
const { setup } = await testConnection(services);
const html = async (path: string) => (await admin.page(path)).html;

postMessage({
  alerts: (await openAlerts(kv)).map(({ problem }) => problem),
  doctor: findings,
  start: log.of(cold.id),
  connection: setup,
  pages: [await html("/overview"), await html("/alerts"), await html("/carts")],
});
await app[Symbol.asyncDispose]();
