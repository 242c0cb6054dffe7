import type { ComponentChildren, TargetedMouseEvent } from "preact";
import { parseConsent } from "../../../shared/consent_text.ts";
import type { VisitorField } from "../../../shared/contract.ts";
import { inputsOf } from "../signup/fields.ts";
import type { Model, ViewState } from "./model.ts";

/**
 * Returns the attributes that connect an input to its error message for screen readers. Valid inputs say so, too: browsers
 * report an empty required checkbox as invalid.
 */
function errorAttributes({ errors }: ViewState, name: VisitorField) {
  return { "aria-invalid": !!errors[name], "aria-describedby": errors[name] && `${name}-error` };
}

/** Renders a field's error message. Not a component, which would render an empty node if there is no error. */
function errorMessage({ errors }: ViewState, name: VisitorField) {
  return errors[name] && <p part="error" id={`${name}-error`}>{errors[name]}</p>;
}

/** The email field. Forms without other fields show the submit button (`children`) beside it. */
export function Email({ model, state, children }: {
  model: Model;
  state: ViewState;
  children?: ComponentChildren;
}) {
  const { texts, suggestion } = state;
  const accept = (event: TargetedMouseEvent<HTMLButtonElement>) => {
    const [input] = inputsOf(event.currentTarget.form!, "email") as [HTMLInputElement];
    input.value = suggestion!;
    model.input(input);
    input.focus();
  };
  return (
    <div part="field">
      <label part="label" for="email">{texts.emailLabel}</label>
      <div class="line">
        <div>
          <input
            part="input"
            id="email"
            name="email"
            type="email"
            inputMode="email"
            autocomplete="email"
            required
            {...errorAttributes(state, "email")}
          />
          {errorMessage(state, "email")}
          <div aria-live="polite">
            {suggestion && (
              <button part="hint" type="button" onClick={accept}>
                {texts.didYouMean.replace("{address}", suggestion)}
              </button>
            )}
          </div>
        </div>
        {children}
      </div>
    </div>
  );
}

/** Returns what follows the label of an optional field. */
const optional = ({ texts }: ViewState) => <small>{` (${texts.optional})`}</small>;

/** The name field. */
export function Name({ state }: { state: ViewState }) {
  const { texts, nameField } = state;
  const required = nameField === "required";
  return (
    <div part="field">
      <label part="label" for="name">
        {texts.nameLabel}
        {!required && optional(state)}
      </label>
      <input
        part="input"
        id="name"
        name="name"
        autocomplete="name"
        maxLength={100}
        required={required}
        {...errorAttributes(state, "name")}
      />
      {errorMessage(state, "name")}
    </div>
  );
}

/** Checkboxes for the visitor's interests. */
export function Interests({ state }: { state: ViewState }) {
  const { texts, interests } = state;
  return (
    <fieldset part="interests">
      <legend part="label">{texts.interestsLabel}{optional(state)}</legend>
      {interests.map(({ tag, label }) => (
        <label key={tag}>
          <input type="checkbox" name="interests" value={tag} {...errorAttributes(state, "interests")} />
          {label}
        </label>
      ))}
      {errorMessage(state, "interests")}
    </fieldset>
  );
}

/** The consent checkbox, with the text that the site owner wrote. */
export function Consent({ state }: { state: ViewState }) {
  const { consent, consentText, texts } = state;
  const required = consent === "required";
  return (
    <div part="field">
      <label part="consent">
        <input
          type="checkbox"
          name="consent"
          required={required}
          {...errorAttributes(state, "consent")}
        />
        <span>
          {parseConsent(consentText).map(({ text, href }) =>
            // Opens in a new tab, so that reading the terms does not lose the visitor's entries.
            href
              ? <a key={href} href={href} target="_blank" rel="noopener" title={texts.newTab}>{text}</a>
              : text
          )}
          {!required && optional(state)}
        </span>
      </label>
      {errorMessage(state, "consent")}
    </div>
  );
}
