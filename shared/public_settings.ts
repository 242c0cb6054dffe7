import type { Layout } from "./contract.ts";
import type { Texts } from "./texts/texts.ts";

/** An interest that a visitor may tick. */
export interface Interest {
  tag: string;
  label: string;
}

/** A named form as a page may know it. `cfg` is the signed `cfbe_cfg` to send with the signup. */
export interface PublicForm {
  layout: Layout;
  cfg: string;
  heading?: string;
  text?: string;
  button?: string;
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
}
