import type { Provider } from "../../port/port.ts";
import { absent, refused, unavailable } from "../../port/unsupported.ts";

/**
 * The calls that Kit's API has nothing for, and those that could do more than they should. They send nothing.
 *
 * A contact in Kit would be an unconfirmed subscriber with tags, and Kit's documentation does not say whether a tag makes
 * such a person active without their consent. Nor does it say whether a form sends its incentive email to an active person
 * who is added to it, and `importConfirmed` must send none.
 */
export const unsupportedCalls: Pick<
  Provider,
  | "resend"
  | "sendTriggered"
  | "sendTransactional"
  | "contact"
  | "saveContact"
  | "erase"
  | "reactivate"
  | "importConfirmed"
  | "changed"
  | "template"
> = {
  resend: refused("Kit sends the confirmation email of a form only once."),
  sendTriggered: refused("Kit cannot send single emails."),
  sendTransactional: refused("Kit cannot send single emails."),
  saveContact: refused("Kit cannot store somebody who is not a subscriber."),
  reactivate: refused("Kit does not let its API resubscribe anybody."),
  importConfirmed: refused("A form in Kit could email people who are added to it."),
  contact: absent,
  erase: absent,
  changed: unavailable("Kit does not list the changes of a form."),
  template: unavailable("Kit has no templates of single emails."),
};
