/** Every text that visitors see, in one language. `{name}` is a placeholder. */
export interface Language {
  form: Texts;
  cart: CartTexts;
}

/** The texts of forms. The settings can replace any. */
export interface Texts {
  heading: string;
  text: string;
  emailLabel: string;
  nameLabel: string;
  firstNameLabel: string;
  lastNameLabel: string;
  phoneLabel: string;
  countryLabel: string;
  /** First entry of a select, while nothing is chosen. */
  choose: string;
  interestsLabel: string;
  optional: string;
  /** After the label of a group of inputs. Browsers report only of a single input that it is required. */
  required: string;
  button: string;
  /** Button label while a signup is being sent. */
  sending: string;
  /** Button of the first of two steps. */
  next: string;
  /** Button that leads back to the first step. */
  back: string;
  /** Shown and announced in the second step. */
  stepTwo: string;
  success: string;
  /** Above and below the message while the address is to be confirmed. The same whether or not it is new. */
  successHeading: string;
  successHint: string;
  alreadySubscribed: string;
  /** Any error that the visitor cannot fix; also the message of a `rejected` response. */
  error: string;
  rateLimited: string;
  offline: string;
  invalidEmail: string;
  invalidName: string;
  invalidInterests: string;
  invalidConsent: string;
  /** A required field is empty. */
  missing: string;
  /** `{min}` and `{max}` are numbers of characters. */
  invalidText: string;
  invalidNumber: string;
  /** A number is less than `{min}` or greater than `{max}`. */
  outOfRange: string;
  invalidDate: string;
  invalidPhone: string;
  /** Shown above the invalid fields; the `message` of an `invalid` response. */
  invalid: string;
  /** Shown when a form was submitted without JavaScript too late, too soon, too large, or without a form token. */
  again: string;
  /** Shown on the page of a form that does not exist. */
  noForm: string;
  /** Shown on the page of a form that is a draft, paused or outside of its schedule. */
  formOff: string;
  /** `{address}` is the suggested correction of a mistyped address. */
  didYouMean: string;
  /** `{provider}` is the name of the visitor's webmail service. */
  openMail: string;
  /** Description of a link that opens in a new tab. */
  newTab: string;
  /** Screen-reader label of the close button. */
  close: string;
  /** Announced by screen readers when a slide-in or bar opens. */
  opened: string;
  /** Shown on promo bars while coupons are on. `{discount}` is the value of the coupon. */
  coupon: string;
}

/** The texts of the pages that links in a cart reminder open. */
export interface CartTexts {
  /** Asks whether to stop the reminders. */
  stopTitle: string;
  stop: string;
  stopButton: string;
  stoppedTitle: string;
  stopped: string;
  goneTitle: string;
  gone: string;
  wrongLink: string;
}
