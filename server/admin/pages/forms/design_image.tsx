import type { VNode } from "preact";
import { imagePath, sizeOfImage } from "../../../../shared/design/image_id.ts";
import type { DesignImage as Image } from "../../../../shared/design/tokens.ts";
import type { FormId } from "../../../settings/form_settings.ts";
import type { Tab } from "../../../settings/schema.ts";
import { Card } from "../../parts/card.tsx";
import { Confirm } from "../../parts/confirm.tsx";
import { FileField, type Option, SelectField, SwitchField, TextField } from "../../parts/field.tsx";
import { PostForm } from "../../parts/form.tsx";
import type { View } from "../../view.ts";

const PLACES: Option[] = [
  { value: "top", label: "Above the form" },
  { value: "left", label: "Beside the form" },
  { value: "background", label: "Behind the form" },
];

/** The image of a form, the popup or the defaults. */
export function DesignImage({ view, id }: { view: View; id: FormId }): VNode {
  const { form, forms, popup } = view.app.settings.current();
  const isDefault = id.name === undefined && !id.popup;
  const own = isDefault
    ? form.design.image
    : (id.popup ? popup : forms.forms.find(({ name }) => name === id.name))?.design?.image;
  const inherited = isDefault || form.design.image === "none" ? undefined : form.design.image;
  const match: Record<string, string> = isDefault
    ? { of: "defaults" }
    : id.popup
    ? { of: "popup" }
    : { of: "form", form: id.name! };
  return (
    <Card
      id="image"
      title="Image"
      lead={`A JPEG, PNG or WebP file of up to 6 MB. cfbe reduces it to at most 60 KB, and removes its metadata, such as the place of a photo.${
        isDefault ? "" : " It is not part of a draft: pages follow within a minute."
      }`}
    >
      <Shown view={view} own={own} inherited={inherited} />
      <ImageForm
        view={view}
        match={match}
        image={typeof own === "object" ? own : undefined}
        isDefault={isDefault}
      />
      <Removal view={view} match={match} own={own} inherited={inherited} />
    </Card>
  );
}

interface ImagesProps {
  view: View;
  own: Image | "none" | undefined;
  inherited: Image | undefined;
}

function Shown({ view, own, inherited }: ImagesProps): VNode {
  const image = own ?? inherited;
  if (image === undefined) return <p class="help">No image yet.</p>;
  if (image === "none") return <p class="help">No image, in place of the default one.</p>;
  return (
    <figure class="design-image">
      <img src={view.app.config.baseUrl + imagePath(image.id)} alt={image.alt} {...sizeOfImage(image.id)} />
      {own === undefined && <figcaption>The image of the defaults.</figcaption>}
    </figure>
  );
}

function ImageForm(
  { view, match, image, isDefault }: {
    view: View;
    match: Record<string, string>;
    image: Image | undefined;
    isDefault: boolean;
  },
): VNode {
  const tab: Tab = isDefault ? "form" : match["of"] === "popup" ? "popup" : "forms";
  return (
    <PostForm
      view={view}
      action="cfbe_save_form_image"
      upload
      tab={tab}
      partOf={tab === "forms" ? "forms" : "design"}
      match={match}
      current={{ place: image?.place ?? "top", alt: image?.alt, decorative: image?.alt === "" }}
    >
      <FileField
        path="file"
        label={image ? "Replace the image" : "File"}
        accept="image/jpeg,image/png,image/webp"
      />
      <SelectField
        path="place"
        label="Place"
        options={PLACES}
        help="Bars show no image, and neither does the popup on phones: they have no room for it."
      />
      <TextField
        path="alt"
        label="Description"
        maxLength={300}
        help="What the image shows, for people who don't see it."
      />
      <SwitchField
        path="decorative"
        label="Decorative"
        help="The image says nothing that the texts don't say. Screen readers skip it."
      />
      <div class="buttons">
        <button type="submit">Save image</button>
      </div>
    </PostForm>
  );
}

function Removal(
  { view, match, own, inherited }: ImagesProps & { match: Record<string, string> },
): VNode | null {
  const action = "cfbe_remove_form_image";
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
          The form shows no image any more. To show it again, you have to upload it again.
        </Confirm>
      </div>
    );
  }
  if (!inherited) return null;
  return (
    <PostForm view={view} action={action} match={match}>
      <div class="buttons">
        {own === "none" && <input type="hidden" name="b:inherit" value="true" />}
        <button type="submit">{own === "none" ? "Show the default image" : "Show no image"}</button>
      </div>
    </PostForm>
  );
}
