import type { IncompleteModule } from "./incomplete_modules.ts";
import type { Tab } from "../settings/schema.ts";
import { TAB_TITLES } from "../settings/tabs.ts";

const NOUNS: Record<string, string> = {
  "checkout.shop": "a shop system that can create coupons",
  "checkout.secret": "the shop's secret",
  "checkout.shopUrl": "the shop URL",
  "checkout.apiKey": "the consumer key",
  "checkout.apiSecret": "the consumer secret or access token",
  "coupon.template": "an email template",
  "carts.template": "an email template",
};

const EFFECTS: Record<IncompleteModule["module"], string> = {
  orders: "The shop is not connected: its orders are rejected",
  coupons: "Coupons are incomplete: nobody receives one",
  carts: "Abandoned cart emails are incomplete: no reminders are sent",
};

const LIST = new Intl.ListFormat("en");

/** Returns a sentence that says what does not work, and what to enter on which page. */
export function incompleteText({ module, missing }: IncompleteModule): string {
  const byPage = Object.groupBy(missing, pageOf) as Partial<Record<Tab, string[]>>;
  const parts = (Object.entries(byPage) as [Tab, string[]][]).map(([tab, paths]) =>
    `${LIST.format(paths.map((path) => NOUNS[path] ?? path))} on the ${TAB_TITLES[tab]} page`
  );
  return `${EFFECTS[module]} until you enter ${parts.join(", and ")}.`;
}

/** Returns the settings tab of the first missing setting. */
export function pageToComplete({ missing }: IncompleteModule): Tab {
  return pageOf(missing[0]!);
}

function pageOf(path: string): Tab {
  return path.split(".")[0] as Tab;
}
