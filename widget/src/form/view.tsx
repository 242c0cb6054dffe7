import type { TargetedSubmitEvent } from "preact";
import { Consent, Email, Interests, Name } from "./fields.tsx";
import type { Model } from "./model.ts";

/** Bots fill it; people, screen readers and autofill never meet it. */
const Trap = () => (
  <div class="trap" aria-hidden="true">
    <input name="cfbe_hp" autocomplete="off" tabIndex={-1} />
  </div>
);

function Button({ model }: { model: Model }) {
  const { texts, forms } = model.settings.value;
  const { button, form } = model.attributes.value;
  const busy = model.phase.value === "busy";
  // Both captions keep their place, so that the button never changes its width. It is not disabled while busy:
  // that would take the focus from it.
  return (
    <button part="button" type="submit" aria-disabled={busy}>
      <span class={busy ? "off" : ""}>{button ?? forms[form ?? ""]?.button ?? texts.button}</span>
      <span class={busy ? "" : "off"}>{texts.sending}</span>
    </button>
  );
}

/** Takes the form's place when the signup is accepted. There from the start, so that its text is read out. */
function Success({ model }: { model: Model }) {
  const mail = model.webMail.value;
  return (
    <div class="done" tabIndex={-1} role="status">
      {model.phase.value === "success" && (
        <>
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <path d="m5 12.5 4.5 4.5L19 7.5" />
          </svg>
          <p part="message">{model.message.value}</p>
          {mail && (
            <a href={mail.href} target="_blank" rel="noopener">
              {model.settings.value.texts.openMail.replace("{provider}", mail.name)}
            </a>
          )}
        </>
      )}
    </div>
  );
}

/** Moves the focus to what the visitor has to read now, unless it was taken elsewhere while waiting. */
function focusOutcome(form: HTMLFormElement, { phase }: Model): void {
  const root = form.getRootNode() as ShadowRoot;
  if (!root.activeElement && document.activeElement !== document.body) return;
  const outcome = phase.peek() === "success" ? ".done" : "[aria-invalid=true]";
  root.querySelector<HTMLElement>(outcome)?.focus();
}

/**
 * A form as its model has it.
 *
 * @param schemed whether the page names its colour scheme; if not, the visitor's own wish counts
 */
export function View({ model, schemed }: { model: Model; schemed: boolean }) {
  const { settings, attributes, phase, message } = model;
  const { texts, dir, locale, forms, nameField, interests, consent } = settings.value;
  const { form: name, theme, ...written } = attributes.value;
  const named = forms[name ?? ""];
  // An attribute or a setting may be empty, to show none; so only what is absent falls through.
  const heading = written.heading ?? named?.heading ?? texts.heading;
  const text = written.text ?? named?.text ?? texts.text;
  const button = <Button model={model} />;
  const short = nameField === "hidden" && !interests.length && consent === "off";
  const busy = phase.value === "busy";

  const onSubmit = async (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    await model.submit(form);
    focusOutcome(form, model);
  };

  return (
    <div part="form" class={`${phase} ${theme ?? (schemed ? "" : "auto")}`} lang={locale} dir={dir}>
      <form noValidate onSubmit={onSubmit} onInput={(event) => model.typed(event.target as HTMLInputElement)}>
        {heading && <h2 part="heading">{heading}</h2>}
        {text && <p part="text">{text}</p>}
        <Email model={model}>{short && button}</Email>
        {nameField !== "hidden" && <Name model={model} />}
        {interests.length > 0 && <Interests model={model} />}
        {consent !== "off" && <Consent model={model} />}
        <Trap />
        {!short && button}
        <p part="message" role="status" class={busy ? "quiet" : ""}>{busy ? texts.sending : message.value}</p>
      </form>
      <Success model={model} />
    </div>
  );
}
