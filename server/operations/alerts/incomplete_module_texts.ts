import type { IncompleteModule } from "./incomplete_modules.ts";
import { settingAt, type SettingPath, type Tab } from "../../settings/schema/schema.ts";
import { TAB_TITLES } from "../../settings/store/tabs.ts";

const EFFECTS: Record<IncompleteModule["module"], string> = {
  orders: "The shop is not connected: its orders are rejected",
  coupons: "Coupons are incomplete: nobody receives one",
  carts: "Abandoned cart emails are incomplete: no reminders are sent",
};

const LIST = new Intl.ListFormat("en");

/** Returns a sentence that says what does not work, and what to enter on which page. */
export function incompleteText(incomplete: IncompleteModule): string {
  const { module, missing } = incomplete;
  return `${EFFECTS[module]} until you enter ${missingText(missing)} on the ${
    TAB_TITLES[pageToComplete(incomplete)]
  } page.`;
}

/** Returns missing settings in words, such as "the shop's secret and the shop URL". @param paths such as `checkout.secret` */
export function missingText(paths: readonly string[]): string {
  return LIST.format(paths.map((path) => settingAt(path as SettingPath).about.noun ?? path));
}

/** Returns the page with all missing settings. */
export function pageToComplete({ module, missing }: IncompleteModule): Tab {
  return module === "coupons" ? "coupon" : missing[0]!.split(".")[0] as Tab;
}
