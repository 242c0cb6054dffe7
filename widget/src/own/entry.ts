/** Enhances a form in the page's own markup: `<form data-cfbe-form="NAME">`. Renders nothing. */
import type { Context } from "../host/context.ts";
import { keepTokenFresh } from "../host/token_refresh.ts";
import { emit } from "../signup/events.ts";
import { readForm } from "../signup/fields.ts";
import { placementOf } from "../signup/placement.ts";
import { createSignup } from "../signup/signup.ts";
import { addHoneypot } from "./honeypot.ts";
import { createReport } from "./report.ts";

/**
 * Takes over a form's submission. Until then, and if this never runs, submitting uses the form's own `action`.
 *
 * @returns a function that restores the form
 */
export async function start(form: HTMLFormElement, context: Context): Promise<() => void> {
  const name = form.dataset.cfbeForm || null;
  const placement = placementOf(await context.settings(context.locales(form), name), name);
  if (placement.targeting) await (await context.load("placed")).start(form, context, placement);
  const signup = createSignup(form, context, () => placement);
  const read = placement.fields ? (await context.load("fields")).read : readForm;
  const [report, clear] = createReport(form, context.load);
  const honeypot = addHoneypot(form);
  const controller = keepTokenFresh(form, signup);

  const onSubmit = async (event: SubmitEvent) => {
    event.preventDefault();
    const response = await signup.submit(
      read(form, placement),
      () => report(true, { message: placement.texts.sending }),
    );
    if (!response) return;
    report(false, response);
    if (!response.success) return;
    // A field of the page named `reset` hides the form's own method.
    HTMLFormElement.prototype.reset.call(form);
    if (placement.successUrl) location.href = placement.successUrl;
  };
  form.addEventListener("submit", onSubmit, controller);
  emit(form, "ready", placement);

  return () => {
    controller.abort();
    honeypot.remove();
    clear();
  };
}
