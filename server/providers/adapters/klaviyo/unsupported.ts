import type { Provider } from "../../port/port.ts";
import { refused, unavailable } from "../../port/unsupported.ts";

/**
 * Returns the calls that the adapter does not make. They send nothing.
 *
 * Registering a webhook is among them although the API has calls for it: only some accounts may use them, and they
 * return the webhook's URL without its path, so that cfbe could not tell whether it is its own.
 */
export const unsupportedCalls: Pick<
  Provider,
  | "reactivate"
  | "sendTriggered"
  | "sendTransactional"
  | "template"
  | "unconfirmed"
  | "getWebhook"
  | "setWebhook"
> = {
  reactivate: refused("Only the person can come back, through one of Klaviyo's own forms."),
  sendTriggered: refused("Klaviyo sends emails to single people only from its flows."),
  sendTransactional: refused("Klaviyo sends emails to single people only from its flows."),
  template: unavailable("Klaviyo has no templates of single emails."),
  unconfirmed: unavailable("Klaviyo does not list who has not confirmed."),
  getWebhook: unavailable("Klaviyo does not show the webhook's URL."),
  setWebhook: refused("Register the webhook at Klaviyo."),
};
