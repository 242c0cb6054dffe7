import { z } from "zod";
import { type Clock, type Random, systemClock } from "../deps.ts";
import type { Keyring } from "../keys/keyring.ts";
import { seal, unseal } from "../keys/seal.ts";
import { cas, type Decision } from "../kv/cas.ts";
import { type Entry, type Key, typed } from "../kv/key.ts";
import { keys } from "../kv/keys.ts";
import { type FixedBy, fixedBy, type Layer, overlay, replaceMembers } from "./precedence.ts";
import type { ProviderTable } from "../provider/module.ts";
import { PROVIDERS } from "../provider/providers.ts";
import { apiKeyOf } from "./provider.ts";
import { secretFields, type Settings, settingsSchema, type Tab } from "./schema.ts";
import { TABS } from "./tabs.ts";

/** Settings as they hold now. */
export interface SettingsStore {
  /** The whole tree, defaults filled in. Cheap: read once, kept until `refresh` or `save`. */
  current(): Settings;
  /** Read what was saved again; another process may have saved. */
  refresh(): Promise<void>;
  /**
   * Save fields of one tab, over what was saved before; secrets are sealed. Checked: of two saves at one time both
   * are there afterwards, and what is not valid together with the rest is not saved at all.
   *
   * @throws {z.ZodError} when the settings would not be valid
   * @throws {SettingsConflict} when the tab is not at the version that the save was made for
   */
  save(tab: Tab, fields: Layer, how?: SaveOptions): Promise<void>;
  /** Which save of a tab holds, as last read. */
  stateOf(tab: Tab): TabState;
  /**
   * What fixes a field, so that saving it changes nothing (decision 6); undefined: nothing does.
   * @param path such as `webhooks.secret`
   */
  fixedBy(path: string): FixedBy | undefined;
  /** The providers to choose from, with the settings that each brings along. */
  readonly providers: ProviderTable;
  /** API key of the provider in use; empty while there is none. */
  apiKey(): string;
}

export interface SaveOptions {
  /** Whole members are replaced instead of merged, and `null` unsets one: what a form shows is what there is. */
  replace?: boolean;
  /** `TabState.version` that the fields were edited from; unset, any will do. */
  expect?: string | undefined;
  /** Who saves, for whoever saves the same tab at the same time. */
  by?: string;
}

export interface TabState {
  /** Changes with every save; empty before the first. */
  version: string;
  by?: string;
  at?: number;
}

/** Somebody else has saved the tab since it was read. */
export class SettingsConflict extends Error {
  override readonly name = "SettingsConflict";
  constructor(readonly tab: Tab, readonly state: TabState) {
    super(`the ${tab} tab was saved by ${state.by ?? "somebody else"} meanwhile`);
  }
}

interface Options {
  kv: Deno.Kv;
  keyring: Keyring;
  random: Random;
  clock?: Clock;
  /** What the config file and the environment fix, in that order; the later wins. */
  fixed: readonly [file?: Layer, environment?: Layer];
  /** Below everything an admin saved, given what stands above it: what the sandbox made at first start. */
  fallback: Layer | ((above: Layer) => Layer);
  /** Those that come with cfbe unless given. */
  providers?: ProviderTable;
  /** Told of every save, after it. */
  saved?: (tab: Tab) => void;
}

export interface TabRow {
  v: 1;
  fields: Layer;
  by?: string;
  at?: number;
}

/** Returns the key of what was saved on a tab. */
export const tabKey = (tab: string): Key<TabRow> => typed(keys.settings(tab));

/**
 * Open the settings: environment, then config file, then saved, then fallback, then default (decision 6).
 *
 * @throws {z.ZodError} when they are not valid together; `describeProblems` puts it into words
 */
export async function openSettings(options: Options): Promise<SettingsStore> {
  const { kv, keyring, random, clock = systemClock, providers = PROVIDERS, fallback } = options;
  const schema = settingsSchema(providers);
  const secrets = secretFields(providers);
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
      if (entry.value) fields[tab] = await unsealed(keyring, namesIn(secrets, tab), entry.value.fields);
    }
    // A slower read that began earlier must not bring back what a later one has replaced.
    if (mine < applied) return;
    [applied, saved, states] = [mine, fields, found];
  }
  async function refresh() {
    await read();
    current = schema.parse(tree(saved));
  }

  await refresh();
  return {
    current: () => current,
    refresh,
    stateOf: (tab) => states[tab] ?? { version: "" },
    fixedBy: (path) => fixedBy(options.fixed, path),
    providers,
    apiKey: () => apiKeyOf(current, providers),
    async save(tab, fields, { replace = false, expect, by } = {}) {
      // Another process may have saved other fields of the tab.
      await read();
      const laid = replace ? replaceMembers : overlay;
      const sealedFields = await sealed(keyring, random, namesIn(secrets, tab), fields);
      const lost = await cas(kv, { saved: tabKey(tab) }, ({ saved: row }): Decision<TabState | undefined> => {
        const state = stateOf(row);
        if (expect !== undefined && expect !== state.version) return { value: state };
        const before = row.value?.fields ?? {};
        // Sealed secrets can't be looked at here; each was valid when it was saved.
        const plain = laid(withoutSecrets(tab, before, providers), fields);
        schema.parse(tree({ ...saved, [tab]: plain }));
        const after: TabRow = {
          v: 1,
          fields: laid(before, sealedFields),
          at: clock.now(),
          ...(by && { by }),
        };
        return { value: undefined, write: (tx) => tx.set(tabKey(tab), after) };
      }, { clock, random });
      await refresh();
      if (lost) throw new SettingsConflict(tab, lost);
      options.saved?.(tab);
    },
  };
}

function stateOf({ versionstamp, value }: Entry<TabRow>): TabState {
  const { by, at } = value ?? {};
  return { version: versionstamp ?? "", ...(by && { by }), ...(at && { at }) };
}

/** Returns the names of a tab's secrets. */
function namesIn(secrets: ReturnType<typeof secretFields>, tab: Tab): string[] {
  return secrets.filter(([of]) => of === tab).map(([, field]) => field);
}

export function withoutSecrets(tab: Tab, fields: Layer, providers?: ProviderTable): Layer {
  const secrets = namesIn(secretFields(providers), tab);
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !secrets.includes(name)));
}

/** Every problem of invalid settings, a line each, with the place in the tree. */
export function describeProblems(error: z.ZodError): string[] {
  return error.issues.map((issue) => `settings.${issue.path.join(".")} ${issue.message}`);
}

async function sealed(
  keyring: Keyring,
  random: Random,
  secrets: readonly string[],
  fields: Layer,
): Promise<Layer> {
  const copy = { ...fields };
  for (const field of secrets) {
    const value = copy[field];
    if (typeof value === "string" && value !== "") {
      copy[field] = await seal(keyring, random, value);
    }
  }
  return copy;
}

async function unsealed(keyring: Keyring, secrets: readonly string[], fields: Layer): Promise<Layer> {
  const copy = { ...fields };
  for (const field of secrets) {
    const value = copy[field];
    // One that no accepted salt opens stops a start (`sealed_settings.ts`); another process may have saved it since.
    if (typeof value === "string" && value !== "") {
      copy[field] = (await unseal(keyring, value)) ?? "";
    }
  }
  return copy;
}
