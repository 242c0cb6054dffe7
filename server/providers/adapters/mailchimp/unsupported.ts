import type { Provider } from "../../port/port.ts";
import { absent, refused, unavailable } from "../../port/unsupported.ts";

/**
 * Returns the calls that Mailchimp's marketing API has nothing for. They send nothing.
 *
 * Contacts are among them because each one belongs to an audience, and the port names none. Emails to one person are a
 * product of their own (Mailchimp Transactional), with a key of its own.
 */
export const unsupportedCalls: Pick<
  Provider,
  "resend" | "sendTriggered" | "sendTransactional" | "contact" | "saveContact" | "reactivate" | "template"
> = {
  resend: refused("Mailchimp has no documented way to resend a confirmation email."),
  sendTriggered: refused("Mailchimp cannot send single emails."),
  sendTransactional: refused("Mailchimp cannot send single emails."),
  saveContact: refused("Mailchimp cannot store somebody outside an audience."),
  reactivate: refused("Mailchimp does not accept somebody who unsubscribed without a new confirmation."),
  contact: absent,
  template: unavailable("Mailchimp has no templates of single emails in this API."),
};
