import assert from "node:assert/strict";
import type { PublicSettings } from "../../../shared/public_settings.ts";
import { harness } from "../../../dev/testing/harness.ts";
import { settingsOfForm } from "../../settings/forms/form_settings.ts";
import { heightsOfForm } from "./heights_of_form.ts";

Deno.test("a variant shows its text in the visitor's language, else the form's in that language, else the variant's for all languages, and its signature names the language", async () => {
  const overrides = {
    heading: "News",
    text: "More",
    countdownAfter: "Over",
    locales: { de: { heading: "Neues", button: "Los" } },
  };
  const form = {
    name: "footer",
    experiment: {
      id: "x1",
      state: "running" as const,
      variants: [{ id: "a", name: "As it is" }, { id: "b", name: "Short", overrides }],
    },
  };
  await using app = await harness({
    settings: {
      forms: { forms: [form] },
      form: { locales: { de: { texts: {}, forms: [{ name: "footer", heading: "Alt", text: "Mehr" }] } } },
    },
  });
  const variantIn = async (locale: string) => {
    const { forms }: PublicSettings = await (await app.fetch(`/cfbe.json?locale=${locale}`)).json();
    const { cfg, until: _, countdown: __, ...texts } = forms["footer"]!.experiment!.variants[1]!;
    return [texts, JSON.parse(atob(cfg.split(".")[0]!)).locale];
  };
  assert.deepEqual(await variantIn("de"), [{ heading: "Neues", button: "Los" }, "de"]);
  assert.deepEqual(await variantIn("fr"), [{ heading: "News", text: "More" }, "fr"]);
  const { settings } = app.services;
  const shown = (variant: string) =>
    settingsOfForm(settings.current(), { name: "footer", variant }, ["de"]).texts;
  assert.deepEqual([shown("a"), shown("b")].map(({ heading, text }) => [heading, text]), [["Alt", "Mehr"], [
    "Neues",
    "Mehr",
  ]]);
  const { narrow } = heightsOfForm(app.services.settings.current(), { name: "footer" }, ["de"], 0);
  assert.ok(narrow > 0);
});
