import assert from "node:assert/strict";
import { adminHarness } from "../../../dev/testing/admin_harness.ts";

const FORM = "/form-settings?form=footer";

Deno.test("the URLs of pages that have moved lead to where their content is now", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  const moved = {
    "/form": "/form-defaults",
    "/texts": "/form-defaults",
    "/texts?locale=de": "/form-defaults?locale=de",
    "/forms?form=footer": "/form-settings?form=footer",
  };
  for (const [from, to] of Object.entries(moved)) {
    const { status, headers } = await admin.page(from);
    assert.deepEqual([status, headers.get("location")], [302, `/admin${to}`], from);
    assert.equal((await admin.page(to)).status, 200);
  }
  assert.equal((await admin.page("/popup")).status, 200);
});

Deno.test("beside each preview of a form is how the page's own CSS changes its design", async () => {
  await using app = await adminHarness({ settings: { forms: { forms: [{ name: "footer" }] } } });
  const admin = await app.signIn();
  for (const page of [FORM, "/form-defaults", "/popup"]) {
    assert.match(
      (await admin.page(page)).html,
      /<\/iframe><\/div><p [^>]*hidden[^>]*><\/p><p class="help">Your page's own CSS wins over the design[^]*“Style the form”/,
      page,
    );
  }
});

Deno.test("a form's page links to the form on its own page, and explains how to translate and which language tags are valid", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  await app.services.settings.save("forms", { forms: [{ name: "footer", consentText: "Own." }] });
  const { html } = await admin.page(FORM);
  const link = /<a href="([^"]*)" target="_blank"[^>]*>\s*See this form on its own page/.exec(html)?.[1];
  assert.equal(link, "http://localhost:8000/form/footer");
  assert.equal((await app.fetch("/form/footer")).status, 200);
  assert.match(html, /To translate it, select a language above\./);
  assert.match(
    html,
    /<input id="locale"[^>]* title="[^"]*such as de or pt-BR[^>]* aria-describedby="locale-help"/,
  );
});
