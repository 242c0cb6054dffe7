import assert from "node:assert/strict";
import { actions } from "../action_table.ts";
import { pages } from "../page_registry.ts";
import { adminHarness } from "../../../dev/testing/admin_harness.ts";

const JSON_ONLY = { accept: "application/json" };

Deno.test("every action is refused without a session, a valid nonce or the capability, and changes nothing", async () => {
  let locked = false;
  await using app = await adminHarness({
    file: { filters: { cfbe_capability: (capability) => locked ? "nobody has this" : capability } },
  });
  const admin = await app.signIn();
  const before = await app.dump();
  for (const { name } of actions) {
    const refusals: [string, Response, number][] = [
      [
        "no session",
        await app.fetch("/admin/ajax", { method: "POST", body: new URLSearchParams({ action: name }) }),
        401,
      ],
      ["a made-up session", await admin.send(name, {}, { cookie: "cfbe=made-up" }), 401],
      ["no nonce", await admin.send(name, { _nonce: "" }), 403],
      ["another action's nonce", await admin.send(name, { _nonce: admin.nonce("cfbe_other") }), 403],
    ];
    locked = true;
    refusals.push(["no capability", await admin.send(name), 403]);
    const token = { ...JSON_ONLY, authorization: "Bearer the-api-token-of-tests" };
    refusals.push(["the token without capability", await admin.send(name, {}, token), 403]);
    locked = false;
    for (const [what, response, status] of refusals) {
      await response.body?.cancel();
      assert.equal(response.status, status, `${name} with ${what}`);
    }
  }
  assert.equal(await app.dump(), before);
});

Deno.test("every action is refused with a wrong token, even if the session is valid", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  for (const [index, { name }] of actions.entries()) {
    const headers = { cookie: admin.cookie, authorization: "Bearer no" };
    // Each from an IP of its own, because wrong tokens are limited.
    const request = { method: "POST", headers, body: new URLSearchParams({ action: name }) };
    const response = await app.fetch(admin.actionUrl(name), request, `192.0.2.${index}`);
    await response.body?.cancel();
    assert.equal(response.status, 401, name);
  }
});

Deno.test("a viewer can run no action that requires more than the capability view", async () => {
  await using app = await adminHarness();
  const viewer = await app.signIn("viewer");
  for (const { name } of actions.filter((action) => action.capability !== "view")) {
    const response = await viewer.send(name, {}, JSON_ONLY);
    assert.deepEqual([response.status, (await response.json()).code], [403, "not_allowed"], name);
  }
});

Deno.test("a nonce of another session, or older than a day, is rejected", async () => {
  await using app = await adminHarness();
  const [one, other] = [await app.signIn(), await app.signIn()];
  const fields = { "fields.nameField": "required" };
  const stolen = await one.send("cfbe_save_form", { ...fields, _nonce: other.nonce("cfbe_save_form") });
  assert.equal(stolen.status, 403);
  const old = one.nonce("cfbe_save_form");
  // Requests keep the session alive.
  for (let hours = 0; hours < 28; hours += 7) {
    await app.clock.advance(7 * 60 * 60 * 1000);
    await one.page("/general");
  }
  assert.equal((await one.send("cfbe_save_form", { ...fields, _nonce: old })).status, 403);
  assert.equal(app.services.settings.current().form.nameField, "hidden");
  assert.equal((await one.send("cfbe_save_form", fields)).status, 303);
  assert.equal(app.services.settings.current().form.nameField, "required");
});

Deno.test("the API token replaces session and nonce, and gets JSON", async () => {
  await using app = await adminHarness();
  const response = await app.fetch("/admin/ajax", {
    method: "POST",
    headers: { authorization: "Bearer the-api-token-of-tests", "content-type": "application/json" },
    body: JSON.stringify({ action: "cfbe_save_popup", fields: { hideDays: 7 } }),
  });
  const { ok, message } = await response.json();
  assert.deepEqual([response.status, ok, message], [200, true, "Popup settings saved."]);
  assert.equal(app.services.settings.current().popup.hideDays, 7);
  const [row] = (await app.services.admin.audit.list()).rows;
  assert.deepEqual([row?.who, row?.action, row?.result], ["API token", "cfbe_save_popup", "done"]);
});

Deno.test("a plain form is redirected to its page, which shows the result once", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  const response = await admin.send("cfbe_save_general", {
    _page: "/general",
    "l:fields.origins": "https://a.example\n",
  });
  assert.deepEqual([response.status, response.headers.get("location")], [303, "/admin/general"]);
  const flash = /cfbe_flash=[^;]+/.exec(response.headers.get("set-cookie") ?? "")?.[0];
  const page = await app.fetch("/admin/general", { headers: { cookie: `${admin.cookie}; ${flash}` } });
  assert.match(await page.text(), /General settings saved\./);
  assert.match(page.headers.get("set-cookie") ?? "", /cfbe_flash=;.*Max-Age=0/);
  assert.deepEqual(app.services.settings.current().general.origins, ["https://a.example"]);
});

Deno.test("an invalid form is shown again with its input and an error at each field, and saves nothing", async () => {
  await using app = await adminHarness({ settings: { general: { provider: "bluefox" } } });
  const admin = await app.signIn();
  const before = await app.dump();
  const response = await admin.send("cfbe_save_general", {
    _page: "/general",
    "l:fields.origins": `https://a.example\nhttps://b.example/"path"`,
  });
  const html = await response.text();
  assert.equal(response.status, 422);
  assert.match(html, /https:\/\/b\.example\/&quot;path&quot;/);
  assert.match(html, /aria-describedby="[^"]*fields-origins-error"/);
  assert.match(html, /id="[^"]*fields-origins-error">Must be an origin such as/);
  assert.equal(
    (await app.dump()).replace(/\["s", "main", "audit"[\s\S]*?\n\]/, "").includes("b.example"),
    false,
  );
  assert.equal(before.includes("b.example"), false);
});

Deno.test("after a session has ended, the sign-in page leads back to the same page", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  await app.clock.advance(8 * 60 * 60 * 1000);
  const sentFrom = async (referer?: string) => {
    const headers: HeadersInit = referer === undefined ? {} : { referer };
    const response = await admin.send("cfbe_save_general", { _page: "/general" }, headers);
    const html = await response.text();
    assert.equal(response.status, 401);
    assert.match(html, /Your session has ended, so this was not done\. Sign in to continue\./);
    return /name="next" value="([^"]*)"/.exec(html)?.[1];
  };
  const site = "http://localhost:8000/admin";
  assert.equal(await sentFrom(`${site}/general`), "/general");
  assert.equal(await sentFrom(`${site}/jobs?state=dead`), "/jobs?state=dead");
  for (
    const elsewhere of [undefined, "", `${site}/ajax`, `${site}//evil.example`, "https://evil.example/x"]
  ) {
    assert.equal(await sentFrom(elsewhere), pages[0]!.path, elsewhere);
  }
});

Deno.test("no request body causes a server error", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  const action = "cfbe_save_form";
  const long = "x".repeat(600_000);
  const bodies: Record<string, string>[] = [
    { "fields.__proto__.admin": "1", "__proto__.x": "1", "fields.constructor.prototype.y": "1" },
    { "n:fields.a.b.c.d": "NaN", "b:fields": "true", "fields.0.0.0": "x" },
    { _add: "fields.interests", _page: "//evil.example" },
    { _remove: "fields..9", _page: "/general?x=%" },
    { "fields.texts": "no object" },
    { "fields.x": long },
  ];
  for (const fields of bodies) {
    const response = await admin.send(action, { "fields.interests": "", ...fields });
    await response.body?.cancel();
    assert.ok(response.status < 500, `${Object.keys(fields)}: ${response.status}`);
    assert.ok(!(response.headers.get("location") ?? "").includes("evil"));
  }
  assert.equal(({} as Record<string, unknown>)["admin"] ?? ({} as Record<string, unknown>)["y"], undefined);
  for (const body of ["{", "[]", `{"action":7}`, ""]) {
    const headers = { cookie: admin.cookie, "content-type": "application/json", ...JSON_ONLY };
    const response = await app.fetch("/admin/ajax", { method: "POST", headers, body });
    await response.body?.cancel();
    assert.equal(response.status, 403);
  }
});

Deno.test("a form without a valid page opens the Overview", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  for (const [index, _page] of ["", "/", "//", "http://[", "https://evil.example"].entries()) {
    const fields = { _page, "fields.projectId": `saved ${index}` };
    const strange = await app.fetch("/admin/ajax", { method: "POST", body: new URLSearchParams(fields) });
    assert.equal(strange.status, 401, _page);
    await strange.body?.cancel();
    const done = await admin.send("cfbe_save_general", fields);
    assert.deepEqual([done.status, done.headers.get("location")], [303, `/admin${pages[0]!.path}`], _page);
    assert.equal(app.services.settings.current().general.projectId, `saved ${index}`);
  }
  assert.deepEqual(app.log.entries.filter(({ level }) => level === "error"), []);
});

Deno.test("every response of the admin is marked no-store", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  const broken = "/subscriber?email=nobody";
  const paths = [
    ...pages.map(({ path }) => path),
    ...[
      "",
      "/",
      "/login",
      "/set-up?token=x",
      "/preview?form=x",
      "/subscribers/subscribers.csv",
      "/none",
      broken,
    ],
  ];
  for (const headers of [{ cookie: admin.cookie }, {}] as HeadersInit[]) {
    for (const path of paths) {
      const response = await app.fetch(`/admin${path}`, { headers });
      await response.body?.cancel();
      assert.equal(response.headers.get("cache-control"), "no-store", `${response.status} ${path}`);
    }
  }
  for (const response of [await admin.send("cfbe_log_out"), await admin.send("cfbe_none", {}, JSON_ONLY)]) {
    await response.body?.cancel();
    assert.equal(response.headers.get("cache-control"), "no-store");
  }
});
