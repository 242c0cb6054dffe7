import assert from "node:assert/strict";
import { adminHarness } from "../../../../dev/testing/admin_harness.ts";

const variants = [{ id: "a", name: "=1+1" }, { id: "b", name: "Short", overrides: { heading: "Short" } }];
const DAY_MS = 24 * 60 * 60 * 1000;

Deno.test("an experiment is exported as CSV by day and variant, and days after its end only as far as something was counted", async () => {
  const app = await adminHarness();
  await using _ = app;
  const { settings, experimentCounts } = app.services;
  const startedAt = app.clock.now();
  const save = (more: object) =>
    settings.save("forms", {
      forms: [{ name: "footer", experiment: { id: "x1", state: "running", startedAt, variants, ...more } }],
    }, { replace: true });
  await save({});
  experimentCounts.count("x1/b", "seen");
  experimentCounts.count("x1/b", "accepted");
  await experimentCounts.flush();
  await app.clock.advance(DAY_MS);
  await save({ state: "stopped", stoppedAt: app.clock.now() });
  await app.clock.advance(DAY_MS);
  const tx = app.kv.atomic();
  experimentCounts.add(tx, "x1/b", "confirmed");
  await tx.commit();
  await app.clock.advance(30 * DAY_MS);
  const viewer = await app.signIn("viewer");
  const response = await viewer.page("/experiment/days.csv?form=footer");
  assert.match(response.headers.get("content-disposition")!, /filename="experiment-footer\.csv"/);
  const dayOf = (day: number) => new Date(startedAt + day * DAY_MS).toISOString().slice(0, 10);
  assert.deepEqual(response.html.split("\r\n"), [
    "\ufeffday,variant,seen,signups,confirmed,ordered,variant_name",
    `${dayOf(0)},a,0,0,0,0,'=1+1`,
    `${dayOf(0)},b,1,1,0,0,Short`,
    `${dayOf(1)},a,0,0,0,0,'=1+1`,
    `${dayOf(1)},b,0,0,0,0,Short`,
    `${dayOf(2)},a,0,0,0,0,'=1+1`,
    `${dayOf(2)},b,0,0,1,0,Short`,
    "",
  ]);
  assert.match(
    (await viewer.page("/experiment?form=footer")).html,
    /href="\S*\/experiment\/days.csv\?form=footer"/,
  );
  assert.equal((await viewer.page("/experiment/days.csv")).status, 404);
});

Deno.test("nobody exports an experiment without signing in", async () => {
  const app = await adminHarness();
  await using _ = app;
  const response = await app.fetch("/admin/experiment/days.csv");
  assert.notEqual(response.status, 200);
});
