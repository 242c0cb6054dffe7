import { z } from "zod";
import { experiment } from "./experiment_schema.ts";
import { FORM_MEMBERS } from "./form_members.ts";
import { shapeOf } from "./form_layers.ts";
import { LocaleTag } from "./locale_tag.ts";
import { ABOUT } from "../../platform/config/setting.ts";

/** The settings of forms: the named forms, the defaults of all forms, and the popup. */

const formName = z.string().regex(
  /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/,
  "must contain only letters, digits, - and _",
);

/** Everything that one form or the popup can have of its own. */
const ownMembers = {
  ...shapeOf("own"),
  experiment: experiment.optional().register(ABOUT, FORM_MEMBERS.experiment),
};

/** Texts of one form or the popup in one language. An absent text is the one for all languages. */
export const translatedForm = z.strictObject(shapeOf("translation"));

/** The same of all forms, whose heading, text and button are among the `texts`. They have no countdown, no original and no description. */
const {
  heading: _,
  text: __,
  button: ___,
  countdownAfter: ____,
  confirmedFor: _____,
  imageAlt: ______,
  ...translatedDefaults
} = shapeOf("translation");

const localeTexts = z.strictObject({
  ...translatedDefaults,
  texts: FORM_MEMBERS.texts.in.defaults,
  forms: z.array(translatedForm.extend({ name: formName })).max(200).optional(),
  popup: translatedForm.optional(),
});

/** A named form. */
export const namedForm = z.strictObject({ name: formName, ...shapeOf("form"), ...ownMembers });

export const formTabs = {
  forms: z.strictObject({
    forms: z.array(namedForm).max(200).default([]).refine(
      (forms) => new Set(forms.map((form) => form.name)).size === forms.length,
      "two forms have the same name",
    ).register(ABOUT, { label: "Forms", help: "Named forms, each with the members that it sets itself." }),
  }).prefault({}),
  /** The defaults of all forms. */
  form: z.strictObject({
    ...shapeOf("defaults"),
    locales: z.record(LocaleTag, localeTexts).default({}).register(ABOUT, {
      label: "Translations",
      help: "Texts by language, of all forms and of single ones.",
    }),
  }).prefault({}).refine(
    (form) => form.consent === "off" || form.consentText !== "",
    { path: ["consentText"], message: "must not be empty while the consent checkbox is shown" },
  ),
  popup: z.strictObject({ ...shapeOf("popup"), ...ownMembers }).prefault({}),
} as const;

/** The tabs whose settings depend on one another, because forms inherit from the defaults. */
export const FORM_TABS = Object.keys(formTabs) as (keyof typeof formTabs)[];

type FormTabs = { [Tab in keyof typeof formTabs]: z.output<(typeof formTabs)[Tab]> };

/**
 * Reports every form that asks for consent without a text. The default form has this rule in its own schema, because a
 * config file may contain that tab alone.
 */
export function requireConsentTexts({ forms, form, popup }: FormTabs, ctx: z.RefinementCtx): void {
  const lacksText = (own: { consent?: string | undefined; consentText?: string | undefined }) =>
    (own.consent ?? form.consent) !== "off" && (own.consentText ?? form.consentText) === "";
  const report = (what: string, path: (string | number)[]) => {
    ctx.addIssue({ code: "custom", path, message: "must not be empty while the consent checkbox is shown" });
    // The admin shows this one to a user who removes the default text.
    ctx.addIssue({
      code: "custom",
      path: ["form", "consentText"],
      message: `must not be empty while ${what} asks for consent with this text`,
    });
  };
  forms.forms.forEach((own, index) => {
    if (lacksText(own)) report(`the form ${own.name}`, ["forms", "forms", index, "consentText"]);
  });
  if (lacksText(popup)) report("the popup", ["popup", "consentText"]);
}
