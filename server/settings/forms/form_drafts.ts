import type { FormDesign } from "../../../shared/design/tokens.ts";
import { type Key, typed } from "../../platform/kv/key.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { Kv } from "../../platform/kv/port.ts";
import { POPUP } from "./all_forms.ts";
import type { FormId } from "./form_settings.ts";
import type { Layer } from "../store/precedence.ts";

/** Unpublished changes of a form. What is absent stays as it is published. */
export interface DraftContent {
  /** Values that its page edits, as they were entered. Without the image. */
  values: Layer;
  /** Its image; null to inherit that of the defaults. */
  image?: FormDesign["image"] | null;
  /** All texts that it has of its own, by language. */
  texts?: Record<string, Layer>;
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
