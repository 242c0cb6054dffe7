import { type Key, typed } from "../kv/key.ts";
import { keys } from "../kv/keys.ts";
import type { FormId } from "./form_settings.ts";
import type { Layer } from "./precedence.ts";

/** Unpublished changes of a named form or the popup: the values that its page edits, as they were entered. */
export interface FormDraftRow {
  v: 1;
  values: Layer;
  /** User who saved it last. */
  by: string;
  /** Unix milliseconds. */
  at: number;
}

/** A draft with its version, which changes with every save. */
export interface FormDraft extends FormDraftRow {
  version: string;
}

/** The popup or a named form; they have drafts. */
export type DraftedId = FormId & ({ popup: true; name?: never } | { popup?: never; name: string });

/** Returns the key of a form's draft. That of the popup is no form's, whatever the form's name is. */
export const formDraftKey = (id: DraftedId): Key<FormDraftRow> =>
  id.name === undefined ? typed(keys.popupDraft()) : typed(keys.formDraft(id.name));

/** Returns the unpublished changes of a form or the popup, if it has some. */
export async function readFormDraft(kv: Deno.Kv, id: DraftedId): Promise<FormDraft | undefined> {
  const { value, versionstamp } = await kv.get<FormDraftRow>(formDraftKey(id));
  return value ? { ...value, version: versionstamp } : undefined;
}

/** Returns the names of the named forms that have unpublished changes. */
export async function formsWithDraft(kv: Deno.Kv): Promise<Set<string>> {
  const rows = kv.list({ prefix: keys.formDraftAll() }, { batchSize: 200 });
  return new Set((await Array.fromAsync(rows)).map(({ key }) => String(key.at(-1))));
}
