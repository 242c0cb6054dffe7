import { z } from "zod";
import { LAYOUTS } from "../../../shared/contract.ts";
import { FIRST_STEPS } from "../../../shared/fields/order.ts";
import { DESIGN_LABELS, formDesign } from "./design_schema.ts";
import { fieldTexts, formFields } from "./field_schema.ts";
import { FIRST_TEXTS } from "./first_texts.ts";
import {
  allTexts,
  attributionFields,
  checkedTexts,
  CONSENT_TEXT_MAX_CHARACTERS,
  interests,
  listId,
  order,
  ownTexts,
  tags,
} from "./form_values.ts";
import { LocaleTag } from "./locale_tag.ts";
import { oneLine } from "./one_line.ts";
import { openingDelay, openingRules, opens, popupWidth, quietHours } from "./opens_schema.ts";
import { type FormMember, inherited, text } from "./form_member.ts";
import { formStatus, minute, schedule } from "./status_schema.ts";
import { successUrl } from "./success_url.ts";
import { targeting } from "./targeting_schema.ts";

const consentText = oneLine(CONSENT_TEXT_MAX_CHARACTERS);
const nameField = z.enum(["hidden", "optional", "required"]);

export const FORM_MEMBERS = {
  /** What people read as the form's name. Pages and scripts use its ID, which stays. It has an action of its own. */
  title: {
    in: { form: oneLine(100).optional() },
    label: "Title",
    section: "placement",
    editor: "title",
    capability: "forms",
    drafted: false,
    seen: false,
  },
  layout: {
    in: { form: z.enum(LAYOUTS).default("inline") },
    label: "Layout",
    section: "placement",
    capability: "forms",
    choices: {
      inline: "Inline: within content",
      block: "Block: full-width section",
      promo: "Promo: dismissible bar",
    },
  },
  /** Absent: one step. */
  steps: {
    in: { own: z.enum(FIRST_STEPS).optional() },
    label: "Steps",
    help:
      "A form that asks for little at first is started more often. The signup is sent with the second step. Without " +
      "JavaScript, visitors see everything at once.",
    section: "placement",
    capability: "forms",
    choices: { button: "Two: first the button", email: "Two: first the email address" },
    without: "One",
  },
  list: {
    in: { own: listId.default("") },
    label: "List",
    section: "destination",
    editor: "list",
    capability: "forms",
    seen: false,
  },
  tags: {
    in: { form: tags.default([]) },
    label: "Tags",
    help: "One per line. Added to every signup from this form.",
    section: "destination",
    capability: "forms",
    seen: false,
  },
  heading: {
    in: text(200),
    label: "Heading",
    help: "Above the form",
    helpIn: { own: "Leave empty to show no heading." },
    section: "heading",
    capability: "forms",
  },
  text: {
    in: text(1000),
    label: "Text",
    help: "Below the heading",
    helpIn: { own: "Leave empty to show no text." },
    section: "text",
    capability: "forms",
  },
  /** A minute in the site's time zone. */
  countdown: {
    // An empty one of a variant shows no countdown.
    in: { own: minute.optional(), variant: z.literal("").or(minute).optional() },
    label: "Counts down to",
    title: "Countdown",
    section: "countdown",
    editor: "countdown",
    capability: "forms",
  },
  countdownAfter: {
    in: text(200),
    label: "Text afterwards",
    title: "Text after the countdown",
    help: "Shown in place of the countdown when it is over. Leave empty to hide the countdown then.",
    helpIn: { translation: "Shown in place of the countdown when it is over." },
    section: "countdown",
    editor: "countdown-after",
    capability: "forms",
  },
  button: { in: text(60), label: "Button", section: "button", capability: "forms" },
  texts: {
    in: { defaults: allTexts.default({}), own: ownTexts.optional(), translation: ownTexts.optional() },
    label: "Other texts",
    title: "Texts",
    section: "content",
    editor: "texts",
    ownValue: false,
    capability: "forms",
  },
  /** Describes the image in one language, for the description of all languages that `confirmedFor` has. */
  imageAlt: {
    in: { translation: oneLine(300).optional() },
    label: "Description",
    title: "Image description",
    help: "For people who don't see the image.",
    section: "image",
    capability: "forms",
  },
  /** What each original said when it was translated, or when somebody confirmed that a ready form's translation still fits. */
  confirmedFor: {
    in: { translation: checkedTexts.optional() },
    label: "Kept for the original",
    section: "content",
    capability: "forms",
    seen: false,
  },
  /** In which visitors see the form for whose language it has no texts. Absent: its original texts, with labels in theirs. */
  language: {
    in: { own: LocaleTag.optional() },
    label: "In other languages",
    title: "Language for other languages",
    section: "content",
    editor: "language",
    capability: "forms",
  },
  nameField: {
    in: { ...inherited(nameField, "hidden"), variant: nameField.optional() },
    label: "Name",
    title: "Name field",
    section: "name",
    capability: "forms",
    choices: { hidden: "Hidden", optional: "Optional", required: "Required" },
  },
  interests: {
    in: { ...inherited(interests, []), translation: interests.optional() },
    label: "Interests",
    section: "interests",
    editor: "interests",
    capability: "forms",
  },
  /** The fields besides those of the contract, in order. */
  fields: {
    in: { ...inherited(formFields, []), translation: fieldTexts.optional() },
    label: "More fields",
    section: "fields",
    editor: "fields",
    capability: "forms",
  },
  /** Absent: email, name, interests, fields. */
  order: {
    in: { defaults: order.optional(), own: order.optional() },
    label: "Order",
    section: "order",
    editor: "order",
    ownValue: false,
    capability: "forms",
  },
  consent: {
    in: inherited(z.enum(["off", "optional", "required"]), "off"),
    label: "Consent checkbox",
    section: "consent",
    capability: "forms",
    choices: { off: "None", optional: "Optional", required: "Required" },
  },
  consentText: {
    in: { ...inherited(consentText, ""), translation: consentText.optional() },
    label: "Consent text",
    help: "To add a link: `[privacy policy](https://…)`. To translate it, select a language above.",
    helpIn: { translation: "Shown next to the consent checkbox." },
    section: "consent",
    capability: "forms",
    without: "Empty",
    lines: true,
    suggestion: {
      with: "consent",
      unless: "off",
      on: "required",
      add: "Add a required checkbox:",
      text: FIRST_TEXTS.consent["en"]!,
      missing: "Enter what visitors agree to.",
    },
  },
  design: {
    in: { ...inherited(formDesign, {}), variant: formDesign.optional() },
    label: "Design",
    section: "design",
    capability: "forms",
    choices: DESIGN_LABELS,
  },
  successUrl: {
    // An empty one of a variant shows the message in place of the form's next page.
    in: { ...inherited(successUrl, ""), variant: successUrl.optional() },
    label: "Next page",
    help:
      "Where to send visitors after the signup: a URL such as `https://shop.example/thanks`, or a path on the site with " +
      "the form. Leave empty to show the message.",
    helpIn: {
      variant:
        "Where visitors go after the signup: a URL, or a path on the site with the form. Leave empty to show the message.",
    },
    section: "after-signup",
    capability: "forms",
    without: "None: the form shows the message",
    placeholder: "/thanks",
    code: true,
  },
  /** Whether a signup keeps the page that showed the form (see `SignupPage`). */
  attribution: {
    in: inherited(z.boolean(), false),
    label: "Remember where a signup came from",
    help:
      "Keeps the path of the page with the form, its UTM parameters, and the site that linked to it. Shown on the Sources " +
      "page and in exports. In some countries, your privacy policy has to mention it, or it needs consent.",
    section: "sources",
    capability: "forms",
    seen: false,
  },
  attributionFields: {
    in: { defaults: attributionFields.prefault({}) },
    label: "Store it at the provider, too",
    section: "sources",
    editor: "page-values",
    capability: "forms",
  },
  showAlreadySubscribed: {
    in: { defaults: z.boolean().default(false) },
    label: "Tell people that they are already subscribed",
    help: "When off, everyone sees the same message, so nobody can find out who is on your list.",
    section: "existing",
    // With it, anyone can find out who is subscribed.
    capability: "settings",
  },
  disposableAddresses: {
    in: { defaults: z.enum(["tag", "refuse"]).default("tag") },
    label: "Signups with a disposable address",
    help:
      "Some services give out an inbox for a few minutes. If you refuse its address, the form says that it is not " +
      "valid. Signups that your own server sends are accepted in any case.",
    section: "disposable",
    capability: "settings",
    choices: { tag: "Accept them with the tag “disposable”", refuse: "Refuse them" },
  },
  /** For the places where a page has the form. One that opens by itself has another targeting for that. */
  targeting: {
    in: { own: targeting.default([]) },
    label: "Targeting",
    section: "targeting",
    editor: "targeting",
    capability: "forms",
  },
  opens: {
    in: { form: opens.optional() },
    label: "Opens by itself",
    section: "opens",
    editor: "opens",
    hasMembers: true,
    capability: "forms",
    without: "No: only where a page has it",
  },
  enabled: {
    in: { popup: z.boolean().default(false) },
    label: "Show automatically",
    help: "When off, the popup opens only from your own button (`data-cfbe-open`).",
    section: "status",
    capability: "forms",
    seen: false,
  },
  width: {
    in: { popup: popupWidth },
    label: "Width of the popup",
    help:
      "A wide popup has room for longer texts and more fields. With an image on the left, every popup is wide. On phones, the " +
      "popup is as wide as the screen.",
    section: "placement",
    capability: "forms",
    choices: { wide: "Wide" },
    without: "Standard",
  },
  triggers: {
    in: { popup: openingRules.triggers },
    label: "Trigger",
    section: "trigger",
    editor: "triggers",
    capability: "forms",
  },
  /** For a form that opens by itself: seconds on the page, in place of those of its triggers. */
  delaySeconds: {
    in: { variant: openingDelay.optional() },
    label: "Opens after",
    section: "opens",
    capability: "forms",
    unit: "seconds on the page (0 = off)",
  },
  hideDays: {
    in: { popup: openingRules.hideDays },
    label: "Don't show again after closing for",
    title: "Days hidden after closing",
    section: "exclusions",
    capability: "forms",
    unit: "days",
  },
  quietHours: {
    in: { popup: quietHours },
    label: "Quiet period",
    help:
      "After a visitor closed the popup or another form that opens by itself, none of them opens by itself for this long.",
    section: "exclusions",
    capability: "forms",
    unit: "hours (0 = none)",
  },
  excludePaths: {
    in: { popup: openingRules.excludePaths },
    label: "Excluded paths",
    help:
      "One per line. `/blog` matches that path and everything below it; `/` only the home page; `thanks` any path " +
      "containing that segment; `*` any single segment. Cart, checkout and account pages are always excluded.",
    section: "exclusions",
    capability: "forms",
  },
  cookieBarSelector: {
    in: { popup: openingRules.cookieBarSelector },
    label: "Cookie banner selector",
    help: "A CSS selector. The form waits while a matching element is visible.",
    section: "exclusions",
    capability: "forms",
    placeholder: "#cookie-bar",
    code: true,
  },
  status: {
    in: { form: formStatus.optional() },
    label: "Status",
    section: "status",
    editor: "status",
    capability: "forms",
    exported: false,
    seen: false,
  },
  schedule: {
    in: { own: schedule.optional() },
    label: "Schedule",
    section: "status",
    editor: "schedule",
    capability: "forms",
    exported: false,
    seen: false,
  },
  /** Its schema is made of the other members: see `experiment_schema.ts`. It has actions of its own. */
  experiment: {
    in: {},
    label: "Experiment",
    section: "experiment",
    capability: "forms",
    drafted: false,
    exported: false,
    seen: false,
  },
} as const satisfies Record<string, FormMember>;

export type MemberName = keyof typeof FORM_MEMBERS;

/** Returns one member, by a name that need not be one. */
export function memberNamed(name: string): FormMember | undefined {
  return Object.hasOwn(FORM_MEMBERS, name) ? FORM_MEMBERS[name as MemberName] : undefined;
}

/** Returns the members with a property, such as those that are not seen. */
export function membersWith(has: (member: FormMember) => unknown): MemberName[] {
  return (Object.keys(FORM_MEMBERS) as MemberName[]).filter((name) => has(FORM_MEMBERS[name]));
}
