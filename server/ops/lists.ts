import type { Provider, ProviderList } from "../provider/port.ts";
import type { SettingsStore } from "../settings/store.ts";
import type { FixedBy } from "../settings/precedence.ts";
import type { Settings } from "../settings/schema.ts";

export type LoadedLists =
  | {
    kind: "loaded";
    lists: ProviderList[];
    /** Names of lists that were not known before, and of known ones that are gone at the provider. */
    added: string[];
    removed: string[];
    /** Lists that the settings choose and the provider does not have, with where they are chosen. */
    missing: { id: string; where: string[] }[];
    /** What fixes the known lists: what was loaded is then shown, and not used. */
    fixedBy?: FixedBy;
  }
  | { kind: "trouble"; reason: string };

/** The setting takes no more; the provider's adapter reads 600 at most. */
const KNOWN_MAX = 500;

/** Ask the provider for its lists and remember them as the known ones (contract 2.10). */
export async function loadLists(
  app: { provider: Provider; settings: SettingsStore },
): Promise<LoadedLists> {
  const found = await app.provider.lists();
  if (found.kind === "trouble") return { kind: "trouble", reason: found.reason };
  const lists = found.lists.slice(0, KNOWN_MAX);
  const before = app.settings.current().general.knownLists;
  const fixedBy = app.settings.fixedBy("general.knownLists");
  if (!fixedBy) {
    const knownLists = lists.map(({ id, name, doubleOptIn }) => ({
      id,
      name: name.trim().slice(0, 200),
      doubleOptIn,
    }));
    await app.settings.save("general", { knownLists });
  }
  return {
    kind: "loaded",
    lists,
    added: namesMissing(lists, before),
    removed: namesMissing(before, lists),
    missing: missingLists(app.settings.current(), lists),
    ...(fixedBy && { fixedBy }),
  };
}

/** Where the settings choose lists: id by place, as a person would look for it. */
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

/** The chosen lists that the provider does not have. */
export function missingLists(
  settings: Settings,
  lists: readonly ProviderList[],
): { id: string; where: string[] }[] {
  const there = new Set(lists.map(({ id }) => id));
  return [...chosenLists(settings)].filter(([id]) => !there.has(id)).map(([id, where]) => ({ id, where }));
}

interface Named {
  id: string;
  name: string;
}

function namesMissing(from: readonly Named[], in_: readonly Named[]): string[] {
  const there = new Set(in_.map(({ id }) => id));
  return from.filter(({ id }) => !there.has(id)).map(({ name }) => name);
}
