import type { Tab } from "../schema/schema.ts";

/** Title of each settings tab, used by the admin's pages and in messages. */
export const TAB_TITLES = {
  general: "General",
  forms: "Forms",
  form: "Form defaults",
  popup: "Popup",
  coupon: "Coupons",
  privacy: "Privacy",
  webhooks: "Webhooks",
  checkout: "Checkout",
  carts: "Carts",
  orders: "Orders",
} as const satisfies Record<Tab, string>;

export const TABS = Object.keys(TAB_TITLES) as Tab[];
