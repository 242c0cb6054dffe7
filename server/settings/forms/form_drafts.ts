import type { DesignImage, FormDesign } from "../../../shared/design/tokens.ts";
import { type Key, typed } from "../../platform/kv/key.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { Kv } from "../../platform/kv/port.ts";
import { POPUP } from "./all_forms.ts";
import type { FormId } from "./form_settings.ts";
import type { Layer } from "../store/precedence.ts";

/** An image that is uploaded. */
export interface UploadedImage extends DesignImage {
  /** Whether it has yet to be described, or marked as decorative: nobody but the preview shows it until then. */
  undescribed?: true;
}

/** Unpublished changes of a form. What is absent stays as it is published. */
export interface DraftContent {
  /** Values that its page edits, as they were entered. Without the image. */
  values: Layer;
  /** Its image; null to inherit that of the defaults. */
  image?: UploadedImage | Exclude<FormDesign["image"], DesignImage> | null;
  /** All texts that it has of its own, by language. */
  texts?: Record<string, Layer>;
}

/** Returns an image as a form has it. */
export function imageOfForm(image: UploadedImage): DesignImage {
  const { undescribed: _, ...shown } = image;
  return shown;
}

/** A stored draft. */
export interface FormDraftRow extends DraftContent {
  v: 1;
  /** User who saved it last. */
  by: string;
  /** Unix milliseconds. */
  at: number;
}

/** A draft with its version, which changes with every save. */
export interface FormDraft extends FormDraftRow {
  version: string;
}

/** A form of the site; all but the defaults have drafts. */
export type DraftedId = FormId & { name: string };

/** Returns the key of a form's draft. That of the popup is no form's, whatever the form's name is. */
export const formDraftKey = ({ name }: DraftedId): Key<FormDraftRow> =>
  name === POPUP ? typed(keys.popupDraft()) : typed(keys.formDraft(name));

/** The content of a draft that changes nothing. */
export const NO_CHANGES: DraftContent = { values: {} };

/** Returns whether a draft can't be published before its image is described. */
export const isUndescribed = (image: DraftContent["image"]): boolean =>
  typeof image === "object" && image?.undescribed === true;

/** Returns the unpublished changes of a form, if it has some. */
export async function readFormDraft(kv: Kv, id: DraftedId): Promise<FormDraft | undefined> {
  const { value, versionstamp } = await kv.get<FormDraftRow>(formDraftKey(id));
  return value ? { ...value, version: versionstamp } : undefined;
}

/** Returns the names of the named forms that have unpublished changes. */
export async function formsWithDraft(kv: Kv): Promise<Set<string>> {
  const rows = kv.list({ prefix: keys.formDraftAll() }, { batchSize: 200 });
  return new Set((await Array.fromAsync(rows)).map(({ key }) => String(key.at(-1))));
}
