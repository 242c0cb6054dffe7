import assert from "node:assert/strict";
import { adminHarness } from "../../../../dev/testing/admin_harness.ts";

Deno.test("where a form gets tags, the admin says so if the provider in use stores none", async () => {
  for (const provider of ["kit", "mailchimp"]) {
    await using app = await adminHarness({ settings: { general: { provider } } as never });
    await app.services.settings.save("forms", { forms: [{ name: "footer" }] });
    const admin = await app.signIn();
    for (const path of ["/form-settings?form=footer", "/new-form?from=event"]) {
      const { html } = await admin.page(path);
      assert.equal(html.includes("Kit stores no tags: they stay in cfbe"), provider === "kit", path);
    }
    const { html } = await admin.page("/new-form?from=newsletter");
    assert.doesNotMatch(html, /stores no tags/);
  }
});
