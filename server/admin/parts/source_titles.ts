import { formTitle } from "../../settings/forms/all_forms.ts";
import type { Settings } from "../../settings/schema/schema.ts";
import { TEST_FORM } from "../../forms/public/test_form.ts";

const TITLES: Readonly<Record<string, string>> = {
  shortcode: "Default form",
  block: "Default block",
  promo: "Default promo",
  popup: "Popup",
  checkout: "Checkout",
  account: "Shop accounts",
  integration: "Integrations",
  "-": "Unknown form",
  [TEST_FORM]: "Test signups",
};

/** Returns the title of a signup's form: that of its source if it names none. */
export function sourceTitle(settings: Pick<Settings, "forms">, source: string): string {
  return Object.hasOwn(TITLES, source) ? TITLES[source]! : formTitle(settings, source);
}
