import type { z } from "zod";
import type { Decision } from "../../platform/kv/cas.ts";
import type { Entry } from "../../platform/kv/key.ts";
import type { AtomicOperation } from "../../platform/kv/port.ts";
import type { ProviderTable } from "../../providers/module.ts";
import type { Layer } from "./precedence.ts";
import type { Settings, Tab } from "../schema/schema.ts";
import { type ReadTab, type TabRow, writeTab } from "./tab_rows.ts";
import { type ReadLayer, withUnread } from "./unread.ts";
import { type SavedSecrets, savedSecrets, secretNames, withoutSecrets } from "./tab_secrets.ts";

export interface SaveOptions {
  /** Replaces members instead of merging them, and `null` removes one, so that the result is what the form shows. */
  replace?: boolean;
  /** `TabState.version` on which the edit is based; any version if not set. */
  expect?: string | undefined;
  /** User who saves, to be shown to others who edit the same tab. */
  by?: string;
  /** Adds to the commit, such as an entry in the audit log. May be called again after a conflict. */
  also?: (tx: AtomicOperation, saved: SavedTab) => void;
}

/** New fields of one tab. */
export interface TabSave extends Pick<SaveOptions, "expect"> {
  tab: Tab;
  fields: Layer;
}

export interface SaveAllOptions extends Pick<SaveOptions, "replace" | "by"> {
  /** Like that of `SaveOptions`, with one element for each tab. */
  also?: (tx: AtomicOperation, saved: readonly SavedTab[]) => void;
}

/** What a save has changed. */
export interface SavedTab {
  /** The tab's effective settings before and after, without secrets. */
  before: Layer;
  after: Layer;
  secrets: SavedSecrets;
}

/** A saved change of the settings, at a time in Unix milliseconds. */
export interface SavedChange {
  before: Settings;
  after: Settings;
  by: string | undefined;
  at: number;
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
  row: Omit<TabRow, "fields" | "parts">;
  /** ID for the parts of tabs that are too large for one row; new for every save. */
  partsId: string;
  providers: ProviderTable;
  schema: z.ZodType<Settings>;
  /** Reads these tabs, with all others, as saved. */
  readSaved(tabs: Layer): ReadLayer;
  /** Returns all settings with these tabs in them, not validated. */
  whole(edited: Layer): Layer;
  also?: SaveAllOptions["also"];
}

/**
 * Returns the rows to write, or the conflict that prevents it.
 *
 * @param tabs those that are edited, in the same order
 * @throws {z.ZodError} if the settings would be invalid or too large
 */
export function decideSaves(
  edits: readonly TabSave[],
  tabs: readonly ReadTab[],
  { laid, sealed, row, partsId, providers, schema, readSaved, whole, also }: SaveRules,
): Decision<SavedTab[] | SettingsConflict> {
  for (const [index, { tab, expect }] of edits.entries()) {
    const state = stateOf(tabs[index]!.row);
    if (expect !== undefined && expect !== state.version) return { value: new SettingsConflict(tab, state) };
  }
  const without = (tab: Tab, fields: Layer) => withoutSecrets(tab, fields, providers);
  const byTab = (layers: readonly Layer[]): Layer =>
    Object.fromEntries(edits.map(({ tab }, index) => [tab, layers[index]!]));
  const before = tabs.map(({ row }) => row.value?.fields ?? {});
  // Encrypted secrets can't be validated here; each was valid when it was saved.
  const { read, unread } = readSaved(byTab(edits.map(({ tab }, index) => without(tab, before[index]!))));
  const plain = edits.map(({ tab }) => read[tab] as Layer);
  // Settings that became invalid, for example with another environment, can be corrected by this save.
  const old = schema.safeParse(whole(byTab(plain))).data;
  const next = schema.parse(whole(byTab(plain.map((layer, index) => laid(layer, edits[index]!.fields)))));
  const value = edits.map(({ tab, fields }, index): SavedTab => ({
    before: without(tab, old?.[tab] ?? plain[index]!),
    after: without(tab, next[tab]),
    secrets: savedSecrets(secretNames(tab, providers), fields),
  }));
  const fields = withUnread(
    byTab(before.map((layer, index) => laid(layer, sealed[index]!))),
    byTab(before),
    byTab(edits.map(({ fields }) => fields)),
    unread,
  );
  const writes = edits.map(({ tab }, index) =>
    writeTab({ ...row, fields: fields[tab] as Layer }, tab, partsId, tabs[index]!)
  );
  return {
    value,
    write(tx) {
      for (const write of writes) write(tx);
      also?.(tx, value);
    },
  };
}
