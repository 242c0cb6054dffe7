import assert from "node:assert/strict";
import { adminHarness, PASSWORD } from "../../../dev/testing/admin_harness.ts";
import { openLinks } from "../auth/password_link.ts";
import { cookieOf, logIn, opensAdmin } from "./testing/sign_in.ts";

const LINK = { kind: "reset", name: "ann", role: "admin", by: "command line", hash: "h" } as const;
const HOUR_MS = 60 * 60 * 1000;

Deno.test("a session ends after eight hours of inactivity, after seven days in any case, and on signing out", async () => {
  await using app = await adminHarness();
  const [idle, busy, closed] = [await app.signIn(), await app.signIn(), await app.signIn()];
  assert.equal((await closed.send("cfbe_log_out")).headers.get("location"), "/admin/login");
  assert.equal(await opensAdmin(app, closed.cookie), false);
  for (let hours = 4; hours < 7 * 24; hours += 4) {
    await app.clock.advance(4 * HOUR_MS);
    assert.equal(await opensAdmin(app, busy.cookie), true, `after ${hours} hours`);
    if (hours === 8) assert.equal(await opensAdmin(app, idle.cookie), false);
  }
  await app.clock.advance(4 * HOUR_MS);
  assert.equal(await opensAdmin(app, busy.cookie), false);
});

Deno.test("a new password, a new role and the removal of a user take effect in every open session", async () => {
  await using app = await adminHarness();
  const [here, elsewhere, viewer] = [await app.signIn(), await app.signIn(), await app.signIn("viewer")];
  const changed = await here.send("cfbe_change_password", {
    current: PASSWORD,
    password: "quite another one",
  });
  assert.equal(changed.status, 303);
  assert.equal(await opensAdmin(app, elsewhere.cookie), false);
  assert.equal(await opensAdmin(app, here.cookie), false, "this one too was opened with the old password");
  const renewed = (changed.headers.getSetCookie().find((line) => line.startsWith("cfbe=")) ?? "").split(
    ";",
  )[0]!;
  assert.equal(await opensAdmin(app, renewed), true);

  assert.match((await viewer.page("/general")).html, /, read-only</);
  await app.services.admin.users.setRole("the-viewer", "admin");
  assert.doesNotMatch((await viewer.page("/general")).html, /, read-only</);
  await app.services.admin.users.remove("the-viewer");
  assert.equal(await opensAdmin(app, viewer.cookie), false);
});

Deno.test("in an open session, changing the password requires the current one, with limited attempts", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  const fields = { _page: "/account", current: "a wrong guess", password: "quite another one" };
  for (let i = 0; i < 5; i++) {
    const response = await admin.send("cfbe_change_password", fields);
    assert.equal(response.status, 422);
    assert.match(await response.text(), /That password is incorrect/);
  }
  assert.equal((await admin.send("cfbe_change_password", { ...fields, current: PASSWORD })).status, 429);
});

Deno.test("a session and a password link of a clock that was ahead are over once it is right", async () => {
  await using app = await adminHarness();
  const start = app.clock.now();
  app.clock.set(start + 365 * 24 * HOUR_MS);
  const session = await app.signIn();
  const links = [{ ...LINK, expiresAt: app.clock.now() + HOUR_MS }];
  assert.equal(await opensAdmin(app, session.cookie), true);
  assert.equal(openLinks(links, app.clock.now()).length, 1);
  app.clock.set(start);
  assert.equal(await opensAdmin(app, session.cookie), false);
  assert.equal(openLinks(links, app.clock.now()).length, 0);
});

Deno.test("signing in again ends the browser's session before, and no other one", async () => {
  await using app = await adminHarness();
  const [elsewhere, before] = [await app.signIn(), cookieOf(await logIn(app))];
  const again = cookieOf(await logIn(app, {}, undefined, { cookie: before }));
  const open = await Promise.all([elsewhere.cookie, before, again].map((cookie) => opensAdmin(app, cookie)));
  assert.deepEqual(open, [true, false, true]);
});
