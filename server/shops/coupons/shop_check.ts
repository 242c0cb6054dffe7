import type { Clock } from "../../platform/deps.ts";
import type { Kv } from "../../platform/kv/port.ts";
import { withoutAddresses } from "../../platform/observe/log.ts";
import type { CouponResult } from "../systems/port.ts";
import { type Key, readRow, typed } from "../../platform/kv/key.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { SettingsStore } from "../../settings/store/store.ts";

/** Whether the shop created the latest code that it was asked for: a test code, or a subscriber's. */
export interface ShopCheck {
  v: 1;
  /** Unix milliseconds. */
  at: number;
  ok: boolean;
  /** Why it created none, without the code. Absent if it did, and in rows of earlier versions. */
  reason?: string;
  /** The settings that were checked. */
  of: string;
}

interface Deps {
  kv: Kv;
  clock: Clock;
  settings: SettingsStore;
}

const shopCheckKey = (): Key<ShopCheck> => typed(keys.shopCheck());

/** Returns a text that changes with the settings of the shop: the version counts what is saved, also secrets. */
function checkedSettings({ settings }: Pick<Deps, "settings">): string {
  const { shop, shopUrl } = settings.current().checkout;
  return `${settings.stateOf("checkout").version} ${shop} ${shopUrl}`;
}

/** Stores whether the shop has created a code with the current settings. @param code anyone who has it can use it */
export async function storeShopCheck(
  { kv, clock, ...deps }: Deps,
  code: string,
  result: CouponResult,
): Promise<void> {
  const failed = result.kind === "trouble";
  const row: ShopCheck = {
    v: 1,
    at: clock.now(),
    ok: !failed,
    ...(failed && { reason: withoutAddresses(result.reason.replaceAll(code, "…")) }),
    of: checkedSettings(deps),
  };
  await kv.set(shopCheckKey(), row);
}

/** Stores what the shop did with a subscriber's code, unless it only works as before: most codes cost no write. */
export async function noteShopResult(deps: Deps, code: string, result: CouponResult): Promise<void> {
  const isNews = result.kind === "trouble" || (await readShopCheck(deps))?.ok === false;
  if (isNews) await storeShopCheck(deps, code, result);
}

/** Returns the latest check of the current settings, if there was one. */
export async function readShopCheck({ kv, settings }: Omit<Deps, "clock">): Promise<ShopCheck | undefined> {
  const row = await readRow(kv, shopCheckKey());
  return row?.of === checkedSettings({ settings }) ? row : undefined;
}
