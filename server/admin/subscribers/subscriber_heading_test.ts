import assert from "node:assert/strict";
import { adminHarness } from "../../../dev/testing/admin_harness.ts";

Deno.test("the heading of a person's page can break before the @ of the address", async () => {
  await using app = await adminHarness();
  await (await app.post({ email: "ada@example.com", consent: true })).body?.cancel();
  await app.work();
  const admin = await app.signIn();
  const { html } = await admin.search("/subscribers", { q: "ada@example.com" });
  const [link] = html.match(/(?<=href="\/admin)\/subscriber\?[^"]*/) ?? [];
  const person = await admin.page(link!.replaceAll("&amp;", "&"));
  assert.match(person.html, /<h1>ada<wbr\/?>@example\.com<\/h1>/);
});
