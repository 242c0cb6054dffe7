import assert from "node:assert/strict";
import { adminHarness } from "../testing.ts";

Deno.test("requiring a field warns, on the page and when saved, that forms in a page's own markup need that field", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  const save = async (fields: Record<string, string>) => {
    const response = await admin.send("cfbe_save_form", { _page: "/form", ...fields }, {
      accept: "application/json",
    });
    return (await response.json()).message as string;
  };
  const warned = async () => /[^>]*with their own markup[^<]*/.exec((await admin.page("/form")).html)?.[0];
  assert.equal(
    await save({ "fields.consent": "optional", "fields.consentText": "Yes" }),
    "Form settings saved.",
  );
  assert.equal(await warned(), undefined);

  const one =
    "Forms with their own markup need a field named consent. Without it, all their signups are rejected.";
  const fields = { "fields.consent": "required", "fields.consentText": "Yes" };
  assert.equal(await save(fields), `Form settings saved. ${one}`);
  assert.equal(await warned(), one);

  const two = one.replace("a field named consent", "fields named name and consent").replace("it,", "them,");
  assert.equal(await save({ ...fields, "fields.nameField": "required" }), `Form settings saved. ${two}`);
  assert.equal(await warned(), two);
});
