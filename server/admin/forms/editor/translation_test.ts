import assert from "node:assert/strict";
import { adminHarness } from "../../../../dev/testing/admin_harness.ts";

const image = { id: "c".repeat(22) + "-200x100", alt: "A pot of tea", place: "left" };
const field = { name: "size", kind: "select", label: "Size", help: "Of shirts", options: ["Small"] };
const interests = [{ tag: "tea", label: "Tea" }];
const elements = (label: string, option: string) => ({
  interests: [{ tag: "tea", label: "Tee" }],
  fields: [{ name: "size", label, help: "Der Hemden", options: [{ value: "Small", label: option }] }],
});

/** Returns the gray text of each field of a page, by the end of its name. */
function grayTexts(html: string): Record<string, string> {
  const tags = [...html.matchAll(/<(?:input|textarea)\b[^>]*>/g)].map(([tag]) => tag);
  const of = (tag: string, name: string) => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1];
  return Object.fromEntries(tags.flatMap((tag) => {
    const [name, placeholder] = [of(tag, "name"), of(tag, "placeholder")];
    return name && placeholder ? [[name.replace(/^o:/, ""), placeholder]] : [];
  }));
}

Deno.test("the gray texts of a region, which visitors see where it has none of its own, are those of its language", async () => {
  await using app = await adminHarness();
  const { settings } = app.services;
  await settings.save("form", { consent: "optional", consentText: "Yes.", fields: [field], interests });
  await settings.save("forms", {
    forms: [{
      name: "club",
      heading: "Club",
      text: "Join",
      consentText: "Yes, club.",
      countdownAfter: "Over",
      interests,
      fields: [field],
      design: { image },
    }],
  });
  const club = {
    name: "club",
    heading: "Verein",
    consentText: "Ja, Verein.",
    countdownAfter: "Vorbei",
    imageAlt: "Eine Kanne Tee",
    confirmedFor: { imageAlt: image.alt },
    texts: { success: "Danke" },
    ...elements("Größe", "Klein"),
  };
  const de = { consentText: "Ja.", texts: { heading: "Hallo" }, ...elements("Maß", "Kurz"), forms: [club] };
  const region = { texts: {}, forms: [{ name: "club", heading: "Klub", imageAlt: "Ein Häferl" }] };
  await settings.save("form", { locales: { de, "de-AT": region } });
  const admin = await app.signIn();

  const elementsOf = (gray: Record<string, string>) =>
    ["interests.0.label", "fields.0.label", "fields.0.help", "fields.0.options.0.label"].map((path) =>
      gray[path]
    );
  for (const locale of ["de-AT", "de-CH"]) {
    const ofForm = grayTexts((await admin.page(`/form-settings?form=club&locale=${locale}`)).html);
    const names = ["heading", "text", "consentText", "texts.success", "countdownAfter", "imageAlt"];
    assert.deepEqual(names.map((name) => ofForm[name]), [
      "Verein",
      "Join",
      "Ja, Verein.",
      "Danke",
      "Vorbei",
      "Eine Kanne Tee",
    ]);
    assert.deepEqual(elementsOf(ofForm), ["Tee", "Größe", "Der Hemden", "Klein"]);
  }
  const ofAll = grayTexts((await admin.page("/form-defaults?locale=de-AT")).html);
  assert.deepEqual([ofAll["texts.heading"], ofAll["consentText"]], ["Hallo", "Ja."]);
  assert.deepEqual(elementsOf(ofAll), ["Tee", "Maß", "Der Hemden", "Kurz"]);
});

Deno.test("the gray texts of a variant in a region are those of the variant in the language, before those of the form in the region", async () => {
  await using app = await adminHarness();
  const { settings } = app.services;
  const overrides = { text: "All", locales: { de: { button: "Ab", heading: "Kurz" } } };
  const variants = [{ id: "a", name: "A" }, { id: "b", name: "B", overrides }];
  await settings.save("forms", {
    forms: [{ name: "footer", heading: "News", experiment: { id: "x", variants } }],
  });
  const footer = (heading: string) => ({ texts: {}, forms: [{ name: "footer", heading }] });
  await settings.save("form", { locales: { de: footer("Neues"), "de-AT": footer("Neuigkeiten") } });
  const admin = await app.signIn();
  const { html } = await admin.page("/form-settings?form=footer&variant=b&locale=de-AT");
  const gray = grayTexts(html);
  assert.deepEqual(["heading", "text", "button"].map((name) => gray[`fields.${name}`]), [
    "Kurz",
    "All",
    "Ab",
  ]);
});
