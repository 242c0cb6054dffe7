import { z } from "zod";
import { type Clock, type Random, systemClock } from "../deps.ts";
import type { Keyring } from "../keys/keyring.ts";
import { cas, type Decision } from "../kv/cas.ts";
import type { Entry, Key } from "../kv/key.ts";
import {
  decideSaves,
  type SaveAllOptions,
  type SavedTab,
  type SaveOptions,
  SettingsConflict,
  stateOf,
  tabKey,
  type TabRow,
  type TabSave,
  type TabState,
} from "./saves.ts";
import { issueText } from "./issue_text.ts";
import { type FixedBy, fixedBy, type Layer, overlay, replaceMembers } from "./precedence.ts";
import type { ProviderTable } from "../provider/module.ts";
import { PROVIDERS } from "../provider/providers.ts";
import { apiKeyOf, isSandbox } from "./provider.ts";
import { FORM_TABS } from "./form_schema.ts";
import { type Settings, type Tab, wholeSettingsSchema } from "./schema.ts";
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
   * @throws {z.ZodError} if the settings would be invalid
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
  kv: Deno.Kv;
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
  /** Called after every save. */
  saved?: (tab: Tab) => void;
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
  let states: Partial<Record<Tab, TabState>> = {};
  let current: Settings;
  let begun = 0;
  let applied = 0;

  function tree(savedLayer: Layer): Layer {
    const above = overlay(savedLayer, ...options.fixed.map((layer) => layer ?? {}));
    return overlay(typeof fallback === "function" ? fallback(above) : fallback, above);
  }

  async function read() {
    const mine = ++begun;
    const rows = await kv.getMany<TabRow[]>(TABS.map((tab) => tabKey(tab)));
    const fields: Layer = {};
    const found: typeof states = {};
    for (const [index, tab] of TABS.entries()) {
      const entry = rows[index]!;
      found[tab] = stateOf(entry);
      if (entry.value) fields[tab] = await unsealSecrets(keyring, secretsOf(tab), entry.value.fields);
    }
    // A slower read that started earlier must not overwrite the result of a later one.
    if (mine < applied) return;
    [applied, saved, states] = [mine, fields, found];
  }
  async function refresh() {
    await read();
    current = schema.parse(tree(saved), { error: issueText });
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
    const rows = { saved: edits.map(({ tab }) => tabKey(tab)), others: dependentKeys(edits) };
    const done = await cas(
      kv,
      rows,
      ({ saved: before, others }): Decision<SavedTab[] | SettingsConflict> =>
        decideSaves(edits, before, {
          laid: replace ? replaceMembers : overlay,
          sealed,
          row: { v: 1, at: clock.now(), ...(by && { by }) },
          providers,
          schema,
          whole: (edited) => tree({ ...saved, ...fieldsOf(others), ...edited }),
          also,
        }),
      { clock, random },
    );
    await refresh();
    if (done instanceof SettingsConflict) throw done;
    for (const { tab } of edits) options.saved?.(tab);
    return done;
  }

  await refresh();
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

/** Returns the keys of the other tabs that the tabs are validated with. None of them has secrets. */
function dependentKeys(edits: readonly TabSave[]): Record<string, Key<TabRow>> {
  const edited = edits.map(({ tab }) => tab);
  const forms: readonly Tab[] = FORM_TABS;
  const others = edited.some((tab) => forms.includes(tab))
    ? forms.filter((tab) => !edited.includes(tab))
    : [];
  return Object.fromEntries(others.map((other) => [other, tabKey(other)]));
}

function fieldsOf(rows: Record<string, Entry<TabRow>>): Layer {
  return Object.fromEntries(Object.entries(rows).map(([tab, { value }]) => [tab, value?.fields ?? {}]));
}

/** Returns each problem of invalid settings as a line with its path. */
export function describeProblems(error: z.ZodError): string[] {
  return error.issues.flatMap((issue) => {
    const path = ["settings", ...issue.path];
    if (issue.code === "unrecognized_keys") {
      return issue.keys.map((key) => `unknown setting ${[...path, key].join(".")}`);
    }
    return `${path.join(".")} ${issue.message}`;
  });
}
