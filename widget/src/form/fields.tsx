import type { ComponentChildren, TargetedMouseEvent } from "preact";
import type { VisitorField } from "../../../shared/contract.ts";
import { parseConsent } from "../../../shared/consent_text.ts";
import { inputsOf } from "../signup/fields.ts";
import type { Model, State } from "./model.ts";

/** What ties an input to its error, for those who can't see that they stand together. */
function tied({ fields }: State, name: VisitorField) {
  return fields[name] && { "aria-invalid": true, "aria-describedby": `${name}-error` };
}

/** A function and no component: an error that is there or not need not be a node that is empty or not. */
function error({ fields }: State, name: VisitorField) {
  return fields[name] && <p part="error" id={`${name}-error`}>{fields[name]}</p>;
}

/** The address, with the button beside it when the form asks for nothing else. */
export function Email({ model, state, children }: {
  model: Model;
  state: State;
  children?: ComponentChildren;
}) {
  const { settings: { texts }, meant } = state;
  const accept = (event: TargetedMouseEvent<HTMLButtonElement>) => {
    const [input] = inputsOf(event.currentTarget.form!, "email") as [HTMLInputElement];
    input.value = meant!;
    model.typed(input);
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
            {...tied(state, "email")}
          />
          {error(state, "email")}
          <div aria-live="polite">
            {meant && (
              <button part="hint" type="button" onClick={accept}>
                {texts.didYouMean.replace("{address}", meant)}
              </button>
            )}
          </div>
        </div>
        {children}
      </div>
    </div>
  );
}

/** The visitor's name, if the settings ask for it. */
export function Name({ state }: { state: State }) {
  const { texts, nameField } = state.settings;
  const required = nameField === "required";
  return (
    <div part="field">
      <label part="label" for="name">
        {texts.nameLabel} {!required && <small>({texts.optional})</small>}
      </label>
      <input
        part="input"
        id="name"
        name="name"
        autocomplete="name"
        maxLength={100}
        required={required}
        {...tied(state, "name")}
      />
      {error(state, "name")}
    </div>
  );
}

/** What the visitor would like to hear about. */
export function Interests({ state }: { state: State }) {
  const { texts, interests } = state.settings;
  return (
    <fieldset part="interests">
      <legend part="label">{texts.interestsLabel}</legend>
      {interests.map(({ tag, label }) => (
        <label key={tag}>
          <input type="checkbox" name="interests" value={tag} {...tied(state, "interests")} />
          {label}
        </label>
      ))}
      {error(state, "interests")}
    </fieldset>
  );
}

/** The consent that the visitor gives; its text was written by the site's owner. */
export function Consent({ state }: { state: State }) {
  const { consent, consentText } = state.settings;
  return (
    <div part="field">
      <label part="consent">
        <input type="checkbox" name="consent" required={consent === "required"} {...tied(state, "consent")} />
        <span>
          {parseConsent(consentText).map(({ text, href }) =>
            // In a new tab: what was typed here must not be lost over reading the terms.
            href ? <a key={href} href={href} target="_blank" rel="noopener">{text}</a> : text
          )}
        </span>
      </label>
      {error(state, "consent")}
    </div>
  );
}
