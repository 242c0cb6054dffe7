import assert from "node:assert/strict";
import type { ProviderTable } from "../../../providers/module.ts";
import { PROVIDERS, SANDBOX } from "../../../providers/providers.ts";
import { withProvider } from "../../../settings/store/provider.ts";
import { settingsSchema } from "../../../settings/schema/schema.ts";
import { adminHarness } from "../../../../dev/testing/admin_harness.ts";
import { propertyHelp } from "./property_help.ts";

const settings = settingsSchema({}).parse({});
const { mailchimp, klaviyo } = PROVIDERS;

Deno.test("where a form's fields are edited, the admin says what the provider in use does with the answers", async () => {
  const fields = [{ name: "company", kind: "text", label: "Company" }];
  await using app = await adminHarness({
    settings: { forms: { forms: [{ name: "footer", fields }] } } as never,
  });
  const admin = await app.signIn();
  for (const path of ["/form-settings?form=footer", "/form-defaults"]) {
    if (path === "/form-defaults") await app.services.settings.save("form", { fields } as never);
    const { html } = await admin.page(path);
    assert.match(
      html,
      /The sandbox stores it as a custom property with this name, which cfbe creates if it is missing\. Leave empty to use the field name\./,
    );
  }
});

Deno.test("each provider's own word is used, and one that stores no answers is said to store none", () => {
  const said = (name: string, providers: ProviderTable = PROVIDERS) =>
    propertyHelp(withProvider(settings, name), providers);
  assert.match(said(SANDBOX), /^The sandbox stores/);
  assert.match(said("mailchimp"), /^Mailchimp stores it as a merge field.*creates/);
  assert.match(said("klaviyo"), /^Klaviyo stores it as a custom property with this name\.$/);
  const without = { ...mailchimp, capabilities: { ...mailchimp.capabilities, properties: false } } as const;
  assert.equal(
    said("mailchimp", { ...PROVIDERS, mailchimp: without, klaviyo }),
    "Mailchimp does not store it. It stays in cfbe and its exports.",
  );
});

Deno.test("the fields at the provider for where signups came from are saved in the form defaults, and emptied again", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  const save = async (name: string) =>
    (await admin.send("cfbe_save_form", {
      _page: "/form-defaults",
      "fields.attributionFields.utm_campaign": name,
    })).status;
  const saved = () => app.services.settings.current().form.attributionFields;
  assert.equal(await save("CAMPAIGN"), 303);
  assert.deepEqual([saved().utm_campaign, saved().page], ["CAMPAIGN", ""]);
  const { html } = await admin.page("/form-defaults");
  assert.match(html, /<details open><summary>Store it at the provider, too/);
  assert.equal(await save(""), 303);
  assert.equal(saved().utm_campaign, "");
  assert.equal(await save("x".repeat(101)), 422);
});
