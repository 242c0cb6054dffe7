/**
 * Every text a visitor may see. A locale file holds all of them; settings may replace any.
 * `{…}` marks a place that the program fills in.
 */
export interface Texts {
  heading: string;
  text: string;
  emailLabel: string;
  nameLabel: string;
  interestsLabel: string;
  optional: string;
  button: string;
  /** On the button while a signup is on its way. */
  sending: string;
  success: string;
  alreadySubscribed: string;
  /** Anything that went wrong and is not the visitor's to mend; also the answer `rejected`. */
  error: string;
  rateLimited: string;
  offline: string;
  invalidEmail: string;
  invalidName: string;
  invalidInterests: string;
  invalidConsent: string;
  /** Above the list of fields to mend; the `message` of an `invalid` answer. */
  invalid: string;
  /** Where a form without script is shown again because it lay open for too long, or not long enough. */
  again: string;
  /** The page of a form that doesn't exist. */
  noForm: string;
  /** `{address}` is the address that was probably meant. */
  didYouMean: string;
  /** `{provider}` is the name of the visitor's web mail. */
  openMail: string;
  /** What the button with the cross says to those who can't see it. */
  close: string;
  /** On the promo strip, while coupons are on. `{discount}` is what a coupon takes off. */
  coupon: string;
}
