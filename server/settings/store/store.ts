import { z } from "zod";
import { type Clock, type Random, systemClock } from "../../platform/deps.ts";
import type { Keyring } from "../../platform/keys/keyring.ts";
import { cas, type Decision } from "../../platform/kv/cas.ts";
import type { Entry } from "../../platform/kv/key.ts";
import type { Kv } from "../../platform/kv/port.ts";
import {
  decideSaves,
  type SaveAllOptions,
  type SavedChange,
  type SavedTab,
  type SaveOptions,
  SettingsConflict,
  stateOf,
  type TabSave,
  type TabState,
} from "./saves.ts";
import { issueText } from "../schema/issue_text.ts";
import { type FixedBy, fixedBy, type Layer, overlay, replaceMembers } from "./precedence.ts";
import type { ProviderTable } from "../../providers/module.ts";
import { PROVIDERS } from "../../providers/providers.ts";
import { apiKeyOf, isSandbox } from "./provider.ts";
import { FORM_TABS } from "../schema/form_schema.ts";
import { type Settings, type Tab, wholeSettingsSchema } from "../schema/schema.ts";
import { readLayer } from "./unread.ts";
import { type ReadTab, readTabs, tabKey, type TabRow } from "./tab_rows.ts";
import { sealSecrets, secretNames, unsealSecrets } from "./tab_secrets.ts";
import { TABS } from "./tabs.ts";

/** The effective settings. */
export interface SettingsStore {
  /** Returns all settings, with defaults. Cheap: they are cached until `refresh` or `save`. */
  current(): Settings;
  /** Reads the saved settings again, which another process may have changed. */
  refresh(): Promise<void>;
  /**
   * Saves fields of one tab over those saved before, with secrets encrypted. Concurrent saves of different
   * fields both take effect. Settings that would be invalid as a whole are not saved.
   *
   * @throws {z.ZodError} if the settings would be invalid or too large
   * @throws {SettingsConflict} if the tab has changed since the version in `how.expect`
   */
  save(tab: Tab, fields: Layer, how?: SaveOptions): Promise<SavedTab>;
  /**
   * Saves fields of several tabs in one commit: all or, if it throws like `save`, none. No process ever sees a part.
   *
   * @param saves at most one per tab
   * @returns what each has changed, in the same order
   */
  saveAll(saves: readonly TabSave[], how?: SaveAllOptions): Promise<SavedTab[]>;
  /** Returns the version of a tab, as last read. */
  stateOf(tab: Tab): TabState;
  /**
   * Returns what fixes a field, so that saving it has no effect (decision 6); undefined if nothing does.
   *
   * @param path such as `webhooks.secret`
   */
  fixedBy(path: string): FixedBy | undefined;
  /** Returns whether a setting was saved or is fixed, even to the value that is its default. */
  isChosen(path: string): boolean;
  /** The available providers, with the settings that each defines. */
  readonly providers: ProviderTable;
  /** Returns the API key of the provider in use, which may be the sandbox's own; empty if there is none. */
  apiKey(): string;
}

interface Options {
  kv: Kv;
  keyring: Keyring;
  random: Random;
  clock?: Clock;
  /** Settings fixed by the config file and by the environment; the environment takes precedence. */
  fixed: readonly [file?: Layer, environment?: Layer];
  /** Settings below those saved by an admin, such as the sandbox's own; may depend on those above. */
  fallback: Layer | ((above: Layer) => Layer);
  /** Returns the sandbox's API key, which is not a setting; empty while it does not run. */
  sandboxKey?: () => string;
  /** The built-in providers by default. */
  providers?: ProviderTable;
  /** If set, the settings are opened without saved ones that are invalid, and it is called with what is wrong. */
  onInvalid?: (error: z.ZodError) => void;
  /** Called after every save, with all settings before and after it. It is not over until this has ended. */
  saved?: (tabs: readonly Tab[], change: SavedChange) => void | Promise<void>;
}

/**
 * Opens the settings. Precedence: environment, config file, saved, fallback, default (decision 6).
 *
 * @throws {z.ZodError} if they are invalid; see `describeProblems`
 */
export async function openSettings(options: Options): Promise<SettingsStore> {
  const { kv, keyring, random, clock = systemClock, providers = PROVIDERS, fallback } = options;
  const schema = wholeSettingsSchema(providers);
  const secretsOf = (tab: Tab) => secretNames(tab, providers);
  let saved: Layer = {};
  const readSaved = (layer: Layer) => readLayer(schema, layer, options.onInvalid && tree);
  let states: Partial<Record<Tab, TabState>> = {};
  let tabs: Partial<Record<Tab, ReadTab>> = {};
  let current: Settings;
  let begun = 0;
  let applied = 0;

  function tree(savedLayer: Layer): Layer {
    const above = overlay(savedLayer, ...options.fixed.map((layer) => layer ?? {}));
    return overlay(typeof fallback === "function" ? fallback(above) : fallback, above);
  }

  async function read() {
    const mine = ++begun;
    const read = await readTabs(kv, TABS);
    const fields: Layer = {};
    const found: typeof states = {};
    const foundTabs: typeof tabs = {};
    for (const [index, tab] of TABS.entries()) {
      const { row } = foundTabs[tab] = read[index]!;
      found[tab] = stateOf(row);
      if (row.value) fields[tab] = await unsealSecrets(keyring, secretsOf(tab), row.value.fields);
    }
    // A slower read that started earlier must not overwrite the result of a later one.
    if (mine < applied) return;
    [applied, saved, states, tabs] = [mine, fields, found, foundTabs];
  }
  async function refresh() {
    await read();
    current = schema.parse(tree(readSaved(saved).read), { error: issueText });
  }

  async function saveAll(
    edits: readonly TabSave[],
    { replace = false, by, also }: SaveAllOptions = {},
  ): Promise<SavedTab[]> {
    // Another process may have saved other fields of these tabs.
    await read();
    const sealed = await Promise.all(
      edits.map(({ tab, fields }) => sealSecrets({ keyring, random }, secretsOf(tab), fields)),
    );
    const partsId = random.uuid();
    let isFirst = true;
    const keysToRead = async () => {
      // After a conflict, the tabs are others.
      if (!isFirst) await read();
      isFirst = false;
      return {
        edited: edits.map(({ tab }) => tabKey(tab)),
        others: dependentTabs(edits).map(tabKey),
      };
    };
    const decide = (
      { edited, others }: Record<"edited" | "others", readonly Entry<TabRow>[]>,
    ): Decision<SavedTab[] | SettingsConflict> => {
      const read = edits.map(({ tab }) => tabs[tab]!);
      const around = dependentTabs(edits).map((tab) => tabs[tab]!);
      if (!isAsRead(edited, read) || !isAsRead(others, around)) return "retry";
      return decideSaves(edits, read, {
        laid: replace ? replaceMembers : overlay,
        sealed,
        row: { v: 1, at: clock.now(), ...(by && { by }) },
        partsId,
        providers,
        schema,
        readSaved: (edited) => readSaved({ ...saved, ...edited }),
        whole: (edited) => tree({ ...readSaved(saved).read, ...edited }),
        also,
      });
    };
    const before = current;
    const done = await cas(kv, keysToRead, decide, { clock, random });
    await refresh();
    if (done instanceof SettingsConflict) throw done;
    await options.saved?.(edits.map(({ tab }) => tab), { before, after: current, by, at: clock.now() });
    return done;
  }

  await refresh();
  if (options.onInvalid) {
    const { error } = schema.safeParse(tree(readLayer(schema, saved).read), { error: issueText });
    if (error) options.onInvalid(error);
  }
  return {
    current: () => current,
    refresh,
    stateOf: (tab) => states[tab] ?? { version: "" },
    fixedBy: (path) => fixedBy(options.fixed, path),
    isChosen: (path) =>
      [options.fixed, [saved] as const].some((layers) => fixedBy(layers, path) !== undefined),
    providers,
    apiKey: () => isSandbox(current) ? options.sandboxKey?.() ?? "" : apiKeyOf(current, providers),
    save: async (tab, fields, { expect, also, ...how } = {}) =>
      (await saveAll([{ tab, fields, expect }], {
        ...how,
        ...(also && { also: (tx, [only]) => also(tx, only!) }),
      }))[0]!,
    saveAll,
  };
}

/** Returns the other tabs that the tabs are validated with. None of them has secrets. */
function dependentTabs(edits: readonly TabSave[]): Tab[] {
  const edited = edits.map(({ tab }) => tab);
  const forms: readonly Tab[] = FORM_TABS;
  return edited.some((tab) => forms.includes(tab)) ? forms.filter((tab) => !edited.includes(tab)) : [];
}

/** Returns whether the rows of tabs are those of the tabs as they were read, in the same order. */
const isAsRead = (rows: readonly Entry<TabRow>[], tabs: readonly ReadTab[]): boolean =>
  rows.every(({ versionstamp }, index) => versionstamp === tabs[index]!.row.versionstamp);

/** Returns each problem of invalid settings as a line with its path. */
export function describeProblems(error: z.ZodError): string[] {
  return error.issues.map(({ path, message }) => `${["settings", ...path].join(".")} ${message}`);
}
