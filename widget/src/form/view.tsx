import type { ComponentChildren, TargetedSubmitEvent } from "preact";
import { Consent, Email, Interests, Name } from "./fields.tsx";
import type { Model, State } from "./model.ts";

function Button({ busy, sending, children }: {
  busy: boolean;
  sending: string;
  children: ComponentChildren;
}) {
  // Both captions keep their place, so that the button never changes its width. It is not disabled while busy:
  // that would take the focus from it.
  return (
    <button part="button" type="submit" aria-disabled={busy}>
      <span class={busy ? "off" : ""}>{children}</span>
      <span class={busy ? "" : "off"}>{sending}</span>
    </button>
  );
}

/** Takes the form's place. There from the start, so that its text is read out when it comes. */
function Success({ state: { settings, phase, message, webMail } }: { state: State }) {
  const success = phase === "success";
  return (
    <div class="done" tabIndex={-1} role="status">
      {success && (
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="m5 12.5 4.5 4.5L19 7.5" />
        </svg>
      )}
      {success && (
        <div>
          <p part="message">{message}</p>
          {webMail && (
            <a href={webMail.href} target="_blank" rel="noopener">
              {settings.texts.openMail.replace("{provider}", webMail.name)}
            </a>
          )}
        </div>
      )}
    </div>
  );
}

/** Moves the focus to what the visitor has to read now, unless it was taken elsewhere while waiting. */
function focusOutcome(form: HTMLFormElement): void {
  const root = form.getRootNode() as ShadowRoot;
  if (!root.activeElement && document.activeElement !== document.body) return;
  root.querySelector<HTMLElement>(".success > .done,[aria-invalid=true]")?.focus();
}

/**
 * A form as its model has it.
 *
 * @param schemed whether the page names its colour scheme; if not, the visitor's own wish counts
 */
export function View({ model, schemed }: { model: Model; schemed: boolean }) {
  const state = model.state.value;
  const { settings, attributes, phase, message } = state;
  const { texts, nameField, interests, consent, coupon } = settings;
  const { source } = model.placement();
  const named = settings.forms[attributes.form ?? ""];
  // An attribute or a setting may be empty, to show none; so only what is absent falls through.
  const say = (what: "heading" | "text" | "button") => attributes[what] ?? named?.[what] ?? texts[what];
  const heading = say("heading");
  const text = say("text");
  const busy = phase === "busy";
  const button = <Button busy={busy} sending={texts.sending}>{say("button")}</Button>;
  const short = nameField === "hidden" && !interests.length && consent === "off";

  const onSubmit = async (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    await model.submit(form);
    focusOutcome(form);
  };

  return (
    <div
      part="form"
      class={`${phase} ${source} ${attributes.theme ?? (schemed ? "" : "auto")}`}
      lang={settings.locale}
      dir={settings.dir}
    >
      <form noValidate onSubmit={onSubmit} onInput={(event) => model.typed(event.target as HTMLInputElement)}>
        <div>
          {heading && <h2 part="heading">{heading}</h2>}
          {text && <p part="text">{text}</p>}
          {source === "promo" && coupon && <p part="coupon">{coupon}</p>}
        </div>
        <Email model={model} state={state}>{short && button}</Email>
        {nameField !== "hidden" && <Name state={state} />}
        {interests.length > 0 && <Interests state={state} />}
        {consent !== "off" && <Consent state={state} />}
        {/* Bots fill it; people, screen readers and autofill never meet it. */}
        <div class="trap" aria-hidden="true">
          <input name="cfbe_hp" autocomplete="off" tabIndex={-1} />
        </div>
        {!short && button}
        <p part="message" role="status">
          {busy ? texts.sending : phase === "error" && message}
        </p>
      </form>
      <Success state={state} />
    </div>
  );
}
