/** One discount code for everybody, which a form says after a signup. */
import assert from "node:assert/strict";
import { codeHeading } from "../../../forms/ready/one_code.ts";
import { settingsOfForm } from "../../../settings/forms/form_settings.ts";
import { LOCALES } from "../../../../shared/texts/locales.ts";
import { adminHarness } from "../../../../dev/testing/admin_harness.ts";

const READY = { _page: "/new-form", ready: "coupon-popup", title: "Club" };
const EDITOR = "/form-settings?form=club";

async function start() {
  const app = await adminHarness();
  const admin = await app.signIn("marketer");
  const run = async (action: string, fields: Record<string, string>) => {
    const response = await admin.send(action, { _page: EDITOR, ...fields }, { accept: "application/json" });
    return { status: response.status, ...await response.json() } as { status: number; message: string };
  };
  const headings = () =>
    LOCALES.map((locale) =>
      settingsOfForm(app.services.settings.current(), { name: "club" }, [locale]).texts.successHeading
    );
  return { app, admin, run, headings };
}

/** What the form says with the code, in each language. */
const wanted = (code: string) => LOCALES.map((locale) => codeHeading(locale, code));

Deno.test("a coupon popup from the gallery says the code that it is made with after a signup, in every language, and nothing warns", async () => {
  const { app, admin, run, headings } = await start();
  await using _ = app;
  assert.match((await admin.page("/new-form?from=coupon-popup")).html, /name="o:code"/);
  await run("cfbe_add_ready_form", { ...READY, code: " AUTUMN10 " });
  assert.deepEqual(headings(), wanted("AUTUMN10"));
  assert.equal(new Set(wanted("AUTUMN10")).size, LOCALES.length);
  assert.doesNotMatch((await admin.page(EDITOR)).html, /nobody gets one/);
  assert.equal((await run("cfbe_publish_form", { form: "club" })).message.includes("discount code"), false);
});

Deno.test("a coupon popup without a code asks for it in the step Design, is published with a warning, and shows the code in every language once it has one", async () => {
  const { app, admin, run, headings } = await start();
  await using _ = app;
  await run("cfbe_add_ready_form", READY);
  const { html } = await admin.page(EDITOR);
  const [design] = html.split('<div class="panel"').filter((each) => each.includes("One code for everybody"));
  assert.match(design!, /data-of-step="design"/);
  assert.doesNotMatch(design!, /^[^>]*data-panel=/, "beside every element");
  assert.match(design!, /href="[^"]*\/coupon"/);
  assert.match(
    (await run("cfbe_publish_form", { form: "club" })).message,
    /promises a discount code, but nobody/,
  );
  const saved = await run("cfbe_edit_form", { form: "club", "fields.heading": "Tea" });
  assert.match(saved.message, /promises a discount code, but nobody/);

  const filled = await run("cfbe_fill_in_code", { form: "club", code: "TEA-10", "b:draft": "true" });
  assert.equal(filled.message, "Club shows TEA-10 after a signup. Publish to show it on your pages.");
  assert.doesNotMatch((await admin.page(EDITOR)).html, /nobody gets one/);
  assert.notDeepEqual(headings(), wanted("TEA-10"), "pages stay as they are");
  const { message } = await run("cfbe_publish_form", { form: "club" });
  assert.match(message, /^Club published\. [^.]* have texts missing or to check\.$/);
  assert.deepEqual(headings(), wanted("TEA-10"));
});

Deno.test("a form says its own words after a signup, so nothing asks for a code, and an empty code is refused", async () => {
  const { app, admin, run } = await start();
  await using _ = app;
  await run("cfbe_add_ready_form", READY);
  assert.equal((await run("cfbe_fill_in_code", { form: "club", code: " ", "b:draft": "true" })).status, 422);
  const success = "Use TEA-10 at the checkout.";
  await run("cfbe_edit_form", { form: "club", "fields.texts.success": success, "b:draft": "true" });
  assert.doesNotMatch((await admin.page(EDITOR)).html, /nobody gets one/);
});
