/** The whole way from a WordPress to its keys, and what must not get them (`docs/security.md`). */
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { createHmac, hkdfSync } from "node:crypto";
import { type AdminHarness, adminHarness, type SignedIn } from "../../../dev/testing/admin_harness.ts";
import { challengeOf } from "../../platform/tokens/sites/pkce.ts";
import { CODE_MS } from "../../platform/tokens/sites/store.ts";
import { actions, runAction } from "../action_table.ts";

const VERIFIER = "a-verifier-of-the-plugin-with-enough-characters";
const RETURN = "https://shop.example/wp-admin/options-general.php?page=cfbe";
const ASKED = {
  site: "https://shop.example",
  name: "A <b>shop</b>",
  redirect_uri: RETURN,
  state: "a-state-of-the-plugin",
  code_challenge: challengeOf(VERIFIER),
  code_challenge_method: "S256",
  purge_url: "https://shop.example/wp-json/cfbe-bridge/v1/purge",
  shop: "woocommerce",
};
const CHOSEN = { "b:checkout": "true", "b:carts": "false", "b:personal": "false", "b:only": "false" };
const LISTS = {
  general: {
    apiKey: "k",
    defaultList: "list-1",
    knownLists: [{ id: "list-1", name: "One" }, { id: "list-2", name: "Two" }],
  },
};

const pageOf = (asked: object = ASKED) => `/connect?${new URLSearchParams(asked as Record<string, string>)}`;

/** Agrees on the page. @returns the URL to which the browser goes on */
async function agree(admin: SignedIn, changes: Record<string, string> = {}): Promise<URL> {
  const response = await admin.send("cfbe_connect_site", {
    ...ASKED,
    ...CHOSEN,
    ...changes,
    _page: pageOf(),
  });
  const html = await response.text();
  assert.equal(response.status, 200, html);
  assert.equal(response.headers.get("cache-control"), "no-store");
  const [, href] = /<a [^>]*href="([^"]+)"[^>]*data-follow/.exec(html) ?? [];
  assert.ok(href, html);
  return new URL(href.replaceAll("&amp;", "&"));
}

interface Answer {
  status: number;
  error?: string;
  site: string;
  server: string;
  key: string;
  token: string;
  scopes: string[];
  modules: string[];
  webhook?: { url: string; secret: string };
}

async function call(app: AdminHarness, path: string, init: RequestInit = {}): Promise<Answer> {
  const response = await app.fetch(`/connect${path}`, init);
  assert.equal(response.headers.get("cache-control"), "no-store");
  assert.equal(response.headers.get("access-control-allow-origin"), null);
  return { status: response.status, ...await response.json() };
}

const exchange = (app: AdminHarness, code: string | null, changes: object = {}) =>
  call(app, "/token", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ code, verifier: VERIFIER, redirect_uri: RETURN, ...changes }),
  });

const withToken = (app: AdminHarness, method: string, path: string, token: string) =>
  call(app, path, { method, headers: { authorization: `Bearer ${token}` } });

async function connected(
  app: AdminHarness,
  admin: SignedIn,
  changes: Record<string, string> = {},
): Promise<Answer> {
  const answer = await exchange(app, (await agree(admin, changes)).searchParams.get("code"));
  assert.equal(answer.status, 200, answer.error);
  return answer;
}

/** Signs as the plugin does in PHP, which shares no code with the server. */
function cfgOf({ key }: Pick<Answer, "key">, config: object): string {
  const [, id, secret] = /^cfbe_site_([0-9a-f]{10})_([\w-]{43})$/.exec(key)!;
  const payload = Buffer.from(JSON.stringify(config)).toString("base64url");
  const derived = hkdfSync("sha256", Buffer.from(secret!, "base64url"), "", "cfbe/form-config", 32);
  const signature = createHmac("sha256", new Uint8Array(derived)).update(payload).digest("base64url");
  return `${payload}.${id}.${signature}`;
}

async function listOf(app: AdminHarness, email: string, cfg: string): Promise<string | undefined> {
  const response = await app.post({ email, cfbe_cfg: cfg });
  assert.equal(response.status, 200);
  await response.body?.cancel();
  for (const list of ["list-1", "list-2"]) if (await app.record(email, list)) return list;
  return undefined;
}

Deno.test("an admin agrees, and the site gets a key, a token and a webhook, and cfbe the settings for it", async () => {
  await using app = await adminHarness({ settings: LISTS });
  await app.services.settings.save("general", { origins: ["https://other.example"] });
  const admin = await app.signIn();
  const { html, status } = await admin.page(pageOf());
  assert.equal(status, 200);
  assert.match(html, /<strong>shop\.example<\/strong>/);
  assert.ok(html.includes("A &lt;b>shop&lt;/b>") || html.includes("A &lt;b&gt;shop&lt;/b&gt;"));
  assert.ok(html.includes("https://shop.example</code> is added to the allowed origins."));
  const to = await agree(admin);
  assert.equal(to.origin + to.pathname, "https://shop.example/wp-admin/options-general.php");
  assert.deepEqual(
    [to.searchParams.get("page"), to.searchParams.get("state"), to.searchParams.get("iss")],
    ["cfbe", ASKED.state, "http://localhost:8000"],
  );
  const code = to.searchParams.get("code")!;
  assert.ok(!(await app.dump()).includes(code));
  const given = await exchange(app, code);
  assert.equal(given.status, 200, given.error);
  assert.deepEqual([given.scopes, given.modules, given.server], [
    ["read", "signup"],
    ["checkout"],
    "http://localhost:8000",
  ]);
  assert.equal(given.webhook?.url, `http://localhost:8000/shop-hook/woocommerce?site=${given.site}`);
  const { general, checkout } = app.services.settings.current();
  assert.deepEqual(general.origins, ["https://other.example", "https://shop.example"]);
  assert.deepEqual([general.modules.checkout, general.modules.carts, checkout.shop], [
    true,
    false,
    "woocommerce",
  ]);
  const sites = await admin.page("/sites");
  assert.ok(sites.html.includes("https://shop.example") && sites.html.includes(given.site));
  const { token: _, status: __, ...facts } = given;
  const { status: ok, ...asked } = await withToken(app, "GET", "/site", given.token);
  assert.deepEqual([ok, asked], [200, facts]);
});

Deno.test("what a site signs sets list and tags until it is revoked, and what the salt signs stays valid", async () => {
  await using app = await adminHarness({ settings: LISTS });
  const admin = await app.signIn();
  const given = await connected(app, admin);
  const cfg = cfgOf(given, { list: "list-2", tags: ["vip"] });
  assert.equal(await listOf(app, "ann@example.com", cfg), "list-2");
  const forged = cfg.replace(given.site, "0123456789");
  assert.equal(await listOf(app, "bo@example.com", forged), "list-1");
  const salted = app.services.keyring.sign("cfbe/form-config", cfg.split(".")[0]!);
  assert.equal(await listOf(app, "cy@example.com", `${cfg.split(".")[0]}.${salted}`), "list-2");
  assert.equal(
    await listOf(app, "di@example.com", `${cfg.split(".")[0]}.${given.site}.${salted}`),
    "list-1",
    "the salt's own signature is none of the site",
  );
  await app.services.sites.revoke(given.site, "ann");
  assert.equal(await listOf(app, "ed@example.com", cfg), "list-1");
  assert.equal((await withToken(app, "GET", "/site", given.token)).status, 401);
});

Deno.test("a site's webhooks are verified with its own secret, and refused once it is revoked", async () => {
  await using app = await adminHarness({ settings: LISTS });
  const { webhook, site } = await connected(app, await app.signIn());
  const body = JSON.stringify({ id: 1, status: "checkout-draft" });
  const send = async (path: string, secret: string) => {
    const signature = createHmac("sha256", secret).update(body).digest("base64");
    const headers = { "content-type": "application/json", "x-wc-webhook-signature": signature };
    const response = await app.fetch(path, { method: "POST", headers, body });
    await response.body?.cancel();
    return response.status;
  };
  const path = `/shop-hook/woocommerce?site=${site}`;
  assert.equal(await send(path, webhook!.secret), 200);
  assert.equal(await send(path, "another secret of a shop"), 401);
  assert.equal(await send(path, ""), 401);
  assert.equal(await send("/shop-hook/woocommerce", webhook!.secret), 401);
  assert.equal(await send("/shop-hook/woocommerce?site=0123456789", ""), 401);
  assert.deepEqual(app.services.shop().missingSettings().orders, []);
  await app.services.sites.revoke(site, "ann");
  assert.equal(await send(path, webhook!.secret), 401);
  assert.deepEqual(app.services.shop().missingSettings().orders, ["secret"]);
});

Deno.test("a code is used once, by whoever has the verifier, for two minutes", async () => {
  await using app = await adminHarness({ settings: LISTS });
  const admin = await app.signIn();
  const code = (await agree(admin)).searchParams.get("code");
  for (
    const [changes, status] of [
      [{ verifier: "another-verifier-with-enough-characters-000" }, 400],
      [{ verifier: challengeOf(VERIFIER) }, 400],
      [{ redirect_uri: "https://shop.example/" }, 400],
      [{ code: "guessed" }, 400],
      [{ verifier: undefined }, 400],
      [{ code: { $ne: 1 } }, 400],
    ] as const
  ) {
    const { status: seen, error } = await exchange(app, code, changes);
    assert.equal(seen, status, error);
  }
  const first = await exchange(app, code);
  const again = await exchange(app, code);
  assert.deepEqual(again, first, "a lost answer is repeated");
  await app.clock.advance(CODE_MS);
  assert.equal((await exchange(app, code)).status, 400);
  const late = (await agree(admin)).searchParams.get("code");
  await app.clock.advance(CODE_MS);
  assert.equal((await exchange(app, late)).status, 400);
});

Deno.test("a page of another site can't make an admin agree, and neither can a link", async () => {
  await using app = await adminHarness({ settings: LISTS });
  const admin = await app.signIn();
  const { headers } = await admin.page(pageOf());
  assert.match(headers.get("content-security-policy")!, /frame-ancestors 'none'/);
  const sent = { ...ASKED, ...CHOSEN, _page: pageOf() };
  for (
    const [fields, more] of [
      [{ ...sent, _nonce: "" }, {}],
      [{ ...sent, _nonce: admin.nonce("cfbe_revoke_site") }, {}],
      [sent, { origin: "https://shop.example" }],
    ] as const
  ) {
    const response = await admin.send("cfbe_connect_site", fields, more);
    assert.equal(response.status, 403);
    await response.body?.cancel();
  }
  assert.deepEqual(await app.services.sites.list(), []);
  assert.ok(!(await app.dump()).includes("site_grant"));
});

Deno.test("a link that leads elsewhere shows why, links to nothing of it, and agrees to nothing", async () => {
  await using app = await adminHarness({ settings: LISTS });
  const admin = await app.signIn();
  const evil = "https://evil.example/wp-admin/";
  for (
    const changes of [{ redirect_uri: evil }, { code_challenge_method: "plain" }, {
      site: "http://shop.example",
    }]
  ) {
    const asked = { ...ASKED, ...changes };
    const { html } = await admin.page(pageOf(asked));
    assert.ok(html.includes("Nothing was changed."));
    assert.ok(!html.includes(`href="${evil}`) && !html.includes("access_denied"));
    const response = await admin.send("cfbe_connect_site", { ...asked, ...CHOSEN, _page: pageOf(asked) });
    assert.equal(response.status, 422);
    assert.ok(!(await response.text()).includes("data-follow"));
  }
  assert.ok(!(await app.dump()).includes("site_grant"));
});

Deno.test("an admin signs in first and comes back to the page, and agrees only with a fresh password", async () => {
  await using app = await adminHarness({ settings: LISTS });
  const response = await app.fetch(`/admin${pageOf()}`);
  const html = await response.text();
  assert.equal(response.status, 401);
  assert.ok(html.includes("code_challenge_method=S256"), "the sign-in form leads back");
  const admin = await app.signIn();
  await app.clock.advance(10 * 60_000);
  const asked = await admin.send("cfbe_connect_site", { ...ASKED, ...CHOSEN, _page: pageOf() });
  assert.equal(asked.status, 403);
  assert.match(await asked.text(), /Confirm your password/);
  assert.ok(!(await app.dump()).includes("site_grant"));
});

for (const role of ["viewer", "analyst", "marketer", "support"] as const) {
  Deno.test(`a ${role} can neither see the page nor agree`, async () => {
    await using app = await adminHarness({ settings: LISTS });
    const user = await app.signIn(role);
    assert.equal((await user.page(pageOf())).status, 403);
    assert.equal((await user.page("/sites")).status, 403);
    for (const { name } of actions.filter(({ name }) => name.endsWith("_site") || name.endsWith("_sites"))) {
      const result = await runAction(app.services, user.actor, name, ASKED);
      assert.equal(!result.ok && result.status, 403, name);
    }
  });
}

Deno.test("a site disconnects itself with its token, and only itself", async () => {
  await using app = await adminHarness({ settings: LISTS });
  const admin = await app.signIn();
  const { token, site } = await connected(app, admin);
  assert.equal((await withToken(app, "POST", "/disconnect", "the-api-token-of-tests")).status, 404);
  assert.equal((await withToken(app, "POST", "/disconnect", "wrong")).status, 401);
  assert.ok(app.services.sites.isConnected(site));
  assert.equal((await withToken(app, "POST", "/disconnect", token)).status, 200);
  assert.ok(!app.services.sites.isConnected(site));
  assert.equal(
    (await withToken(app, "POST", "/disconnect", token)).status,
    401,
    "a repeated request finds it done",
  );
  assert.ok((await admin.page("/sites")).html.includes("Revoked sites (1)"));
});

Deno.test("two admins who agree to the same request change the settings once", async () => {
  await using app = await adminHarness({ settings: LISTS });
  await app.services.settings.save("general", { origins: ["https://other.example"] });
  const [one, two] = [await app.signIn(), await app.signIn()];
  const [first, second] = await Promise.all([agree(one), agree(two)]);
  assert.deepEqual(app.services.settings.current().general.origins, [
    "https://other.example",
    "https://shop.example",
  ]);
  const given = await exchange(app, first.searchParams.get("code"));
  const other = await exchange(app, second.searchParams.get("code"));
  assert.equal(given.site, other.site);
  assert.equal((await app.services.sites.list()).length, 1);
});

Deno.test("who agreed, who collected and who revoked is in the audit log, without a secret", async () => {
  await using app = await adminHarness({ settings: LISTS });
  const admin = await app.signIn();
  const { token, key, site } = await connected(app, admin);
  await app.clock.advance(1);
  await (await admin.send("cfbe_revoke_site", { id: site, _page: "/sites" })).body?.cancel();
  const { rows } = await app.services.admin.audit.list();
  assert.deepEqual(
    rows.map(({ who, action, result }) => `${who} ${action} ${result}`).toReversed(),
    [
      "the-admin cfbe_connect_site done",
      "the-admin cfbe_collect_site_keys done",
      "the-admin cfbe_revoke_site done",
    ],
  );
  const stored = JSON.stringify(rows) + JSON.stringify(app.log.entries);
  for (const secret of [token.slice(-43), key.slice(-43), VERIFIER]) assert.ok(!stored.includes(secret));
  assert.deepEqual((await app.services.admin.audit.verify()).problems, []);
});

Deno.test("a site's token can't be revoked alone, because its key would go on working", async () => {
  await using app = await adminHarness({ settings: LISTS });
  const admin = await app.signIn();
  await connected(app, admin);
  const { id } = (await app.services.apiTokens.list())[0]!;
  const refused = await runAction(app.services, admin.actor, "cfbe_revoke_token", { id });
  assert.equal(!refused.ok && refused.code, "of_site");
  assert.ok((await admin.page("/tokens")).html.includes("Connected site</a>"));
});

Deno.test("a site added by hand gets its key and token, shown once, and signs with them", async () => {
  await using app = await adminHarness({ settings: LISTS });
  const admin = await app.signIn();
  const response = await admin.send("cfbe_add_site", { url: "https://shop.example/", _page: "/sites" });
  const html = await response.text();
  const [key] = /cfbe_site_[0-9a-f]{10}_[\w-]{43}/.exec(html)!;
  assert.ok(/define\( (?:'|&#39;)CFBE_API_TOKEN/.test(html));
  assert.ok(!(await admin.page("/sites")).html.includes(key));
  assert.equal(await listOf(app, "ann@example.com", cfgOf({ key }, { list: "list-2" })), "list-2");
  const wrong = await admin.send("cfbe_add_site", { url: "http://shop.example", _page: "/sites" });
  assert.equal(wrong.status, 422);
  await wrong.body?.cancel();
});
