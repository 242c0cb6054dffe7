import { z } from "zod";
import { withVariant } from "../../../forms/experiments/new_experiment.ts";
import { MAX_VARIANTS, type Variant } from "../../../settings/schema/experiment_schema.ts";
import {
  memberNamed,
  membersIn,
  valueSchema,
  variedTextNames,
} from "../../../settings/schema/form_members.ts";
import { knownLocales } from "../../../settings/forms/form_settings.ts";
import { type Action, defineAction } from "../../frame/action.ts";
import { languageName } from "../../parts/language_name.ts";
import { Refusal } from "../../frame/refusal.ts";
import { change, form, idOf, variantId } from "./experiment_change.ts";

const version = z.string().max(40).optional();
const text = z.string().nullish();

/** The inputs for members, which the settings check. */
const inputsFor = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, z.union([z.string(), z.number(), z.boolean()]).nullish()]));
const VALUES = inputsFor(membersIn("variant").filter((name) => name !== "design"));
const TEXTS = inputsFor(variedTextNames());

const editExperiment = defineAction({
  name: "cfbe_edit_experiment",
  title: "Change experiment",
  group: "settings",
  capability: "forms",
  input: z.object({
    version,
    form,
    fields: z.object({
      variants: z.array(z.object({
        name: z.string(),
        weight: z.unknown(),
        overrides: z.object({
          ...VALUES,
          /** Shows the message, in place of the form's next page. */
          showsMessage: z.boolean().default(false),
          design: z.object({ preset: text, accent: text }).default({}),
        }).prefault({}),
      })).max(MAX_VARIANTS),
    }),
  }),
  async run(context, { version, form, fields }) {
    const changes = await change(context, idOf(form), ["draft"], (experiment) => ({
      ...experiment,
      variants: experiment.variants.map((variant, index) => {
        const input = fields.variants[index];
        if (!input) return variant;
        const { name, weight, overrides: { design: { preset, accent }, showsMessage, ...values } } = input;
        if (showsMessage && "successUrl" in values && values.successUrl) throw twoNextPages(index);
        const { preset: _, accent: __, ...others } = variant.overrides.design ?? {};
        const design = { ...others, ...setOf({ preset, accent }) };
        const { locales } = variant.overrides;
        const overrides = {
          ...setOf(values),
          ...(showsMessage && { successUrl: "" }),
          ...(locales && { locales }),
          ...(Object.keys(design).length > 0 && { design }),
        };
        return { ...variant, name, weight, overrides } as Variant;
      }),
    }), version);
    return { message: "Experiment saved.", changes };
  },
});

const twoNextPages = (index: number) =>
  new Refusal(422, "invalid", "Nothing was saved. Please correct the highlighted fields.", {
    [`fields.variants.${index}.overrides.successUrl`]:
      "Remove the page, or don't select that the variant shows the message.",
  });

const textsByLocale = z.record(z.string().max(35), z.object(TEXTS));

/** Saves the texts of variants in one language. */
const editVariantTexts = defineAction({
  name: "cfbe_edit_variant_texts",
  title: "Texts of variants in one language",
  group: "settings",
  capability: "forms",
  input: z.object({
    version,
    form,
    locale: z.string().max(35),
    fields: z.object({
      variants: z.array(z.object({
        id: variantId,
        overrides: z.object({ locales: textsByLocale.default({}) }).prefault({}),
      })).max(MAX_VARIANTS),
    }),
  }),
  async run(context, { version, form, locale, fields }) {
    if (!knownLocales(context.app.settings.current()).includes(locale)) {
      throw new Refusal(
        422,
        "invalid",
        `There are no texts for ${locale}. Give the form a text in it first.`,
      );
    }
    const changes = await change(context, idOf(form), ["draft"], (experiment) => ({
      ...experiment,
      variants: experiment.variants.map((variant) => {
        const input = fields.variants.find(({ id }) => id === variant.id)?.overrides.locales[locale];
        if (!input) return variant;
        const { locales: { [locale]: _, ...others } = {}, ...overrides } = variant.overrides;
        const texts = setOf(input);
        const locales = { ...others, ...(Object.keys(texts).length > 0 && { [locale]: texts }) };
        return {
          ...variant,
          overrides: { ...overrides, ...(Object.keys(locales).length > 0 && { locales }) },
        } as Variant;
      }),
    }), version);
    return { message: `Texts of variants saved for ${languageName(locale)}.`, changes };
  },
});

/** Returns the inputs that are not empty. A choice of on and off sends a text. */
function setOf(inputs: Record<string, unknown>): Record<string, unknown> {
  const isSet = (value: unknown) => value !== undefined && value !== null && value !== "";
  const isSwitch = (name: string) => {
    const member = memberNamed(name);
    return member !== undefined && valueSchema(member) instanceof z.ZodBoolean;
  };
  return Object.fromEntries(
    Object.entries(inputs).filter(([, value]) => isSet(value))
      .map(([name, value]) => [name, isSwitch(name) ? String(value) === "true" : value]),
  );
}

const addVariant = defineAction({
  name: "cfbe_add_variant",
  title: "Add variant",
  group: "settings",
  capability: "forms",
  input: z.object({ form }),
  async run(context, { form }) {
    const changes = await change(context, idOf(form), ["draft"], (experiment) => {
      if (experiment.variants.length === MAX_VARIANTS) {
        throw new Refusal(422, "invalid", `An experiment has at most ${MAX_VARIANTS} variants.`);
      }
      return withVariant(experiment);
    });
    return { message: "A variant was added.", changes };
  },
});

const removeVariant = defineAction({
  name: "cfbe_remove_variant",
  title: "Remove variant",
  group: "settings",
  capability: "forms",
  input: z.object({ form, variant: variantId }),
  async run(context, { form, variant }) {
    const changes = await change(context, idOf(form), ["draft"], (experiment) => {
      if (experiment.variants.length === 2) {
        throw new Refusal(422, "invalid", "An experiment has at least two variants.");
      }
      return { ...experiment, variants: experiment.variants.filter(({ id }) => id !== variant) };
    });
    return { message: "The variant was removed.", changes };
  },
});

/** Changes of the variants of an experiment that has not started. */
export const variantActions: Action[] = [editExperiment, editVariantTexts, addVariant, removeVariant];
