import { Buffer } from "node:buffer";
import { z } from "zod";
import { type FormDesign, IMAGE_PLACES } from "../../../shared/design/tokens.ts";
import { storeImage } from "../../images/rows.ts";
import { type DraftedId, readFormDraft } from "../../settings/form_drafts.ts";
import type { Settings } from "../../settings/schema.ts";
import { type Action, type ActionContext, defineAction, type Done } from "../action.ts";
import type { TabEdit } from "../form_edits.ts";
import { Refusal } from "../refusal.ts";
import type { DraftEdit } from "./form_drafts.ts";
import { saveEdit } from "./forms.ts";
import { formSaveInput, saveForm } from "./save_form.ts";

/** Whose image it is: that of a form, the popup or the defaults of all forms, which have no drafts. */
const owner = {
  ...formSaveInput,
  of: z.enum(["form", "popup", "defaults"]),
  /** Name of the form. */
  form: z.string().max(64).optional(),
};
type Owner = z.output<z.ZodObject<typeof owner>>;
type Image = FormDesign["image"];

const idOf = ({ of, form }: Owner): DraftedId | undefined =>
  of === "defaults" ? undefined : of === "popup" ? { popup: true } : { name: form ?? "" };

/** Returns the image that a user has seen: that of the draft, if there is one. */
async function imageBefore({ app }: ActionContext, owner: Owner): Promise<Image | null> {
  await app.settings.refresh();
  const settings = app.settings.current();
  const id = idOf(owner);
  const published = designOf(settings, id).image;
  const isOfDraft = id && (owner.draft || owner.draftVersion);
  const draft = isOfDraft ? await readFormDraft(app.kv, id) : undefined;
  return draft?.image === undefined ? published : draft.image;
}

function designOf({ forms, popup, form }: Settings, id: DraftedId | undefined): FormDesign {
  if (!id) return form.design;
  const found = id.popup ? popup : forms.forms.find(({ name }) => name === id.name);
  if (!found) throw new Refusal(404, "not_found", "There is no such form. It may have been removed.");
  return found.design ?? {};
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
    const before = await imageBefore(context, owner);
    const problems: Record<string, string> = {};
    if (!alt && !decorative) {
      problems["alt"] = "Describe the image for people who don't see it, or mark it as decorative.";
    } else if (alt && decorative) {
      problems["alt"] = "Remove the description, or don't mark the image as decorative.";
    }
    const kept = typeof before === "object" ? before?.id : undefined;
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
    return await save(context, owner, { id, alt, place }, "Image saved.");
  },
});

const removeImage = defineAction({
  name: "cfbe_remove_form_image",
  capability: "forms",
  input: z.object({ ...owner, inherit: z.boolean().default(false) }),
  async run(context, { inherit, ...owner }) {
    const { form } = context.app.settings.current();
    const isInherited = owner.of !== "defaults" && form.design.image !== undefined && !inherit;
    const message = inherit ? "The form shows the default image." : "Image removed.";
    return await save(context, owner, isInherited ? "none" : null, message);
  },
});

/**
 * @param image null inherits that of the defaults
 * @param message about an image that pages show at once
 */
async function save(
  context: ActionContext,
  owner: Owner,
  image: Image | null,
  message: string,
): Promise<Done> {
  const id = idOf(owner);
  if (id) {
    const edit: DraftEdit = { content: (draft) => ({ ...draft, image }) };
    return await saveForm(context, id, edit, { tab: id.popup ? "popup" : "forms", ...owner }, () => message);
  }
  if (owner.draft) {
    throw new Refusal(422, "no_drafts", "The form defaults have no drafts. Save the image without one.");
  }
  const editOf = ({ form }: Settings): TabEdit => ({
    tab: "form",
    fields: { design: { ...form.design, image } },
  });
  return { message, changes: await saveEdit(context, editOf, owner.version) };
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
