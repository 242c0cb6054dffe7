/** Users see their sessions and end them, and admins end those of others. */
import assert from "node:assert/strict";
import { keys } from "../../platform/kv/keys.ts";
import { type AdminHarness, adminHarness, type SignedIn } from "../../../dev/testing/admin_harness.ts";
import { cookieOf, logIn, opensAdmin } from "./testing/sign_in.ts";

const MINUTE_MS = 60 * 1000;
const PHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1";

const sessionIds = (html: string) =>
  [...html.matchAll(/name="session" value="([^"]+)"/g)].map(([, id]) => id!);
const open = (app: AdminHarness, users: SignedIn[]) =>
  Promise.all(users.map(({ cookie }) => opensAdmin(app, cookie)));

Deno.test("the account page lists the user's sessions with browser, network and times, and marks this one", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  await app.signIn("viewer");
  const phone = cookieOf(await logIn(app, {}, "192.0.2.7", { "user-agent": PHONE }));
  await app.clock.advance(10 * MINUTE_MS);
  const { html } = await admin.page("/account");
  const table = /Where you are signed in<\/caption>[^]*?<\/table>/.exec(html)![0];
  const [first, second, ...more] = table.split("<tr").slice(2);
  assert.deepEqual(more, [], "only the user's own sessions");
  assert.match(first!, /Unknown browser[^]*this one/);
  assert.match(second!, /Safari on iPhone/);
  assert.match(second!, /192\.0\.2\.0\/24/);
  assert.doesNotMatch(second!, /this one|192\.0\.2\.7/);
  assert.equal(second!.match(/<time/g)?.length, 2);
  assert.equal(await opensAdmin(app, phone), true);
});

Deno.test("an ended session is refused at once, and its unsaved form leads to the sign-in page and back", async () => {
  await using app = await adminHarness();
  const [here, elsewhere] = [await app.signIn(), await app.signIn()];
  const [id] = sessionIds((await here.page("/account")).html);
  assert.equal((await here.send("cfbe_end_session", { session: id! })).status, 303);
  assert.deepEqual(await open(app, [here, elsewhere]), [true, false]);

  const page = await elsewhere.page("/forms");
  assert.equal(page.status, 401);
  assert.match(page.html, /Your session has ended\. Sign in again to continue\./);
  const refused = await elsewhere.send("cfbe_save_general", { "fields.projectId": "unsaved" }, {
    referer: "http://localhost:8000/admin/general",
  });
  const html = await refused.text();
  assert.equal(refused.status, 401);
  assert.match(html, /Your session has ended, so this was not done\. Sign in to continue\./);
  const next = /name="next" value="([^"]*)"/.exec(html)![1]!;
  assert.equal((await logIn(app, { next })).headers.get("location"), "/admin/general");
  assert.notEqual(app.services.settings.current().general.projectId, "unsaved");
});

Deno.test("signing out everywhere else ends every other session of the user, and keeps this one", async () => {
  await using app = await adminHarness();
  const [here, elsewhere, phone] = [await app.signIn(), await app.signIn(), await app.signIn()];
  const viewer = await app.signIn("viewer");
  assert.equal((await here.send("cfbe_end_other_sessions")).status, 303);
  assert.deepEqual(await open(app, [here, elsewhere, phone, viewer]), [true, false, false, true]);
  assert.doesNotMatch((await here.page("/account")).html, /Sign out everywhere else/);
});

Deno.test("a user can end no session of another user", async () => {
  await using app = await adminHarness();
  const [admin, viewer] = [await app.signIn(), await app.signIn("viewer")];
  const { id } = admin.actor.session;
  assert.equal((await viewer.send("cfbe_end_session", { session: id })).status, 404);
  assert.equal((await viewer.send("cfbe_sign_out_user", { name: "the-admin" })).status, 403);
  assert.equal(await opensAdmin(app, admin.cookie), true);
});

Deno.test("an admin sees how many sessions a user has, and ends them all", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  const [one, two] = [await app.signIn("viewer"), await app.signIn("viewer")];
  const sessionsOf = async (user: SignedIn) =>
    [...(await user.page("/users")).html.matchAll(/data-title="Sessions"[^>]*><div>(\d+)</g)].map(([, n]) =>
      n
    );
  assert.deepEqual(await sessionsOf(admin), ["1", "2"]);
  assert.deepEqual(await sessionsOf(one), [], "a viewer does not see them");
  assert.equal((await admin.send("cfbe_sign_out_user", { name: "the-viewer" })).status, 303);
  assert.deepEqual(await open(app, [admin, one, two]), [true, false, false]);
  assert.deepEqual(await sessionsOf(admin), ["1", "0"]);
  assert.equal((await admin.send("cfbe_sign_out_user", { name: "nobody" })).status, 404);

  await app.signIn("viewer");
  await app.services.admin.users.setPassword("the-viewer", "another long password");
  assert.deepEqual(await sessionsOf(admin), ["1", "0"], "a new password has ended them");
});

Deno.test("a session that is used all the time is written at most once in five minutes", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  const versions = new Set<string>();
  for (let minute = 0; minute < 20; minute++) {
    assert.equal(await opensAdmin(app, admin.cookie), true);
    const { versionstamp } = await app.kv.get(keys.adminSession(admin.actor.session.id));
    versions.add(versionstamp!);
    await app.clock.advance(MINUTE_MS);
  }
  assert.equal(versions.size, 4);
});
