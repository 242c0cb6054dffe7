import { type Key, typed } from "../kv/key.ts";
import { keys } from "../kv/keys.ts";
import type { Layer } from "./precedence.ts";

/** Unpublished changes of a named form: the values that its page edits, as they were entered. */
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

/** Returns the key of a form's draft. */
export const formDraftKey = (name: string): Key<FormDraftRow> => typed(keys.formDraft(name));

/** Returns a form's unpublished changes, if it has some. */
export async function readFormDraft(kv: Deno.Kv, name: string): Promise<FormDraft | undefined> {
  const { value, versionstamp } = await kv.get<FormDraftRow>(formDraftKey(name));
  return value ? { ...value, version: versionstamp } : undefined;
}

/** Returns the names of the forms that have unpublished changes. */
export async function formsWithDraft(kv: Deno.Kv): Promise<Set<string>> {
  const rows = kv.list({ prefix: keys.formDraftAll() }, { batchSize: 200 });
  return new Set((await Array.fromAsync(rows)).map(({ key }) => String(key.at(-1))));
}
