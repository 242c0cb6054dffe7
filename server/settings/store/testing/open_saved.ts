import { systemRandom } from "../../../platform/deps.ts";
import { createKeyring } from "../../../platform/keys/keyring.ts";
import type { Kv } from "../../../platform/kv/port.ts";
import { openSettings, type SettingsStore } from "../store.ts";

/** Opens the settings that are saved in a database, which nothing outside of it overrides. */
export const openSaved = (kv: Kv): Promise<SettingsStore> =>
  openSettings({
    kv,
    keyring: createKeyring(["a salt for tests, long enough to be one"]),
    random: systemRandom,
    fixed: [],
    fallback: {},
  });
