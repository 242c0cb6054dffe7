import { z } from "zod";
import { imageOfForm, type UploadedImage } from "../../../settings/forms/form_drafts.ts";
import type { Experiment, Variant } from "../../../settings/schema/experiment_schema.ts";
import { type Action, type ActionContext, defineAction } from "../../frame/action.ts";
import {
  change,
  editedVariant,
  experimentIn,
  idOf,
  noSuchVariant,
  refuseChanged,
} from "./experiment_change.ts";
import { imageInput, keepForUndo, uploadedImage } from "./uploaded_image.ts";

type Owner = z.output<z.ZodObject<typeof editedVariant>>;

/** @throws {Refusal} if the experiment has no such variant, or it shows no form */
function variantIn({ variants }: Experiment, wanted: string): Variant {
  const variant = variants.find(({ id }) => id === wanted);
  if (variant && !variant.hidden) return variant;
  throw noSuchVariant();
}

/** @throws {Refusal} if there is no such variant, or it shows no form */
async function variantBefore(
  { app: { settings } }: ActionContext,
  { form, variant }: Owner,
): Promise<Variant> {
  await settings.refresh();
  return variantIn(experimentIn(settings.current(), idOf(form)), variant);
}

/** Returns the ID of the image that a variant has of its own. */
function imageIdOf({ overrides: { design } }: Variant): string | undefined {
  return typeof design?.image === "object" ? design.image.id : undefined;
}

/** Saves the image of a variant; undefined for that of the form. */
function save(
  context: ActionContext,
  { form, variant: wanted, draftVersion }: Owner,
  image: UploadedImage | "none" | undefined,
) {
  return change(context, idOf(form), ["draft"], (experiment) => {
    refuseChanged(variantIn(experiment, wanted), draftVersion);
    return {
      ...experiment,
      variants: experiment.variants.map((each) => each.id === wanted ? withImage(each, image) : each),
    };
  });
}

function withImage(
  { undescribed: _, ...variant }: Variant,
  uploaded: UploadedImage | "none" | undefined,
): Variant {
  const { design: { image: __, ...others } = {}, ...overrides } = variant.overrides;
  const image = typeof uploaded === "object" ? imageOfForm(uploaded) : uploaded;
  const design = { ...others, ...(image !== undefined && { image }) };
  const hasDesign = Object.keys(design).length > 0;
  return {
    ...variant,
    ...(typeof uploaded === "object" && uploaded.undescribed && { undescribed: true }),
    overrides: { ...overrides, ...(hasDesign && { design }) },
  };
}

const saveVariantImage = defineAction({
  name: "cfbe_save_variant_image",
  title: "Change image of variant",
  group: "settings",
  capability: "forms",
  upload: true,
  input: z.object({ ...editedVariant, ...imageInput }),
  async run(context, input) {
    const variant = await variantBefore(context, input);
    const image = await uploadedImage(context.app, input, { before: imageIdOf(variant), later: true });
    return { message: `Image of “${variant.name}” saved.`, changes: await save(context, input, image) };
  },
});

const removeVariantImage = defineAction({
  name: "cfbe_remove_variant_image",
  title: "Remove image of variant",
  group: "settings",
  capability: "forms",
  input: z.object({
    ...editedVariant,
    /** Whether the variant shows no image, in place of that of its form. */
    none: z.boolean().default(false),
  }),
  async run(context, { none, ...owner }) {
    await keepForUndo(context.app, imageIdOf(await variantBefore(context, owner)));
    const changes = await save(context, owner, none ? "none" : undefined);
    return {
      message: none ? "The variant shows no image." : "The variant has the image of the form.",
      changes,
    };
  },
});

export const variantImageActions: Action[] = [saveVariantImage, removeVariantImage];
