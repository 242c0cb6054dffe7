import assert from "node:assert/strict";
import { en } from "../../../shared/texts/en.ts";
import { adminHarness } from "../../../dev/testing/admin_harness.ts";
import { startProgram } from "../../../dev/testing/program.ts";
import { snippetLocales, snippetsFor } from "./snippets.ts";

const NOW = Date.UTC(2026, 10, 27);

Deno.test("snippets reserve enough height for English, for the languages in the settings, and for the user's own", async () => {
  const settings = { form: { locales: { de: { texts: { heading: "Hallo" } } } } };
  await using program = await startProgram({ file: { settings }, run: false });
  const localesFor = (header: string) =>
    snippetLocales({
      app: program.services,
      request: { peer: "", headers: new Headers({ "accept-language": header }) },
    });
  assert.deepEqual(localesFor("fr-CH, fr;q=0.9, it;q=0.8"), ["en", "de", "fr-CH"]);
  assert.deepEqual(localesFor(""), ["en", "de"]);
});

Deno.test("the reserved height follows the form's texts, layout and fields", async () => {
  await using program = await startProgram({ run: false });
  const settings = program.services.settings.current();
  const cssOf = (own: object, fields: object = {}) => {
    const form = { name: "footer", layout: "inline" as const, list: "", tags: [], targeting: [], ...own };
    const changed = { ...settings, form: { ...settings.form, ...fields }, forms: { forms: [form] } };
    return snippetsFor("https://news.example", form, changed, ["en"], NOW).css;
  };
  const variants = [
    cssOf({}),
    cssOf({ heading: "" }),
    cssOf({ text: en.form.text.repeat(3) }),
    cssOf({ button: en.form.text }),
    cssOf({ layout: "block" }),
    cssOf({ layout: "promo" }),
    cssOf({}, { nameField: "optional" }),
    cssOf({}, { interests: [{ tag: "bread", label: "Bread" }] }),
    cssOf({}, { consent: "required", consentText: en.form.text }),
    cssOf({ nameField: "optional", interests: [{ tag: "tea", label: "Tea" }] }),
  ];
  assert.equal(new Set(variants).size, variants.length);
});

Deno.test("the reserved height counts what a countdown still shows, not the days that others have", async () => {
  await using program = await startProgram({ run: false });
  const current = program.services.settings.current();
  const narrowAt = (now: number) => {
    const form = { name: "sale", layout: "inline" as const, list: "", tags: [], targeting: [] };
    const settings = {
      ...current,
      general: { ...current.general, timeZone: "UTC" },
      forms: { forms: [{ ...form, countdown: "2026-12-27T00:00" }] },
    };
    const { css } = snippetsFor("https://news.example", settings.forms.forms[0]!, settings, ["ar"], now);
    return Number(/600px[^]*?-height: (\d+)px/.exec(css)?.[1]);
  };
  const [long, short, over] = [Date.UTC(2026, 10, 1), Date.UTC(2026, 11, 20), Date.UTC(2027, 0, 1)].map(
    narrowAt,
  );
  assert.ok(long! > short! && short! > over!, `${[long, short, over]}`);
});

Deno.test("the snippet of a form names the parts that its layout needs", async () => {
  await using program = await startProgram({ run: false });
  const settings = program.services.settings.current();
  const tagOf = (layout: "inline" | "block" | "promo") =>
    /<cfbe-form[^>]*>/.exec(
      snippetsFor(
        "https://news.example",
        { name: "a", layout, list: "", tags: [], targeting: [] },
        settings,
        ["en"],
        NOW,
      ).html,
    )?.[0];
  assert.deepEqual([tagOf("inline"), tagOf("block"), tagOf("promo")], [
    '<cfbe-form form="a">',
    '<cfbe-form form="a" preload="layout">',
    '<cfbe-form form="a" preload="layout rules">',
  ]);
});

Deno.test("the snippets of a form with fields name the part that shows them, so that it costs no request more", async () => {
  const fields = [{ name: "company", kind: "text" as const, label: "Company" }];
  const forms = [{ name: "plain", fields: [] }, { name: "b2b" }, { name: "bar", layout: "promo" as const }];
  await using program = await startProgram({
    run: false,
    file: { settings: { form: { fields }, forms: { forms } } },
  });
  const settings = program.services.settings.current();
  const [plain, b2b, bar] = settings.forms.forms.map((form) =>
    snippetsFor("https://news.example", form, settings, ["en"], NOW)
  );
  assert.match(plain!.html, /<cfbe-form form="plain">/);
  assert.match(b2b!.html, /<cfbe-form form="b2b" preload="fields">/);
  assert.match(bar!.html, /<cfbe-form form="bar" preload="layout rules fields">/);
  assert.match(b2b!.react, /<CfbeForm src="[^"]+" form="b2b" preload="fields">/);
  assert.deepEqual([plain!.wordpress, b2b!.wordpress], [
    '[cfbe_form form="plain"]',
    '[cfbe_form form="b2b" fields="1"]',
  ]);
});

Deno.test("the markup of a form has the fields and the consent text of that form", async () => {
  await using program = await startProgram({
    run: false,
    file: {
      settings: {
        form: { nameField: "optional", consentText: "Default text." },
        forms: {
          forms: [{ name: "plain" }, {
            name: "own",
            nameField: "hidden",
            consent: "required",
            consentText: "Own text.",
          }],
        },
      },
    },
  });
  const settings = program.services.settings.current();
  const [plain, own] = settings.forms.forms.map((form) =>
    snippetsFor("https://news.example", form, settings, ["en"], NOW).own
  );
  assert.match(plain!, /name="name"/);
  assert.doesNotMatch(plain!, /name="consent"/);
  assert.match(own!, /name="consent" type="checkbox" value="true" required> Own text\./);
  assert.doesNotMatch(own!, /name="name"/);
});

Deno.test("the snippet of a form that was never published reserves the height that it has once it is published", async () => {
  await using app = await adminHarness();
  const user = await app.signIn();
  const page = "/form-settings?form=footer";
  const snippet = async () => {
    const [, text] = /<[^>]* id="snippet-html"[^>]*>(.*?)<\/(?:textarea|pre|code)>/s.exec(
      (await user.page(page)).html,
    )!;
    return text!;
  };
  const save = async (fields: Record<string, string>) => {
    const response = await user.send("cfbe_edit_form", {
      _page: page,
      form: "footer",
      draftVersion: "",
      ...fields,
    });
    await response.body?.cancel();
  };
  const TALL = { "fields.nameField": "optional", "fields.text": "A long text. ".repeat(20) };
  await app.services.settings.save("forms", { forms: [{ name: "footer", status: "draft" }] });
  const before = await snippet();
  await save({ ...TALL, "b:draft": "true" });
  const drafted = await snippet();
  assert.notEqual(drafted, before);
  await (await user.send("cfbe_publish_form", { _page: page, form: "footer" })).body?.cancel();
  assert.equal(app.services.settings.current().forms.forms[0]!.status, undefined);
  assert.equal(await snippet(), drafted);
  // Pages show what is published, whatever its draft is.
  await save({ "fields.text": "Short", "b:draft": "true" });
  assert.equal(await snippet(), drafted);
});
