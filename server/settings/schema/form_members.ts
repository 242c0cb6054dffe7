import { z } from "zod";
import { LAYOUTS } from "../../../shared/contract.ts";
import { FIRST_STEPS } from "../../../shared/fields/order.ts";
import { DESIGN_LABELS, formDesign } from "./design_schema.ts";
import { fieldTexts, formFields } from "./field_schema.ts";
import {
  allTexts,
  attributionFields,
  CONSENT_TEXT_MAX_CHARACTERS,
  interests,
  listId,
  order,
  ownTexts,
  tags,
} from "./form_values.ts";
import { oneLine } from "./one_line.ts";
import { openingDelay, openingRules, opens, popupWidth, quietHours } from "./opens_schema.ts";
import { ABOUT, type SettingAbout } from "../../platform/config/setting.ts";
import { formStatus, minute, schedule } from "./status_schema.ts";
import { successUrl } from "./success_url.ts";
import { targeting } from "./targeting_schema.ts";

/**
 * The layers of the settings that can have a member: the defaults of all forms, every form and the popup (`own`), only
 * named forms, only the popup, a translation of a form, and a variant of an experiment.
 */
export type MemberLayer = "defaults" | "own" | "form" | "popup" | "translation" | "variant";

/**
 * One thing that a form has. Settings, editors, drafts, exports and public settings derive from it. Its label is that
 * among the inputs of its section.
 */
export interface FormMember
  extends Pick<SettingAbout, "label" | "help" | "choices" | "placeholder" | "unit" | "code"> {
  /**
   * Its schema in each layer that can have it. One with `defaults` and `own` is inherited: a form without a value of its own
   * has the default. One with `translation` can differ by language, one with `variant` in an experiment.
   */
  in: Partial<Record<MemberLayer, z.ZodType>>;
  /** What it is called elsewhere, if the label needs its section to be understood. */
  title?: string;
  /** The help for a form's own value, a translation, or a variant, if it is another one. */
  helpIn?: { own?: string; translation?: string; variant?: string };
  /** The part of the editors that it is in. */
  section: FormSection;
  /** What the editors render in place of the input that follows from its schema. */
  editor?: MemberEditor;
  /** The capability that changes it. */
  capability: "forms" | "settings";
  /** False if its editor says itself what a form inherits. */
  ownValue?: false;
  /** Whether its value has members of this table, too. */
  hasMembers?: true;
  /** What a form without it shows, in words. */
  without?: string;
  /** Whether its text can have several lines. */
  lines?: true;
  /** False if it is published at once, and is not part of a draft. */
  drafted?: false;
  /** False if it belongs to the installation, and not to an exported form. */
  exported?: false;
  /** False if visitors do not see it: a change of it treats all variants of an experiment alike. */
  seen?: false;
}

/** The inputs that have more to them than a schema says. `texts` are spread over the sections. */
export type MemberEditor =
  | "title"
  | "list"
  | "texts"
  | "interests"
  | "fields"
  | "order"
  | "page-values"
  | "targeting"
  | "opens"
  | "triggers"
  | "status"
  | "schedule"
  | "countdown"
  | "countdown-after";

/** The parts of the editors. */
export type FormSection =
  | "placement"
  | "destination"
  | "heading"
  | "text"
  | "countdown"
  | "button"
  | "content"
  | "name"
  | "interests"
  | "fields"
  | "order"
  | "consent"
  | "after-signup"
  | "sources"
  | "existing"
  | "design"
  | "targeting"
  | "opens"
  | "trigger"
  | "exclusions"
  | "status"
  | "experiment";

/** Returns the layers of a member that forms inherit. */
const inherited = <Schema extends z.ZodType>(schema: Schema, value: z.output<Schema>) => ({
  defaults: schema.default(value as never),
  own: schema.optional(),
});

/** Returns the layers of a text that differs by language and by variant. An empty one is not shown. */
const text = (max: number) => ({
  own: oneLine(max).optional(),
  translation: oneLine(max).optional(),
  variant: oneLine(max).optional(),
});

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
      "A form that asks for little at first is started more often. The first step sends nothing: the signup is sent with the " +
      "second. Without JavaScript, visitors see everything at once.",
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
    drafted: false,
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
    drafted: false,
    exported: false,
    seen: false,
  },
  schedule: {
    in: { own: schedule.optional() },
    label: "Schedule",
    section: "status",
    editor: "schedule",
    capability: "forms",
    drafted: false,
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

type Members = typeof FORM_MEMBERS;
export type MemberName = keyof Members;

/** The names of the members that a layer can have. */
export type MemberOf<Layer extends MemberLayer> = {
  [Name in MemberName]: Layer extends keyof Members[Name]["in"] ? Name : never;
}[MemberName];

/** The schemas of a layer's members, by name. */
export type Shape<Layer extends MemberLayer> = {
  [Name in MemberOf<Layer>]: Layer extends keyof Members[Name]["in"] ? Members[Name]["in"][Layer] : never;
};

/** Returns one member, by a name that need not be one. */
export function memberNamed(name: string): FormMember | undefined {
  return Object.hasOwn(FORM_MEMBERS, name) ? FORM_MEMBERS[name as MemberName] : undefined;
}

/** Returns what a member is called where its section does not say it. */
export const memberTitle = ({ title, label }: FormMember): string => title ?? label;

/** Returns the schema of a member's values, in whichever layer they are. */
export function valueSchema(member: FormMember): z.ZodType {
  let schema = Object.values(member.in)[0]!;
  while (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) {
    schema = schema.unwrap() as z.ZodType;
  }
  return schema;
}

/** Returns the members with a property, such as those that are not seen. */
export function membersWith(has: (member: FormMember) => unknown): MemberName[] {
  return (Object.keys(FORM_MEMBERS) as MemberName[]).filter((name) => has(FORM_MEMBERS[name]));
}

/** Returns the names of a layer's members, in order. */
export function membersIn<Layer extends MemberLayer>(layer: Layer): MemberOf<Layer>[] {
  return membersWith((member) => member.in[layer]) as MemberOf<Layer>[];
}

/** Returns the schemas of a layer's members, by name. */
export function shapeOf<Layer extends MemberLayer>(layer: Layer): Shape<Layer> {
  const schemas = membersIn(layer).map((name) => {
    const member: FormMember = FORM_MEMBERS[name];
    const inherited = member.in.defaults && member.in.own;
    const about = { ...member, inherited: layer === "defaults" && inherited !== undefined };
    return [name, member.in[layer]!.register(ABOUT, about)];
  });
  return Object.fromEntries(schemas) as Shape<Layer>;
}

/** A text that variants have in every language. */
type VariedText = MemberOf<"variant"> & MemberOf<"translation">;

/** Returns the names of what a variant has in one language. */
export function variedTextNames(): VariedText[] {
  return membersWith((member) => member.in.variant && member.in.translation) as VariedText[];
}

/** Returns the schemas of what a variant has in one language. */
export function variedTexts(): Pick<Shape<"variant">, VariedText> {
  const shape = shapeOf("variant");
  const schemas = variedTextNames().map((name) => [name, shape[name]]);
  return Object.fromEntries(schemas) as Pick<Shape<"variant">, VariedText>;
}

/** A member that forms inherit from the defaults. */
export type InheritedMember = MemberOf<"defaults"> & MemberOf<"own">;

/** Returns the names of the members that forms inherit from the defaults. */
export function inheritedMembers(): InheritedMember[] {
  return membersWith((member) => member.in.defaults && member.in.own) as InheritedMember[];
}

/** Returns whether the values of a member are single texts. */
export const isText = (name: MemberName): boolean => valueSchema(FORM_MEMBERS[name]) instanceof z.ZodString;

/** Returns the names of the members that are texts of their own in a translation. */
export function translatedTexts(): MemberOf<"translation">[] {
  return membersIn("translation").filter(isText);
}
