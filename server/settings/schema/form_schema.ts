import { z } from "zod";
import { LAYOUTS } from "../../../shared/contract.ts";
import { PLACED_PARTS } from "../../../shared/fields/order.ts";
import { PAGE_VALUE_NAMES, type PageValueName } from "../../../shared/page_values.ts";
import { en } from "../../../shared/texts/en.ts";
import type { Texts } from "../../../shared/texts/texts.ts";
import { formDesign } from "./design_schema.ts";
import { experiment } from "./experiment_schema.ts";
import { fieldTexts, formFields, MAX_FIELDS } from "./field_schema.ts";
import { FORM_TEXTS } from "./form_texts.ts";
import { LocaleTag } from "./locale_tag.ts";
import { openingRules, opens, popupWidth, quietHours } from "./opens_schema.ts";
import { targeting } from "./targeting_schema.ts";
import { formStatus, schedule } from "./status_schema.ts";
import { successUrl } from "./success_url.ts";

/** The settings of forms: the named forms, the defaults of all forms, and the popup. */

export const oneLine = (max: number) => z.string().trim().max(max, `must be ${max} characters or less`);
export const listId = oneLine(200);
const tag = z.string().trim().regex(/^[\p{L}\p{N}][\p{L}\p{N} _.:-]{0,63}$/u, "must be a short plain word");
const formName = z.string().regex(
  /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/,
  "must contain only letters, digits, - and _",
);

const TAGS_MAX_BYTES = 1000;
export const TAGS_TOO_LONG =
  `must not exceed ${TAGS_MAX_BYTES} bytes in total, because they are part of every signup`;

/** Returns whether a form's tags leave room for the rest of a signup's 4 KB. */
export function fitInSignup(tags: readonly string[]): boolean {
  return new TextEncoder().encode(tags.join("")).length <= TAGS_MAX_BYTES;
}

/** Links are written `[label](https://…)`. Everything else is text, never HTML. */
export const CONSENT_TEXT_MAX_CHARACTERS = 2000;
const consentText = oneLine(CONSENT_TEXT_MAX_CHARACTERS);

type TextName = keyof Texts;
const textNames = Object.keys(en.form) as TextName[];

function textsOf<Name extends TextName>(names: readonly Name[]) {
  return z.strictObject(
    Object.fromEntries(names.map((name) => [name, oneLine(1000).optional()])) as {
      [K in Name]: z.ZodOptional<z.ZodString>;
    },
  );
}

const texts = textsOf(textNames).default({});

type FormText = (typeof FORM_TEXTS)[number];
type OwnTextName = Exclude<TextName, FormText | "noForm" | "formOff">;
/** The other texts that a form can have of its own. `noForm` and `formOff` are shown where there is no form. */
export const OWN_TEXT_NAMES = textNames.filter((name): name is OwnTextName =>
  name !== "noForm" && name !== "formOff" && !FORM_TEXTS.some((text) => text === name)
);

const interests = z.array(z.strictObject({ tag, label: oneLine(100) })).max(50);
const nameField = z.enum(["hidden", "optional", "required"]);
const consent = z.enum(["off", "optional", "required"]);

/** Names of fields, and of the form's parts among them (`PLACED_PARTS`). Unknown ones are ignored: fields can be removed. */
const order = z.array(z.string().regex(/^[a-z][a-z0-9_]{0,31}$/, "must be the name of a field"))
  .max(MAX_FIELDS + PLACED_PARTS.length)
  .refine((names) => new Set(names).size === names.length, "has a field twice");

/** Names of the fields at the provider that store the values of a signup's page. An empty one is not sent. */
const attributionFields = z.strictObject(
  Object.fromEntries(PAGE_VALUE_NAMES.map((name) => [name, oneLine(100).default("")])) as Record<
    PageValueName,
    z.ZodDefault<z.ZodString>
  >,
).prefault({});

/** Texts of one form or the popup. An absent text is inherited from the `form` tab; an empty heading is not shown. */
const ownTexts = {
  heading: oneLine(200).optional(),
  text: oneLine(1000).optional(),
  button: oneLine(60).optional(),
  texts: textsOf(OWN_TEXT_NAMES).optional(),
  consentText: consentText.optional(),
  interests: interests.optional(),
};

/** Everything that one form or the popup can have of its own. An absent value is inherited from the `form` tab. */
const ownValues = {
  ...ownTexts,
  nameField: nameField.optional(),
  consent: consent.optional(),
  attribution: z.boolean().optional(),
  successUrl: successUrl.optional(),
  fields: formFields.optional(),
  order: order.optional(),
  design: formDesign.optional(),
  experiment: experiment.optional(),
};

/** Texts of one form or the popup in one language. */
export const translatedForm = z.strictObject({ ...ownTexts, fields: fieldTexts.optional() });

/** Texts in one language. An absent text is the one for all languages. */
const localeTexts = z.strictObject({
  consentText: consentText.optional(),
  texts,
  interests: interests.optional(),
  fields: fieldTexts.optional(),
  forms: z.array(translatedForm.extend({ name: formName })).max(200).optional(),
  popup: translatedForm.optional(),
});

/** A named form. */
export const namedForm = z.strictObject({
  name: formName,
  layout: z.enum(LAYOUTS).default("inline"),
  list: listId.default(""),
  tags: z.array(tag).max(20).refine(fitInSignup, TAGS_TOO_LONG).default([]),
  ...ownValues,
  /** For the places where a page has the form. One that opens by itself has another targeting for that. */
  targeting: targeting.default([]),
  opens: opens.optional(),
  status: formStatus.optional(),
  schedule: schedule.optional(),
});

export const formTabs = {
  forms: z.strictObject({
    forms: z.array(namedForm).max(200).default([]).refine(
      (forms) => new Set(forms.map((form) => form.name)).size === forms.length,
      "two forms have the same name",
    ),
  }).prefault({}),
  /** The defaults of all forms. */
  form: z.strictObject({
    nameField: nameField.default("hidden"),
    interests: interests.default([]),
    fields: formFields.default([]),
    /** Absent: email, name, interests, fields. */
    order: order.optional(),
    consent: consent.default("off"),
    consentText: consentText.default(""),
    showAlreadySubscribed: z.boolean().default(false),
    /** Whether a signup keeps the page that showed the form (see `SignupPage`). */
    attribution: z.boolean().default(false),
    attributionFields,
    successUrl: successUrl.default(""),
    design: formDesign.default({}),
    texts,
    /** Texts by language. */
    locales: z.record(LocaleTag, localeTexts).default({}),
  }).prefault({}).refine(
    (form) => form.consent === "off" || form.consentText !== "",
    { path: ["consentText"], message: "must not be empty while the consent checkbox is shown" },
  ),
  popup: z.strictObject({
    enabled: z.boolean().default(false),
    list: listId.default(""),
    ...ownValues,
    width: popupWidth,
    ...openingRules,
    quietHours,
    schedule: schedule.optional(),
  }).prefault({}),
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
