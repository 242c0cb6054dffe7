import assert from "node:assert/strict";
import { POPUP } from "../../../settings/forms/all_forms.ts";
import type { DraftedId } from "../../../settings/forms/form_drafts.ts";
import { DRAFT, type DraftWorld, draftWorld } from "../../testing/drafts.ts";

const field = { name: "drink", kind: "radio" as const, label: "Drink", options: ["Tea", "Coffee"] };
const texts = (name: string, options: { value: string; label: string }[]) => ({ name, options });
const TEXTS = texts("drink", [{ value: "Tea", label: "Tee" }, { value: "Coffee", label: "Kaffee" }]);

/** Sends the field with other choices, as its page does. */
const choices = (...options: string[]) => ({
  ...DRAFT,
  "a:fields.fields": "",
  "fields.fields.0.name": "drink",
  "fields.fields.0.kind": "radio",
  "fields.fields.0.label": "Drink",
  "l:fields.fields.0.options": options.join("\n"),
});

async function germanOf({ shown }: DraftWorld, where: "preview" | "pages" = "preview") {
  const { fields } = await shown(where, "de") as { fields?: { options?: { label: string }[] }[] };
  return fields?.[0]?.options?.map(({ label }) => label);
}

for (const id of [{ name: "footer" }, { name: POPUP }] satisfies DraftedId[]) {
  Deno.test(`a renamed choice of ${id.name} keeps its translations while it is typed, is undone and is published`, async () => {
    const own = id.name === POPUP
      ? { popup: { fields: [TEXTS] } }
      : { forms: [{ name: "footer", fields: [TEXTS] }] };
    await using world = await draftWorld(id, {
      forms: { forms: [{ name: "footer", heading: "Old", fields: [field] }] },
      popup: { fields: [field] },
      form: { locales: { de: own } },
    });
    for (const typed of ["G", "Gr", "Green tea"]) {
      const { status, message } = await world.save(choices(typed, "Coffee"));
      assert.equal(status, 200, message);
      assert.deepEqual(await germanOf(world), ["Tee", "Kaffee"], typed);
    }
    await world.save(choices("Tea", "Coffee"));
    assert.deepEqual(await germanOf(world), ["Tee", "Kaffee"]);
    assert.equal(await world.shownVersion(), "", "after undo, nothing is left of it");
    await world.save(choices("Coffee", "Tea"));
    assert.deepEqual(await germanOf(world), ["Kaffee", "Tee"], "a choice that is moved is not renamed");
    await world.save(choices("Coffee", "Tea", "Milk"));
    await world.save(choices("Coffee", "Tea", "Oat milk"));
    assert.deepEqual(await germanOf(world), ["Kaffee", "Tee", "Oat milk"]);
    await world.save({ ...choices("Espresso", "Black tea", "Oat milk"), "b:draft": "false" });
    assert.deepEqual(await germanOf(world, "pages"), ["Kaffee", "Tee", "Oat milk"]);
  });
}

Deno.test("a renamed choice whose translation is that of the defaults keeps it", async () => {
  await using world = await draftWorld({ name: "footer" }, {
    form: { fields: [field], locales: { de: { fields: [TEXTS] } } },
  });
  await world.save(choices("Green tea", "Coffee"));
  assert.deepEqual(await germanOf(world), ["Tee", "Kaffee"]);
  await world.save(choices("Tea", "Coffee"));
  assert.equal(await germanOf(world), undefined, "the defaults, translated, as before");
  assert.equal(world.publishedTexts(), undefined);
});

Deno.test("a renamed choice keeps its text in a region: that of the form in the language, before that of the defaults in the region", async () => {
  const small = (label: string) => texts("drink", [{ value: "Tea", label }]);
  await using world = await draftWorld({ name: "footer" }, {
    forms: { forms: [{ name: "footer", fields: [field] }] },
    form: {
      fields: [field],
      locales: {
        de: { forms: [{ name: "footer", fields: [small("Tee")] }] },
        "de-AT": {
          fields: [
            texts("drink", [{ value: "Tea", label: "Teetscherl" }, { value: "Coffee", label: "Melange" }]),
          ],
        },
      },
    },
  });
  const austrian = async () => {
    const { fields } = await world.shown("preview", "de-AT") as {
      fields?: { options: { label: string }[] }[];
    };
    return fields?.[0]?.options.map(({ label }) => label);
  };
  await world.save(choices("Tea", "Coffee", "Milk"));
  assert.deepEqual(await austrian(), ["Tee", "Melange", "Milk"]);
  await world.save(choices("Green tea", "Espresso", "Milk"));
  assert.deepEqual(await austrian(), ["Tee", "Melange", "Milk"]);
});

Deno.test("a renamed choice of the form defaults keeps its translations, also those of forms with the fields of the defaults", async () => {
  await using world = await draftWorld({ name: "footer" }, {
    forms: { forms: [{ name: "footer" }, { name: "sidebar", fields: [field] }] },
    form: {
      fields: [field],
      locales: {
        de: {
          texts: { button: "Los" },
          fields: [TEXTS],
          forms: [{ name: "footer", fields: [TEXTS] }, { name: "sidebar", fields: [TEXTS] }],
          popup: { fields: [TEXTS] },
        },
      },
    },
  });
  const { settings } = world.app.services;
  const before = settings.current().form.locales["de"]!;
  const { "b:draft": _, ...renamed } = choices("Green tea", "Coffee");
  const { status, message } = await world.run("cfbe_save_form", renamed);
  assert.equal(status, 200, message);
  const green = texts("drink", [{ value: "Green tea", label: "Tee" }, { value: "Coffee", label: "Kaffee" }]);
  assert.deepEqual(settings.current().form.locales["de"], {
    ...before,
    fields: [green],
    forms: [{ name: "footer", fields: [green] }, before.forms![1]],
    popup: { fields: [green] },
  });
});
