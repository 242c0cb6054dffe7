import type { Layout } from "./contract.ts";
import type { Countdown } from "./countdown.ts";
import type { PublicDesign } from "./design/public_design.ts";
import type { FirstStep } from "./fields/order.ts";
import type { DatePart, FieldOption, FormField } from "./fields/kinds.ts";
import type { OpeningKind, OpeningLooks, PopupWidth } from "./opening_kinds.ts";
import type { Targeting } from "./targeting.ts";
import type { Texts } from "./texts/texts.ts";

/** An interest that a visitor can select. */
export interface Interest {
  tag: string;
  label: string;
}

/** What a form displays: its texts, fields and consent. */
export interface FormDisplay {
  texts: Texts;
  nameField: "hidden" | "optional" | "required";
  interests: Interest[];
  /** Fields in addition to those of the contract, in order. */
  fields?: FormField[];
  /**
   * Names of email, name, interests and all fields in the order in which the form shows them. Absent or empty for this one,
   * which pages of earlier versions of the widget always show.
   */
  order?: string[];
  consent: "off" | "optional" | "required";
  /** Plain text; `[label](https://…)` is a link. Empty when consent is off. */
  consentText: string;
  /** Whether a signup tells which page showed the form. */
  attribution?: boolean;
  /** Where to send the visitor after the signup: a URL or a path. Absent or empty to show the message instead. */
  successUrl?: string;
  /** Absent if the form has the default look. A form's own design replaces that of the default form as a whole. */
  design?: PublicDesign;
  /** Offer shown on promo bars while coupons are on. */
  coupon?: string;
}

/** What a form displays in one language besides its texts. */
interface InOneLanguage {
  /** BCP 47 tag of the texts: the best match for the requested locale. */
  locale: string;
  dir: "ltr" | "rtl";
  /**
   * All countries in the language's alphabetical order. Absent if no form asks for one. From the server, because a browser
   * would take 11 ms or more to load its names of countries.
   */
  countries?: FieldOption[];
  /** The parts of a date without a year. Absent if no form asks for one. */
  dateParts?: DatePart[];
}

/**
 * What a form has in place of the default form's settings. `texts` has only those that differ, or all in another language;
 * `heading`, `text` and `button` replace those of the same name in it.
 */
export interface PublicFormSettings extends Partial<Omit<FormDisplay, "texts"> & InOneLanguage> {
  texts?: Partial<Texts>;
  heading?: string;
  text?: string;
  button?: string;
  /** What the first of two steps has: only the button, or the email address. Absent if the form has one step. */
  steps?: FirstStep;
  /** Null in a variant that has none, unlike its form. */
  countdown?: Countdown | null;
}

/** A variant of a form in an experiment: what it has in place of the form's settings. */
export interface PublicVariant extends PublicFormSettings {
  /** End of its range of the numbers from 0 to 1, one of which is drawn per session. The first range begins with 0. */
  until: number;
  /** Signed configuration that names the variant, sent as `cfbe_cfg` in place of the form's. */
  cfg: string;
  /** Whether the form must not open by itself. */
  hidden?: true;
  /** Only if variants of a named form open at different times: its opening. */
  opens?: PublicOpening;
  /** The same for the popup. */
  rules?: PopupRules;
}

/** A running experiment. The browser draws a variant. */
export interface PublicExperiment {
  id: string;
  /** Whether signups through all forms of a page count. */
  all?: true;
  variants: PublicVariant[];
}

/** Public settings of a named form. */
export interface PublicForm extends PublicFormSettings {
  /** `popup` for every form shown in the popup. */
  layout: Layout | "popup";
  /** Signed configuration, sent as `cfbe_cfg`. */
  cfg: string;
  /** The pages and visitors that the form is meant for where a page has it. Absent if it is meant for all. */
  targeting?: Targeting | undefined;
  /** Absent for a form that appears only where a page has it. */
  opens?: PublicOpening;
  /** Whether pages do not show the form. Set in the browser, because the settings do not name such forms. */
  off?: true;
  experiment?: PublicExperiment;
}

/** How and when a form opens by itself. */
export interface PublicOpening extends PopupRules, OpeningLooks {
  kind: OpeningKind;
}

/** Triggers whose code is loaded only if a form has one. Has at least one member. */
export interface MoreTriggers {
  /** Seconds for which the visitor sends no input while the page is visible. */
  inactiveSeconds?: number;
  /** A CSS selector of elements. It fires as soon as one of them is in the window. */
  seenSelector?: string;
  /** A CSS selector of elements. A click on one of them opens the form, like a button with `data-cfbe-open`. */
  clickSelector?: string;
}

/** When the popup, or another form that opens by itself, opens. */
export interface PopupRules {
  /**
   * The popup opens on whichever happens first. 0 and false turn a trigger off; without triggers it opens at once.
   */
  triggers: {
    delaySeconds: number;
    scrollPercent: number;
    exitIntent: boolean;
    /** Absent if there are none. */
    more?: MoreTriggers;
  };
  /** Days for which the popup stays hidden after a visitor closed it; may be a fraction. */
  hideDays: number;
  /** The popup waits while an element that matches this CSS selector is visible. Empty matches nothing. */
  cookieBarSelector: string;
  /** Paths and path segments where the popup never opens, in addition to cart, checkout and account pages. */
  excludePaths: string[];
  /** The pages and visitors that the popup is meant for. Absent if it is meant for all. */
  targeting?: Targeting;
  /** Hours for which it stays hidden after a visitor closed any form that opens by itself. Absent if it is the only one. */
  quietHours?: number;
  /**
   * Set by the code that draws variants. Called at each check with the names of what blocks the form besides elements of
   * the page, separated by commas.
   */
  on?(blockers: string): void;
}

/** Public settings of the popup. They apply to the form without a name. */
export interface PublicPopup extends PublicFormSettings {
  cfg: string;
  /** Absent for the standard width. */
  width?: PopupWidth;
  /** Absent while the popup is off: it then opens only from a button or a script. */
  rules?: PopupRules;
  experiment?: PublicExperiment;
}

/**
 * Response of `GET {base_url}/cfbe.json?locale=…`: everything that forms need to render in one locale.
 * Contains no secrets and no personal data. Browsers cache it for a minute; it has an ETag.
 */
export interface PublicSettings extends FormDisplay, InOneLanguage {
  /** Signed configuration of the default form; contains the locale and the consent text shown. */
  cfg: string;
  /** Forms by name. Unknown names subscribe to the default list. */
  forms: Record<string, PublicForm>;
  /**
   * Hashes of the names of forms that pages do not show: drafts, paused forms, and those outside of their schedule. Absent
   * if there are none.
   */
  offForms?: number[];
  popup: PublicPopup;
  /** Names of the forms that open by themselves, in order of priority after the popup. Absent if there are none. */
  opening?: string[];
  /** The part of the widget that these settings pass through before any form uses them: a form has an experiment, or is off. */
  preload?: "variants";
  /** The part of the widget that remembers where a visit came from: a form's targeting or attribution asks for it. */
  visit?: "visit";
  /**
   * Whether the widget sends signups as plain text, for which browsers send no preflight request. Only while there are
   * allowed origins: the server accepts it from their pages. Absent otherwise.
   */
  asText?: boolean;
}

/** What comes with `cfbe.js?form=NAME`, a script that names its form. */
export interface NamedSettings {
  /** Those of this form, and of the forms that open by themselves. */
  settings: PublicSettings;
  /** Whether all locales of the language of `settings.locale` mean that locale. */
  isOnlyRegion: boolean;
  /** Hashes of the origins whose pages may use the settings. Absent if all may. */
  origins?: number[];
}
