import type { Clock, Random } from "../../platform/deps.ts";
import { cas } from "../../platform/kv/cas.ts";
import { type Key, readRow, typed } from "../../platform/kv/key.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { Kv } from "../../platform/kv/port.ts";
import { SANDBOX } from "../../providers/providers.ts";
import { missingFields } from "./provider.ts";
import type { SettingsStore } from "./store.ts";

/** The providers that have been chosen and set up, in the order of their first choice, as `general.provider` names them. */
interface ProviderHistoryRow {
  v: 1;
  names: string[];
}

const historyKey: Key<ProviderHistoryRow> = typed(keys.providerHistory());

export interface ProviderHistory {
  /**
   * Returns the first one: the provider of the signups that name none, because they are from an earlier version. The
   * sandbox counts only as long as there is no other, because it emails nobody.
   */
  first(): string;
  /** Returns all, including the one that is chosen now. */
  names(): readonly string[];
  /** Reads what was noted before. */
  load(): Promise<void>;
  /**
   * Notes the chosen provider, once its required settings are set: without them, nothing ever reaches it. Call it at the start of the service, and when the settings
   * may have changed.
   */
  note(): Promise<void>;
}

interface Deps {
  kv: Kv;
  clock: Clock;
  random: Random;
  settings: Pick<SettingsStore, "current" | "providers">;
}

/** Remembers which providers were chosen. The environment can choose one too, so saves of the settings are not enough. */
export function createProviderHistory({ kv, clock, random, settings }: Deps): ProviderHistory {
  let noted: readonly string[] = [];
  const chosen = () => settings.current().general.provider;
  const names = () => noted.includes(chosen()) ? noted : [...noted, chosen()];
  return {
    names,
    first: () => names().find((name) => name !== SANDBOX) ?? SANDBOX,
    async load() {
      noted = (await readRow(kv, historyKey))?.names ?? [];
    },
    async note() {
      const name = chosen();
      if (noted.includes(name) || missingFields(settings.current(), settings.providers).length > 0) return;
      noted = await cas(kv, { history: historyKey }, ({ history }) => {
        const before = history.value?.names ?? [];
        if (before.includes(name)) return { value: before };
        const row: ProviderHistoryRow = { v: 1, names: [...before, name] };
        return { value: row.names, write: (tx) => void tx.set(historyKey, row) };
      }, { clock, random });
    },
  };
}
