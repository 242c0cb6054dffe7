import { secretFields, type Settings, type Tab } from "../../settings/schema/schema.ts";
import type { Layer } from "../../settings/store/precedence.ts";
import type { SettingsStore } from "../../settings/store/store.ts";

export interface ShownSettings {
  /** All effective settings, without secrets. */
  settings: Record<Tab, Layer>;
  /** Whether each secret is set, by its path. */
  secrets: Record<string, boolean>;
  /** By path, what fixes a setting: the config file or the environment. */
  fixed: Record<string, string>;
}

/** Returns the effective settings without secrets, to show or export. */
export function settingsShown(store: SettingsStore): ShownSettings {
  const settings = structuredClone(store.current()) as Settings & Record<Tab, Layer>;
  const secrets: Record<string, boolean> = {};
  for (const [tab, field] of secretFields(store.providers)) {
    const fields = settings[tab] as Layer;
    secrets[`${tab}.${field}`] = fields[field] !== "";
    delete fields[field];
  }
  const fixed: Record<string, string> = {};
  for (const [tab, fields] of Object.entries(store.current())) {
    for (const member of Object.keys(fields)) {
      const by = store.fixedBy(`${tab}.${member}`);
      if (by) fixed[`${tab}.${member}`] = by;
    }
  }
  return { settings, secrets, fixed };
}
