import type { z } from "zod";
import type { Decision } from "../kv/cas.ts";
import { type Entry, type Key, typed } from "../kv/key.ts";
import { keys } from "../kv/keys.ts";
import type { ProviderTable } from "../provider/module.ts";
import type { Layer } from "./precedence.ts";
import type { Settings, Tab } from "./schema.ts";
import { type SavedSecrets, savedSecrets, secretNames, withoutSecrets } from "./tab_secrets.ts";

export interface SaveOptions {
  /** Replaces members instead of merging them, and `null` removes one, so that the result is what the form shows. */
  replace?: boolean;
  /** `TabState.version` on which the edit is based; any version if not set. */
  expect?: string | undefined;
  /** User who saves, to be shown to others who edit the same tab. */
  by?: string;
  /** Adds to the commit, such as an entry in the audit log. May be called again after a conflict. */
  also?: (tx: Deno.AtomicOperation, saved: SavedTab) => void;
}

/** New fields of one tab. */
export interface TabSave extends Pick<SaveOptions, "expect"> {
  tab: Tab;
  fields: Layer;
}

export interface SaveAllOptions extends Pick<SaveOptions, "replace" | "by"> {
  /** Like that of `SaveOptions`, with one element for each tab. */
  also?: (tx: Deno.AtomicOperation, saved: readonly SavedTab[]) => void;
}

/** What a save has changed. */
export interface SavedTab {
  /** The tab's effective settings before and after, without secrets. */
  before: Layer;
  after: Layer;
  secrets: SavedSecrets;
}

export interface TabState {
  /** Changes with every save; empty before the first. */
  version: string;
  by?: string;
  at?: number;
}

/** Someone else has saved the tab since it was read. */
export class SettingsConflict extends Error {
  override readonly name = "SettingsConflict";
  constructor(readonly tab: Tab, readonly state: TabState) {
    super(`the ${tab} tab was saved by ${state.by ?? "someone else"} meanwhile`);
  }
}

export interface TabRow {
  v: 1;
  fields: Layer;
  by?: string;
  at?: number;
}

/** Returns the key of a tab's saved settings. */
export const tabKey = (tab: string): Key<TabRow> => typed(keys.settings(tab));

export function stateOf({ versionstamp, value }: Entry<TabRow>): TabState {
  const { by, at } = value ?? {};
  return { version: versionstamp ?? "", ...(by && { by }), ...(at && { at }) };
}

interface SaveRules {
  /** Returns saved fields with new ones over them. */
  laid: (below: Layer, above: Layer) => Layer;
  /** The new fields of each tab, with secrets encrypted. */
  sealed: readonly Layer[];
  /** What the rows contain beside the fields. */
  row: Omit<TabRow, "fields">;
  providers: ProviderTable;
  schema: z.ZodType<Settings>;
  /** Returns all settings with these tabs in them, not validated. */
  whole(edited: Layer): Layer;
  also?: SaveAllOptions["also"];
}

/**
 * Returns the rows to write, or the conflict that prevents it.
 *
 * @param rows those of the tabs, in the same order
 * @throws {z.ZodError} if the settings would be invalid
 */
export function decideSaves(
  edits: readonly TabSave[],
  rows: readonly Entry<TabRow>[],
  { laid, sealed, row, providers, schema, whole, also }: SaveRules,
): Decision<SavedTab[] | SettingsConflict> {
  for (const [index, { tab, expect }] of edits.entries()) {
    const state = stateOf(rows[index]!);
    if (expect !== undefined && expect !== state.version) return { value: new SettingsConflict(tab, state) };
  }
  const without = (tab: Tab, fields: Layer) => withoutSecrets(tab, fields, providers);
  const byTab = (layers: readonly Layer[]): Layer =>
    Object.fromEntries(edits.map(({ tab }, index) => [tab, layers[index]!]));
  const before = rows.map(({ value }) => value?.fields ?? {});
  // Encrypted secrets can't be validated here; each was valid when it was saved.
  const plain = edits.map(({ tab }, index) => without(tab, before[index]!));
  // Settings that became invalid, for example with another environment, can be corrected by this save.
  const old = schema.safeParse(whole(byTab(plain))).data;
  const next = schema.parse(whole(byTab(plain.map((layer, index) => laid(layer, edits[index]!.fields)))));
  const value = edits.map(({ tab, fields }, index): SavedTab => ({
    before: without(tab, old?.[tab] ?? plain[index]!),
    after: without(tab, next[tab]),
    secrets: savedSecrets(secretNames(tab, providers), fields),
  }));
  return {
    value,
    write(tx) {
      for (const [index, { tab }] of edits.entries()) {
        const after: TabRow = { ...row, fields: laid(before[index]!, sealed[index]!) };
        tx.set(tabKey(tab), after);
      }
      also?.(tx, value);
    },
  };
}
