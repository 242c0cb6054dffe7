import { z } from "zod";
import { shapeOf, variedTexts } from "./form_layers.ts";
import { LocaleTag } from "./locale_tag.ts";
import { oneLine } from "./one_line.ts";

/** The settings of an experiment: the variants of a form that different visitors see. */

export const MAX_VARIANTS = 5;
const id = z.string().regex(/^[a-z0-9]{1,16}$/, "must be 1 to 16 lowercase letters and digits");

/** What a variant shows in place of the form's own values. Its design inherits from the form's. */
const overrides = z.strictObject({
  ...shapeOf("variant"),
  /** Texts by language. In place of an absent one, see `variantIn`. */
  locales: z.record(LocaleTag, z.strictObject(variedTexts())).optional(),
});

const variant = z.strictObject({
  id,
  name: oneLine(60).min(1, "must not be empty"),
  /** Its visitors relative to those of the other variants. */
  weight: z.number().int("must be a whole number").min(1, "must be at least 1").max(
    1000,
    "must be 1000 or less",
  )
    .default(1),
  /** Whether its visitors do not see the form at all. */
  hidden: z.boolean().optional(),
  /** Whether its image has yet to be described, before the experiment can start. */
  undescribed: z.literal(true).optional(),
  overrides: overrides.default({}),
});

/** The first variant is the one that the others are compared with. */
const variants = z.array(variant).min(2, "must have at least two variants")
  .max(MAX_VARIANTS, `must have at most ${MAX_VARIANTS} variants`)
  .refine((variants) => new Set(variants.map(({ id }) => id)).size === variants.length, {
    message: "two variants have the same ID",
  }).refine((variants) => variants.slice(1).every(({ hidden }) => !hidden), {
    message: "only the first variant can show no form, because the others are compared with it",
  });

/** What an experiment compares, without its state and its counts. Its goal is always a confirmed signup. */
export const experimentSetup = z.strictObject({ variants });

export const experiment = experimentSetup.extend({
  /** Another one for each start, so that counts are never those of an earlier experiment. */
  id,
  state: z.enum(["draft", "running", "stopped"]).default("draft"),
  /** Unix milliseconds. */
  startedAt: z.number().int().optional(),
  stoppedAt: z.number().int().optional(),
  /** ID of the variant that became the form. The experiment is over then: only its results are left. */
  kept: id.optional(),
});

export type Experiment = z.output<typeof experiment>;
export type Variant = Experiment["variants"][number];
