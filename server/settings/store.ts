import { z } from "zod";
import type { Random } from "../deps.ts";
import type { Keyring } from "../keys/keyring.ts";
import { seal, unseal } from "../keys/seal.ts";
import { keys } from "../kv/keys.ts";
import { type Layer, overlay } from "./precedence.ts";
import { SECRET_FIELDS, type Settings, SettingsSchema, type Tab, tabs } from "./schema.ts";

/** Settings as they hold now. */
export interface SettingsStore {
  /** The whole tree, defaults filled in. Cheap: read once, kept until `refresh` or `save`. */
  current(): Settings;
  /** Read what was saved again; another process may have saved. */
  refresh(): Promise<void>;
  /**
   * Save fields of one tab, over what was saved before; secrets are sealed.
   * @throws {z.ZodError} when the tab would not be valid
   */
  save(tab: Tab, fields: Layer): Promise<void>;
  /**
   * What fixes a field, so that saving it changes nothing (decisions §1); undefined: nothing does.
   * @param path such as `webhooks.secret`
   */
  fixedBy(path: string): FixedBy | undefined;
}

export type FixedBy = "config file" | "environment";

interface Options {
  kv: Deno.Kv;
  keyring: Keyring;
  random: Random;
  /** What the config file and the environment fix, in that order; the later wins. */
  fixed: readonly [file?: Layer, environment?: Layer];
  /** Below everything an admin saved: what the sandbox made at first start. */
  fallback: Layer;
  /** Told of every save, after it. */
  saved?: (tab: Tab) => void;
}

interface TabRow {
  v: 1;
  fields: Layer;
}

const TABS = Object.keys(tabs) as Tab[];

/**
 * Open the settings: environment, then config file, then saved, then fallback, then default (decisions §1).
 *
 * @throws {z.ZodError} when they are not valid together; `describeProblems` puts it into words
 */
export async function openSettings(options: Options): Promise<SettingsStore> {
  const { kv, keyring, random } = options;
  let saved: Layer = {};
  let current: Settings;

  function tree(savedLayer: Layer): Layer {
    return overlay(options.fallback, savedLayer, ...options.fixed.map((layer) => layer ?? {}));
  }

  async function read() {
    const rows = await Promise.all(TABS.map((tab) => kv.get<TabRow>(keys.settings(tab))));
    saved = {};
    for (const [index, tab] of TABS.entries()) {
      const fields = rows[index]?.value?.fields;
      if (fields) saved[tab] = await unsealed(keyring, tab, fields);
    }
  }
  async function refresh() {
    await read();
    current = SettingsSchema.parse(tree(saved));
  }

  await refresh();
  return {
    current: () => current,
    refresh,
    fixedBy(path) {
      const [file = {}, environment = {}] = options.fixed;
      if (at(environment, path) !== undefined) return "environment";
      return at(file, path) === undefined ? undefined : "config file";
    },
    async save(tab, fields) {
      // Another process may have saved other fields of the tab.
      await read();
      const next = overlay(saved, { [tab]: fields });
      SettingsSchema.parse(tree(next));
      const row: TabRow = { v: 1, fields: await sealed(keyring, random, tab, next[tab] as Layer) };
      await kv.set(keys.settings(tab), row);
      saved = next;
      current = SettingsSchema.parse(tree(saved));
      options.saved?.(tab);
    },
  };
}

/** What a layer says at a path, or undefined. */
function at(layer: Layer, path: string): unknown {
  let found: unknown = layer;
  for (const part of path.split(".")) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, part)) return undefined;
    found = (found as Layer)[part];
  }
  return found;
}

/** Every problem of invalid settings, a line each, with the place in the tree. */
export function describeProblems(error: z.ZodError): string[] {
  return error.issues.map((issue) => `settings.${issue.path.join(".")} ${issue.message}`);
}

async function sealed(keyring: Keyring, random: Random, tab: Tab, fields: Layer): Promise<Layer> {
  const copy = { ...fields };
  for (const [secretTab, field] of SECRET_FIELDS) {
    const value = copy[field];
    if (secretTab === tab && typeof value === "string" && value !== "") {
      copy[field] = await seal(keyring, random, value);
    }
  }
  return copy;
}

async function unsealed(keyring: Keyring, tab: Tab, fields: Layer): Promise<Layer> {
  const copy = { ...fields };
  for (const [secretTab, field] of SECRET_FIELDS) {
    const value = copy[field];
    // A secret that no accepted salt opens is as good as unset: the admin must enter it again.
    if (secretTab === tab && typeof value === "string" && value !== "") {
      copy[field] = (await unseal(keyring, value)) ?? "";
    }
  }
  return copy;
}
