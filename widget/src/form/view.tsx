import type { ComponentChildren, TargetedEvent, TargetedMouseEvent, TargetedSubmitEvent } from "preact";
import { contractFields, fieldElements } from "../../../shared/fields/field_elements.tsx";
import { inputsOf } from "../signup/fields.ts";
import type { Cfbe } from "../types.ts";
import type { Model, ViewState } from "./model.ts";

function Button({ busy, sending, children }: {
  busy: boolean;
  sending: string;
  children: ComponentChildren;
}) {
  // Both labels take up space, so that the button keeps its width. It is not disabled while busy, because that would
  // remove the focus from it.
  return (
    <button part="button" type="submit" aria-disabled={busy}>
      <span class={busy ? "off" : ""}>{children}</span>
      <span class={busy ? "" : "off"}>{sending}</span>
    </button>
  );
}

/** The input of the email address above a correction of it. Forms without other fields have the submit button beside it. */
function emailLine(
  input: ComponentChildren,
  button: ComponentChildren,
  model: Model,
  { texts, suggestion }: ViewState,
) {
  const accept = (event: TargetedMouseEvent<HTMLButtonElement>) => {
    const [input] = inputsOf(event.currentTarget.form!, "email") as [HTMLInputElement];
    input.value = suggestion!;
    model.input(input);
    input.focus();
  };
  return (
    <div class="line">
      <div>
        {input}
        <div aria-live="polite">
          {suggestion && (
            <button part="hint" type="button" onClick={accept}>
              {texts.didYouMean.replace("{address}", suggestion)}
            </button>
          )}
        </div>
      </div>
      {button}
    </div>
  );
}

/**
 * The success message, shown over the form. Always in the page, so that screen readers announce its text.
 *
 * @param roomy whether there is room for the buttons of the next step where the form's own one was
 */
function Success(
  { state: { texts, phase, message, webMail }, roomy }: { state: ViewState; roomy: boolean },
) {
  // Not beside the message that someone is subscribed already, which sites can choose to show.
  const pending = message === texts.success;
  return (
    <div class={roomy ? "done roomy" : "done"} tabIndex={-1} role="status">
      {phase === "success" && (
        <div>
          <div>
            {pending && <h2>{texts.successHeading}</h2>}
            <p part="message">{message}</p>
            {pending && <p part="text">{texts.successHint}</p>}
          </div>
          {webMail && (
            <a
              part={roomy ? "button" : undefined}
              href={webMail.href}
              target="_blank"
              rel="noopener"
              title={texts.newTab}
            >
              {texts.openMail.replace("{provider}", webMail.name)}
            </a>
          )}
          {roomy && (
            <button
              part={webMail ? "hint" : "button"}
              type="button"
              onClick={() => (self.cfbe as Cfbe).close()}
            >
              {texts.close}
            </button>
          )}
        </div>
      )}
    </div>
  );
}

/** Announces the first error, and moves the focus to the result, unless the visitor has moved it elsewhere meanwhile. */
function showResult(form: HTMLFormElement, model: Model): void {
  const root = form.getRootNode() as ShadowRoot;
  const error = form.querySelector("[part=error]");
  // Later, so that screen readers notice that the message was gone if it is the same again.
  setTimeout(() => error?.isConnected && model.set({ message: error.textContent }), 100);
  if (!root.activeElement && document.activeElement !== document.body) return;
  const result = root.querySelector<HTMLElement>(".success > .done,[aria-invalid=true]");
  result?.focus();
  // Safari scrolls only to where the visitor types.
  result?.scrollIntoView({ block: "nearest" });
}

/**
 * Renders a form.
 *
 * @param pageSetsScheme whether the page sets a color scheme; if not, the form follows the visitor's preference
 */
export function View({ model, pageSetsScheme }: { model: Model; pageSetsScheme: boolean }) {
  const state = { ...model.state.value, ...model.placement() };
  const { attributes, phase, message, texts, nameField, interests, fields, consent, coupon, source } = state;
  // An empty attribute or setting hides the text, so only absent ones fall back to the next.
  const textOf = (what: "heading" | "text" | "button") => attributes[what] ?? state[what] ?? texts[what];
  const heading = textOf("heading");
  const text = textOf("text");
  const busy = phase === "busy";
  const button = <Button busy={busy} sending={texts.sending}>{textOf("button")}</Button>;
  const emailOnly = nameField === "hidden" && !interests.length && consent === "off" &&
    !fields?.some(({ kind }) => kind !== "hidden");

  const elements = fieldElements(state);
  const { consent: consentField, ...parts } = contractFields(
    state,
    elements,
    (input) => emailLine(input, emailOnly && button, model, state),
  );
  const more = model.fields();

  const onSubmit = async (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    await model.submit(form);
    showResult(form, model);
  };

  const onInput = (event: TargetedEvent<HTMLFormElement>) => model.input(event.target as HTMLInputElement);

  return (
    <div
      part="form"
      class={`${phase} ${source} ${attributes.theme ?? (pageSetsScheme ? "" : "auto")}`}
      lang={state.locale}
      dir={state.dir}
    >
      <form
        aria-label={heading || textOf("button")}
        noValidate
        onSubmit={onSubmit}
        onInput={onInput}
        // Some password managers dispatch no other event.
        onChange={onInput}
      >
        <div>
          {heading && <h2 part="heading">{heading}</h2>}
          {text && <p part="text">{text}</p>}
          {source === "promo" && coupon && <p part="coupon">{coupon}</p>}
        </div>
        {more ? more.renderFields(elements, state, parts) : Object.values(parts)}
        {consentField}
        {/* Honeypot: filled in by bots; hidden from people, screen readers and autofill. */}
        <div class="offscreen" aria-hidden="true">
          <input name="cfbe_hp" autocomplete="off" tabIndex={-1} />
        </div>
        {!emailOnly && button}
        <p part="message" role="status">
          {busy ? texts.sending : phase === "error" && message}
        </p>
      </form>
      <Success state={state} roomy={source === "popup" && (!emailOnly || state.steps === "button")} />
    </div>
  );
}
