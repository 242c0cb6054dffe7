import type { Clock } from "../deps.ts";
import { type Key, readRow, typed } from "../kv/key.ts";
import { keys } from "../kv/keys.ts";
import type { SettingsStore } from "../settings/store.ts";

/** The result of the latest test code. */
export interface ShopCheck {
  v: 1;
  /** Unix milliseconds. */
  at: number;
  ok: boolean;
  /** The settings that were checked. */
  of: string;
}

interface Deps {
  kv: Deno.Kv;
  clock: Clock;
  settings: SettingsStore;
}

const shopCheckKey = (): Key<ShopCheck> => typed(keys.shopCheck());

/** Returns a text that changes with the settings of the shop: the version counts what is saved, also secrets. */
function checkedSettings({ settings }: Pick<Deps, "settings">): string {
  const { shop, shopUrl } = settings.current().checkout;
  return `${settings.stateOf("checkout").version} ${shop} ${shopUrl}`;
}

/** Stores whether the shop has created a test code with the current settings. */
export async function storeShopCheck({ kv, clock, ...deps }: Deps, ok: boolean): Promise<void> {
  const row: ShopCheck = { v: 1, at: clock.now(), ok, of: checkedSettings(deps) };
  await kv.set(shopCheckKey(), row);
}

/** Returns the latest check of the current settings, if there was one. */
export async function readShopCheck({ kv, settings }: Omit<Deps, "clock">): Promise<ShopCheck | undefined> {
  const row = await readRow(kv, shopCheckKey());
  return row?.of === checkedSettings({ settings }) ? row : undefined;
}
