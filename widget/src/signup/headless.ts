/** `cfbe.subscribe()`: a signup for pages that draw everything themselves. */
import type { Answer } from "../../../shared/contract.ts";
import type { Context } from "../host/context.ts";
import type { HeadlessSignup } from "../types.ts";
import { placementOf, warnOfUnknown } from "./placement.ts";
import { createSignup } from "./signup.ts";

/**
 * Signs up as a form would: with a token that is waited for, and with events, sent from the document.
 *
 * @returns the answer; nothing when the page cancelled it
 */
export async function subscribe(
  context: Context,
  { form, ...filled }: HeadlessSignup,
): Promise<Answer | undefined> {
  const settings = await context.settings(context.localeOf(document.documentElement));
  const placement = placementOf(settings, form ?? null);
  if (placement.unknown) warnOfUnknown(placement.form);
  // Nobody has seen a form: the owner's count of those who did must not grow.
  const token: Context["token"] = ({ source }) => context.token({ form: "", source });
  return createSignup(document, { ...context, token }, () => placement).submit(settings, filled);
}
