import { z } from "zod";
import { type Clock, type Random, systemClock } from "../deps.ts";
import type { Keyring } from "../keys/keyring.ts";
import { cas, type Decision } from "../kv/cas.ts";
import { type Entry, type Key, typed } from "../kv/key.ts";
import { keys } from "../kv/keys.ts";
import { issueText } from "./issue_text.ts";
import { type FixedBy, fixedBy, type Layer, overlay, replaceMembers } from "./precedence.ts";
import type { ProviderTable } from "../provider/module.ts";
import { PROVIDERS } from "../provider/providers.ts";
import { apiKeyOf } from "./provider.ts";
import { FORM_TABS } from "./form_schema.ts";
import { type Settings, type Tab, wholeSettingsSchema } from "./schema.ts";
import {
  type SavedSecrets,
  savedSecrets,
  sealSecrets,
  secretNames,
  unsealSecrets,
  withoutSecrets,
} from "./tab_secrets.ts";
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
  /** Returns the API key of the provider in use; empty if there is none. */
  apiKey(): string;
}

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

interface Options {
  kv: Deno.Kv;
  keyring: Keyring;
  random: Random;
  clock?: Clock;
  /** Settings fixed by the config file and by the environment; the environment takes precedence. */
  fixed: readonly [file?: Layer, environment?: Layer];
  /** Settings below those saved by an admin, such as the sandbox's own; may depend on those above. */
  fallback: Layer | ((above: Layer) => Layer);
  /** The built-in providers by default. */
  providers?: ProviderTable;
  /** Called after every save. */
  saved?: (tab: Tab) => void;
}

export interface TabRow {
  v: 1;
  fields: Layer;
  by?: string;
  at?: number;
}

/** Returns the key of a tab's saved settings. */
export const tabKey = (tab: string): Key<TabRow> => typed(keys.settings(tab));

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

  await refresh();
  return {
    current: () => current,
    refresh,
    stateOf: (tab) => states[tab] ?? { version: "" },
    fixedBy: (path) => fixedBy(options.fixed, path),
    isChosen: (path) =>
      [options.fixed, [saved] as const].some((layers) => fixedBy(layers, path) !== undefined),
    providers,
    apiKey: () => apiKeyOf(current, providers),
    async save(tab, fields, { replace = false, expect, by, also } = {}) {
      // Another process may have saved other fields of this tab.
      await read();
      const laid = replace ? replaceMembers : overlay;
      const sealedFields = await sealSecrets({ keyring, random }, secretsOf(tab), fields);
      const rows = { saved: tabKey(tab), ...dependentKeys(tab) };
      const done = await cas(kv, rows, ({ saved: row, ...others }): Decision<SavedTab | TabState> => {
        const whole = (plain: Layer) => tree({ ...saved, ...fieldsOf(others), [tab]: plain });
        const state = stateOf(row);
        if (expect !== undefined && expect !== state.version) return { value: state };
        const before = row.value?.fields ?? {};
        // Encrypted secrets can't be validated here; each was valid when it was saved.
        const plain = withoutSecrets(tab, before, providers);
        // Settings that became invalid, for example with another environment, can be corrected by this save.
        const old = schema.safeParse(whole(plain)).data?.[tab] ?? plain;
        const next = schema.parse(whole(laid(plain, fields)))[tab];
        const value = {
          before: withoutSecrets(tab, old, providers),
          after: withoutSecrets(tab, next, providers),
          secrets: savedSecrets(secretsOf(tab), fields),
        };
        const after: TabRow = {
          v: 1,
          fields: laid(before, sealedFields),
          at: clock.now(),
          ...(by && { by }),
        };
        return {
          value,
          write(tx) {
            tx.set(tabKey(tab), after);
            also?.(tx, value);
          },
        };
      }, { clock, random });
      await refresh();
      if ("version" in done) throw new SettingsConflict(tab, done);
      options.saved?.(tab);
      return done;
    },
  };
}

/** Returns the keys of the other tabs that a tab is validated with. None of them has secrets. */
function dependentKeys(tab: Tab): Record<string, Key<TabRow>> {
  const tabs: readonly Tab[] = FORM_TABS;
  const others = tabs.includes(tab) ? tabs.filter((other) => other !== tab) : [];
  return Object.fromEntries(others.map((other) => [other, tabKey(other)]));
}

function fieldsOf(rows: Record<string, Entry<TabRow>>): Layer {
  return Object.fromEntries(Object.entries(rows).map(([tab, { value }]) => [tab, value?.fields ?? {}]));
}

function stateOf({ versionstamp, value }: Entry<TabRow>): TabState {
  const { by, at } = value ?? {};
  return { version: versionstamp ?? "", ...(by && { by }), ...(at && { at }) };
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
