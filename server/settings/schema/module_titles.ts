import type { Settings } from "./schema.ts";

/** Titles of the modules, for people. */
export const MODULE_TITLES: Readonly<Record<keyof Settings["general"]["modules"], string>> = {
  webhooks: "Inbound webhooks",
  coupons: "Coupons",
  carts: "Abandoned cart emails",
  checkout: "Signup at checkout",
  contactSync: "Contact sync",
  orderEmails: "Order emails",
};
