import type { Layout } from "./contract.ts";
import type { Texts } from "./texts/texts.ts";

/** An interest that a visitor may tick. */
export interface Interest {
  tag: string;
  label: string;
}

/** A named form as a page may know it. `cfg` is the signed `cfbe_cfg` to send with the signup. */
export interface PublicForm {
  /** In the popup every form has the popup's. */
  layout: Layout | "popup";
  cfg: string;
  heading?: string;
  text?: string;
  button?: string;
}

/** When the popup may show itself; the Popup tab of the settings. */
export interface PopupRules {
  /** The popup is due when the first of these has happened; 0 and false are never, and none at all is at once. */
  triggers: { delaySeconds: number; scrollPercent: number; exitIntent: boolean };
  /** How long it stays away after it was closed. */
  hideDays: number;
  /** It waits while an element that this selector finds can be seen; empty finds none. */
  cookieBarSelector: string;
  /** Paths and path segments it stays away from, beside cart, checkout and account. */
  excludePaths: string[];
}

/** The popup as a page may know it: a form that names no other shows these words in it. */
export interface PublicPopup {
  cfg: string;
  heading?: string;
  text?: string;
  /** Absent while it is off: then it opens only when a button or a script asks for it. */
  rules?: PopupRules;
}

/**
 * What `GET {base_url}/cfbe.json?locale=…` answers: everything a form needs to show itself, in one locale.
 * No secret and nothing about any address is in it; it is cached by browsers for a minute and carries an ETag.
 */
export interface PublicSettings {
  /** The locale of `texts`, a BCP 47 tag: the best match for the one asked for. */
  locale: string;
  dir: "ltr" | "rtl";
  texts: Texts;
  nameField: "hidden" | "optional" | "required";
  interests: Interest[];
  consent: "off" | "optional" | "required";
  /** Plain text; `[label](https://…)` is a link. Empty when consent is off. */
  consentText: string;
  /** Signed configuration for forms that name none: it carries the locale and the consent text shown. */
  cfg: string;
  /** By name. A page that names an unknown form gets the default list. */
  forms: Record<string, PublicForm>;
  popup: PublicPopup;
  /** What a promo strip offers, while coupons are on. */
  coupon?: string;
}
