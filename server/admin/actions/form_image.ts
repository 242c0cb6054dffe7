import { Buffer } from "node:buffer";
import { z } from "zod";
import { type DesignImage, type FormDesign, IMAGE_PLACES } from "../../../shared/design/tokens.ts";
import { storeImage } from "../../images/rows.ts";
import type { Settings } from "../../settings/schema.ts";
import { type Action, type ActionContext, defineAction } from "../action.ts";
import { editOfForm, type TabEdit } from "../form_edits.ts";
import { Refusal } from "../refusal.ts";
import { saveEdit } from "./forms.ts";

/** Whose image it is: that of a form, the popup or the defaults of all forms. */
const owner = {
  version: z.string().max(40).optional(),
  of: z.enum(["form", "popup", "defaults"]),
  /** Name of the form. */
  form: z.string().max(64).optional(),
};
type Owner = z.output<z.ZodObject<typeof owner>>;

const NO_FORM = "There is no such form. It may have been removed.";

function designOf({ forms, popup, form }: Settings, owner: Owner): FormDesign {
  if (owner.of === "popup") return popup.design ?? {};
  if (owner.of === "defaults") return form.design;
  const found = forms.forms.find(({ name }) => name === owner.form);
  if (!found) throw new Refusal(404, "not_found", NO_FORM);
  return found.design ?? {};
}

/** Returns the change of an image. Undefined inherits that of the defaults. */
function imageEdit(settings: Settings, owner: Owner, image: FormDesign["image"] | undefined): TabEdit {
  const { image: _, ...others } = designOf(settings, owner);
  const design = { ...others, ...image !== undefined && { image } };
  if (owner.of === "form") return editOfForm(settings, owner.form!, { design })!;
  return { tab: owner.of === "popup" ? "popup" : "form", fields: { design } };
}

const saveImage = defineAction({
  name: "cfbe_save_form_image",
  capability: "forms",
  input: z.object({
    ...owner,
    /** The file in Base64. Without one, the image stays. */
    file: z.string().optional(),
    alt: z.string().trim().max(300, "must be 300 characters or less").default(""),
    decorative: z.boolean().default(false),
    place: z.enum(IMAGE_PLACES),
  }),
  async run(context, { file, alt, decorative, place, ...owner }) {
    await context.app.settings.refresh();
    const { image: before } = designOf(context.app.settings.current(), owner);
    const problems: Record<string, string> = {};
    if (!alt && !decorative) {
      problems["alt"] = "Describe the image for people who don't see it, or mark it as decorative.";
    } else if (alt && decorative) {
      problems["alt"] = "Remove the description, or don't mark the image as decorative.";
    }
    const kept = typeof before === "object" ? before.id : undefined;
    const uploaded = file ? await convert(file, problems) : undefined;
    if (!file && !kept) problems["file"] = "Choose an image file.";
    if (Object.keys(problems).length > 0) {
      throw new Refusal(
        422,
        "invalid",
        "Nothing was saved. Please correct the highlighted fields.",
        problems,
      );
    }
    const id = uploaded ? await storeImage(context.app, uploaded) : kept!;
    const image: DesignImage = { id, alt, place };
    return { message: "Image saved.", changes: await save(context, owner, image) };
  },
});

const removeImage = defineAction({
  name: "cfbe_remove_form_image",
  capability: "forms",
  input: z.object({ ...owner, inherit: z.boolean().default(false) }),
  async run(context, { inherit, ...owner }) {
    const { form } = context.app.settings.current();
    const isInherited = owner.of !== "defaults" && form.design.image !== undefined && !inherit;
    const changes = await save(context, owner, isInherited ? "none" : undefined);
    return { message: inherit ? "The form shows the default image." : "Image removed.", changes };
  },
});

function save(context: ActionContext, owner: Owner, image: FormDesign["image"] | undefined) {
  return saveEdit(context, (settings) => imageEdit(settings, owner, image), owner.version);
}

/** Converts an uploaded file, or adds what is wrong with it. The code for it is loaded only now. */
async function convert(base64: string, problems: Record<string, string>) {
  const { BadImage, convertImage } = await import("../../images/convert.ts");
  try {
    return await convertImage(Buffer.from(base64, "base64"));
  } catch (error) {
    if (!(error instanceof BadImage)) throw error;
    problems["file"] = error.message;
  }
}

export const formImageActions: Action[] = [saveImage, removeImage];
