/**
 * A worker that runs the admin with a member of a form that cfbe does not have, and posts its pages. A worker has
 * modules of its own, so that no other test meets the member.
 */
import { z } from "zod";
import type { FormMember } from "../../../settings/schema/form_member.ts";
import { FORM_MEMBERS } from "../../../settings/schema/form_members.ts";

const mood = () => z.string().max(20);
const row: FormMember = {
  in: {
    defaults: mood().default("calm"),
    own: mood().optional(),
    translation: mood().optional(),
    variant: mood().optional(),
  },
  label: "Mood of the form",
  section: "content",
  capability: "settings",
};
const popupRow: FormMember = {
  in: { popup: z.number().min(1).max(9).default(3) },
  label: "Pace of the popup",
  section: "exclusions",
  capability: "forms",
};
Object.assign(FORM_MEMBERS, { mood: row, pace: popupRow });

// These modules read the table when they are loaded.
const { PAGE_B, run, setUp } = await import("../../testing/experiments.ts");
const { formCapability } = await import("../../auth/form_capabilities.ts");

const { app, admin } = await setUp();
const { settings } = app.services;
await run(admin, "create_experiment");
const page = async (path: string) => (await admin.page(path)).html;
const pages = {
  "the defaults": await page("/form-defaults"),
  "a form": await page("/form-settings?form=footer"),
  "the popup": await page("/popup"),
  "a translation": await page("/form-settings?form=footer&locale=de"),
  "a translation of the defaults": await page("/form-defaults?locale=de"),
  "a variant": await page(PAGE_B),
};
await run(admin, "save_form_texts", { locale: "de", mood: "froh" });
await run(admin, "save_form_locale", { locale: "de", mood: "ruhig" });
await settings.save("forms", { forms: [{ name: "footer", mood: "glad" }] });
const { forms, form } = settings.current();
const b = {
  id: "b",
  name: "B",
  overrides: { mood: "sad", locales: { fr: { mood: "triste" } } },
};
const experiment = { id: "x", state: "stopped", variants: [{ id: "a", name: "A" }, b] };
await settings.save("popup", { experiment });
await admin.send("cfbe_save_form_texts", { locale: "de", mood: "leise", button: "Los" });
await admin.send("cfbe_keep_variant", { variant: "b" });
const { de, fr } = settings.current().form.locales;
const kept = { all: settings.current().popup, de: de!.popup, fr: fr!.popup };
postMessage({
  pages,
  stored: { own: forms.forms, translated: form.locales["de"] },
  kept,
  capability: formCapability("forms", "mood"),
});
await app[Symbol.asyncDispose]();
