/** Invitations and new-password links. */
import assert from "node:assert/strict";
import { keys } from "../../platform/kv/keys.ts";
import type { CreatedLink } from "./actions/password_links.ts";
import {
  type AdminHarness,
  adminHarness,
  PASSWORD,
  type SignedIn,
} from "../../../dev/testing/admin_harness.ts";
import type { Role } from "../auth/capability.ts";
import { cookieOf, logIn, opensAdmin, post } from "./testing/sign_in.ts";
import { usersKey, type UsersRow } from "../auth/users.ts";

const HOUR_MS = 60 * 60 * 1000;
const NEW_PASSWORD = "chosen with the link";
const JSON_ONLY = { accept: "application/json" };

interface Link {
  /** Path below the server, such as `/admin/invitation`. */
  path: string;
  token: string;
}

/** Runs an action that creates a link. */
async function linkFrom(user: SignedIn, action: string, fields: Record<string, string>): Promise<Link> {
  const response = await user.send(action, fields, JSON_ONLY);
  assert.equal(response.status, 200);
  const { link } = (await response.json() as { data: CreatedLink }).data;
  const { pathname, search, hash } = new URL(link);
  assert.equal(search, "", "a query would be logged");
  return { path: pathname, token: hash.slice(1) };
}

const invite = (user: SignedIn, name = "grace", role: Role = "viewer") =>
  linkFrom(user, "cfbe_invite_user", { name, role });
const reset = (user: SignedIn, name: string) => linkFrom(user, "cfbe_reset_password", { name });

/** Opens the form of a link. */
const look = (app: AdminHarness, { path, token }: Link, peer?: string) =>
  post(app, path, { link: token }, peer);
/** Submits the form of a link. */
const use = (app: AdminHarness, { path, token }: Link, fields: Record<string, string> = {}) =>
  post(app, path, { link: token, password: NEW_PASSWORD, repeat: NEW_PASSWORD, ...fields });
const statuses = (responses: Response[]) => responses.map(({ status }) => status);
const userNames = async (app: AdminHarness) =>
  (await app.services.admin.users.list()).map(({ name }) => name);

Deno.test("an invitation creates one user, even if two tabs use it at the same time, and is stored only as a hash", async () => {
  await using app = await adminHarness();
  const link = await invite(await app.signIn());
  assert.ok(!(await app.dump()).includes(link.token));

  const both = await Promise.all([use(app, link), use(app, link)]);
  assert.deepEqual(statuses(both).toSorted(), [303, 410]);
  const late = both.find(({ status }) => status === 410)!;
  assert.match(await late.text(), /This link is no longer valid[^]*If you have used it already, sign in/);
  const cookie = cookieOf(both.find(({ status }) => status === 303)!);
  assert.equal(await opensAdmin(app, cookie), true, "signed in");
  assert.equal((await app.services.admin.users.find("grace"))?.role, "viewer");
  assert.equal((await logIn(app, { name: "grace", password: NEW_PASSWORD })).status, 303);
  const audited = (await app.services.admin.audit.list()).rows.map(({ action, who }) => `${action} ${who}`);
  assert.ok(audited.includes("cfbe_accept_invitation grace"), audited.join());
});

Deno.test("an invitation for a name that every object has as a member gives its role", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  assert.equal((await use(app, await invite(admin, "constructor"))).status, 303);
  assert.equal((await app.services.admin.users.find("constructor"))?.role, "viewer");
});

Deno.test("the page of an invitation shows the organization, or else the host, the user's name and the role", async () => {
  for (
    const [organization, shown] of [["Example & Co", "Example &amp; Co"], ["", "localhost:8000"]] as const
  ) {
    await using app = await adminHarness({ settings: { privacy: { organization } } });
    const page = await (await look(app, await invite(await app.signIn()))).text();
    assert.ok(page.includes(`the cfbe admin of <strong>${shown}</strong>`), page);
    assert.match(page, /Your role is <strong>Viewer \(read-only\)[^]*value="grace" readonly/);
  }
});

Deno.test("looking at a link, however often, does not use it up, and no URL, form or Referer contains its token", async () => {
  await using app = await adminHarness();
  const link = await invite(await app.signIn());
  const opened = await app.fetch(link.path);
  assert.equal(opened.status, 200);
  assert.equal(opened.headers.get("cache-control"), "no-store");
  assert.match(await opened.text(), /<input id="link" name="link"/, "works without JavaScript");
  for (let i = 0; i < 20; i++) {
    const response = await look(app, link);
    const html = await response.text();
    assert.equal(response.status, 200);
    assert.equal(html.split(link.token).length - 1, 1);
    assert.match(html, new RegExp(`<input type="hidden" name="link" value="${link.token}"`));
  }
  assert.equal(
    (await use(app, { ...link, token: `https://news.example/admin/invitation#${link.token} ` })).status,
    303,
  );
});

Deno.test("a password from a link follows the same rules as others, and has to be typed twice", async () => {
  await using app = await adminHarness();
  const link = await invite(await app.signIn());
  for (
    const [fields, error] of [
      [{ password: "short", repeat: "short" }, /id="password-error">Must be 10 characters or more/],
      [{ repeat: "another long password" }, /id="repeat-error">The passwords do not match/],
    ] as [Record<string, string>, RegExp][]
  ) {
    const response = await use(app, link, fields);
    assert.equal(response.status, 422);
    assert.match(await response.text(), error);
  }
  assert.equal((await use(app, link)).status, 303, "the link is still open");
});

Deno.test("an invitation expires after 72 hours, and a new-password link after 24", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  await app.signIn("viewer");
  const links = [await invite(admin), await reset(admin, "the-viewer")];
  const opens = async () => statuses(await Promise.all(links.map((link) => look(app, link))));
  await app.clock.advance(24 * HOUR_MS - 1);
  assert.deepEqual(await opens(), [200, 200]);
  await app.clock.advance(1);
  assert.deepEqual(await opens(), [200, 410]);
  await app.clock.advance(48 * HOUR_MS);
  assert.deepEqual(await opens(), [410, 410]);
  assert.equal((await use(app, links[0]!)).status, 410);
  assert.deepEqual(await userNames(app), ["the-admin", "the-viewer"]);
});

Deno.test("a revoked or replaced link is refused, and open links are listed for admins without their tokens", async () => {
  await using app = await adminHarness();
  const [admin, viewer] = [await app.signIn(), await app.signIn("viewer")];
  const first = await invite(admin);
  const second = await invite(admin);
  const { html } = await admin.page("/users");
  assert.match(html, /Open links[^]*grace[^]*Invitation as Viewer \(read-only\)[^]*Created by the-admin/);
  assert.ok(!html.includes(second.token));
  assert.doesNotMatch((await viewer.page("/users")).html, /Open links/);
  assert.deepEqual(statuses([await look(app, first), await look(app, second)]), [410, 200]);

  assert.equal((await admin.send("cfbe_revoke_link", { name: "grace" })).status, 303);
  assert.deepEqual(statuses([await look(app, second), await use(app, second)]), [410, 410]);
  assert.equal((await admin.send("cfbe_revoke_link", { name: "grace" })).status, 404);
});

Deno.test("guesses at links are limited to ten per IP, and valid links do not count", async () => {
  await using app = await adminHarness();
  const link = await invite(await app.signIn());
  const guess = (i: number) => look(app, { ...link, token: `guess-${i}` });
  for (let i = 0; i < 10; i++) {
    assert.equal((await look(app, link)).status, 200);
    assert.equal((await guess(i)).status, 410);
  }
  const refused = await look(app, link);
  assert.deepEqual([refused.status, refused.headers.get("retry-after")], [429, "900"]);
  assert.equal((await look(app, link, "192.0.2.9")).status, 200);
});

Deno.test("a new-password link ends all sessions of its user, and works once", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  const [one, two] = [await app.signIn("viewer"), await app.signIn("viewer")];
  const link = await reset(admin, "the-viewer");
  assert.equal(await opensAdmin(app, one.cookie), true, "the link alone ends nothing");
  const used = await use(app, link);
  assert.equal(used.status, 303);
  for (const { cookie } of [one, two]) assert.equal(await opensAdmin(app, cookie), false);
  assert.deepEqual(
    [await opensAdmin(app, admin.cookie), await opensAdmin(app, cookieOf(used))],
    [true, true],
  );
  assert.equal((await use(app, link)).status, 410);
  assert.equal((await logIn(app, { name: "the-viewer", password: PASSWORD })).status, 401);
});

Deno.test("a link of one kind does not open the page of the other", async () => {
  await using app = await adminHarness();
  const link = await invite(await app.signIn());
  assert.equal((await look(app, { ...link, path: "/admin/new-password" })).status, 410);
});

Deno.test("no user can invite, create or change one with more permissions than their own", async () => {
  await using app = await adminHarness({
    file: { filters: { cfbe_capability: (capability) => capability === "users" ? "view" : capability } },
  });
  const [, analyst] = [await app.signIn("viewer"), await app.signIn("analyst")];
  for (
    const [action, fields] of Object.entries({
      cfbe_invite_user: { name: "grace", role: "viewer" },
      cfbe_add_user: { name: "grace", role: "admin", password: PASSWORD },
      cfbe_set_role: { name: "the-analyst", role: "admin" },
      cfbe_reset_password: { name: "the-admin" },
      cfbe_set_password: { name: "the-viewer", password: NEW_PASSWORD },
      cfbe_remove_user: { name: "the-viewer" },
      cfbe_sign_out_user: { name: "the-admin" },
    })
  ) {
    const response = await analyst.send(action, fields, JSON_ONLY);
    assert.deepEqual([response.status, (await response.json()).code], [403, "higher_role"], action);
  }
  await (await analyst.send("cfbe_set_role", { name: "the-viewer", role: "analyst" })).body?.cancel();
  assert.equal((await app.services.admin.users.find("the-viewer"))?.role, "viewer");
  assert.equal((await use(app, await invite(analyst, "grace", "analyst"))).status, 303);
});

Deno.test("removing a user, or giving them another role, ends the links they have created", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  const { users, passwordLinks } = app.services.admin;
  assert.equal((await use(app, await invite(admin, "second", "admin"))).status, 303);
  const tokenBySecond = async () => {
    const made = await passwordLinks.invite({ name: "backdoor", role: "admin", by: "second" });
    assert.ok(typeof made === "object");
    return made.token;
  };
  const first = await tokenBySecond();
  await users.setRole("second", "viewer");
  assert.equal(await passwordLinks.find(first), undefined);
  const second = await tokenBySecond();
  await users.remove("second");
  assert.equal(await passwordLinks.find(second), undefined);
});

Deno.test("the first user, without whom nobody could sign in, can only be invited as an admin", async () => {
  await using app = await adminHarness();
  const { passwordLinks } = app.services.admin;
  const by = "command line";
  assert.equal(await passwordLinks.invite({ name: "grace", role: "viewer", by }), "last-admin");
  const made = await passwordLinks.invite({ name: "grace", role: "admin", by });
  assert.ok(typeof made === "object");
  assert.equal((await use(app, { path: "/admin/invitation", token: made.token })).status, 303);
});

Deno.test("a link for a name that CFBE_ADMIN_PASSWORD has taken since opens no account", async () => {
  await using app = await adminHarness();
  const link = await invite(await app.signIn(), "admin");
  const row = (await app.kv.get<UsersRow>(usersKey())).value!;
  await using later = await adminHarness({ env: { CFBE_ADMIN_PASSWORD: "set by environment" } });
  await later.kv.set(usersKey(), row);
  assert.deepEqual(statuses([await look(later, link), await use(later, link)]), [410, 410]);
});

Deno.test("a full list of users with a link for each fits into the row, and no invitation goes beyond it", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  const { value: row } = await app.kv.get<UsersRow>(usersKey());
  const password = { ...row!.users["the-admin"]!.password!, salt: "x".repeat(22), hash: "x".repeat(43) };
  const names = Array.from({ length: 99 }, (_, i) => `${"n".repeat(38)}${String(i).padStart(2, "0")}`);
  for (const name of names) row!.users[name] = { role: "analyst", password, createdAt: app.clock.now() };
  await app.kv.set(keys.adminUsers(), row);
  for (const name of names) await app.services.admin.passwordLinks.reset({ name, by: names[0]! });
  const full = await admin.send("cfbe_invite_user", { name: "grace", role: "viewer" }, JSON_ONLY);
  assert.equal((await full.json()).code, "too-many");
  assert.equal((await app.services.admin.passwordLinks.list()).length, 99);
});
