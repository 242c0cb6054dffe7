/** Signing in with an identity provider: a real one, as a process. What one that lies can do is in `client_test.ts`. */
import assert from "node:assert/strict";
import { type AdminHarness, adminHarness, type SignedIn } from "../../../dev/testing/admin_harness.ts";
import { type OpenIdProvider, startOpenIdProvider } from "../../../dev/testing/openid_process.ts";
import { cookieOf, opensAdmin, post } from "../accounts/testing/sign_in.ts";
import { parseConfig } from "../../platform/config/config.ts";
import { runAction } from "../action_table.ts";

const BACK = "http://localhost:8000/admin/login/provider/back";
const MINUTE_MS = 60_000;

let provider: OpenIdProvider;
Deno.test.beforeAll(async () => {
  provider = await startOpenIdProvider(BACK);
});
Deno.test.afterAll(async () => {
  await provider[Symbol.asyncDispose]();
});

const withProvider = (env: Record<string, string> = {}) => adminHarness({ env: { ...provider.env, ...env } });

const flowIn = (response: Response) =>
  response.headers.getSetCookie().find((each) => each.startsWith("cfbe_flow="))!.split(";")[0]!;

/** Begins to sign in, and returns where the browser is sent and what it remembers. */
async function begin(app: AdminHarness, query = "", cookie = "") {
  const started = await app.fetch(`/admin/login/provider${query}`, { headers: { cookie } });
  await started.body?.cancel();
  assert.equal(started.status, 303);
  return { url: started.headers.get("location")!, flow: flowIn(started) };
}

/** Comes back from the provider. */
async function arrive(app: AdminHarness, back: string, cookie: string, ip = "192.0.2.9") {
  const { pathname, search } = new URL(back);
  const response = await app.fetch(pathname + search, { headers: { cookie } }, ip);
  const sessions = response.headers.getSetCookie().filter((each) => /^cfbe=./.test(each));
  return {
    status: response.status,
    location: response.headers.get("location"),
    html: await response.text(),
    session: sessions[0]?.split(";")[0],
  };
}

async function signIn(app: AdminHarness, name: string, query = "", groups: string[] = []) {
  const { url, flow } = await begin(app, query);
  return await arrive(app, await provider.signIn(url, name, groups), flow);
}

/** Connects the account of a user with the pages of the admin. */
async function connect(app: AdminHarness, user: SignedIn, name: string) {
  const page = await (await user.send("cfbe_begin_identity", { _page: "/account" })).text();
  const [, href] = /href="\/admin(\/login\/provider\?connect=[^"]+)"/.exec(page)!;
  const { url, flow } = await begin(app, href!.replace("/login/provider", ""), user.cookie);
  return await arrive(app, await provider.signIn(url, name), `${flow}; ${user.cookie}`);
}

const names = async (app: AdminHarness) =>
  (await app.services.admin.users.list()).map(({ name, role }) => `${name} ${role}`);

Deno.test("a user who has connected their account signs in with it, and opens the page asked for", async () => {
  await using app = await withProvider();
  const admin = await app.signIn();
  assert.match(await (await app.fetch("/admin/login")).text(), /Continue with Example ID/);
  const unknown = await signIn(app, "ann@news.example");
  assert.equal(unknown.status, 401);
  assert.match(unknown.html, /not connected to a user here/);
  assert.equal((await connect(app, admin, "ann@news.example")).location, "/admin/account");
  assert.match((await admin.page("/account")).html, /ann@news\.example/);
  const opened = await signIn(app, "ann@news.example", "?next=/forms");
  assert.deepEqual([opened.status, opened.location], [303, "/admin/forms"]);
  assert.equal(await opensAdmin(app, opened.session!), true);
  const { rows } = await app.services.admin.audit.list();
  const entries = rows.map(({ who, action, result }) => `${who} ${action} ${result}`);
  for (const each of ["cfbe_use_identity", "cfbe_connect_identity", "cfbe_sign_in"]) {
    assert.ok(entries.includes(`the-admin ${each} done`), each);
  }
});

Deno.test("an account of one user is never that of another, whatever its address is", async () => {
  await using app = await withProvider();
  await connect(app, await app.signIn(), "ann@news.example");
  const viewer = await app.signIn("viewer");
  await connect(app, viewer, "ann@news.example");
  assert.match((await viewer.page("/account")).html, /Connect account/);
  const same = await signIn(app, "unverified-ann@news.example");
  assert.equal(same.status, 401, "another subject with the same address");
});

Deno.test("an answer without the browser that began, for another one, used before or ten minutes late opens nothing", async () => {
  await using app = await withProvider();
  await connect(app, await app.signIn(), "ann@news.example");
  const mine = await begin(app);
  const back = await provider.signIn(mine.url, "ann@news.example");
  const refused: Record<string, string> = {
    "no cookie": "",
    "the cookie of another sign-in": (await begin(app)).flow,
    "a changed cookie": mine.flow.replace(/.$/, (last) => last === "A" ? "B" : "A"),
  };
  for (const [what, cookie] of Object.entries(refused)) {
    const { status, session } = await arrive(app, back, cookie, what);
    assert.deepEqual([status, session], [401, undefined], what);
  }
  const late = await begin(app);
  const lateBack = await provider.signIn(late.url, "ann@news.example");
  await app.clock.advance(10 * MINUTE_MS);
  assert.equal((await arrive(app, lateBack, late.flow)).status, 401);
  const fresh = await begin(app);
  const freshBack = await provider.signIn(fresh.url, "ann@news.example");
  assert.equal((await arrive(app, freshBack, fresh.flow)).status, 303);
  const replayed = await arrive(app, freshBack, fresh.flow);
  assert.deepEqual([replayed.status, replayed.session], [401, undefined]);
  assert.match(replayed.html, /answer of Example ID was not accepted/);
});

Deno.test("an invitation can be accepted with an account, once, and makes a user without a password", async () => {
  await using app = await withProvider();
  const admin = await app.signIn();
  const invite = async (name: string) => {
    const made = await app.services.admin.passwordLinks.invite({ name, role: "support", by: "ann" });
    assert(typeof made === "object");
    return made.token;
  };
  const accept = async (token: string, name: string) => {
    const started = await post(app, "/admin/login/provider", { link: token });
    const [, href] = /href="(http:\/\/localhost:\d+\/auth[^"]+)"/.exec(await started.text())!;
    return await arrive(app, await provider.signIn(href!.replaceAll("&amp;", "&"), name), flowIn(started));
  };
  const token = await invite("grace");
  const page = await (await post(app, "/admin/invitation", { link: token })).text();
  assert.match(page, /Continue with Example ID/);
  const accepted = await accept(token, "grace@elsewhere.example");
  assert.equal(accepted.status, 303);
  assert.equal(await opensAdmin(app, accepted.session!), true);
  assert.ok((await names(app)).includes("grace support"));
  assert.equal((await accept(token, "eve@elsewhere.example")).status, 410, "once");
  assert.equal(
    (await accept(await invite("second"), "grace@elsewhere.example")).status,
    410,
    "connected already",
  );
  for (const password of ["", "undefined", "a password of the tests"]) {
    assert.equal((await post(app, "/admin/login", { name: "grace", password })).status, 401);
  }
  const cookie = accepted.session!;
  const account = await (await app.fetch("/admin/account", { headers: { cookie } })).text();
  assert.match(account, /You have no password/);
  const { html } = await admin.page("/users");
  assert.match(html, /Example ID <span class="about whole">grace@elsewhere\.example/);
  assert.doesNotMatch(html, /With some groups/);
});

Deno.test("whoever has a verified address at an allowed domain becomes a user, and nobody else", async () => {
  await using app = await withProvider({ CFBE_OIDC_DOMAINS: "News.example", CFBE_OIDC_ROLE: "analyst" });
  await app.signIn();
  const before = await names(app);
  const unverified = await signIn(app, "unverified-ann@news.example");
  assert.match(unverified.html, /has not verified your email address/);
  for (
    const each of [
      "ann@other.example",
      "ann@news.example.evil.example",
      "ann@sub.news.example",
      "news.example",
    ]
  ) {
    assert.equal((await signIn(app, each)).status, 401, each);
  }
  assert.deepEqual(await names(app), before);
  const opened = await signIn(app, "the-admin@NEWS.example");
  assert.equal(await opensAdmin(app, opened.session!), true);
  assert.deepEqual(await names(app), [...before, "the-admin-2 analyst"], "not the user of the same name");
  assert.equal((await signIn(app, "the-admin@NEWS.example")).status, 303);
  assert.equal((await names(app)).length, before.length + 1);
  await app.services.admin.users.remove("the-admin-2");
  assert.equal(await opensAdmin(app, opened.session!), false);
});

Deno.test("groups give roles at each sign-in, which is audited, ends sessions with more permissions, and never takes the last admin", async () => {
  await using app = await withProvider({ CFBE_OIDC_ROLES: "chiefs=admin; editors=marketer; press=viewer" });
  await connect(app, await app.signIn(), "ann@news.example");
  await connect(app, await app.signIn("support"), "sue@news.example");
  const role = async (name: string) => (await app.services.admin.users.find(name))!.role;
  const enter = async (name: string, ...groups: string[]) => {
    await app.clock.advance(1_000);
    const { status, session } = await signIn(app, `${name}@news.example`, "", groups);
    assert.equal(status, 303, name);
    return session!;
  };
  const first = await enter("sue");
  assert.equal(await role("the-support"), "support", "no claim changes nothing");
  await enter("sue", "strangers");
  assert.equal(await role("the-support"), "support", "no value that is mapped changes nothing");
  await enter("sue", "press", "chiefs");
  assert.equal(await role("the-support"), "admin");
  assert.equal(await opensAdmin(app, first), true, "more permissions end no session");
  const higher = await enter("sue", "chiefs");
  const lower = await enter("sue", "press");
  assert.equal(await role("the-support"), "viewer");
  assert.deepEqual([await opensAdmin(app, higher), await opensAdmin(app, lower)], [false, true]);
  const earlier = await enter("ann");
  const last = await enter("ann", "press");
  assert.deepEqual([await role("the-admin"), await opensAdmin(app, last)], ["admin", true]);
  assert.equal(await opensAdmin(app, earlier), true, "what was refused ends no session");
  const { rows } = await app.services.admin.audit.list({ actions: ["cfbe_role_by_claim"] });
  for (const { who, target } of rows) assert.equal(target, app.services.admin.audit.target(who));
  assert.deepEqual(
    rows.map(({ who, result, changes: [change] = [] }) => [who, result, change?.before, change?.after]),
    [
      ["the-admin", "refused", "admin", "viewer"],
      ["the-support", "done", "admin", "viewer"],
      ["the-support", "done", "support", "admin"],
    ],
  );
});

Deno.test("groups give the roles of those who come by a domain or an invitation, and let nobody else in", async () => {
  const env = { CFBE_OIDC_DOMAINS: "news.example", CFBE_OIDC_ROLES: "editors=marketer" };
  await using app = await withProvider(env);
  const { html } = await (await app.signIn()).page("/users");
  assert.match(html, /With some groups at Example ID, users get their role/);
  assert.equal((await signIn(app, "eve@other.example", "", ["editors"])).status, 401);
  assert.equal((await signIn(app, "ed@news.example", "", ["editors"])).status, 303);
  assert.equal((await signIn(app, "vic@news.example")).status, 303);
  const made = await app.services.admin.passwordLinks.invite({ name: "grace", role: "support", by: "ann" });
  assert(typeof made === "object");
  const started = await post(app, "/admin/login/provider", { link: made.token });
  const [, href] = /href="(http:\/\/localhost:\d+\/auth[^"]+)"/.exec(await started.text())!;
  const back = await provider.signIn(href!.replaceAll("&amp;", "&"), "grace@other.example", ["editors"]);
  assert.equal((await arrive(app, back, flowIn(started))).status, 303);
  assert.deepEqual((await names(app)).slice(1), ["ed marketer", "vic viewer", "grace marketer"]);
  const { rows } = await app.services.admin.audit.list({ actions: ["cfbe_role_by_claim"] });
  assert.deepEqual(rows.map(({ who }) => who), ["grace"], "a new user has the role from the start");
});

Deno.test("the first admin is never made by a domain, even if the role is admin", async () => {
  await using app = await withProvider({ CFBE_OIDC_DOMAINS: "news.example", CFBE_OIDC_ROLE: "admin" });
  assert.equal((await signIn(app, "eve@news.example")).status, 401);
  assert.deepEqual(await names(app), []);
});

Deno.test("a second factor is asked for after the identity provider, too", async () => {
  await using app = await withProvider();
  await connect(app, await app.signIn(), "ann@news.example");
  const seed = app.services.admin.secondFactors.newSeed();
  const row = { v: 1, seed, enabledAt: app.clock.now(), codes: [], used: [] };
  await app.kv.set(["s", "main", "admin_second_factor", "the-admin"], row);
  const asked = await signIn(app, "ann@news.example");
  assert.equal(asked.session, undefined);
  assert.match(asked.html, /Enter your code/);
});

Deno.test("connecting needs the session that began, and nobody removes the last way in which they sign in", async () => {
  await using app = await withProvider();
  const admin = await app.signIn();
  const viewer = await app.signIn("viewer");
  const page = await (await admin.send("cfbe_begin_identity", { _page: "/account" })).text();
  const [, query] = /href="\/admin\/login\/provider(\?connect=[^"]+)"/.exec(page)!;
  const foreign = await app.fetch(`/admin/login/provider${query}`, { headers: { cookie: viewer.cookie } });
  assert.equal(
    foreign.headers.get("location"),
    "/admin/account",
    "the link of another session leads nowhere",
  );
  const { url, flow } = await begin(app, query, admin.cookie);
  await arrive(app, await provider.signIn(url, "eve@news.example"), `${flow}; ${viewer.cookie}`);
  assert.equal((await app.services.admin.users.find("the-viewer"))!.identity, undefined);

  const invited = await app.services.admin.passwordLinks.invite({ name: "grace", role: "viewer", by: "ann" });
  assert(typeof invited === "object");
  const identity = { issuer: provider.issuer, subject: "x", label: "grace" };
  await app.services.admin.passwordLinks.use(invited.token, identity);
  const { users, waysIn } = app.services.admin;
  const grace = (await users.find("grace"))!;
  assert.equal(await waysIn.removeOwn(grace, { kind: "identity" }), "last-way");
  await users.setPassword("grace", "gravel onion lantern");
  assert.equal(await waysIn.removeOwn(grace, { kind: "identity" }), "removed");
  assert.equal(await waysIn.removeOwn(grace, { kind: "identity" }), "absent");
});

Deno.test("whoever has no password confirms what is dangerous by signing in again", async () => {
  await using app = await withProvider();
  await app.signIn();
  const invited = await app.services.admin.passwordLinks.invite({ name: "grace", role: "admin", by: "ann" });
  assert(typeof invited === "object");
  const started = await post(app, "/admin/login/provider", { link: invited.token });
  const [, href] = /href="(http:\/\/localhost:\d+\/auth[^"]+)"/.exec(await started.text())!;
  const back = await provider.signIn(href!.replaceAll("&amp;", "&"), "grace@news.example");
  const { session: cookie } = await arrive(app, back, flowIn(started));
  await app.clock.advance(10 * MINUTE_MS);
  const asked = await app.fetch("/admin/subscribers/subscribers.csv", { headers: { cookie: cookie! } });
  const html = await asked.text();
  assert.equal(asked.status, 403);
  assert.match(html, /Sign in again with Example ID/);
  assert.doesNotMatch(html, /type="password"/);
  const again = await signIn(app, "grace@news.example", "?again=yes&next=/subscribers");
  assert.equal(again.location, "/admin/subscribers");
  const file = await app.fetch("/admin/subscribers/subscribers.csv", { headers: { cookie: again.session! } });
  await file.body?.cancel();
  assert.equal(file.status, 200);
});

Deno.test("an admin turns passwords off by signing in at the provider again, and a link then connects an account there", async () => {
  await using app = await withProvider();
  await connect(app, await app.signIn(), "ann@news.example");
  const { users, passwordLinks, sessions } = app.services.admin;
  const viewer = await app.signIn("viewer");
  const disable = async (cookie: string) => {
    const session = (await sessions.find(cookie.slice("cfbe=".length)))!;
    const actor = { kind: "user", name: "the-admin", role: "admin", session } as const;
    return await runAction(app.services, actor, "cfbe_disable_passwords", {});
  };
  const onlyBrowser = await disable((await signIn(app, "ann@news.example")).session!);
  assert.equal(!onlyBrowser.ok && onlyBrowser.code, "password_needed");
  assert.equal((await disable((await signIn(app, "ann@news.example", "?again=yes")).session!)).ok, true);

  const made = await passwordLinks.reset({ name: "the-viewer", by: "the-admin" });
  assert(typeof made === "object");
  const page = await (await post(app, "/admin/new-password", { link: made.token })).text();
  assert.match(page, /Continue with Example ID/);
  const started = await post(app, "/admin/login/provider", { link: made.token });
  const [, href] = /href="(http:\/\/localhost:\d+\/auth[^"]+)"/.exec(await started.text())!;
  const back = await provider.signIn(href!.replaceAll("&amp;", "&"), "vi@news.example");
  assert.equal((await arrive(app, back, flowIn(started))).status, 303);
  assert.equal((await users.find("the-viewer"))!.identity?.label, "vi@news.example");
  assert.equal(await opensAdmin(app, viewer.cookie), false, "signed out on all other devices");
  assert.equal((await signIn(app, "vi@news.example")).status, 303);
});

Deno.test("a session that the browser has at the provider opens nothing that asks for the password", async () => {
  await using app = await withProvider();
  await connect(app, await app.signIn(), "ann@news.example");
  const status = async (cookie: string) => {
    const file = await app.fetch("/admin/subscribers/subscribers.csv", { headers: { cookie } });
    return [file.status, /Sign in again with Example ID/.test(await file.text())];
  };
  assert.deepEqual(await status((await signIn(app, "ann@news.example")).session!), [403, true]);
  const again = await signIn(app, "ann@news.example", "?again=yes");
  assert.deepEqual(await status(again.session!), [200, false]);
});

Deno.test("wrong answers are limited per IP, and then cost the provider no request", async () => {
  await using app = await withProvider();
  await connect(app, await app.signIn(), "ann@news.example");
  const back = `${BACK}?${new URLSearchParams({ code: "x", iss: provider.issuer })}`;
  const wrong = async (ip: string) => {
    const { url, flow } = await begin(app);
    return await arrive(app, `${back}&state=${new URL(url).searchParams.get("state")}`, flow, ip);
  };
  for (let tried = 0; tried < 10; tried++) assert.equal((await wrong("192.0.2.66")).status, 401);
  const late = await wrong("192.0.2.66");
  assert.deepEqual([late.status, late.session], [429, undefined]);
  assert.match(late.html, /Too many attempts/);
  for (let signedIn = 0; signedIn < 11; signedIn++) {
    assert.equal((await signIn(app, "ann@news.example")).status, 303, "right ones are refunded");
  }
});

Deno.test("while the provider is down, the sign-in page says what to do, and passwords work", async () => {
  await using app = await withProvider({ CFBE_OIDC_ISSUER: "http://localhost:9" });
  await app.signIn();
  const response = await app.fetch("/admin/login/provider");
  const html = await response.text();
  assert.equal(response.status, 503);
  assert.match(html, /Example ID can't be reached\. Try again in a few minutes, or sign in another way/);
  const opened = await post(app, "/admin/login", { name: "the-admin", password: "a password of the tests" });
  assert.equal(await opensAdmin(app, cookieOf(opened)), true);
});

Deno.test("without an issuer there is no trace of a provider, and variables that don't fit together stop the start", async () => {
  await using app = await adminHarness();
  assert.doesNotMatch(await (await app.fetch("/admin/login")).text(), /Continue with/);
  assert.equal((await app.fetch("/admin/login/provider")).status, 404);
  const problem = (env: Record<string, string>) => {
    try {
      parseConfig(env, []);
    } catch (error) {
      return (error as Error).message;
    }
  };
  const issuer = { CFBE_OIDC_ISSUER: "https://id.example" };
  assert.match(problem(issuer)!, /needs CFBE_OIDC_CLIENT_ID and CFBE_OIDC_CLIENT_SECRET/);
  const whole = { ...issuer, CFBE_OIDC_CLIENT_ID: "a", CFBE_OIDC_CLIENT_SECRET: "b" };
  assert.equal(problem(whole), undefined);
  assert.match(problem({ ...whole, CFBE_OIDC_ISSUER: "http://id.example" })!, /must use https/);
  assert.match(problem({ ...whole, CFBE_OIDC_ROLE: "owner" })!, /must be viewer, analyst/);
  assert.match(problem({ ...whole, CFBE_OIDC_DOMAINS: "@news" })!, /must be domains/);
});
