import type { SignupSource } from "../../../shared/contract.ts";

/** Titles of the sources alone, for signups with a named form and without one. */
export const SOURCE_KINDS: Readonly<Record<SignupSource, string>> = {
  shortcode: "Inline form",
  block: "Block form",
  promo: "Promo bar",
  popup: "Popup",
  checkout: "Checkout",
  account: "Shop accounts",
  integration: "Integrations",
};
