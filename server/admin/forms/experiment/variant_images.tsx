import type { VNode } from "preact";
import type { DesignImage } from "../../../../shared/design/tokens.ts";
import { POPUP, tabOfForm } from "../../../settings/forms/all_forms.ts";
import type { Experiment, Variant } from "../../../settings/schema/experiment_schema.ts";
import type { DraftedId } from "../../../settings/forms/form_drafts.ts";
import { settingsOfForm } from "../../../settings/forms/form_settings.ts";
import { Card } from "../../parts/card.tsx";
import { PostForm } from "../../parts/form.tsx";
import type { View } from "../../frame/view.ts";
import { ImageFields, ShownImage } from "../design/design_image.tsx";
import { matchOf } from "./experiment_remove.tsx";

const SAVE = "cfbe_save_variant_image";
const REMOVE = "cfbe_remove_variant_image";

interface Props {
  view: View;
  id: DraftedId;
  variant: Variant;
}

/** The images of variants that have not started. */
export function VariantImages(
  { view, id, experiment: { variants } }: { view: View; id: DraftedId; experiment: Experiment },
): VNode {
  return (
    <Card
      id="images"
      title="Images"
      lead="A JPEG, PNG or WebP file of up to 6 MB, which cfbe reduces to at most 60 KB. Save your other changes first."
    >
      {variants.filter(({ hidden }) => !hidden).map((variant) => (
        <details key={variant.id} open={wasSent(view, variant)}>
          <summary>“{variant.name}”: {stateOf(variant)}</summary>
          <OneImage view={view} id={id} variant={variant} />
        </details>
      ))}
    </Card>
  );
}

/** Returns whether the image was sent and refused, so that its errors are shown. */
const wasSent = ({ posted }: View, { id }: Variant): boolean =>
  posted?.action === SAVE && posted.input["variant"] === id;

const STATES = { form: "as the form", none: "no image", own: "its own image" } as const;

function stateOf({ overrides: { design } }: Variant): string {
  const image = design?.image;
  return STATES[image === undefined ? "form" : image === "none" ? "none" : "own"];
}

function OneImage({ view, id, variant }: Props): VNode {
  const image = variant.overrides.design?.image;
  const { design } = settingsOfForm(view.app.settings.current(), id, ["en"]);
  return (
    <>
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
    </>
  );
}

function Upload({ view, id, variant }: Props): VNode {
  const own = variant.overrides.design?.image;
  const image: DesignImage | undefined = typeof own === "object" ? own : undefined;
  return (
    <PostForm
      view={view}
      action={SAVE}
      upload
      id={`image-${variant.id}`}
      tab={tabOfForm(id.name)}
      partOf={id.name === POPUP ? "experiment" : "forms"}
      match={{ ...matchOf(id), variant: variant.id }}
      current={{ place: image?.place ?? "top", alt: image?.alt, decorative: image?.alt === "" }}
    >
      <ImageFields replaces={image !== undefined} />
      <div class="buttons">
        <button type="submit">Save image</button>
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
      <div class="buttons">
        <button type="submit">{children}</button>
      </div>
    </PostForm>
  );
}
