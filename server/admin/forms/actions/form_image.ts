import { z } from "zod";
import type { FormDesign } from "../../../../shared/design/tokens.ts";
import { formOf, POPUP, tabOfForm } from "../../../settings/forms/all_forms.ts";
import { type DraftContent, type DraftedId, readFormDraft } from "../../../settings/forms/form_drafts.ts";
import type { Settings } from "../../../settings/schema/schema.ts";
import { type Action, type ActionContext, defineAction, type Done } from "../../frame/action.ts";
import type { TabEdit } from "../../../settings/forms/form_edits.ts";
import { Refusal } from "../../frame/refusal.ts";
import type { DraftEdit } from "./form_drafts.ts";
import { saveEdit } from "./forms.ts";
import { formSaveInput, saveForm } from "./save_form.ts";
import { imageInput, keepForUndo, uploadedImage } from "./uploaded_image.ts";

/** Whose image it is: that of a form or the defaults of all forms, which have no drafts. */
const owner = {
  ...formSaveInput,
  of: z.enum(["form", "popup", "defaults"]),
  /** Name of the form. */
  form: z.string().max(64).optional(),
};
type Owner = z.output<z.ZodObject<typeof owner>>;
type Image = DraftContent["image"];

const idOf = ({ of, form }: Owner): DraftedId | undefined =>
  of === "defaults" ? undefined : { name: of === "popup" ? POPUP : form ?? "" };

/** Returns the ID of the image that a user has seen: that of the draft, if there is one. */
async function idBefore({ app }: ActionContext, owner: Owner): Promise<string | undefined> {
  await app.settings.refresh();
  const settings = app.settings.current();
  const id = idOf(owner);
  const published = designOf(settings, id).image;
  const isOfDraft = id && (owner.draft || owner.draftVersion);
  const draft = isOfDraft ? await readFormDraft(app.kv, id) : undefined;
  const image = draft?.image === undefined ? published : draft.image;
  return typeof image === "object" ? image?.id : undefined;
}

function designOf(settings: Settings, id: DraftedId | undefined): FormDesign {
  if (!id) return settings.form.design;
  const found = formOf(settings, id.name);
  if (!found) throw new Refusal(404, "not_found", "There is no such form. It may have been removed.");
  return found.design ?? {};
}

const saveImage = defineAction({
  name: "cfbe_save_form_image",
  title: "Change form image",
  group: "settings",
  capability: "forms",
  upload: true,
  input: z.object({ ...owner, ...imageInput }),
  async run(context, { file, alt, decorative, place, id, ...owner }) {
    const before = await idBefore(context, owner);
    const input = { file, alt, decorative, place, id };
    const image = await uploadedImage(context.app, input, { before, later: owner.draft });
    return await save(context, owner, image, "Image saved.");
  },
});

const removeImage = defineAction({
  name: "cfbe_remove_form_image",
  title: "Remove form image",
  group: "settings",
  capability: "forms",
  input: z.object({ ...owner, inherit: z.boolean().default(false) }),
  async run(context, { inherit, ...owner }) {
    await keepForUndo(context.app, await idBefore(context, owner));
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
  image: Image,
  message: string,
): Promise<Done> {
  const id = idOf(owner);
  if (id) {
    const edit: DraftEdit = { content: (draft) => ({ ...draft, image }) };
    return await saveForm(context, id, edit, { tab: tabOfForm(id.name), ...owner }, () => message);
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

export const formImageActions: Action[] = [saveImage, removeImage];
