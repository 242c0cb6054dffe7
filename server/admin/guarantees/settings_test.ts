import assert from "node:assert/strict";
import type { PurgeEvent } from "../../settings/hooks/hooks.ts";
import { startProgram } from "../../../dev/testing/program.ts";
import { ROLES } from "../auth/capability.ts";
import { pages } from "../page_registry.ts";
import { adminHarness } from "../../../dev/testing/admin_harness.ts";

const KEY = "key-that-nobody-may-read-0042";
const version = (html: string) => /name="version" value="([^"]*)"/.exec(html)?.[1] ?? "";

Deno.test("a secret is shown by its last four characters, kept when its field is empty, and removed when asked", async () => {
  await using app = await adminHarness({ configured: false, settings: { general: { provider: "bluefox" } } });
  const admin = await app.signIn();
  await admin.send("cfbe_save_general", { "fields.apiKey": KEY });
  const { html } = await admin.page("/provider");
  assert.match(html, /••••0042/);
  assert.doesNotMatch(html, /nobody-may-read/);

  await admin.send("cfbe_save_general", { "fields.apiKey": "", "fields.projectId": "p" });
  const { general } = app.services.settings.current();
  assert.deepEqual([general.apiKey, general.projectId], [KEY, "p"]);
  await admin.send("cfbe_save_general", { "fields.apiKey": "", "b:remove.apiKey": "true" });
  assert.equal(app.services.settings.current().general.apiKey, "");
});

Deno.test("users who may not change a secret see no character of it, on any page", async () => {
  const general = { provider: "bluefox", apiKey: `${KEY}-a`, projectId: "p" } as const;
  const checkout = {
    shop: "woocommerce",
    secret: `${KEY}-b`,
    apiKey: `${KEY}-c`,
    apiSecret: `${KEY}-d`,
  } as const;
  await using app = await adminHarness({
    settings: { general: { ...general, modules: { coupons: true, checkout: true } }, checkout },
  });
  await app.services.settings.save("webhooks", { secret: `${KEY}-e` });
  for (const role of ROLES) {
    const user = await app.signIn(role);
    const shown = new Set<string>();
    for (const { path } of pages) {
      for (const [found] of (await user.page(path)).html.matchAll(/••••42-[a-e]/g)) {
        shown.add(found.slice(-1));
      }
    }
    assert.deepEqual([...shown].sort(), role === "admin" ? ["a", "b", "c", "d", "e"] : [], role);
  }
});

Deno.test("no page and no response contains a whole secret, not even a rejected one", async () => {
  await using app = await adminHarness({ configured: false });
  const admin = await app.signIn();
  await admin.send("cfbe_save_general", { "fields.apiKey": KEY });
  const refused = await admin.send("cfbe_save_general", {
    _page: "/general",
    "fields.apiKey": "another-key-nobody-may-read",
    "l:fields.origins": "nonsense",
  });
  assert.equal(refused.status, 422);
  assert.doesNotMatch(await refused.text(), /nobody-may-read/);
});

Deno.test("the second of two admins who save the same settings sees who saved them first, and both values", async () => {
  await using app = await adminHarness({
    settings: { general: { provider: "bluefox", timeZone: "Europe/Berlin" } },
  });
  const [first, second] = [await app.signIn(), await app.signIn("viewer")];
  await app.services.admin.users.setRole("the-viewer", "admin");
  const seen = version((await first.page("/provider")).html);
  const fields = { _page: "/provider", version: seen };
  assert.equal(
    (await first.send("cfbe_save_general", { ...fields, "fields.projectId": "of the first" })).status,
    303,
  );
  const conflict = await second.send("cfbe_save_general", { ...fields, "fields.projectId": "of the second" });
  const html = await conflict.text();
  assert.equal(conflict.status, 409);
  assert.match(html, /the-admin changed these settings at 13:00 \(Europe\/Berlin\)/);
  assert.match(html, /value="of the second"/);
  assert.match(html, /Currently saved: of the first/);
  assert.equal(app.services.settings.current().general.projectId, "of the first");

  const again = { ...fields, version: version(html), "fields.projectId": "of the second" };
  assert.equal((await second.send("cfbe_save_general", again)).status, 303);
  assert.equal(app.services.settings.current().general.projectId, "of the second");
});

Deno.test("of several saves of the same settings at the same time, one succeeds and the others conflict", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  const seen = version((await admin.page("/general")).html);
  const save = (projectId: string) =>
    admin.send("cfbe_save_general", { version: seen, "fields.projectId": projectId });
  const statuses = (await Promise.all(["a", "b", "c"].map(save))).map(({ status }) => status);
  assert.deepEqual(statuses.toSorted(), [303, 409, 409]);
});

Deno.test("settings from the environment or the config file are locked, name their source, and cannot be saved", async () => {
  await using program = await startProgram({
    env: {
      CFBE_PROVIDER: "bluefox",
      CFBE_PROVIDER_API_KEY: "a-key-from-the-environment",
      CFBE_API_TOKEN: "the-api-token-of-tests",
    },
    file: { settings: { general: { origins: ["https://file.example"], modules: { coupons: true } } } },
  });
  const { admin } = program.services;
  await admin.users.add({ name: "ann", role: "admin", password: "long enough for me" });
  const cookie = `cfbe=${await admin.sessions.open((await admin.users.find("ann"))!)}`;
  const read = async (path: string) =>
    await (await fetch(`${program.baseUrl}/admin${path}`, { headers: { cookie } })).text();
  const html = await read("/provider") + await read("/general");
  assert.match(html, /Set by CFBE_PROVIDER_API_KEY/);
  assert.match(html, /Set by the config file/);
  assert.doesNotMatch(html, /a-key-from/);
  const response = await fetch(`${program.baseUrl}/admin/ajax`, {
    method: "POST",
    headers: { authorization: "Bearer the-api-token-of-tests", "content-type": "application/json" },
    body: JSON.stringify({
      action: "cfbe_save_general",
      fields: { apiKey: "mine", origins: [], modules: { coupons: false } },
    }),
  });
  const { code, fields } = await response.json();
  assert.deepEqual([response.status, code], [422, "fixed"]);
  assert.match(fields["fields.apiKey"], /Set by CFBE_PROVIDER_API_KEY/);
  assert.match(fields["fields.origins"], /Set by the config file/);
  assert.match(fields["fields.modules.coupons"], /Set by the config file/);
});

Deno.test("saving settings that pages depend on purges page caches and changes the ETag; saving other settings does neither", async () => {
  const purged: PurgeEvent[] = [];
  await using program = await startProgram({
    env: { CFBE_API_TOKEN: "the-api-token-of-tests" },
    file: { actions: { cfbe_purge_page_cache: (event) => void purged.push(event) } },
  });
  const etag = async () => {
    const response = await fetch(`${program.baseUrl}/cfbe.json?locale=en`);
    await response.body?.cancel();
    return response.headers.get("etag");
  };
  const save = async (tab: string, fields: unknown) => {
    const response = await fetch(`${program.baseUrl}/admin/ajax`, {
      method: "POST",
      headers: { authorization: "Bearer the-api-token-of-tests", "content-type": "application/json" },
      body: JSON.stringify({ action: `cfbe_save_${tab}`, fields }),
    });
    assert.equal(response.status, 200, await response.text());
  };
  let before = await etag();
  for (
    const [tab, fields] of [
      ["form", { nameField: "required" }],
      ["forms", { forms: [{ name: "header" }] }],
      ["popup", { enabled: true }],
    ] as const
  ) {
    await save(tab, fields);
    const after = await etag();
    assert.notEqual(after, before, tab);
    before = after;
  }
  await save("coupon", { amount: 20 });
  await save("carts", { delayMinutes: 90 });
  assert.equal(await etag(), before);
  assert.deepEqual(purged.map(({ tab }) => tab), ["form", "forms", "popup", "coupon"]);
});

Deno.test("the audit log has an entry per change, with the user and without an address, and one per refusal", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  await admin.send("cfbe_add_user", { name: "carl", role: "viewer", password: "long enough for me" });
  await admin.send("cfbe_add_user", { name: "carl", role: "viewer", password: "long enough for me" });
  const { rows } = await app.services.admin.audit.list();
  assert.deepEqual(
    rows.map(({ who, action, result }) => [who, action, result]).toSorted(),
    [["the-admin", "cfbe_add_user", "done"], ["the-admin", "cfbe_add_user", "refused"]],
  );
  assert.equal(rows[0]!.target, app.services.admin.audit.target("carl"));
  assert.doesNotMatch(JSON.stringify(rows), /carl/);
});

Deno.test("the page after a confirmation is a web page without credentials, and may have a query string", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  const save = async (brevoThanksUrl: string) => {
    const fields = { "fields.provider": "brevo", "fields.brevoThanksUrl": brevoThanksUrl };
    return (await admin.send("cfbe_save_general", fields, { accept: "application/json" })).status;
  };
  for (
    const url of [
      "javascript:alert(1)",
      "file:///etc/passwd",
      "https://user:hunter2@shop.example",
      "not a url",
    ]
  ) {
    assert.equal(await save(url), 422, url);
  }
  const url = "https://shop.example/?page_id=7#welcome";
  assert.equal(await save(url), 200);
  const page = (await admin.page("/provider")).html;
  assert.ok(page.includes(url));
});

Deno.test("the URL of a provider has no credentials and no scheme but http and https, and a stored one stops no start", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  const save = async (listmonkUrl: string) => {
    const fields = { "fields.provider": "listmonk", "fields.listmonkUrl": listmonkUrl };
    const response = await admin.send("cfbe_save_general", fields, { accept: "application/json" });
    const text = await response.text();
    assert.doesNotMatch(text, /hunter2/);
    return [response.status, Object.keys(JSON.parse(text).fields ?? {})];
  };
  const refused = [422, ["fields.listmonkUrl"]];
  for (
    const url of [
      "https://user:hunter2@lists.example",
      "https://user@lists.example",
      "file:///etc/passwd",
      "javascript:1",
      "lists.example",
      "https://lists.example/?key=hunter2",
    ]
  ) assert.deepEqual(await save(url), refused, url);
  assert.doesNotMatch(await app.dump(), /hunter2/);
  assert.deepEqual(await save("http://listmonk:9000/lists"), [200, []]);
  await app.services.settings.save("general", { listmonkUrl: "file:///stored/earlier" });
  await app.services.settings.refresh();
  assert.equal(app.services.settings.current().general.listmonkUrl, "file:///stored/earlier");
});
