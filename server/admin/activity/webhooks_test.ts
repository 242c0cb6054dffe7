import assert from "node:assert/strict";
import { adminHarness } from "../../../dev/testing/admin_harness.ts";

Deno.test("the Provider page shows a foreign webhook, and replaces it only on request", async () => {
  await using app = await adminHarness({ settings: { general: { projectId: "p" } } });
  const admin = await app.signIn();
  await (await admin.send("cfbe_test_connection")).body?.cancel();
  app.provider.registered = {
    url: "https://other.example/hook",
    events: ["subscription"],
    missing: [],
    surplus: [],
  };
  const page = await admin.page("/provider");
  assert.match(page.html, /Another URL is registered: <code>https:\/\/other\.example\/hook<\/code>/);
  assert.match(page.html, /name="b:replace"/);
});

Deno.test("a new secret is shown whole only once", async () => {
  await using app = await adminHarness({ settings: {} });
  const admin = await app.signIn();
  const made = await (await admin.send("cfbe_new_webhook_secret", { _page: "/webhooks" })).text();
  const { secret } = app.services.settings.current().webhooks;
  assert.ok(made.includes(secret), "shown when it is made");
  const { html } = await admin.page("/webhooks");
  assert.ok(!html.includes(secret));
  assert.ok(html.includes(`••••${secret.slice(-4)}`));
});

Deno.test("recent calls are listed with their results", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  await (await app.hook({ type: "open" })).body?.cancel();
  await (await app.hook({ type: "open" }, { authorization: "Bearer wrong" })).body?.cancel();
  const { html } = await admin.page("/webhooks");
  assert.match(html, /recorded/);
  assert.match(html, /rejected: wrong key or secret/);
});
