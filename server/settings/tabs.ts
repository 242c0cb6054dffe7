import type { Tab } from "./schema.ts";

/** Title of each tab of the settings: the admin's page, and what messages call it. */
export const TAB_TITLES = {
  general: "General",
  forms: "Forms",
  form: "Form",
  popup: "Popup",
  coupon: "Coupon",
  privacy: "Privacy",
  webhooks: "Webhooks",
  checkout: "Checkout",
  carts: "Carts",
  orders: "Orders",
} as const satisfies Record<Tab, string>;

export const TABS = Object.keys(TAB_TITLES) as Tab[];
