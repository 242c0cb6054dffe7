import { secretFields, type Settings, type Tab } from "../settings/schema.ts";
import type { Layer } from "../settings/precedence.ts";
import type { SettingsStore } from "../settings/store.ts";

export interface ShownSettings {
  /** The whole tree as it holds, but for secrets: what they are is nobody's to read. */
  settings: Record<Tab, Layer>;
  /** Secrets by their path, and whether each is set. */
  secrets: Record<string, boolean>;
  /** What is fixed by the config file or the environment, by path of the member of a tab. */
  fixed: Record<string, string>;
}

/** The settings for somebody to look at, or to keep in a file. */
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
