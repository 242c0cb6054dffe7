/** `cfbe.subscribe()`: a signup for pages that render their own form. */
import type { SubscribeResponse } from "../../../shared/contract.ts";
import type { Context } from "../host/context.ts";
import type { HeadlessSignup } from "../types.ts";
import { placementOf, unknownFormWarning } from "./placement.ts";
import { createSignup } from "./signup.ts";

/**
 * Signs up like a form does: waits for a token, and dispatches events on the document.
 *
 * @returns the server's response, or undefined if the page canceled the signup
 */
export async function start(
  context: Context,
  { form, ...values }: HeadlessSignup,
): Promise<SubscribeResponse | undefined> {
  const settings = await context.settings(context.locales(document.documentElement), form);
  const placement = placementOf(settings, form ?? null);
  if (placement.unknown) console.warn(unknownFormWarning(placement.form));
  // An empty name keeps this token out of the form view count.
  const token: Context["token"] = ({ source, cfg }) => context.token({ form: "", source, cfg });
  const more = placement.fields?.[0] &&
    (await context.load("fields")).readHidden(placement.fields, document.documentElement);
  return createSignup(document, { ...context, token }, () => placement)
    .submit({ ...values, ...more && { fields: { ...more, ...values.fields } } });
}
