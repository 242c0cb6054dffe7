import assert from "node:assert/strict";
import { adminHarness } from "../../../dev/testing/admin_harness.ts";

/** Returns the summary of errors on a page, and what each of its links leads to. */
function summaryOf(html: string) {
  const summary = /<div role="alert" tabindex="-1" autofocus>.*?<\/ul>/s.exec(html)?.[0] ?? "";
  const links = [...summary.matchAll(/<a href="#([^"]+)">([^<]+)<\/a>: ([^<]*)/g)];
  return links.map(([, id = "", label, message]) => ({
    label,
    message,
    element: new RegExp(`<(\\w+)[^>]* id="${id}"`).exec(html)?.[1],
  }));
}

Deno.test("a refused form begins with the focused list of its errors, each with a link to what to change", async () => {
  await using app = await adminHarness({ settings: {} });
  const admin = await app.signIn();
  await app.services.settings.save("forms", { forms: [{ name: "footer" }] });
  const refused = async (action: string, fields: Record<string, string>) =>
    summaryOf(await (await admin.send(action, fields)).text());

  const defaults = { "fields.consent": "required", "fields.consentText": "" };
  assert.deepEqual(await refused("cfbe_save_form", { _page: "/form-defaults", ...defaults }), [{
    label: "Consent text",
    message: "Must not be empty while the consent checkbox is shown.",
    element: "textarea",
  }]);
  const days = { "n:fields.hideDays": "x", "n:fields.triggers.delaySeconds": "y" };
  assert.deepEqual(await refused("cfbe_save_popup", { _page: "/popup", ...days }), [
    { label: "After", message: "Must be a number.", element: "input" },
    { label: "Don't show again after closing for", message: "Must be a number.", element: "input" },
  ]);
  const inherited = { _page: "/form-settings?form=footer", form: "footer", "fields.consent": "required" };
  const [error] = await refused("cfbe_edit_form", inherited);
  assert.equal(
    error?.element,
    "textarea",
    "the field can be changed, although the form had no value of its own",
  );
});

Deno.test("the same error of two rows is listed with the row that each belongs to", async () => {
  await using app = await adminHarness({ settings: {} });
  const admin = await app.signIn();
  const rowsOf = (...rows: Record<string, string>[]) =>
    Object.fromEntries(
      rows.flatMap((row, index) =>
        Object.entries(row).map(([name, value]) => [`fields.fields.${index}.${name}`, value])
      ),
    );
  const labelsOf = async (fields: Record<string, string>) =>
    summaryOf(
      await (await admin.send("cfbe_save_form", {
        _page: "/form-defaults",
        "a:fields.fields": "",
        ...fields,
      })).text(),
    ).map(({ label }) => label);
  const text = { kind: "text", label: "" };
  assert.deepEqual(await labelsOf(rowsOf({ ...text, name: "city" }, { ...text, name: "job" })), [
    "city (Text), Label",
    "job (Text), Label",
  ]);
  assert.deepEqual(await labelsOf(rowsOf({ ...text, name: "" }, { ...text, name: "" })), [
    "Text field 1, Label",
    "Text field 1, Field name",
    "Text field 2, Label",
    "Text field 2, Field name",
  ]);
});

Deno.test("an error that no field on the page shows is in the list, too", async () => {
  await using app = await adminHarness({ settings: {} });
  const admin = await app.signIn();
  const refused = await admin.send("cfbe_save_general", {
    _page: "/overview",
    "fields.origins.0": "no origin",
  });
  assert.match(await refused.text(), /autofocus>.*<li>Must be an origin[^<]*<\/li>/s);
});
