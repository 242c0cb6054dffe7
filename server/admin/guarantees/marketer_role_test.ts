import assert from "node:assert/strict";
import { startRecurringJobs } from "../../program/recurring_jobs.ts";
import { actions } from "../action_table.ts";
import { pages } from "../page_registry.ts";
import { richForm } from "../../../dev/testing/rich_form.ts";
import { REASONS } from "../activity/overview_drops.ts";
import { adminHarness } from "../../../dev/testing/admin_harness.ts";
import { ROLE_CAPABILITIES, ROLES } from "../auth/capability.ts";

const FOR_FORMS = [
  "cfbe_add_form",
  "cfbe_add_ready_form",
  "cfbe_add_variant",
  "cfbe_choose_form_languages",
  "cfbe_confirm_translation",
  "cfbe_create_experiment",
  "cfbe_discard_form_draft",
  "cfbe_duplicate_form",
  "cfbe_edit_form",
  "cfbe_edit_variant",
  "cfbe_fill_in_code",
  "cfbe_import_form",
  "cfbe_keep_variant",
  "cfbe_publish_form",
  "cfbe_remove_experiment",
  "cfbe_remove_form",
  "cfbe_remove_form_image",
  "cfbe_remove_variant",
  "cfbe_remove_variant_image",
  "cfbe_restore_form_version",
  "cfbe_save_coupon",
  "cfbe_save_form",
  "cfbe_save_form_image",
  "cfbe_save_form_locale",
  "cfbe_save_form_texts",
  "cfbe_save_forms",
  "cfbe_save_popup",
  "cfbe_save_variant_image",
  "cfbe_set_form_status",
  "cfbe_set_form_title",
  "cfbe_start_experiment",
  "cfbe_stop_experiment",
];

Deno.test("the role marketer may run the actions for forms, experiments and coupons, and otherwise only those on its own account", () => {
  const allowed = actions.filter(({ capability }) => ROLE_CAPABILITIES.marketer.includes(capability));
  assert.deepEqual(
    allowed.filter(({ capability }) => capability !== "view").map(({ name }) => name).sort(),
    FOR_FORMS,
  );
});

Deno.test("a marketer changes a form, the popup and the discount, and no other setting, secret or user", async () => {
  await using app = await adminHarness();
  const marketer = await app.signIn("marketer");
  const statusOf = async (action: string, fields: Record<string, string>) => {
    const response = await marketer.send(action, fields, { accept: "application/json" });
    await response.body?.cancel();
    return response.status;
  };
  assert.equal(await statusOf("cfbe_add_form", { name: "spring", layout: "inline" }), 200);
  assert.equal(await statusOf("cfbe_edit_form", { form: "spring", "fields.heading": "Letters" }), 200);
  assert.equal(await statusOf("cfbe_save_popup", { "n:fields.hideDays": "5" }), 200);
  assert.equal(await statusOf("cfbe_save_coupon", { "n:fields.amount": "15" }), 200);
  const { forms, popup, coupon } = app.services.settings.current();
  assert.deepEqual([forms.forms[0]!.heading, popup.hideDays, coupon.amount], ["Letters", 5, 15]);
  for (
    const [action, fields] of Object.entries({
      cfbe_save_general: { "fields.apiKey": "another-key" },
      cfbe_save_checkout: { "fields.secret": "s".repeat(16) },
      cfbe_save_privacy: { "n:fields.ipRetentionDays": "1" },
      cfbe_new_webhook_secret: {},
      cfbe_test_coupon: {},
      cfbe_forget_limits: { email: "ada@example.com" },
      cfbe_export_person: { email: "ada@example.com" },
      cfbe_invite_user: { name: "eve", role: "marketer" },
      cfbe_list_users: {},
    })
  ) assert.equal(await statusOf(action, fields), 403, action);
});

Deno.test("only users who may operate cfbe are advised to run a command", async () => {
  await using app = await adminHarness();
  app.provider.subscribe = () =>
    Promise.resolve({ kind: "trouble", code: "forbidden", reason: "no permission", unknown: false });
  await (await app.post({ email: "ada@example.com" })).body?.cancel();
  await app.work();
  await startRecurringJobs(app.services);
  await app.work();
  for (const role of ROLES) {
    const user = await app.signIn(role);
    for (const path of ["/overview", "/alerts"]) {
      const { html } = await user.page(path);
      assert.match(html, /The provider does not allow our requests/, path);
      assert.equal(/deno task/.test(html), role === "admin", `${role} on ${path}`);
    }
  }
});

Deno.test("a marketer sees figures and forms, but no address, IP address or name of a subscriber, and no users", async () => {
  await using app = await adminHarness({
    settings: { form: { consent: "optional", consentText: "Yes", nameField: "optional" } },
  });
  const fields = { email: "ada@example.com", name: "Lovelace", consent: true };
  await (await app.post(fields, { peer: "198.51.100.7" })).body?.cancel();
  await app.work();
  await app.signIn("support");
  const marketer = await app.signIn("marketer");
  const opened: string[] = [];
  for (const { path } of pages) {
    const { status, html } = await marketer.page(path);
    if (status === 200) opened.push(path);
    assert.doesNotMatch(html, /ada@example|198\.51\.100\.7|Lovelace|the-support/, path);
    assert.doesNotMatch(html, /href="\/admin\/(?:jobs|subscribers?|requests|audit|users)\b/, path);
  }
  for (const path of ["/overview", "/sources", "/forms", "/form-defaults", "/popup", "/coupon"]) {
    assert.ok(opened.includes(path), path);
    assert.doesNotMatch((await marketer.page(path)).html, /You can read this page/, path);
  }
  for (const path of ["/subscribers", "/jobs", "/audit", "/requests", "/users"]) {
    assert.ok(!opened.includes(path), path);
  }
  assert.match((await marketer.page("/general")).html, /Only admins can change anything on it/);
  assert.match((await marketer.page("/coupon")).html, /Only admins can connect the shop/);
});

/** What only someone with access to the server can use. Attributes and fields of snippets are for people with access to the page. */
const ON_THE_SERVER =
  /.{0,60}(?:CFBE_[A-Z]|config file|environment variable|\bcfbe [a-z]+ (?:--|<)|<code>cfbe |\bcfbe_(?!form\b|cfg\b)[a-z]).{0,40}/g;

Deno.test("texts that a marketer reads name pages of the admin, not commands, variables or hooks", async () => {
  await using app = await adminHarness();
  const { counters, settings, clock } = app.services;
  await settings.save("forms", { forms: [{ name: "footer" }, richForm("rich", clock.now())] });
  for (const entry of Object.keys(REASONS)) {
    if (entry.startsWith("note.")) counters.note(entry.slice(5) as never, "footer");
    else counters.count("footer", entry as never);
  }
  const found = async (role: "marketer" | "admin") => {
    const user = await app.signIn(role);
    const named = ["footer", "rich"].flatMap((name) =>
      ["form-settings", "experiment", "form-history"].map((page) => `/${page}?form=${name}`)
    );
    const texts = [];
    for (const path of [...pages.map(({ path }) => path), ...named]) {
      const { html } = await user.page(path);
      const main = html.slice(html.indexOf("<main"), html.indexOf("</main>"));
      const text = main.replaceAll(
        /<(?:pre|textarea|code class="snippet")[^]*?<\/(?:pre|textarea|code)>/g,
        "",
      )
        .replaceAll(/<(?!code>)[^>]*>/g, " ").replaceAll(/\s+/g, " ");
      texts.push(...[...text.matchAll(ON_THE_SERVER)].map(([line]) => `${path}: ${line}`));
    }
    return texts;
  };
  assert.deepEqual(await found("marketer"), []);
  assert.ok((await found("admin")).length > 5);
});
