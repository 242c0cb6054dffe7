/** While passwords are turned off, passkeys and the identity provider are the only ways in (`docs/admin.md`). */
import assert from "node:assert/strict";
import { Authenticator } from "../../../dev/testing/authenticator.ts";
import {
  type AdminHarness,
  adminHarness,
  PASSWORD,
  type SignedIn,
} from "../../../dev/testing/admin_harness.ts";
import { cookieOf, logIn, opensAdmin, post } from "../accounts/testing/sign_in.ts";
import { checksIn } from "../../operations/checks/registry.ts";
import { logStartWarnings } from "../../operations/checks/start_warnings.ts";
import { runAction } from "../action_table.ts";
import { LOCAL } from "../auth/actor.ts";
import { sessionOfLink } from "../auth/link_token.ts";
import { usersKey } from "../auth/users.ts";

const ORIGIN = "http://localhost:8000";
const MINUTE_MS = 60_000;

type CreationOptions = Parameters<Authenticator["create"]>[0];
type RequestOptions = Parameters<Authenticator["get"]>[0];

const unescaped = (text: string) => text.replaceAll("&quot;", '"').replaceAll("&amp;", "&");

/** Returns what a page passes to `navigator.credentials`. */
function optionsIn<Options>(html: string): Options {
  return JSON.parse(unescaped(/data-options="([^"]+)"/.exec(html)![1]!));
}

/** Gives a user a passkey. */
async function passkeyOf(app: AdminHarness, name: string): Promise<Authenticator> {
  const { users, passkeys } = app.services.admin;
  const owner = (await users.find(name))!;
  await passkeys.begin(owner);
  const authenticator = new Authenticator(ORIGIN);
  const answer = authenticator.create(await passkeys.optionsToAdd(owner, "s") as CreationOptions);
  assert.equal(typeof await passkeys.add(owner, "s", { title: "Laptop", answer }), "object");
  return authenticator;
}

async function enter(app: AdminHarness, authenticator: Authenticator): Promise<Response> {
  const options = await (await app.fetch("/admin/login/passkey")).json() as RequestOptions;
  return await post(app, "/admin/login/passkey", { passkey: authenticator.get(options), next: "/users" });
}

/** Signs in with a passkey, and returns what the admin's browser sends. */
async function signedInBy(app: AdminHarness, authenticator: Authenticator): Promise<SignedIn> {
  const opened = await enter(app, authenticator);
  assert.equal(opened.status, 303);
  const cookie = cookieOf(opened);
  const session = (await app.services.admin.sessions.find(cookie.slice("cfbe=".length)))!;
  const { name, role } = session.user;
  return { ...await app.signIn(), cookie, actor: { kind: "user", name, role, session } };
}

/** An installation in which an admin with a passkey has turned passwords off. */
async function passwordsOff(env: Record<string, string> = {}) {
  const app = await adminHarness({ env });
  await app.signIn("viewer");
  const authenticator = await passkeyOf(app, "the-admin");
  const admin = await signedInBy(app, authenticator);
  const result = await runAction(app.services, admin.actor, "cfbe_disable_passwords", {});
  assert.ok(result.ok, JSON.stringify(result));
  return { app, admin, authenticator, result };
}

const accepts = (app: AdminHarness) => app.services.admin.users.acceptPasswords();

Deno.test("passwords are turned off only by an admin who confirms it with a passkey, never with a password", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  await app.signIn("viewer");
  const authenticator = await passkeyOf(app, "the-admin");
  const asked = await admin.send("cfbe_disable_passwords", { _page: "/users" });
  const html = await asked.text();
  assert.equal(asked.status, 403, "a password of this minute is not enough");
  assert.doesNotMatch(html, /type="password"/);
  const again = await admin.send("cfbe_disable_passwords", { _page: "/users", _password: PASSWORD });
  assert.equal(again.status, 403);
  await again.body?.cancel();
  assert.equal(await accepts(app), true);
  const done = await admin.send("cfbe_disable_passwords", {
    _page: "/users",
    _passkey: authenticator.get(optionsIn(html)),
  });
  assert.equal(done.status, 303);
  assert.equal(await accepts(app), false);
  assert.match(
    (await admin.page("/users")).html,
    /Passwords are turned off\. Users sign in with a passkey\./,
  );
  const { rows } = await app.services.admin.audit.list({ actions: ["cfbe_disable_passwords"] });
  assert.deepEqual(rows.map(({ who, result }) => [who, result]), [["the-admin", "done"]]);
});

Deno.test("nobody turns passwords off without another way to sign in: no admin, no token, and not the command line", async () => {
  await using app = await adminHarness();
  const { actor } = await app.signIn();
  const proved = { ...actor, session: { ...actor.session, provedBy: "passkey" as const } };
  const without = await runAction(app.services, proved, "cfbe_disable_passwords", {});
  assert.equal(!without.ok && without.code, "no_other_way");
  assert.match((await (await app.signIn()).page("/users")).html, /add a passkey under/);
  const local = await runAction(app.services, LOCAL, "cfbe_disable_passwords", {});
  assert.equal(!local.ok && local.code, "no_user");
  const viewer = await app.signIn("viewer");
  await passkeyOf(app, "the-viewer");
  const refused = await app.services.admin.waysIn.disablePasswords(viewer.actor.session.user);
  assert.equal(refused, "no-other-way", "an admin has to remain who can sign in");
  assert.equal(await accepts(app), true);
});

Deno.test("the page names everybody who has no other way to sign in before passwords are turned off, and the answer afterwards", async () => {
  await using app = await adminHarness({ env: { CFBE_ADMIN_PASSWORD: "a password of the variable" } });
  await app.signIn("viewer");
  await app.signIn("support");
  const admin = await signedInBy(app, await passkeyOf(app, "the-admin"));
  await passkeyOf(app, "the-support");
  const { html } = await admin.page("/users");
  const [dialog] = /<dialog id="disable-passwords"[^]*?<\/dialog>/.exec(html)!;
  const named = [...dialog.matchAll(/<li><strong>([^<]+)<\/strong>/g)].map(([, name]) => name);
  assert.deepEqual(named, ["admin", "the-viewer"]);
  assert.match(dialog, /there is no link for the user of CFBE_ADMIN_PASSWORD/);
  const result = await runAction(app.services, admin.actor, "cfbe_disable_passwords", {});
  assert.match(result.ok ? result.message : "", /these users need a sign-in link: the-viewer\.$/);
});

Deno.test("the page reads the passkeys of each user once", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  const reads = async () => {
    app.reset();
    assert.match((await admin.page("/users")).html, /add a passkey under/);
    return app.counts.reads;
  };
  const before = await reads();
  for (const role of ["viewer", "support", "analyst"] as const) await app.signIn(role);
  assert.equal(await reads() - before, 3 * ["passkeys", "second factor"].length);
});

Deno.test("while passwords are turned off, none signs anybody in, also not CFBE_ADMIN_PASSWORD, and passkeys do", async () => {
  const { app, authenticator } = await passwordsOff({ CFBE_ADMIN_PASSWORD: "a password of the variable" });
  await using _ = app;
  const attempts = [
    { name: "the-admin" },
    { name: "the-viewer" },
    { name: "admin", password: "a password of the variable" },
  ];
  for (const fields of attempts) {
    const response = await logIn(app, fields);
    assert.equal(response.status, 403, fields.name);
    assert.match(await response.text(), /Passwords are turned off/);
    const { users, hashes } = app.services.admin;
    const { name, password = PASSWORD } = fields;
    assert.equal(await hashes.run("known", () => users.verify(name, password)), undefined);
  }
  assert.doesNotMatch(await (await app.fetch("/admin/login")).text(), /type="password"/);
  assert.equal((await enter(app, authenticator)).status, 303);
});

Deno.test("while passwords are turned off, nobody gets one: not by an admin, the command line or their own change", async () => {
  const { app, admin } = await passwordsOff();
  await using _ = app;
  const password = "gravel onion lantern";
  const refused: [string, object][] = [
    ["cfbe_add_user", { name: "grace", role: "viewer", password }],
    ["cfbe_set_password", { name: "the-viewer", password }],
    ["cfbe_change_password", { current: PASSWORD, password }],
  ];
  for (const [action, input] of refused) {
    const result = await runAction(app.services, admin.actor, action, input);
    assert.equal(!result.ok && result.code, "passwords-off", action);
  }
  assert.equal(await app.services.admin.users.find("grace"), undefined);
});

/** Returns a link of an admin, and what its page and its form do. */
async function linkOf(app: AdminHarness, kind: "invitation" | "reset", name: string) {
  const { passwordLinks } = app.services.admin;
  const made = kind === "invitation"
    ? await passwordLinks.invite({ name, role: "support", by: "ann" })
    : await passwordLinks.reset({ name, by: "ann" });
  assert(typeof made === "object");
  const path = kind === "invitation" ? "/admin/invitation" : "/admin/new-password";
  const send = (fields: Record<string, string> = {}) => post(app, path, { link: made.token, ...fields });
  return { token: made.token, send, page: async () => await (await send()).text() };
}

Deno.test("while passwords are turned off, an invitation and a link for a user ask for a passkey, which signs them in", async () => {
  const { app } = await passwordsOff();
  await using _ = app;
  const { sessions, users } = app.services.admin;
  const viewer = await app.signIn("viewer");
  for (
    const [kind, name, role] of [["invitation", "grace", "support"], [
      "reset",
      "the-viewer",
      "viewer",
    ]] as const
  ) {
    const link = await linkOf(app, kind, name);
    const html = await link.page();
    assert.doesNotMatch(html, /type="password"/);
    const chosen = "gravel onion lantern";
    const byPassword = await link.send({ password: chosen, repeat: chosen });
    assert.equal(byPassword.status, 200, "the same page again");
    await byPassword.body?.cancel();
    assert.equal(await app.services.admin.passwordLinks.use(link.token, chosen), undefined);
    const wrong = await link.send({ passkey: "{}" });
    assert.equal(wrong.status, 422);
    assert.match(await wrong.text(), /Create it again/);
    const authenticator = new Authenticator(ORIGIN);
    const passkey = authenticator.create(optionsIn(html));
    const both = await Promise.all([link.send({ passkey }), link.send({ passkey })]);
    const [opened, ...more] = both.filter(({ status }) => status === 303);
    assert.deepEqual(more, [], "once");
    assert.equal(await opensAdmin(app, cookieOf(opened!)), true);
    assert.equal((await users.find(name))?.role, role);
    assert.equal((await enter(app, authenticator)).status, 303);
    assert.equal((await link.send()).status, 410, "the link is used up");
  }
  assert.equal(await opensAdmin(app, viewer.cookie), false, "signed out on all other devices");
  assert.equal((await sessions.byUser()).get("the-viewer")?.length, 2);
});

Deno.test("the passkey of a link is for that link and its user only, and none is stored while passwords are on", async () => {
  const { app } = await passwordsOff();
  await using _ = app;
  const [one, other] = [await linkOf(app, "invitation", "grace"), await linkOf(app, "invitation", "ada")];
  const passkey = new Authenticator(ORIGIN).create(optionsIn(await one.page()));
  assert.equal((await other.send({ passkey })).status, 422);
  const { passkeys, passwordLinks, users, waysIn } = app.services.admin;
  await waysIn.enablePasswords();
  const made = await passkeys.created(sessionOfLink(one.token), { title: "Laptop", answer: passkey });
  assert(typeof made === "object");
  assert.equal(await passwordLinks.useWithPasskey(one.token, made), undefined);
  assert.match(await one.page(), /type="password"/);
  assert.equal(await users.find("grace"), undefined);
  assert.equal((await passwordLinks.list()).length, 2);
});

Deno.test("a link gives no passkey to a user with a second factor, which it would replace", async () => {
  const { app } = await passwordsOff();
  await using _ = app;
  const { secondFactors, passkeys, passwordLinks, users } = app.services.admin;
  const link = await linkOf(app, "reset", "the-viewer");
  const html = await link.page();
  const passkey = new Authenticator(ORIGIN).create(optionsIn(html));
  await app.kv.set(["s", "main", "admin_second_factor", "the-viewer"], {
    v: 1,
    seed: secondFactors.newSeed(),
    enabledAt: app.clock.now(),
    codes: [],
    used: [],
  });
  const refused = await link.send({ passkey });
  assert.match(await refused.text(), /ask an admin to remove it first/);
  const made = await passkeys.created(sessionOfLink(link.token), { title: "Laptop", answer: passkey });
  assert(typeof made === "object");
  assert.equal(await passwordLinks.useWithPasskey(link.token, made), undefined);
  assert.deepEqual(await passkeys.of((await users.find("the-viewer"))!), []);
});

Deno.test("while passwords are turned off, what is dangerous is confirmed with a passkey, never with a password", async () => {
  const { app, admin, authenticator } = await passwordsOff();
  await using _ = app;
  await app.clock.advance(10 * MINUTE_MS);
  const { cookie } = admin;
  const path = "/admin/subscribers/subscribers.csv";
  const asked = await app.fetch(path, { headers: { cookie } });
  const html = await asked.text();
  assert.equal(asked.status, 403);
  assert.doesNotMatch(html, /type="password"/);
  const send = (fields: Record<string, string>) =>
    app.fetch(path, {
      method: "POST",
      headers: { cookie, origin: ORIGIN },
      body: new URLSearchParams(fields),
    });
  const wrong = await send({ _password: PASSWORD });
  assert.equal(wrong.status, 403);
  await wrong.body?.cancel();
  const right = await send({ _passkey: authenticator.get(optionsIn(html)) });
  await right.body?.cancel();
  const { sessions } = app.services.admin;
  assert.equal((await sessions.find(cookie.slice("cfbe=".length)))!.provedAt, app.clock.now());
});

Deno.test("nobody removes their last passkey while passwords are turned off, although they have one", async () => {
  const { app, admin } = await passwordsOff();
  await using _ = app;
  const [passkey] = await app.services.admin.passkeys.of(admin.actor.session.user);
  const result = await runAction(app.services, admin.actor, "cfbe_remove_passkey", { passkey: passkey!.id });
  assert.equal(!result.ok && result.code, "last_way");
});

Deno.test("passwords turned on again are those from before, and creating the first admin turns them on", async () => {
  const { app } = await passwordsOff();
  await using _ = app;
  const on = await runAction(app.services, LOCAL, "cfbe_enable_passwords", {});
  assert.match(on.ok ? on.message : "", /^Passwords are turned on\./);
  assert.equal((await logIn(app)).status, 303);
  const { rows } = await app.services.admin.audit.list({ actions: ["cfbe_enable_passwords"] });
  assert.deepEqual(rows.map(({ who, result }) => [who, result]), [["command line", "done"]]);
  const twice = await runAction(app.services, LOCAL, "cfbe_enable_passwords", {});
  assert.equal(twice.ok && twice.tone, "warn");
  const row = { v: 1, users: {}, passwordsOffSince: 1 };
  await app.kv.set(["s", "main", "admin_users"], row);
  const token = new URL((await app.services.admin.openSetUp())!).hash.slice(1);
  const first = await post(app, "/admin/set-up", { token, name: "ann", password: "gravel onion lantern" });
  assert.equal(first.status, 303);
  assert.equal(await accepts(app), true);
});

const OIDC = {
  CFBE_OIDC_ISSUER: "https://id.example",
  CFBE_OIDC_CLIENT_ID: "cfbe",
  CFBE_OIDC_CLIENT_SECRET: "a secret of the tests",
};

/** Returns what a start says about users who can't sign in, with one admin and one viewer at an identity provider. */
async function startWarnings(env: Record<string, string>, change: (app: AdminHarness) => unknown = () => {}) {
  await using app = await adminHarness({ env });
  const identity = (subject: string) => ({ issuer: OIDC.CFBE_OIDC_ISSUER, subject, label: subject });
  const row = {
    v: 1 as const,
    users: {
      ann: { role: "admin" as const, identity: identity("ann"), createdAt: 1 },
      vi: { role: "viewer" as const, identity: identity("vi"), createdAt: 1 },
    },
  };
  await app.kv.set(usersKey(), { ...row, passwordsOffSince: 1 });
  await change(app);
  await logStartWarnings(app.services, {});
  return app.log.of("users.locked_out").map(({ fields }) => String(fields?.["message"]));
}

Deno.test("when the identity provider is removed or replaced while passwords are off, the start counts who can't sign in, and says how to turn passwords on", async () => {
  assert.deepEqual(await startWarnings(OIDC), []);
  const [removed, ...others] = await startWarnings({});
  assert.deepEqual(others, []);
  assert.match(removed!, /^2 users can't sign in: .* No admin can sign in\..* users enable-passwords`\.$/);
  const replaced = await startWarnings({ ...OIDC, CFBE_OIDC_ISSUER: "https://other.example" });
  assert.deepEqual(replaced, [removed]);
  assert.deepEqual(await startWarnings({}, (app) => app.services.admin.waysIn.enablePasswords()), []);
  const [partly] = await startWarnings({}, (app) => passkeyOf(app, "ann"));
  assert.match(partly!, /^1 user can't sign in: .* sign-in link for each user on the page Users/);
  assert.doesNotMatch(partly!, /No admin/);
  const [check] = checksIn(({ start }) => start).filter(({ id }) => id === "users.locked_out");
  assert.deepEqual(Object.keys(check!.in), ["alert", "overview", "doctor", "start"]);
});

Deno.test("the user of CFBE_ADMIN_PASSWORD is said to be locked out only if no other admin can sign in", async () => {
  const env = { CFBE_ADMIN_PASSWORD: "a password of the variable" };
  assert.deepEqual(await startWarnings({ ...OIDC, ...env }), []);
  assert.match((await startWarnings(env))[0]!, /^3 users can't sign in: .* No admin can sign in\./);
});

Deno.test("an account at a provider whose issuer ends with a slash is a way in, however the issuer is typed", async () => {
  const issuer = "https://tenant.id.example/";
  for (const typed of [issuer, "https://tenant.id.example"]) {
    await using app = await adminHarness({ env: { ...OIDC, CFBE_OIDC_ISSUER: typed } });
    await app.signIn();
    const { users, waysIn } = app.services.admin;
    await users.connect("the-admin", { issuer, subject: "s", label: "ann@news.example" });
    assert.deepEqual(await waysIn.withoutAnotherWay([(await users.find("the-admin"))!]), [], typed);
  }
});

Deno.test("the page names no account at an identity provider that is connected no more", async () => {
  const seenWith = async (issuer: string) => {
    await using app = await adminHarness({ env: OIDC });
    const admin = await app.signIn();
    const { users } = app.services.admin;
    await users.connect("the-admin", { issuer, subject: "s", label: "ann@news.example" });
    return (await admin.page("/users")).html.includes("ann@news.example");
  };
  assert.deepEqual([await seenWith(OIDC.CFBE_OIDC_ISSUER), await seenWith("https://old.example")], [
    true,
    false,
  ]);
});

Deno.test("the account of a stored user is no way in for the user of CFBE_ADMIN_PASSWORD of the same name", async () => {
  await using app = await adminHarness({
    env: { ...OIDC, CFBE_ADMIN_PASSWORD: "a password of the variable" },
  });
  const identity = { issuer: OIDC.CFBE_OIDC_ISSUER, subject: "s", label: "s" };
  await app.kv.set(usersKey(), { v: 1, users: { admin: { role: "admin", identity, createdAt: 1 } } });
  const { users, passkeys, waysIn } = app.services.admin;
  const fixed = (await users.find("admin"))!;
  assert.equal(await waysIn.disablePasswords(fixed), "no-other-way");
  await passkeyOf(app, "admin");
  assert.equal(await waysIn.disablePasswords(fixed), "done");
  const [passkey] = await passkeys.of(fixed);
  assert.equal(await waysIn.removeOwn(fixed, { kind: "passkey", id: passkey!.id }), "last-way");
  assert.equal(await waysIn.removeOwn(fixed, { kind: "identity" }), "absent");
});
