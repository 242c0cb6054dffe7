import { z } from "zod";
import { inheritDesign } from "../../../shared/design/tokens.ts";
import type { ProviderTable } from "../../providers/module.ts";
import type { Variant } from "../schema/experiment_schema.ts";
import type { Settings } from "../schema/schema.ts";
import { formOf, type SiteForm } from "./all_forms.ts";
import { withEnd } from "./drafted_form.ts";
import type { DraftContent, DraftedId } from "./form_drafts.ts";
import { checkEdits, editOfForm, type TabEdit, withInherited } from "./form_edits.ts";
import type { FormId } from "./form_settings.ts";
import { editOfKeptTexts, textsOfKept } from "./kept_texts.ts";
import { sha256 } from "../../platform/keys/sha256.ts";

type Values = Record<string, unknown>;
type Overrides = Variant["overrides"];

/** What a user sends of one variant. The settings check it. */
export interface VariantInput {
  name?: string | undefined;
  weight?: unknown;
  /** The language that `fields` are the texts of; without it, they are what the variant has in every language. */
  locale?: string | undefined;
  /** Replace what the variant has. A value that is `null` becomes that of the form again. */
  fields?: Values | undefined;
}

/** The schema of that. */
export const variantInput = {
  name: z.string().optional(),
  weight: z.unknown().optional(),
  locale: z.string().max(35).optional(),
  fields: z.record(z.string(), z.unknown()).optional(),
};

/** Returns the variant that an ID names. */
export const variantOf = (settings: Settings, { name, variant }: FormId): Variant | undefined =>
  formOf(settings, name)?.experiment?.variants.find(({ id }) => id === variant);

/** Returns what changes whenever a variant is saved with another content. */
export const variantVersion = (variant: Variant): string => sha256(JSON.stringify(variant)).slice(0, 16);

/** Returns the change of one variant; undefined if it does not exist. */
export function editOfVariant(settings: Settings, id: FormId, input: VariantInput): TabEdit | undefined {
  const { experiment } = formOf(settings, id.name) ?? {};
  const index = experiment?.variants.findIndex((each) => each.id === id.variant) ?? -1;
  if (!experiment || index < 0) return undefined;
  const variants = experiment.variants.with(index, variantWith(experiment.variants[index]!, input));
  const edit = editOfForm(settings, id.name!, { experiment: { ...experiment, variants } })!;
  const around = [...edit.place?.in ?? [], "experiment", "variants", index];
  const { locale } = input;
  const inside = [...around, "overrides", ...(locale === undefined ? [] : ["locales", locale])];
  return { ...edit, place: { in: inside, form: ["fields"], around: { in: around, form: [] } } };
}

function variantWith(variant: Variant, { name, weight, locale, fields }: VariantInput): Variant {
  const about = { ...(name !== undefined && { name }), ...(weight !== undefined && { weight }) };
  const overrides = fields === undefined
    ? variant.overrides
    : locale === undefined
    ? overridesWith(variant, fields)
    : overridesIn(variant, locale, fields);
  return { ...variant, ...about, overrides } as Variant;
}

/** Like the design of a form, that of a variant has an image with actions of its own. */
function overridesWith({ overrides: { locales, design: before } }: Variant, { design, ...values }: Values) {
  const look = { ...(before?.image !== undefined && { image: before.image }), ...withoutEmpty(design ?? {}) };
  return {
    ...withoutNull(withInherited(values)),
    ...(Object.keys(look).length > 0 && { design: look }),
    ...(locales && { locales }),
  };
}

function overridesIn({ overrides: { locales = {}, ...forAll } }: Variant, locale: string, texts: Values) {
  const { [locale]: _, ...others } = locales;
  const own = withoutEmpty(texts);
  const all = { ...others, ...(Object.keys(own).length > 0 && { [locale]: own }) };
  return { ...forAll, ...(Object.keys(all).length > 0 && { locales: all }) };
}

const withoutNull = (values: object): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== undefined));

const withoutEmpty = (values: object): Values =>
  Object.fromEntries(Object.entries(withoutNull(values)).filter(([, value]) => value !== ""));

/**
 * Returns the changes that make a variant its form, with what it shows in every language.
 *
 * @param more further changes of the form
 */
export function editsOfKept(
  settings: Settings,
  id: DraftedId,
  { overrides }: Variant,
  more: Values = {},
): TabEdit[] {
  const own = formOf(settings, id.name)!;
  const values = withEnd(settings, id, valuesOver(own, overrides) as Values);
  const kept = editOfForm(settings, id.name, { ...values, ...more })!;
  const translated = editOfKeptTexts(settings, id, overrides);
  return translated ? [kept, translated] : [kept];
}

/** Returns what a variant has in every language, as values of its form. */
function valuesOver(own: SiteForm, { design, delaySeconds, countdown, locales: _, ...values }: Overrides) {
  return {
    ...values,
    ...(countdown !== undefined && { countdown: countdown || null }),
    ...(design && { design: inheritDesign(own.design, design) }),
    ...(delaySeconds !== undefined && openingAfter(own, delaySeconds)),
  };
}

/**
 * Returns the unpublished changes of a form whose variant is kept: what the variant has takes their place, so that
 * publishing them does not take it away.
 *
 * @param more further changes of the form that take their place
 */
export function draftOverKept(
  settings: Settings,
  id: DraftedId,
  { values, image, texts }: DraftContent,
  { overrides }: Variant,
  more: Values = {},
): DraftContent {
  const { design } = overrides;
  const own = { ...formOf(settings, id.name)!, ...values } as SiteForm;
  const translated = Object.entries(texts ?? {}).map(([locale, texts]) =>
    [locale, textsOfKept(settings, own, texts, overrides, locale)] as const
  );
  return {
    values: Object.keys(values).length > 0 ? { ...values, ...valuesOver(own, overrides), ...more } : {},
    ...(image !== undefined && design?.image === undefined && { image }),
    ...(translated.length > 0 && { texts: Object.fromEntries(translated) }),
  };
}

/** Returns the values of a form that opens after this time; none if it does not open by itself any more. */
function openingAfter(own: SiteForm, delaySeconds: number) {
  if ("triggers" in own) return { triggers: { ...own.triggers, delaySeconds } };
  return own.opens && { opens: { ...own.opens, triggers: { ...own.opens.triggers, delaySeconds } } };
}

/** Returns the settings in which a variant is its form, for what shows it. */
export function settingsWithVariant(settings: Settings, id: FormId, providers: ProviderTable): Settings {
  const variant = variantOf(settings, id);
  if (!variant || id.name === undefined) return settings;
  return checkEdits(settings, editsOfKept(settings, { name: id.name }, variant), providers).data ?? settings;
}
