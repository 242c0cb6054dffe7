import type { VNode } from "preact";
import { imagePath, sizeOfImage } from "../../../../shared/design/image_id.ts";
import { type DesignImage as Image, IMAGE_PLACES } from "../../../../shared/design/tokens.ts";
import { formOf, POPUP } from "../../../settings/forms/all_forms.ts";
import { type FormDraft, isUndescribed, type UploadedImage } from "../../../settings/forms/form_drafts.ts";
import { type FormId, isDefaultForm } from "../../../settings/forms/form_settings.ts";
import type { Tab } from "../../../settings/schema/schema.ts";
import { Card } from "../../parts/card.tsx";
import { Confirm } from "../../parts/confirm.tsx";
import { MAX_FILE_BYTES, TOO_LARGE } from "../../../forms/images/convert.ts";
import { FileField, type Option, SelectField, SwitchField, TextField } from "../../parts/field.tsx";
import { PostForm } from "../../parts/form.tsx";
import { Notice } from "../../parts/notice.tsx";
import type { View } from "../../frame/view.ts";
import { PLACE_LABELS } from "./design_texts.ts";
import { SeenDraft, seenVersion } from "../draft_state.tsx";

const SAVE_ACTION = "cfbe_save_form_image";
const REMOVE_ACTION = "cfbe_remove_form_image";
const PLACES: Option[] = IMAGE_PLACES.map((value) => ({ value, label: PLACE_LABELS[value] }));

/** Which image a card is about, and the draft that it is saved to. */
interface Owner {
  view: View;
  /** Input that identifies the form. */
  match: Record<string, string>;
  draft: FormDraft | undefined;
  /** Whether the card is that of the defaults, which have no drafts. */
  isDefault: boolean;
}

/** The image of a form or the defaults. While there is a draft, the one in it. */
export function DesignImage(
  { view, id, draft }: { view: View; id: FormId; draft?: FormDraft | undefined },
): VNode {
  const settings = view.app.settings.current();
  const { form } = settings;
  const isDefault = isDefaultForm(id);
  const saved = (isDefault ? form : formOf(settings, id.name))?.design?.image;
  const own = draft?.image === undefined ? saved : draft.image ?? undefined;
  const inherited = isDefault || form.design.image === "none" ? undefined : form.design.image;
  const match: Record<string, string> = isDefault
    ? { of: "defaults" }
    : id.name === POPUP
    ? { of: "popup" }
    : { of: "form", form: id.name! };
  const owner: Owner = { view, match, draft, isDefault };
  return (
    <Card
      id="image"
      title="Image"
      lead={`A JPEG, PNG or WebP file of up to 6 MB. cfbe reduces it to at most 60 KB, and removes its metadata, such as the place of a photo.${
        isDefault ? "" : " Pages show a change once you publish it."
      }`}
    >
      <Shown view={view} own={own} inherited={inherited} />
      <ImageForm owner={owner} image={typeof own === "object" ? own : undefined} />
      <Removal owner={owner} own={own} inherited={inherited} />
      {!isDefault && view.mayRun(SAVE_ACTION) && (
        <Restoration
          view={view}
          own={own}
          without={{ "b:inherit": String(own === undefined) }}
          actions={[SAVE_ACTION, REMOVE_ACTION]}
          match={match}
        >
          <ToDraft owner={owner} />
        </Restoration>
      )}
    </Card>
  );
}

/** What undo and redo bring an earlier image back with. */
export function Restoration({ view, own, without, actions, match, children }: {
  view: View;
  own: UploadedImage | "none" | undefined;
  /** Input of the action that removes an image, for what is shown now. */
  without: Record<string, string>;
  /** The action that saves an image, and the one that removes it. */
  actions: readonly [save: string, remove: string];
  match: Record<string, string>;
  /** Fields of both, such as the version that the user has seen. */
  children: VNode;
}): VNode {
  const fields = typeof own === "object"
    ? { id: own.id, alt: own.alt, place: own.place, "b:decorative": String(isDecorative(own)) }
    : without;
  return (
    <div hidden data-image={`${new URLSearchParams(fields)}`}>
      {actions.map((action) => (
        <PostForm key={action} view={view} action={action} match={match} id={`restore-${action.slice(5)}`}>
          {children}
          <span data-values="" />
        </PostForm>
      ))}
    </div>
  );
}

const isDecorative = (image: UploadedImage): boolean => image.alt === "" && !isUndescribed(image);

/** Returns what the fields of an image begin with. */
export const fieldsOf = (image: UploadedImage | undefined) => ({
  place: image?.place ?? "top",
  alt: image?.alt,
  decorative: image && isDecorative(image),
});

interface Images {
  own: UploadedImage | "none" | undefined;
  inherited: Image | undefined;
}

function Shown({ view, own, inherited }: Images & { view: View }): VNode {
  if (own === "none") return <p class="help">No image, in place of the default one.</p>;
  return (
    <ShownImage
      view={view}
      image={own ?? inherited}
      note={own === undefined ? "The image of the defaults." : undefined}
    />
  );
}

/** An image as it is stored, or that there is none. */
export function ShownImage(
  { view, image, note }: { view: View; image: Image | "none" | undefined; note: string | undefined },
): VNode {
  if (image === undefined) return <p class="help">No image yet.</p>;
  if (image === "none") return <p class="help">No image.</p>;
  return (
    <figure class="design-image">
      <img src={view.app.config.baseUrl + imagePath(image.id)} alt={image.alt} {...sizeOfImage(image.id)} />
      {note !== undefined && <figcaption>{note}</figcaption>}
    </figure>
  );
}

function ImageForm({ owner, image }: { owner: Owner; image: UploadedImage | undefined }): VNode {
  const { view, match, isDefault } = owner;
  const tab: Tab = isDefault ? "form" : match["of"] === "popup" ? "popup" : "forms";
  return (
    <PostForm
      view={view}
      action={SAVE_ACTION}
      upload
      tab={tab}
      {...!isDefault && { version: seenVersion(view, { name: match["form"] ?? POPUP }) }}
      partOf={tab === "forms" ? "forms" : "design"}
      match={match}
      current={fieldsOf(image)}
    >
      <ImageFields image={image} />
      {view.mayRun(SAVE_ACTION) && <Buttons owner={owner} label="Save image" asYouGo={!isDefault} />}
    </PostForm>
  );
}

/** The fields of an image. */
export function ImageFields({ image }: { image: UploadedImage | undefined }): VNode {
  return (
    <>
      <FileField
        path="file"
        label={image ? "Replace the image" : "File"}
        accept="image/jpeg,image/png,image/webp"
        most={MAX_FILE_BYTES}
        tooLarge={TOO_LARGE}
      />
      <SelectField
        path="place"
        label="Place"
        options={PLACES}
        help="Left or right only if the form is at least 600 px wide (a block: 1,100 px), and above it otherwise, as in slide-ins. Languages written from right to left swap the sides. Bars, and the popup on phones, show no image."
      />
      {/* Where the focus goes once a file is chosen. */}
      <p class="upload" role="status" data-upload="" />
      <TextField
        path="alt"
        label="Description"
        maxLength={300}
        help="What the image shows, for people who don't see it."
        {...isUndescribed(image) && { note: (id) => <ToDescribe id={id} /> }}
      />
      <SwitchField
        path="decorative"
        label="Decorative"
        help="The image says nothing that the texts don't say. Screen readers skip it."
      />
    </>
  );
}

const ToDescribe = ({ id }: { id: string }): VNode => (
  <div id={id} data-undescribed="">
    <Notice kind="warn">Describe the image before you publish it, or mark it as decorative.</Notice>
  </div>
);

/** The button that saves to the draft; the image of the defaults, which have none, at once. */
function Buttons(
  { owner, label, asYouGo }: { owner: Owner; label: string; asYouGo?: boolean },
): VNode {
  return (
    <div class="buttons">
      <ToDraft owner={owner} />
      <button type="submit" data-saved-as-you-go={asYouGo && ""}>{label}</button>
      {asYouGo && (
        <p class="help" data-needs-script="" hidden>
          Saved when you choose a file or leave a field.
        </p>
      )}
    </div>
  );
}

/** Says that a change goes to the draft, and to which version of it. */
function ToDraft({ owner: { view, draft, isDefault } }: { owner: Owner }): VNode | null {
  if (isDefault) return null;
  return (
    <>
      <SeenDraft view={view} draft={draft} />
      <input type="hidden" name="b:draft" value="true" />
    </>
  );
}

function Removal({ owner, own, inherited }: Images & { owner: Owner }): VNode | null {
  const action = REMOVE_ACTION;
  const { view, match, isDefault } = owner;
  if (!view.mayRun(action)) return null;
  if (typeof own === "object") {
    return (
      <div class="buttons">
        <Confirm
          view={view}
          id="remove-image"
          button="Remove image"
          title="Remove the image?"
          action={action}
          match={match}
          yes="Remove image"
        >
          <ToDraft owner={owner} />
          {isDefault
            ? "Forms show no image any more. To show it again, you have to upload it again."
            : "Pages stay as they are until you publish the draft."}
        </Confirm>
      </div>
    );
  }
  if (!inherited) return null;
  return (
    <PostForm view={view} action={action} match={match}>
      {own === "none" && <input type="hidden" name="b:inherit" value="true" />}
      <Buttons owner={owner} label={own === "none" ? "Show the default image" : "Show no image"} />
    </PostForm>
  );
}
