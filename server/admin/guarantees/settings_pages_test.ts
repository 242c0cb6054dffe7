import { withoutInherited } from "../../../dev/testing/without_inherited.ts";
import assert from "node:assert/strict";
import { ORDER_STATUSES } from "../../../shared/order_statuses.ts";
import { en } from "../../../shared/texts/en.ts";
import { PROVIDERS } from "../../providers/providers.ts";
import { formDesign } from "../../settings/schema/design_schema.ts";
import { settingsOfFormIn } from "../../settings/forms/form_settings.ts";
import { formFields } from "../../settings/schema/field_schema.ts";
import { OWN_TEXT_NAMES } from "../../settings/schema/form_values.ts";
import { SettingsSchema, type Tab } from "../../settings/schema/schema.ts";
import { adminHarness } from "../../../dev/testing/admin_harness.ts";
import { pages } from "../page_registry.ts";

/** One field with every setting. */
const FIELD = formFields.parse([{ name: "one", kind: "text", label: "One", min: 1, max: 9 }])[0]!;
/** Kinds of fields that together have an input for each. */
const KINDS = [
  ...["text", "date", "firstName", "lastName", "phone", "country"].map((kind) => ({ kind })),
  { kind: "select", options: ["a"] },
  { kind: "hidden", key: "a" },
];

const DESIGN = Object.keys(formDesign.shape);

/** Settings that have no default value. */
const UNSET = [
  "popup.width",
  "form.order",
  ...["kind", "name", "match", "value", "not", "days", "from", "to", "timeZone"].map((name) =>
    `popup.targeting.${name}`
  ),
  ...["popup", "forms.forms.0"].flatMap((form) => [
    ...[
      "heading",
      "text",
      "button",
      "nameField",
      "interests",
      "fields",
      "order",
      "consent",
      "consentText",
      "attribution",
      "steps",
      "countdown",
      "countdownAfter",
      "language",
      "successUrl",
    ].map((
      name,
    ) => `${form}.${name}`),
    ...OWN_TEXT_NAMES.map((name) => `${form}.texts.${name}`),
    ...["from", "until"].map((name) => `${form}.schedule.${name}`),
  ]),
  ...["popup", "forms.forms.0", "form"].flatMap((form) =>
    DESIGN.filter((name) => name !== "image").map((name) => `${form}.design.${name}`)
  ),
  ...Object.keys(en.form).map((key) => `form.texts.${key}`),
  ...ORDER_STATUSES.map((status) => `orders.templates.${status}`),
  ...["layout", "list", "tags", "status", "opens"].map((name) => `forms.forms.0.${name}`),
  ...["tag", "label"].map((name) => `form.interests.0.${name}`),
  ...Object.keys(FIELD).map((name) => `form.fields.${name}`),
];

/** Settings that another form or action sets, such as the one that adds a form. */
const ELSEWHERE = [/^general\.(knownLists|provider)$/, /^form\.locales$/, /^webhooks\./];

/** Returns the paths of all settings that are not objects. */
function leaves(value: unknown, path: string): string[] {
  const members = typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.entries(value)
    : [];
  return members.length === 0
    ? [path]
    : members.flatMap(([name, member]) => leaves(member, `${path}.${name}`));
}

Deno.test("every setting can be changed on a page, and every field on a page is a setting", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  await app.services.settings.save("forms", { forms: [{ name: "footer" }] });
  await app.services.settings.save("form", {
    interests: [{ tag: "tea", label: "Tea" }],
    fields: KINDS.map((more, index) => ({ name: `f${index}`, label: "One", ...more })),
  } as never);
  await app.services.settings.save("popup", {
    targeting: [{
      conditions: [
        { kind: "query", name: "color", match: "is", value: "red", not: false },
        { kind: "time", days: ["mon"], from: "09:00", to: "17:00", timeZone: "UTC", not: false },
      ],
    }],
  });
  const fields = new Set<string>();
  const html: string[] = [];
  for (const { path } of pages) {
    html.push((await admin.page(path === "/form-settings" ? `${path}?form=footer` : path)).html);
  }
  // The Provider page shows the settings of the chosen provider.
  for (const provider of Object.keys(PROVIDERS)) {
    await app.services.settings.save("general", { provider });
    html.push((await admin.page("/provider")).html);
  }
  for (const page of html.map(withoutInherited)) {
    for (const [form] of page.matchAll(/<form [\s\S]*?<\/form>/g)) {
      const action = /name="action" value="cfbe_(\w+)"/.exec(form)?.[1];
      const tab = action === "edit_form" ? "forms.forms.0" : action?.replace("save_", "");
      for (const [, name] of form.matchAll(/ name="(?:[nblo]:)?fields\.([^"]+)"/g)) {
        fields.add(
          `${tab}.${
            name!.replace(/^fields\.\d+/, "fields").replace(/^targeting\.0\.conditions\.\d+/, "targeting")
              .replace(/(days)\.\d$/, "$1")
          }`,
        );
      }
    }
  }
  const named = (path: string) => /^(forms\.forms|form\.interests|form\.fields|popup\.targeting)$/.test(path);
  const settings = Object.entries(SettingsSchema.parse({})).flatMap(([tab, value]) =>
    leaves(value, tab as Tab)
  )
    .filter((path) => !ELSEWHERE.some((other) => other.test(path)) && !named(path))
    .filter((path) => !["form.texts", "form.design", "orders.templates"].includes(path));
  assert.deepEqual([...fields].toSorted(), [...settings, ...UNSET].toSorted());
});

Deno.test("the texts of one language are saved separately, and removed when emptied", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  const words = () => app.services.settings.current().form.locales;
  const save = (locale: string, fields: Record<string, string>) =>
    admin.send("cfbe_save_form_locale", { _page: `/form-defaults?locale=${locale}`, locale, ...fields });
  assert.equal((await save("de", { "o:texts.button": "Los", "o:texts.heading": "" })).status, 303);
  assert.equal((await save("fr", { "o:consentText": "Oui." })).status, 303);
  assert.deepEqual(words(), { de: { texts: { button: "Los" } }, fr: { consentText: "Oui.", texts: {} } });
  await save("de", { "o:texts.button": "" });
  assert.deepEqual(Object.keys(words()), ["fr"]);

  const long = await save("fr", { "o:texts.button": "x".repeat(1001) });
  const html = await long.text();
  assert.equal(long.status, 422);
  assert.match(html, /id="locale-form-texts-button-error">Must be 1000 characters or less/);
});

Deno.test("interests are translated on the Form defaults page, and what a form or the popup has in the language is kept", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  const { settings } = app.services;
  const kept = { forms: [{ name: "footer", heading: "Hallo" }], popup: { text: "Halt" } };
  await settings.save("form", {
    interests: [{ tag: "a.b", label: "Tea" }],
    locales: { de: { texts: {}, ...kept } },
  });
  const page = "/form-defaults?locale=de";
  assert.match(
    (await admin.page(page)).html,
    /name="o:interests\.0\.label"[^>]*placeholder="Tea"|placeholder="Tea"[^>]*name="o:interests\.0\.label"/,
  );
  const save = async (more: Record<string, string>) =>
    await (await admin.send("cfbe_save_form_locale", { _page: page, locale: "de", ...more })).body?.cancel();
  const own = () => settings.current().form.locales["de"];
  const interest = { "interests.0.tag": "a.b", "o:interests.0.label": "Tee" };
  await save(interest);
  assert.deepEqual(own(), { texts: {}, interests: [{ tag: "a.b", label: "Tee" }], ...kept });
  await save({ "o:texts.button": "Los" });
  assert.deepEqual(own(), { texts: { button: "Los" }, interests: [{ tag: "a.b", label: "Tee" }], ...kept });
  await save({ ...interest, "o:interests.0.label": "", "a:forms": "", "o:popup.text": "" });
  assert.equal(own(), undefined, "a language without any text is removed");
});

Deno.test("default texts of fields and options that only forms have stay when others of the language are saved", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  const { settings } = app.services;
  const company = { name: "company", kind: "text", label: "Company" };
  const size = { name: "size", kind: "select", label: "Size", options: ["S"] };
  await settings.save("form", {
    fields: [company, size],
    locales: {
      de: {
        texts: {},
        fields: [
          { name: "company", label: "Firma" },
          {
            name: "size",
            label: "Größe",
            options: [{ value: "S", label: "klein" }, { value: "L", label: "groß" }],
          },
          { name: "city", label: "Stadt" },
          { name: "gone", label: "Weg" },
        ],
      },
    },
  });
  const forms = [{
    name: "footer",
    fields: [{ ...company, name: "city" }, { ...size, options: ["S", "L"] }],
  }];
  await settings.save("forms", { forms });
  const save = async (more: Record<string, string>) =>
    await (await admin.send("cfbe_save_form_locale", { locale: "de", ...more })).body?.cancel();
  const shown = () => settingsOfFormIn(settings.current(), { name: "footer" }, "de").fields ?? [];
  const before = shown();
  const own = () => settings.current().form.locales["de"]?.fields?.map(({ name, label }) => [name, label]);
  const size0 = { "fields.1.name": "size", "fields.1.options.0.value": "S" };
  await save({
    "fields.0.name": "company",
    "o:fields.0.label": "Betrieb",
    ...size0,
    "o:fields.1.label": "Größe",
    "o:fields.1.options.0.label": "klein",
  });
  assert.deepEqual(own(), [["company", "Betrieb"], ["size", "Größe"], ["city", "Stadt"]]);
  assert.deepEqual(shown(), before);
  await save({
    "fields.0.name": "company",
    "o:fields.0.label": "",
    ...size0,
    "o:fields.1.label": "",
    "o:fields.1.options.0.label": "",
  });
  assert.deepEqual(shown().map(({ label, options }) => [label, options?.map((each) => each.label)]), [
    ["Stadt", undefined],
    ["Size", ["S", "groß"]],
  ]);
});

Deno.test("an emptied text falls back to the built-in one", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  await admin.send("cfbe_save_popup", { "o:fields.heading": "Wait", "n:fields.hideDays": "5" });
  assert.equal(app.services.settings.current().popup.heading, "Wait");
  await admin.send("cfbe_save_popup", { "o:fields.heading": "" });
  const { heading, hideDays } = app.services.settings.current().popup;
  assert.deepEqual([heading, hideDays], [undefined, 5]);
});

Deno.test("the Privacy page shows the IP that each source determines for its own request", async () => {
  await using app = await adminHarness({
    settings: { privacy: { trustedHops: 2, trustedProxies: ["192.0.2.0/24"] } },
  });
  const admin = await app.signIn();
  const headers = {
    cookie: admin.cookie,
    "x-forwarded-for": "203.0.113.7, 198.51.100.2",
    "x-real-ip": `"><script>`,
  };
  const html = await (await app.fetch("/admin/privacy", { headers }, "192.0.2.55")).text();
  const seen = [...html.matchAll(/data-title="Your IP would be"[^>]*><div><code>([^<]*)</g)].map(([, ip]) =>
    ip
  );
  assert.deepEqual(seen, ["192.0.2.55", "192.0.2.55", "203.0.113.7", "192.0.2.55"]);
  assert.doesNotMatch(html, /"><script>/);
});

Deno.test("user input is escaped on every page that shows it", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  const markup = `</textarea><script>alert(1)</script>"'>`;
  for (
    const [action, page, name] of [
      ["cfbe_add_form", "/new-form?from=empty", "name"],
      ["cfbe_save_popup", "/popup", "n:fields.hideDays"],
      ["cfbe_save_form", "/form-defaults", "fields.nameField"],
      ["cfbe_invite_user", "/users", "name"],
    ] as const
  ) {
    const response = await admin.send(action, { _page: page, [name]: markup });
    assert.equal(response.status, 422, action);
    assert.doesNotMatch(await response.text(), /<script>alert/);
  }
  assert.doesNotMatch(
    (await admin.page(`/popup?address=${encodeURIComponent(markup)}`)).html,
    /<script>alert/,
  );
  assert.doesNotMatch(
    (await admin.page(`/form-defaults?locale=${encodeURIComponent(markup)}`)).html,
    /<script>alert/,
  );
});

Deno.test("an invalid language tag is rejected, and breaks neither the page nor the settings that forms load", async () => {
  await using app = await adminHarness({ settings: { general: { modules: { coupons: true } } } });
  const admin = await app.signIn();
  for (const locale of ["de-xx-yy", "zh-min"]) {
    const fields = { _page: `/form-defaults?locale=${locale}`, locale, "o:texts.button": "Los" };
    assert.equal((await admin.page(`/form-defaults?locale=${locale}`)).status, 200);
    const refused = await admin.send("cfbe_save_form_locale", fields);
    assert.equal(refused.status, 422, locale);
    await refused.body?.cancel();
    assert.equal((await admin.page("/form-defaults")).status, 200);
    const response = await app.fetch(`/cfbe.json?locale=${locale}`);
    assert.equal(response.status, 200);
    await response.body?.cancel();
  }
});
