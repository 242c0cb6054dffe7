import assert from "node:assert/strict";
import { openAlerts } from "../../../operations/alerts/rows.ts";
import { diagnose, testConnection } from "../../../operations/doctor/doctor.ts";
import { eventually } from "../../../../dev/testing/eventually.ts";
import { startJourney } from "../../testing/journey.ts";
import { missingPermissions } from "./permissions.ts";
import { serveListmonk } from "./testing/serve.ts";

const FOR_SIGNUPS = [
  "lists:get_all",
  "lists:manage_all",
  "subscribers:get",
  "subscribers:get_all",
  "subscribers:manage",
];
const FOR_EMAILS = ["tx:send", "templates:get"];

async function start() {
  const served = await serveListmonk();
  const journey = await startJourney("listmonk", { ...served, settings: { listmonkUrl: served.url } });
  return {
    ...journey,
    double: served.double,
    async [Symbol.asyncDispose]() {
      await journey[Symbol.asyncDispose]();
      await served[Symbol.asyncDispose]();
    },
  };
}

for (const permission of [...FOR_SIGNUPS, ...FOR_EMAILS]) {
  Deno.test(`the doctor and the connection test name the missing permission ${permission}`, async () => {
    await using app = await start();
    assert.ok((await testConnection(app.program.services)).ok);
    app.double.revoke(permission);
    const report = await testConnection(app.program.services);
    const isForSignups = FOR_SIGNUPS.includes(permission);
    assert.equal(report.ok, !isForSignups);
    assert.deepEqual(report.causes.map(({ code }) => code), ["permissions"]);
    assert.ok(report.causes[0]!.what.startsWith(`The API token lacks the permission ${permission}.`));
    assert.match(report.causes[0]!.todo, /Add it to its user's role in listmonk\./);
    const { findings } = await diagnose(app.program.services, { fetch });
    const found = findings.find(({ id }) => id === "provider.permissions")!;
    assert.equal(found.level, isForSignups ? "error" : "warning");
    assert.ok(found.what.includes(permission), found.what);
  });
}

Deno.test("the first user may do everything, and a role for lists counts for lists", () => {
  const lacks = (profile: unknown) => missingPermissions(profile)?.map(({ permission }) => permission);
  assert.deepEqual(lacks({ user_role: { id: 1, permissions: [] } }), []);
  assert.deepEqual(lacks({ user_role: { id: 2, permissions: null } }), [...FOR_SIGNUPS, ...FOR_EMAILS]);
  const lists = { lists: [{ id: 3, permissions: ["list:get", "list:manage"] }] };
  assert.deepEqual(
    lacks({ user_role: { id: 2, permissions: ["subscribers:get", ...FOR_EMAILS] }, list_role: lists }),
    ["subscribers:get_all", "subscribers:manage"],
  );
  assert.equal(lacks("<html>"), undefined);
});

Deno.test("a delivery that the provider does not allow is an alert at once, which names the permission", async () => {
  await using app = await start();
  app.double.revoke("subscribers:manage");
  await app.signUp("ada@example.com");
  const alert = async () => (await openAlerts(app.program.services.kv))[0];
  await eventually("an alert is open", async () => await alert() !== undefined);
  assert.match((await alert())!.problem.what, /HTTP 403: permission denied: subscribers:manage\.$/);
});
