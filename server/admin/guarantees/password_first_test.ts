/** What gives access, hands out or erases people asks for the password again (`docs/security.md`). */
import assert from "node:assert/strict";
import {
  type AdminHarness,
  adminHarness,
  PASSWORD,
  type SignedIn,
} from "../../../dev/testing/admin_harness.ts";
import { actions, runAction } from "../action_table.ts";
import { LOCAL } from "../auth/actor.ts";
import { isProved } from "../auth/proved.ts";
import { DOWNLOADS } from "../download_routes.ts";

const MINUTE_MS = 60_000;
const TEN_MINUTES_MS = 10 * MINUTE_MS;

/** Makes the session so old that its password no longer counts. */
async function aged(app: AdminHarness): Promise<SignedIn> {
  const admin = await app.signIn();
  await app.clock.advance(TEN_MINUTES_MS);
  return admin;
}

/** Returns the form of a page: where it is sent, and its hidden fields. */
function formOf(html: string): { action: string; fields: Record<string, string> } {
  const plain = (text: string) => text.replaceAll("&amp;", "&").replaceAll("&quot;", '"');
  const [, action] = /<form[^>]* action="([^"]+)"/.exec(html)!;
  const hidden = [...html.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)];
  return {
    action: plain(action!),
    fields: Object.fromEntries(hidden.map(([, name, value]) => [name!, plain(value!)])),
  };
}

const isAsking = (html: string) => html.includes("Confirm your password");

/** Sends the page that asks for the password. */
async function answer(app: AdminHarness, { cookie }: SignedIn, html: string, password: string) {
  const { action, fields } = formOf(html);
  const response = await app.fetch(action, {
    method: "POST",
    headers: { cookie, origin: "http://localhost:8000" },
    body: new URLSearchParams({ ...fields, _password: password }),
  });
  return { status: response.status, headers: response.headers, html: await response.text() };
}

const audited = async (app: AdminHarness) =>
  (await app.services.admin.audit.list()).rows.filter(({ action }) => action === "cfbe_confirm_password");
const users = async (app: AdminHarness) => (await app.services.admin.users.list()).map(({ name }) => name);
const REMOVAL = { name: "the-viewer", _page: "/users" };

/** Every action that asks, with a valid input. */
const ASKING: Record<string, object> = {
  cfbe_add_passkey: { title: "Laptop", answer: "{}" },
  cfbe_add_site: { url: "https://shop.example" },
  cfbe_add_token: { name: "shop", scopes: ["signup"] },
  cfbe_add_user: { name: "grace", role: "viewer", password: "a long password of grace" },
  cfbe_begin_identity: {},
  cfbe_begin_passkey: {},
  cfbe_begin_second_factor: {},
  cfbe_connect_site: { site: "https://shop.example" },
  cfbe_disable_passwords: {},
  cfbe_disable_second_factor: {},
  cfbe_disconnect_identity: {},
  cfbe_enable_passwords: {},
  cfbe_enable_second_factor: { seed: "seed", code: "123456" },
  cfbe_erase_people: { rows: ["ann@example.com list-1"], typed: "1" },
  cfbe_erase_person: { email: "ann@example.com" },
  cfbe_export_person: { email: "ann@example.com" },
  cfbe_invite_user: { name: "grace", role: "viewer" },
  cfbe_migrate_provider: { from: "bluefox", lists: { "1": "2" } },
  cfbe_remove_passkey: { passkey: "01234567" },
  cfbe_remove_second_factor: { name: "the-viewer" },
  cfbe_remove_user: { name: "the-viewer" },
  cfbe_remove_user_passkey: { name: "the-viewer", passkey: "01234567" },
  cfbe_renew_recovery_codes: {},
  cfbe_reset_password: { name: "the-viewer" },
  cfbe_revoke_key: { id: "0123456789" },
  cfbe_revoke_site: { id: "0123456789" },
  cfbe_revoke_token: { id: "0123456789" },
  cfbe_rotate_keys: { id: "0123456789" },
  cfbe_set_password: { name: "the-viewer", password: "a long password of grace" },
  cfbe_set_role: { name: "the-viewer", role: "analyst" },
};

Deno.test("exports, erasures, users, passwords, second factors, passkeys, API tokens, connected sites, keys and moves to another provider ask for the password", () => {
  const asking = actions.filter((each) => each.asksPassword);
  assert.deepEqual(asking.map(({ name }) => name).toSorted(), Object.keys(ASKING));
  assert.deepEqual(asking.filter(({ upload }) => upload), [], "the page that asks cannot keep a file");
  assert.deepEqual(DOWNLOADS.filter((each) => each.asksPassword).map(({ path }) => path), [
    "/subscribers/:file",
    "/audit/audit.csv",
  ]);
});

Deno.test("ten minutes after signing in, an action asks for the password, keeps what was typed, and then runs once", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  await app.signIn("viewer");
  await app.clock.advance(TEN_MINUTES_MS);
  const asked = await admin.send("cfbe_set_role", {
    name: "the-viewer",
    role: "analyst",
    _page: "/users?x=1",
  });
  const page = await asked.text();
  assert.equal(asked.status, 403);
  assert.equal(asked.headers.get("cache-control"), "no-store");
  assert.ok(isAsking(page));
  assert.match(page, /Change user role/);
  assert.equal((await app.services.admin.users.find("the-viewer"))?.role, "viewer");

  const done = await answer(app, admin, page, PASSWORD);
  assert.deepEqual([done.status, done.headers.get("location")], [303, "/admin/users?x=1"]);
  assert.equal((await app.services.admin.users.find("the-viewer"))?.role, "analyst");
  assert.equal(
    (await admin.send("cfbe_remove_user", REMOVAL)).status,
    303,
    "the password counts for ten minutes",
  );
  const [entry, ...more] = await audited(app);
  assert.deepEqual([entry!.who, entry!.result, more], ["the-admin", "done", []]);
});

Deno.test("every action that asks writes nothing without the password", async () => {
  await using app = await adminHarness();
  const admin = await aged(app);
  const before = await app.dump();
  for (const [name, input] of Object.entries(ASKING)) {
    const result = await runAction(app.services, admin.actor, name, input);
    assert.equal(!result.ok && result.code, "password_needed", name);
  }
  assert.equal(await app.dump(), before, "nothing was written, not even to the audit log");
});

Deno.test("wrong passwords run nothing, count toward the limit of this session only, and share one audit entry", async () => {
  await using app = await adminHarness();
  await app.signIn("viewer");
  const [here, elsewhere] = [await app.signIn(), await app.signIn()];
  await app.clock.advance(TEN_MINUTES_MS);
  let html = await (await here.send("cfbe_remove_user", REMOVAL)).text();
  for (const _ of Array(5)) {
    const wrong = await answer(app, here, html, "not the password");
    assert.equal(wrong.status, 403);
    assert.match(wrong.html, /That password is incorrect\./);
    assert.ok(!wrong.html.includes("not the password"));
    html = wrong.html;
  }
  const limited = await answer(app, here, html, PASSWORD);
  assert.equal(limited.status, 429);
  assert.match(limited.html, /Too many attempts/);
  assert.ok((await users(app)).includes("the-viewer"));
  const other = await (await elsewhere.send("cfbe_remove_user", REMOVAL)).text();
  assert.equal((await answer(app, elsewhere, other, PASSWORD)).status, 303);
  assert.deepEqual(
    (await audited(app)).map(({ result, count }) => [result, count]).toSorted(),
    [["done", undefined], ["refused", 5]],
  );
});

Deno.test("a password confirmed in one window counts in another of the same session, and in no other session", async () => {
  await using app = await adminHarness();
  await app.signIn("viewer");
  const [here, elsewhere] = [await app.signIn(), await app.signIn()];
  await app.clock.advance(TEN_MINUTES_MS);
  const windows = await Promise.all(
    ["analyst", "support"].map(async (role) =>
      await (await here.send("cfbe_set_role", { name: "the-viewer", role, _page: "/users" })).text()
    ),
  );
  for (const window of windows) assert.equal((await answer(app, here, window, PASSWORD)).status, 303);
  assert.equal((await app.services.admin.users.find("the-viewer"))?.role, "support");
  const other = await elsewhere.send("cfbe_remove_user", REMOVAL);
  assert.ok(isAsking(await other.text()));
});

Deno.test("a page that asks for the password does nothing after its session has ended, or in another session", async () => {
  await using app = await adminHarness();
  await app.signIn("viewer");
  const [here, elsewhere] = [await app.signIn(), await app.signIn()];
  await app.clock.advance(TEN_MINUTES_MS);
  const page = await (await here.send("cfbe_remove_user", REMOVAL)).text();
  assert.equal((await answer(app, elsewhere, page, PASSWORD)).status, 403, "the nonce is of another session");
  await app.services.admin.sessions.close(here.actor.session.id);
  assert.equal((await answer(app, here, page, PASSWORD)).status, 401);
  assert.ok((await users(app)).includes("the-viewer"));
});

Deno.test("a session that ends while its password is checked does not come back", async () => {
  await using app = await adminHarness();
  const { actor } = await aged(app);
  const { sessions } = app.services.admin;
  await sessions.close(actor.session.id);
  assert.equal(await sessions.prove(actor.session.id, app.clock.now()), false);
  assert.equal((await sessions.byUser()).size, 0);
});

const EXPORTS = {
  "/subscribers/subscribers.csv?status=pending": /^email,name/,
  "/audit/audit.csv?user=the-admin": /^\ufeff?time,user,.*\r\n[^]*the-admin/,
};
for (const [path, file] of Object.entries(EXPORTS)) {
  Deno.test(`the export ${path} asks for the password, and then leads to the file`, async () => {
    await using app = await adminHarness();
    const admin = await aged(app);
    const asked = await admin.page(path);
    assert.equal(asked.status, 403);
    assert.ok(isAsking(asked.html));
    assert.equal((await answer(app, admin, asked.html, "wrong")).status, 403);
    const done = await answer(app, admin, asked.html, PASSWORD);
    assert.deepEqual([done.status, done.headers.get("location")], [303, `/admin${path}`]);
    assert.match((await admin.page(path)).html, file);
  });
}

Deno.test("an export of checked rows asks for the password, and then exports only them", async () => {
  await using app = await adminHarness();
  const admin = await aged(app);
  const { cookie } = admin;
  const send = (fields: Record<string, string>) =>
    app.fetch("/admin/subscribers/subscribers.csv", {
      method: "POST",
      headers: { cookie, origin: "http://localhost:8000" },
      body: new URLSearchParams(fields),
    });
  const asked = await (await send({ "rows.0": "ann@example.com list-1", "a:rows": "" })).text();
  assert.ok(isAsking(asked));
  const done = await answer(app, admin, asked, PASSWORD);
  assert.equal(done.status, 200);
  assert.match(done.headers.get("content-disposition")!, /attachment/);
  const empty = await send({});
  assert.equal(empty.status, 422, "without rows, nothing is exported");
  await empty.body?.cancel();
});

Deno.test("API tokens and the command line are not asked", async () => {
  await using app = await adminHarness();
  await aged(app);
  const response = await app.fetch("/admin/ajax?action=cfbe_export_person", {
    method: "POST",
    headers: { "authorization": "Bearer the-api-token-of-tests", "content-type": "application/json" },
    body: JSON.stringify({ email: "ann@example.com" }),
  });
  assert.equal(response.status, 200);
  await response.body?.cancel();
  assert.equal(
    (await runAction(app.services, LOCAL, "cfbe_export_person", { email: "ann@example.com" })).ok,
    true,
  );
});

Deno.test("a script with a session gets an error that says how to confirm the password", async () => {
  await using app = await adminHarness();
  const admin = await aged(app);
  const response = await admin.send("cfbe_remove_user", REMOVAL, { accept: "application/json" });
  const { code, message } = await response.json();
  assert.deepEqual([response.status, code], [403, "password_needed"]);
  assert.match(message, /Confirm first that it is you/);
});

Deno.test("a clock that goes back makes no password count for longer than ten minutes more", async () => {
  await using app = await adminHarness();
  const { actor } = await app.signIn();
  const at = actor.session.provedAt;
  const minutes = [-60, -10, -9, 0, 9, 10, 60];
  assert.deepEqual(minutes.map((ahead) => isProved(actor.session, at + ahead * MINUTE_MS)), [
    false,
    false,
    true,
    true,
    true,
    false,
    false,
  ]);
});
