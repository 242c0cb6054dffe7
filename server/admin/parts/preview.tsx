import { capitalized } from "../../platform/words/capitalized.ts";
import { docPage } from "../../platform/words/doc_page.ts";
import type { VNode } from "preact";
import { formInSentence, formOf, opensOf, POPUP } from "../../settings/forms/all_forms.ts";
import { type FormId, settingsOfForm } from "../../settings/forms/form_settings.ts";
import type { Settings } from "../../settings/schema/schema.ts";
import { languageName } from "../../platform/words/language_name.ts";
import type { View } from "../frame/view.ts";

interface PreviewProps {
  view: View;
  form: FormId;
  /** Language to show; "" for English. */
  locale?: string;
  /** ID of the version to show; by default, the draft, or what is published. */
  version?: string;
}

/** A saved form in the real widget. */
export function Preview(props: PreviewProps): VNode {
  return (
    <>
      <Frame {...props} />
      <StyleHelp />
    </>
  );
}

/** A form in the real widget. Shows unsaved changes as the user types, in the width, colors and state that they choose. */
export function LivePreview({ source, language, note, mayEdit = true, ...props }: PreviewProps & {
  /** Chooses the language, in front of the other choices. */
  language?: VNode;
  /** More about the language that is edited, or about all of them. */
  note?: VNode;
  /** Whether the user can change what it shows. */
  mayEdit?: boolean;
  /** ID of the form on the page whose unsaved changes the preview shows. */
  source: string;
}): VNode {
  const { view, form: { name }, locale = "" } = props;
  const nextPage = nextPageText(view.app.settings.current(), props.form);
  const hasOwnPage = name !== undefined && name !== POPUP;
  const ownPage = `${view.app.config.baseUrl}/form${hasOwnPage ? `/${name}` : ""}`;
  return (
    <div role="region" aria-label="Live preview" data-live-preview={source} tabIndex={-1}>
      <div class="preview-controls">
        {language}
        <Choice
          name="width"
          legend="Width"
          options={{ fit: "Fit", phone: "Phone", tablet: "Tablet", desktop: "Desktop" }}
        />
        <Choice name="scheme" legend="Colors" options={{ light: "Light", dark: "Dark" }} />
        <Choice
          name="state"
          legend="State"
          options={statesOf(view)}
          off={formOf(view.app.settings.current(), props.form.name)?.steps ? [] : [SECOND_STEP]}
        />
        {locale === "" && note}
      </div>
      {language && locale !== "" && (
        <p class="edited-language">
          {mayEdit ? "You are editing the " : "These are the "}
          <strong>{languageName(locale)}</strong> texts.{" "}
          {mayEdit && "Gray texts are inherited: type over them."} {note}
        </p>
      )}
      <noscript>
        <p>
          The preview needs JavaScript. Without it,{" "}
          <a href={ownPage}>see the published form on its own page</a> after you save your changes.
        </p>
      </noscript>
      <div class="notice warn" data-problems="" hidden>
        <div>
          <p>The preview shows your last valid settings. These can't be saved:</p>
          <ul></ul>
        </div>
      </div>
      <div role="status">
        <div class="notice warn" data-delayed="" hidden>
          <div>
            <p>
              The preview is empty or out of date, because cfbe has not responded. Check your connection and
              that you are still signed in.
            </p>
            <div class="buttons">
              <button type="button" data-retry="">Try again</button>
            </div>
          </div>
        </div>
      </div>
      <div class="preview-stage" data-stage="fit">
        <Frame {...props} />
      </div>
      <p class="help" data-next-page="" hidden={nextPage === ""}>{nextPage}</p>
      <StyleHelp />
    </div>
  );
}

/** Returns a sentence that says where a form sends its visitors after the signup. Empty if they stay on the page. */
export function nextPageText(settings: Settings, form: FormId): string {
  const { successUrl } = settingsOfForm(settings, form, []);
  return successUrl && `After the signup, visitors go to ${successUrl}. The preview stays here.`;
}

/** The second of a form's two steps. The script shows and hides its button while the form is edited. */
const SECOND_STEP = "second";

const STATES = {
  empty: "Empty",
  [SECOND_STEP]: "Second step",
  errors: "Errors",
  busy: "Sending",
  error: "Failed",
  success: "Success",
};

/** Returns the states that visitors can see. */
const statesOf = ({ app }: View): Record<string, string> => ({
  ...STATES,
  ...(app.settings.current().form.showAlreadySubscribed && { already: "Already subscribed" }),
});

/**
 * A group of radio buttons. They are not part of a form: they save nothing.
 *
 * @param off the options that are not shown
 */
function Choice(
  { name, legend, options, off = [] }: {
    name: string;
    legend: string;
    options: Record<string, string>;
    off?: string[];
  },
): VNode {
  return (
    <fieldset class="segments">
      <legend>{legend}</legend>
      {Object.entries(options).map(([value, label], index) => (
        <label key={value} hidden={off.includes(value)}>
          <input type="radio" name={`preview-${name}`} value={value} checked={index === 0} />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  );
}

function Frame({ view, form: { name, variant }, locale = "", version }: PreviewProps): VNode {
  const query = new URLSearchParams({
    ...(name === POPUP ? { popup: "" } : name !== undefined && { form: name }),
    ...(locale && { locale }),
    ...(version !== undefined && { version }),
    ...(variant !== undefined && { variant }),
  }).toString();
  const kind = name === POPUP ? "popup" : opensOf(formOf(view.app.settings.current(), name))?.kind ?? "form";
  return (
    <iframe
      class="preview"
      title={`Preview of ${
        name === undefined ? "the default form" : formInSentence(view.app.settings.current(), name)
      }`}
      src={view.href(`/preview${query && `?${query}`}`)}
      sandbox="allow-scripts allow-forms"
      data-kind={kind}
    />
  );
}

function StyleHelp(): VNode {
  return (
    <p class="help">
      Your page's own CSS wins over the design. For example, this changes the accent color:{" "}
      <code>{"cfbe-form, cfbe-popup { --cfbe-accent: #7c2d12 }"}</code>. {capitalized(docPage("style"))}{" "}
      has all options.
    </p>
  );
}
