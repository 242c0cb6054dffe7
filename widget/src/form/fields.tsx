import type { ComponentChildren } from "preact";
import { parseConsent } from "./consent_text.ts";
import type { Model } from "./model.ts";

type Shown = "email" | "name" | "interests" | "consent";

/** What ties an input to its error, for those who can't see that they stand together. */
function tied({ fields }: Model, name: Shown) {
  return fields.value[name] ? { "aria-invalid": true, "aria-describedby": `${name}-error` } : {};
}

function FieldError({ model, name }: { model: Model; name: Shown }) {
  const text = model.fields.value[name];
  return text ? <p part="error" id={`${name}-error`}>{text}</p> : null;
}

/** The address, with the button beside it when the form asks for nothing else. */
export function Email({ model, children }: { model: Model; children?: ComponentChildren }) {
  const { texts } = model.settings.value;
  const meant = model.meant.value;
  const accept = (event: MouseEvent) => {
    const input = (event.currentTarget as HTMLElement).closest("div")!.querySelector("input")!;
    input.value = meant!;
    model.typed(input);
    input.focus();
  };
  return (
    <div part="field">
      <label part="label" for="email">{texts.emailLabel}</label>
      <div class="line">
        <input
          part="input"
          id="email"
          name="email"
          type="email"
          inputMode="email"
          autocomplete="email"
          autocapitalize="off"
          spellcheck={false}
          required
          {...tied(model, "email")}
        />
        {children}
      </div>
      <FieldError model={model} name="email" />
      <div aria-live="polite">
        {meant && (
          <button part="hint" type="button" onClick={accept}>
            {texts.didYouMean.replace("{address}", meant)}
          </button>
        )}
      </div>
    </div>
  );
}

/** The visitor's name, if the settings ask for it. */
export function Name({ model }: { model: Model }) {
  const { texts, nameField } = model.settings.value;
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
        {...tied(model, "name")}
      />
      <FieldError model={model} name="name" />
    </div>
  );
}

/** What the visitor would like to hear about. */
export function Interests({ model }: { model: Model }) {
  const { texts, interests } = model.settings.value;
  return (
    <fieldset part="interests">
      <legend part="label">{texts.interestsLabel}</legend>
      {interests.map(({ tag, label }) => (
        <label key={tag}>
          <input type="checkbox" name="interests" value={tag} {...tied(model, "interests")} />
          {label}
        </label>
      ))}
      <FieldError model={model} name="interests" />
    </fieldset>
  );
}

/** The consent that the visitor gives; its text was written by the site's owner. */
export function Consent({ model }: { model: Model }) {
  const { consent, consentText } = model.settings.value;
  return (
    <div part="field">
      <label part="consent">
        <input type="checkbox" name="consent" required={consent === "required"} {...tied(model, "consent")} />
        <span>
          {parseConsent(consentText).map(({ text, href }) =>
            // In a new tab: what was typed here must not be lost over reading the terms.
            href ? <a key={href} href={href} target="_blank" rel="noopener">{text}</a> : text
          )}
        </span>
      </label>
      <FieldError model={model} name="consent" />
    </div>
  );
}
