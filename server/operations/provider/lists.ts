import { type Key, readRow, typed } from "../../platform/kv/key.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { Kv } from "../../platform/kv/port.ts";
import type { Provider, ProviderList } from "../../providers/port/port.ts";
import type { SettingsStore } from "../../settings/store/store.ts";
import type { FixedBy } from "../../settings/store/precedence.ts";
import type { Settings } from "../../settings/schema/schema.ts";

export type LoadedLists =
  | {
    kind: "loaded";
    lists: ProviderList[];
    /** Names of lists that are new. */
    added: string[];
    /** Names of known lists that no longer exist at the provider. */
    removed: string[];
    /** Lists that the settings use but the provider does not have, with the settings that use them. */
    missing: { id: string; where: string[] }[];
    /** Set if `knownLists` is fixed by the config file or environment: the loaded lists are then not saved. */
    fixedBy?: FixedBy;
  }
  | { kind: "trouble"; reason: string };

/** Maximum number of lists that the setting accepts. */
const MAX_KNOWN = 500;

/** Loads the provider's lists and saves them as the known lists (contract 2.10). */
export async function loadLists(
  app: { kv: Kv; provider: Provider; settings: SettingsStore },
): Promise<LoadedLists> {
  const { provider: name } = app.settings.current().general;
  const found = await app.provider.lists();
  if (found.kind === "trouble") return { kind: "trouble", reason: found.reason };
  const lists = found.lists.slice(0, MAX_KNOWN);
  const before = app.settings.current().general.knownLists;
  const fixedBy = app.settings.fixedBy("general.knownLists");
  if (!fixedBy) {
    await app.settings.save("general", { knownLists: knownListsOf(lists) });
    await noteListsSource(app.kv, name);
  }
  return {
    kind: "loaded",
    lists,
    added: namesNotIn(before, lists),
    removed: namesNotIn(lists, before),
    missing: missingLists(app.settings.current(), lists),
    ...(fixedBy && { fixedBy }),
  };
}

/** The provider that the known lists were loaded from, as `general.provider` names it. */
interface ListsSourceRow {
  v: 1;
  provider: string;
}

const sourceKey: Key<ListsSourceRow> = typed(keys.listsSource());

/**
 * Notes which provider the known lists were loaded from, after they were saved. If the process dies in between, they have
 * to be loaded again.
 */
export async function noteListsSource(kv: Kv, provider: string): Promise<void> {
  await kv.set(sourceKey, { v: 1, provider } satisfies ListsSourceRow);
}

/**
 * Returns the provider that the known lists were loaded from, if it is another one than that of the settings now: the
 * environment may have chosen that since. Lists that nobody loaded, or that an earlier version did, count as its own.
 */
export async function otherListsSource(
  { kv, settings }: { kv: Kv; settings: Pick<SettingsStore, "current" | "fixedBy"> },
): Promise<string | undefined> {
  const { provider, knownLists } = settings.current().general;
  if (knownLists.length === 0 || settings.fixedBy("general.knownLists")) return undefined;
  const source = (await readRow(kv, sourceKey))?.provider;
  return source === provider ? undefined : source;
}

/** Returns a provider's lists as the setting `general.knownLists` stores them. */
export function knownListsOf(lists: readonly ProviderList[]): Settings["general"]["knownLists"] {
  return lists.slice(0, MAX_KNOWN).map(({ id, name, doubleOptIn }) => ({
    id,
    name: name.trim().slice(0, 200),
    ...(doubleOptIn !== undefined && { doubleOptIn }),
  }));
}

/** Returns which settings use which list: names of settings by list ID. */
export function chosenLists({ general, popup, checkout, coupon, forms }: Settings): Map<string, string[]> {
  const chosen = new Map<string, string[]>();
  const choose = (id: string, where: string) => {
    if (id !== "") chosen.set(id, [...chosen.get(id) ?? [], where]);
  };
  choose(general.defaultList, "general.defaultList");
  choose(popup.list, "popup.list");
  choose(checkout.list, "checkout.list");
  choose(coupon.list, "coupon.list");
  for (const form of forms.forms) choose(form.list, `form ${form.name}`);
  return chosen;
}

/** Returns the lists that the settings use but the provider does not have. */
export function missingLists(
  settings: Settings,
  lists: readonly Pick<ProviderList, "id">[],
): { id: string; where: string[] }[] {
  const existing = new Set(lists.map(({ id }) => id));
  return [...chosenLists(settings)].filter(([id]) => !existing.has(id)).map(([id, where]) => ({ id, where }));
}

interface Named {
  id: string;
  name: string;
}

/** Returns the names of the lists that are not among the others. */
function namesNotIn(others: readonly Named[], lists: readonly Named[]): string[] {
  const known = new Set(others.map(({ id }) => id));
  return lists.filter(({ id }) => !known.has(id)).map(({ name }) => name);
}
