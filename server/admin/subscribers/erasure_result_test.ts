import assert from "node:assert/strict";
import { ADA, choose, signUp } from "../../signup/confirm/testing/switching.ts";
import { ManualClock } from "../../../dev/testing/manual_clock.ts";
import { stubProvider } from "../../../dev/testing/stub_provider.ts";
import { adminHarness } from "../../../dev/testing/admin_harness.ts";

/** Someone who signed up at BlueFox, and then at MailerLite, which cannot erase. */
async function atTwoProviders() {
  const [bluefox, mailerlite] = [stubProvider(new ManualClock()), stubProvider(new ManualClock())];
  mailerlite.capabilities.erasure = false;
  const app = await adminHarness({ others: { bluefox, mailerlite } });
  for (const name of ["bluefox", "mailerlite"]) {
    await choose({ app }, name);
    await signUp({ app }, ADA);
  }
  return { app, admin: await app.signIn() };
}

const UNSUPPORTED =
  /At MailerLite, cfbe can't erase: delete the address there yourself, or it can still get emails\./;
const FIELDS = { _page: "/requests", email: ADA, typed: ADA, "b:provider": "true" };

Deno.test("the page of data requests names the providers that an erasure reaches, and those that it doesn't, before and after", async () => {
  const { app, admin } = await atTwoProviders();
  await using _ = app;
  const before = (await admin.page("/requests")).html;
  assert.match(before, /Also erase at BlueFox Email</);
  assert.match(before, UNSUPPORTED);
  const after = await (await admin.send("cfbe_erase_person", FIELDS)).text();
  assert.match(after, /being erased at BlueFox Email\. The result will appear in the audit/);
  assert.match(after, UNSUPPORTED);
  await app.work();
  const log = (await admin.search("/audit", { whose: ADA })).html;
  for (const title of ["BlueFox Email", "MailerLite"]) assert.ok(log.includes(title), title);
});

Deno.test("an earlier provider without its key is named with what to do, in the admin and in the answer of the action", async () => {
  const { app, admin } = await atTwoProviders();
  await using _ = app;
  await app.services.settings.save("general", { apiKey: "" });
  const before = (await admin.page("/requests")).html;
  assert.doesNotMatch(before, /b:provider/);
  assert.match(
    before,
    /At BlueFox Email, which was the provider earlier, cfbe can't erase: its API key is no longer set\./,
  );
  const response = await admin.send("cfbe_erase_person", FIELDS, { accept: "application/json" });
  const answer = await response.text();
  assert.match(answer, /Delete the address there yourself, or set the key and erase again\./);
  assert.match(answer, UNSUPPORTED);
});
