import { Buffer } from "node:buffer";
import { gunzipSync, gzipSync } from "node:zlib";
import { z } from "zod";
import { readAll } from "../../platform/kv/entries.ts";
import { type Entry, type Key, typed } from "../../platform/kv/key.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { AtomicOperation, Kv } from "../../platform/kv/port.ts";
import { FORM_TABS } from "../schema/form_schema.ts";
import type { Layer } from "./precedence.ts";
import type { Tab } from "../schema/schema.ts";
import { TAB_TITLES } from "./tabs.ts";

/**
 * The rows of saved settings. A row has at most 64 KiB, which many forms, or one with many options, exceed. Such a tab is
 * stored compressed and in parts, which are written in the same commit. Parts never change: every save writes new ones
 * and deletes the old ones.
 */

/** The saved settings of a tab. */
export interface TabRow {
  v: 1;
  /** Empty if they are in parts. */
  fields: Layer;
  by?: string;
  at?: number;
  parts?: { id: string; count: number };
}

interface TabPartRow {
  v: 1;
  base64: string;
}

/** Settings whose JSON is longer are compressed. */
const PLAIN_MAX_CHARACTERS = 20_000;
const PART_CHARACTERS = 64_000;
/** All three tabs of forms fit in one commit, which has at most 800 KiB. */
const MAX_PARTS = 4;
/** With so many inconsistent reads, a part is missing for good. */
const MAX_READS = 5;

/** Returns the key of a tab's saved settings. */
export const tabKey = (tab: string): Key<TabRow> => typed(keys.settings(tab));

/** The keys of all rows of a tab. */
type TabKeys = { row: Key<TabRow>; parts: Key<TabPartRow>[] };

/** A tab as it was read. */
export interface ReadTab {
  /** Its row with its fields. */
  row: Entry<TabRow>;
  parts: readonly Key<unknown>[];
}

/** @param row the tab's row, which says how many parts there are */
function keysOfTab(tab: string, row: TabRow | null): TabKeys {
  const { id = "", count = 0 } = row?.parts ?? {};
  return {
    row: tabKey(tab),
    parts: Array.from({ length: count }, (_, part) => typed<TabPartRow>(keys.settingsPart(tab, id, part))),
  };
}

/** Reads tabs, each as one save has left it. */
export async function readTabs(kv: Kv, tabs: readonly Tab[]): Promise<ReadTab[]> {
  for (let attempt = 0; attempt < MAX_READS; attempt++) {
    const rows = await readAll(kv, tabs.map(tabKey)) as Entry<TabRow>[];
    const read = await Promise.all(rows.map(async (head, index) => {
      const { parts: keys } = keysOfTab(tabs[index]!, head.value);
      const row = wholeRow(head, await readAll(kv, keys) as Entry<TabPartRow>[]);
      return row && { row, parts: keys };
    }));
    // Otherwise a save meanwhile has deleted the parts of the one before.
    if (read.every((each) => each !== undefined)) return read;
  }
  throw new Error("a part of the saved settings is missing: restore a backup");
}

/** Returns a tab's row with its fields; undefined if a part is missing. */
function wholeRow(row: Entry<TabRow>, parts: readonly Entry<TabPartRow>[]): Entry<TabRow> | undefined {
  if (!row.value?.parts) return row;
  const { parts: _, ...value } = row.value;
  const base64 = parts.map(({ value }) => value?.base64);
  if (base64.includes(undefined)) return undefined;
  const json = gunzipSync(Buffer.from(base64.join(""), "base64")).toString();
  return { ...row, value: { ...value, fields: JSON.parse(json) as Layer } } as Entry<TabRow>;
}

/**
 * Returns the function that writes a tab in place of the rows that were read. The commit has to check the tab's own row, and
 * with it all parts, because these never change: a check of each would be more than some engines allow.
 *
 * @param id for its parts, never used before
 * @throws {z.ZodError} if the tab is too large
 */
export function writeTab(
  row: TabRow,
  tab: Tab,
  id: string,
  before: ReadTab,
): (tx: AtomicOperation) => void {
  const parts = partsOf(row.fields, tab);
  const after = parts.length > 0 ? { ...row, fields: {}, parts: { id, count: parts.length } } : row;
  const added = keysOfTab(tab, after);
  return (tx) => {
    tx.set(added.row, after);
    for (const [index, key] of added.parts.entries()) {
      tx.set(key, { v: 1, base64: parts[index]! } satisfies TabPartRow);
    }
    for (const key of before.parts) tx.delete(key);
  };
}

/** Returns the parts of a tab, in Base64; none if it fits in one row. @throws {z.ZodError} if it is too large */
function partsOf(fields: Layer, tab: Tab): string[] {
  const json = JSON.stringify(fields);
  // Tabs with secrets are small, and their rows are read on their own.
  const isOfForms = FORM_TABS.some((each) => each === tab);
  if (!isOfForms || json.length <= PLAIN_MAX_CHARACTERS) return [];
  const base64 = gzipSync(json).toString("base64");
  const count = Math.ceil(base64.length / PART_CHARACTERS);
  if (count > MAX_PARTS) throw tooLarge(tab, base64.length / PART_CHARACTERS / MAX_PARTS);
  return Array.from(
    { length: count },
    (_, part) => base64.slice(part * PART_CHARACTERS, (part + 1) * PART_CHARACTERS),
  );
}

function tooLarge(tab: Tab, share: number): z.ZodError {
  const percent = Math.ceil(share * 100);
  return new z.ZodError([{
    code: "custom",
    path: [tab],
    message: `${TAB_TITLES[tab]} would take ${percent} % of the space that they can have: ` +
      "remove forms, or shorten their texts and options",
    input: undefined,
  }]);
}
