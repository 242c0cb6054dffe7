/** A form in the page's own markup: `<form data-cfbe-form="NAME">`. The page draws it; this makes it work. */
import type { Context } from "../host/context.ts";
import { keepFresh } from "../host/page.ts";
import { emit } from "../signup/events.ts";
import { readForm } from "../signup/fields.ts";
import { placementOf } from "../signup/placement.ts";
import { createSignup } from "../signup/signup.ts";
import { createReport } from "./report.ts";
import { addTrap } from "./trap.ts";

/**
 * Takes over a form's submission.
 *
 * Until this has run, and if it never does, the form's own `action` works as without any script.
 *
 * @returns gives the form back to the page as it was
 */
export async function start(form: HTMLFormElement, context: Context): Promise<() => void> {
  const settings = await context.settings(context.localeOf(form));
  const placement = placementOf(settings, form.dataset.cfbeForm || null);
  const signup = createSignup(form, context, () => placement);
  const report = createReport(form, context.load);
  const removeTrap = addTrap(form);
  const life = keepFresh(form, signup);

  const onSubmit = async (event: SubmitEvent) => {
    event.preventDefault();
    const answer = await signup.submit(settings, readForm(form), () => {
      report(true, { message: settings.texts.sending });
    });
    if (!answer) return;
    // Without the marks there is still the message.
    report(false, answer).catch(console.warn);
    if (answer.success) form.reset();
  };
  form.addEventListener("submit", onSubmit, life);
  emit(form, "ready", placement);

  return () => {
    life.abort();
    removeTrap();
  };
}
