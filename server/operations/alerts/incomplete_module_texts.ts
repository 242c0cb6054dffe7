import type { IncompleteModule } from "./incomplete_modules.ts";
import { settingAt, type SettingPath, type Tab } from "../../settings/schema/schema.ts";
import { TAB_TITLES } from "../../settings/store/tabs.ts";

const EFFECTS: Record<Exclude<IncompleteModule["module"], "orderEmails">, string> = {
  orders: "The shop is not connected: its orders are rejected",
  coupons: "Coupons are incomplete: nobody receives one",
  carts: "Abandoned cart emails are incomplete: no reminders are sent",
};

const CANNOT_SEND: Record<Exclude<IncompleteModule["module"], "orders">, string> = {
  coupons: "Coupons are on, but your provider cannot send emails from a template: nobody receives one.",
  carts:
    "Abandoned cart emails are on, but your provider cannot send emails from a template: no reminders are sent.",
  orderEmails: "Order emails are on, but your provider cannot send emails from a template: none is sent.",
};

const LIST = new Intl.ListFormat("en");

/** Returns a sentence that says what does not work, and what to enter on which page. */
export function incompleteText(incomplete: IncompleteModule): string {
  const { module, missing } = incomplete;
  if (isLimitOfProvider(incomplete)) {
    return `${CANNOT_SEND[module as keyof typeof CANNOT_SEND]} Turn them off in ${TAB_TITLES.general}.`;
  }
  return `${EFFECTS[module as keyof typeof EFFECTS]} until you enter ${missingText(missing)} on the ${
    TAB_TITLES[pageToComplete(incomplete)]
  } page.`;
}

/** Returns missing settings in words, such as "the shop's secret and the shop URL". @param paths such as `checkout.secret` */
export function missingText(paths: readonly string[]): string {
  return LIST.format(paths.map((path) => settingAt(path as SettingPath).about.noun ?? path));
}

/** Returns whether no setting helps, because the provider can't do what the module needs. */
export function isLimitOfProvider({ missing }: IncompleteModule): boolean {
  return missing.includes("general.provider");
}

/** Returns the page with all missing settings. */
export function pageToComplete(incomplete: IncompleteModule): Tab {
  const { module, missing } = incomplete;
  if (isLimitOfProvider(incomplete)) return "general";
  return module === "coupons" ? "coupon" : missing[0]!.split(".")[0] as Tab;
}
