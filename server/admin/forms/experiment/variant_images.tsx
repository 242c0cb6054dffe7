import type { VNode } from "preact";
import { POPUP, tabOfForm } from "../../../settings/forms/all_forms.ts";
import { variantVersion } from "../../../settings/forms/variant_edits.ts";
import type { Variant } from "../../../settings/schema/experiment_schema.ts";
import type { DraftedId, UploadedImage } from "../../../settings/forms/form_drafts.ts";
import { settingsOfForm } from "../../../settings/forms/form_settings.ts";
import { Card } from "../../parts/card.tsx";
import { PostForm } from "../../parts/form.tsx";
import type { View } from "../../frame/view.ts";
import { SeenDraft } from "../draft_state.tsx";
import { fieldsOf, ImageFields, Restoration, ShownImage } from "../design/design_image.tsx";
import { matchOf } from "./experiment_remove.tsx";

const SAVE = "cfbe_save_variant_image";
const REMOVE = "cfbe_remove_variant_image";

interface Props {
  view: View;
  id: DraftedId;
  variant: Variant;
}

/** Returns the image that a variant has of its own. */
function imageOf({ overrides, undescribed }: Variant): UploadedImage | "none" | undefined {
  const image = overrides.design?.image;
  return typeof image === "object" ? { ...image, ...(undescribed && { undescribed }) } : image;
}

/** The image of a variant. */
export function VariantImage({ view, id, variant }: Props): VNode {
  const image = variant.overrides.design?.image;
  const { design } = settingsOfForm(view.app.settings.current(), id, ["en"]);
  return (
    <Card
      id="image"
      title="Image"
      lead="A JPEG, PNG or WebP file of up to 6 MB, which cfbe reduces to at most 60 KB."
    >
      <ShownImage
        view={view}
        image={image ?? design.image}
        note={image ? undefined : "The image of the form."}
      />
      {view.mayRun(SAVE) && <Upload view={view} id={id} variant={variant} />}
      {view.mayRun(REMOVE) && (
        <div class="buttons">
          {image !== "none" && (image ?? design.image) !== undefined && (
            <Without view={view} id={id} variant={variant} none>Show no image</Without>
          )}
          {image !== undefined && (
            <Without view={view} id={id} variant={variant}>Show the image of the form</Without>
          )}
        </div>
      )}
      {view.mayRun(SAVE) && (
        <Restoration
          view={view}
          own={imageOf(variant)}
          without={{ "b:none": String(image === "none") }}
          actions={[SAVE, REMOVE]}
          match={{ ...matchOf(id), variant: variant.id }}
        >
          <Seen view={view} variant={variant} />
        </Restoration>
      )}
    </Card>
  );
}

function Upload({ view, id, variant }: Props): VNode {
  const own = imageOf(variant);
  const image = typeof own === "object" ? own : undefined;
  return (
    <PostForm
      view={view}
      action={SAVE}
      upload
      id={`image-${variant.id}`}
      tab={tabOfForm(id.name)}
      partOf={id.name === POPUP ? "experiment" : "forms"}
      match={{ ...matchOf(id), variant: variant.id }}
      current={fieldsOf(image)}
    >
      <Seen view={view} variant={variant} />
      <ImageFields image={image} />
      <div class="buttons">
        <button type="submit" data-saved-as-you-go="">Save image</button>
        <p class="help" data-needs-script="" hidden>Saved when you choose a file or leave a field.</p>
      </div>
    </PostForm>
  );
}

function Without({ view, id, variant, none, children }: Props & { none?: true; children: string }): VNode {
  return (
    <PostForm
      view={view}
      action={REMOVE}
      id={`${none ? "no" : "form"}-image-${variant.id}`}
      match={{ ...matchOf(id), variant: variant.id, ...(none && { "b:none": "true" }) }}
    >
      <Seen view={view} variant={variant} />
      <div class="buttons">
        <button type="submit">{children}</button>
      </div>
    </PostForm>
  );
}

const Seen = ({ view, variant }: Pick<Props, "view" | "variant">): VNode => (
  <SeenDraft view={view} draft={{ version: variantVersion(variant) }} />
);
