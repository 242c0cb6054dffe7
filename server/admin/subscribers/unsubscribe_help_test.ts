import assert from "node:assert/strict";
import { LIST } from "../../../dev/testing/harness.ts";
import { encryptQuery } from "../frame/encrypted_query.ts";
import { type AdminHarness, adminHarness } from "../../../dev/testing/admin_harness.ts";

const ADA = "ada@example.com";

/** Returns the text of the page of somebody with this status at the provider. */
async function personPage(app: AdminHarness, status: "active" | "unsubscribed"): Promise<string> {
  app.provider.put(LIST, ADA, status);
  const admin = await app.signIn("support");
  await (await admin.send("cfbe_check_signup", { email: ADA, list: LIST })).body?.cancel();
  await app.work();
  const path = `/subscriber${await encryptQuery(app.services, [["email", ADA], ["list", LIST]])}`;
  const { html } = await admin.page(path);
  return html.slice(html.indexOf('id="facts"')).replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
}

async function withAda(): Promise<AdminHarness> {
  const app = await adminHarness({ settings: { general: { provider: "bluefox" } } });
  await (await app.post({ email: ADA, consent: true })).body?.cancel();
  await app.work();
  return app;
}

Deno.test("the page of somebody active names where to unsubscribe them, and that the proof stays", async () => {
  await using app = await withAda();
  const help = /To unsubscribe them, do it at BlueFox\b.*cfbe keeps the proof of consent/;
  assert.match(await personPage(app, "active"), help);
  assert.doesNotMatch(await personPage(app, "unsubscribed"), help);
});

Deno.test("the status of somebody who left is their present list status", async () => {
  await using app = await withAda();
  await personPage(app, "active");
  const text = await personPage(app, "unsubscribed");
  assert.match(text, /Status unsubscribed has unsubscribed They had confirmed: the signup is active since/);
});

Deno.test("Data requests says where to unsubscribe somebody, with the sandbox its inbox", async () => {
  await using app = await adminHarness({ settings: { general: { provider: "sandbox" } } });
  const { html } = await (await app.signIn("support")).page("/requests");
  assert.match(html, /<h2>Unsubscribe<[^]*?href="\/sandbox">sandbox inbox<[^]*?proof of\s+consent/);
});
