import assert from "node:assert/strict";
import { type AdminHarness, adminHarness, type SignedIn } from "../../../dev/testing/admin_harness.ts";
import { ALL_SCOPES } from "../../platform/tokens/scopes.ts";
import type { Role } from "../auth/capability.ts";
import type { CreatedToken } from "./actions/api_tokens.ts";

const JSON_ONLY = { accept: "application/json" };
const ENVIRONMENT = { authorization: "Bearer the-api-token-of-tests", "content-type": "application/json" };

/** Runs an action with a token, by default that of the environment. */
async function act(
  app: AdminHarness,
  action: string,
  input: object,
  headers: Record<string, string> = ENVIRONMENT,
) {
  const response = await app.fetch(`/admin/ajax?action=${action}`, {
    method: "POST",
    headers: { ...ENVIRONMENT, ...headers },
    body: JSON.stringify(input),
  });
  return { status: response.status, ...await response.json() };
}

async function created(app: AdminHarness, input: object): Promise<CreatedToken> {
  const { status, data } = await act(app, "cfbe_add_token", { name: "shop", scopes: ["signup"], ...input });
  assert.equal(status, 200);
  return data;
}

const bearer = ({ token }: { token: string }) => ({ authorization: `Bearer ${token}` });

async function signUp(app: AdminHarness, token: CreatedToken, email: string): Promise<number> {
  const response = await app.fetch("/integrations/signup", {
    method: "POST",
    headers: { ...ENVIRONMENT, ...bearer(token) },
    body: JSON.stringify({ source: "integration", email }),
  });
  await response.body?.cancel();
  return response.status;
}

Deno.test("a created token works at once, is shown once, and stops when it is revoked", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  const response = await admin.send("cfbe_add_token", {
    name: "shop",
    "a:scopes": "",
    "scopes.1": "signup",
    "o:expires": "",
    _page: "/tokens",
  });
  const html = await response.text();
  const [token] = /cfbe_[0-9a-f]{10}_[\w-]{43}/.exec(html)!;
  assert.equal(response.headers.get("cache-control"), "no-store");
  assert.ok(!(await app.dump()).includes(token));
  assert.ok(!(await admin.page("/tokens")).html.includes(token));
  const [listed] = await app.services.apiTokens.list();
  assert.deepEqual([listed!.scopes, listed!.by, listed!.expiresAt], [["signup"], "the-admin", undefined]);
  const shop = { token } as CreatedToken;
  assert.equal(await signUp(app, shop, "ann@example.com"), 200);
  assert.equal((await act(app, "cfbe_revoke_token", { id: listed!.id })).status, 200);
  assert.equal(await signUp(app, shop, "bo@example.com"), 401);
  assert.equal((await act(app, "cfbe_revoke_token", { id: listed!.id })).status, 404);
});

Deno.test("a token expires at the end of its last day in the site's time zone, by default after a year", async () => {
  await using app = await adminHarness({ settings: { general: { timeZone: "Europe/Berlin" } } });
  const today = new Date(app.clock.now()).toISOString().slice(0, 10);
  const { expiresAt, ...shop } = await created(app, { expires: today });
  assert.equal(
    new Date(expiresAt!).toLocaleString("sv", { timeZone: "Europe/Berlin" }).slice(11),
    "00:00:00",
  );
  await app.clock.advance(expiresAt! - app.clock.now() - 1);
  assert.equal(await signUp(app, shop, "ann@example.com"), 200);
  await app.clock.advance(1);
  assert.equal(await signUp(app, shop, "bo@example.com"), 401);
  const byDefault = await created(app, { name: "other" });
  const days = (byDefault.expiresAt! - app.clock.now()) / (24 * 60 * 60 * 1000);
  assert.ok(days > 364.9 && days <= 366.1, `${days}`);
  assert.equal((await created(app, { name: "for good", expires: null })).expiresAt, undefined);
});

Deno.test("hostile names, unknown scopes and impossible dates are refused by their field, and add nothing", async () => {
  await using app = await adminHarness();
  await created(app, {});
  const wrong: [object, string][] = [
    [{ name: "<script>alert(1)</script>" }, "name"],
    [{ name: "=1+1" }, "name"],
    [{ name: "" }, "name"],
    [{ name: "SHOP" }, "name"],
    [{ scopes: [] }, "scopes"],
    [{ scopes: ["everything"] }, "scopes.0"],
    [{ scopes: { read: true } }, "scopes"],
    [{ expires: "2001-01-01" }, "expires"],
    [{ expires: "9999-12-31" }, "expires"],
    [{ expires: "tomorrow" }, "expires"],
  ];
  for (const [input, field] of wrong) {
    const { status, fields } = await act(app, "cfbe_add_token", { name: "new", scopes: ["read"], ...input });
    assert.deepEqual([status, Object.keys(fields)], [422, [field]], JSON.stringify(input));
  }
  assert.equal((await app.services.apiTokens.list()).length, 1);
});

Deno.test("audit entries name the token that acted, and what was created and revoked, and never a token", async () => {
  await using app = await adminHarness();
  const bot = await created(app, { name: "bot", scopes: ["admin"] });
  const shop = await created(app, { name: "shop 2", scopes: ["signup"] });
  await act(app, "cfbe_deactivate", {}, { ...bearer(bot), "x-cfbe-client": "command-line" });
  await (await app.fetch("/ops/counts", { headers: bearer(bot) })).body?.cancel();
  await (await app.fetch("/ops/counts", { headers: bearer(shop) })).body?.cancel();
  await act(app, "cfbe_revoke_token", { id: shop.id });
  const { rows } = await app.services.admin.audit.list();
  const seen = rows.map(({ who, action, result }) => [who, action, result].join(", "));
  const name = (token: CreatedToken) => `API token ${token.name} (${token.id})`;
  for (
    const entry of [
      `${name(bot)}, cfbe_deactivate, done`,
      `${name(bot)}, cfbe_api_request, done`,
      `${name(shop)}, cfbe_api_request, refused`,
    ]
  ) assert.ok(seen.includes(entry), `${entry}\n${seen.join("\n")}`);
  const text = JSON.stringify(rows);
  assert.ok(text.includes(`shop 2 (${shop.id})`));
  const all = await app.dump() + JSON.stringify(app.log.entries);
  for (const { token } of [bot, shop]) assert.ok(!all.includes(token) && !all.includes(token.slice(-43)));
});

Deno.test("only users who may manage tokens create one, and none with more permissions than their own", async () => {
  const roles: Role[] = ["marketer", "support", "viewer", "analyst"];
  await using app = await adminHarness();
  const send = (user: SignedIn, scope: string) =>
    user.send(
      "cfbe_add_token",
      { name: `of ${user.actor.role} ${scope}`, "scopes.0": scope },
      JSON_ONLY,
    );
  for (const role of roles) {
    const response = await send(await app.signIn(role), "read");
    assert.equal(response.status, 403, role);
    await response.body?.cancel();
  }
  await using open = await adminHarness({
    file: { filters: { cfbe_capability: (name: string) => name === "tokens" ? "view" : name } },
  });
  const support = await open.signIn("support");
  const allowed: string[] = [];
  for (const scope of ALL_SCOPES) {
    const response = await send(support, scope);
    if (response.ok) allowed.push(scope);
    await response.body?.cancel();
  }
  assert.deepEqual(allowed, ["read", "signup", "people"]);
});

Deno.test("a token is told its own scopes and expiry, and nothing about other tokens", async () => {
  await using app = await adminHarness();
  await created(app, { name: "other" });
  const own = async (headers: Record<string, string>) =>
    await (await app.fetch("/ops/token", { headers })).json();
  const shop = await created(app, { expires: null });
  assert.deepEqual(await own(bearer(shop)), { scopes: ["signup"], name: "shop" });
  assert.deepEqual(await own(ENVIRONMENT), { scopes: ALL_SCOPES });
});

Deno.test("the page lists tokens with their scopes, use and expiry, and says what to do while there is none", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  assert.match((await admin.page("/tokens")).html, /No API tokens yet\.[^]*Create one for each system/);
  const soon = new Date(app.clock.now() + 3 * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
  const shop = await created(app, { name: "shop", expires: soon });
  await created(app, { name: "bot", scopes: ["read", "people"], expires: null });
  await signUp(app, shop, "ann@example.com");
  const row = async (name: string) => {
    const { html } = await admin.page("/tokens");
    const found = html.match(/<tr[ >][^]*?<\/tr>/g)!.find((each) => each.includes(`>${name}</strong>`))!;
    return found.replace(/<dialog[^]*?<\/dialog>/g, "").replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
  };
  assert.match(
    await row("shop"),
    new RegExp(`${shop.id}, created by API token .* signup .* \\d{4}, .*soon.*Revoke`),
  );
  assert.match(await row("bot"), /read, people Never Never Revoke/);
  await app.clock.advance(4 * 24 * 60 * 60 * 1000);
  const later = await app.signIn();
  assert.match((await later.page("/tokens")).html, />expired</);
});

Deno.test("a form with errors is shown again with what was entered and chosen", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  const fields = {
    name: "<b>",
    "a:scopes": "",
    "scopes.3": "people",
    "o:expires": "2001-01-01",
    _page: "/tokens",
  };
  const response = await admin.send("cfbe_add_token", fields);
  const html = await response.text();
  assert.equal(response.status, 422);
  assert.match(html, /value="people" checked/);
  assert.doesNotMatch(html, /value="read" checked/);
  assert.match(html, /Must be letters, digits/);
  assert.match(html, /value="2001-01-01"/);
  assert.match(html, /value="&lt;b(>|&gt;)"/);
});

/** Adds an admin, and tokens that they created. */
async function withLeaver(app: AdminHarness): Promise<SignedIn> {
  const { apiTokens, admin } = app.services;
  await admin.users.add({ name: "leaver", role: "admin", password: "four unrelated words here" });
  const first = await apiTokens.add({ name: "deploy", scopes: ["admin"], by: "leaver" });
  assert.ok(typeof first === "object");
  const by = `API token deploy (${first.id})`;
  await apiTokens.add({ name: "copied", scopes: ["people", "admin"], by });
  await apiTokens.add({ name: "shop", scopes: ["signup"], by: "leaver" });
  await apiTokens.add({ name: "other", scopes: ["admin"], by: "the-admin" });
  await app.signIn("viewer");
  return await app.signIn();
}
const namesLeft = async (app: AdminHarness) =>
  (await app.services.apiTokens.list()).map(({ name }) => name).toSorted();

Deno.test("an admin who is removed returns through no API token: those with the scope admin are revoked, others named", async () => {
  await using app = await adminHarness();
  const admin = await withLeaver(app);
  const { html } = await admin.page("/users");
  const [dialog] = html.split('id="remove-leaver"')[1]!.split("</dialog>");
  assert.match(
    dialog!,
    /are revoked, .*copied, deploy<\/strong>.*keep working: .*>shop<\/strong>.*href="\/admin\/tokens"/s,
  );
  assert.doesNotMatch(html.split('id="remove-the-viewer"')[1]!.split("</dialog>")[0]!, /token/);

  const { status, message } = await act(app, "cfbe_remove_user", { name: "leaver" });
  assert.deepEqual([status, message], [
    200,
    "leaver can no longer sign in. Their API tokens with the scope admin were revoked: copied, deploy. API tokens that they created and that still work: shop. Revoke them on the page API tokens if they may have kept a copy.",
  ]);
  assert.deepEqual(await namesLeft(app), ["other", "shop"]);
  const { rows } = await app.services.admin.audit.list({ actions: ["cfbe_remove_user"] });
  assert.match(JSON.stringify(rows), /deploy \([0-9a-f]{10}\).*done|done.*deploy \([0-9a-f]{10}\)/s);
});

Deno.test("the tokens of a user who is not removed keep working, and a new role names them", async () => {
  await using app = await adminHarness();
  await withLeaver(app);
  assert.equal((await act(app, "cfbe_remove_user", { name: "nobody" })).status, 404);
  const { message } = await act(app, "cfbe_set_role", { name: "leaver", role: "viewer" });
  assert.equal(
    message,
    "leaver now has the role viewer. API tokens that they created and that still work: copied, deploy, shop. Revoke them on the page API tokens if they may have kept a copy.",
  );
  assert.equal(
    (await act(app, "cfbe_set_role", { name: "the-viewer", role: "analyst" })).message,
    "the-viewer now has the role analyst.",
  );
  assert.deepEqual(await namesLeft(app), ["copied", "deploy", "other", "shop"]);
});
