import type { Provider } from "../../port/port.ts";
import { absent, refused, unavailable } from "../../port/unsupported.ts";

/**
 * Returns the calls that MailerLite's API has nothing for. They send nothing.
 *
 * Contacts are among them because MailerLite has no contact who is not a subscriber: storing a buyer would either send
 * them a confirmation email or make them active without their consent.
 */
export const unsupportedCalls: Pick<
  Provider,
  | "resend"
  | "sendTriggered"
  | "sendTransactional"
  | "contact"
  | "saveContact"
  | "reactivate"
  | "changed"
  | "template"
> = {
  resend: refused("MailerLite cannot resend a confirmation email."),
  sendTriggered: refused("MailerLite cannot send single emails."),
  sendTransactional: refused("MailerLite cannot send single emails."),
  saveContact: refused("MailerLite cannot store somebody who is not a subscriber."),
  reactivate: refused("MailerLite does not accept somebody who unsubscribed."),
  contact: absent,
  changed: unavailable("MailerLite does not list changes."),
  template: unavailable("MailerLite has no templates of single emails."),
};
