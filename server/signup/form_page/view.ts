import { html } from "hono/html";
import type { FieldErrors } from "../../../shared/contract.ts";
import { imagePath, sizeOfImage } from "../../../shared/design/image_id.ts";
import type { PublicDesign } from "../../../shared/design/public_design.ts";
import { orderOf } from "../../../shared/fields/order.ts";
import type { PublicForm, PublicSettings } from "../../../shared/public_settings.ts";
import type { Html } from "../../platform/pages/html_document.ts";
import { visitorPage } from "../../platform/pages/visitor_page.ts";
import { consentHtml, errorLine, fieldLine, type FilledField, mark, stateOf } from "./field_line.ts";
import { type FilledIn, REFERRER_INPUT } from "./filled_in.ts";

export interface FormView {
  /** Public URL of the service. */
  baseUrl: string;
  /** Name of the form; absent for the default form. */
  name?: string;
  /** The settings of this form. */
  settings: PublicSettings;
  form: PublicForm | undefined;
  /** Whether the form exists, and pages do not show it. */
  off: boolean;
  cfg: string;
  token: string;
  filled: FilledIn;
  /** What is wrong, in one sentence; `fields` has the message for each invalid field. */
  notice?: string;
  fields?: FieldErrors;
  /** Shows whoever tests with the sandbox how to go on after a limit. Nobody else sees such a page. */
  limitsPage?: string;
}

/** Path of the style sheet with a form's design. */
export const DESIGN_PATH = "/form-design.css";

/** Renders a page with the design of the form. */
function page(
  { baseUrl, name, settings: { locale, design = {} } }: Pick<FormView, "baseUrl" | "name" | "settings">,
  title: string,
  body: Html,
) {
  if (Object.keys(design).length === 0) return visitorPage({ baseUrl, locale, title, body });
  const query = name === undefined ? "" : `?form=${encodeURIComponent(name)}`;
  const head = html`<link rel="stylesheet" href="${baseUrl}${DESIGN_PATH}${query}">`;
  return visitorPage({ baseUrl, locale, title, head, body: html`${image(baseUrl, design)}${body}` });
}

/** A background image is in the style sheet. */
function image(baseUrl: string, { image }: PublicDesign): Html | "" {
  if (!image || image.place === "background") return "";
  const { width, height } = sizeOfImage(image.id);
  return html`<img src="${baseUrl}${
    imagePath(image.id)
  }" alt="${image.alt}" width="${width}" height="${height}">`;
}

/**
 * Renders the form, empty or with the submitted input, with every invalid field marked. The first of them has the focus; if
 * there is none, what is wrong has it.
 */
export function formPage(view: FormView): Html {
  const { settings, form, filled, notice, fields = {}, limitsPage } = view;
  const { texts } = settings;
  const heading = form?.heading ?? texts.heading;
  const button = form?.button ?? texts.button;
  const name = heading || button;
  const parts = orderOf(settings.order ?? [], settings.fields ?? []);
  const wrong = [...parts, "consent"].find((part) => fields[part] !== undefined);
  const stateOfPart = (part: string) => ({ error: fields[part], focused: part === wrong });
  return page(
    view,
    notice ? `${notice} · ${name}` : name,
    html`
      ${heading && html`<h1>${heading}</h1>`}
      <p class="text">${form?.text ?? texts.text}</p>
      ${notice
        ? html`<p class="notice" ${wrong ? "" : html`tabindex="-1" autofocus`} role="alert">${notice}</p>`
        : ""}
      ${limitsPage ? limitsHint(limitsPage) : ""}
      <form method="post" aria-label="${name}">
        ${parts.map((part) => partLine(view, part, stateOfPart(part)))}
        ${settings.consent === "off" ? "" : consentLine(view, stateOfPart("consent"))}
        <p class="trap" aria-hidden="true"><label>cfbe_hp <input name="cfbe_hp" tabindex="-1" autocomplete="off"></label></p>
        <input type="hidden" name="cfbe_token" value="${view.token}">
        <input type="hidden" name="cfbe_cfg" value="${view.cfg}">
        ${settings.attribution
          ? html`<input type="hidden" name="${REFERRER_INPUT}" value="${filled.referrer ?? ""}">`
          : ""}
        <button>${button}</button>
      </form>
    `,
  );
}

function limitsHint(href: string): Html {
  return html`
    <p class="text" lang="en"
      dir="ltr">You are testing with the sandbox. cfbe accepts 5 signups from one IP in 10 minutes, and 3
        of one mailbox in an hour. To go on now, <a href="${href}">forget your limits</a> in the admin.</p>
  `;
}

/** Renders the page shown after a signup, with what the widget shows. */
export function donePage(view: Pick<FormView, "baseUrl" | "name" | "settings">, message: string): Html {
  const { success, successHeading, successHint } = view.settings.texts;
  // Not beside the message that someone is subscribed already, which sites can choose to show.
  if (message !== success) return page(view, message, html`<p class="done" role="status">${message}</p>`);
  return page(
    view,
    successHeading || message,
    html`
      <div role="status">
        ${successHeading ? html`<h1>${successHeading}</h1>` : ""}
        <p class="done">${message}</p>
        ${successHint ? html`<p class="text">${successHint}</p>` : ""}
      </div>
    `,
  );
}

/** Renders the page in place of a form that does not exist, or that pages do not show. */
export function noFormPage(view: Pick<FormView, "baseUrl" | "settings" | "off">): Html {
  const { noForm, formOff } = view.settings.texts;
  const text = view.off ? formOff : noForm;
  return page(view, text, html`<h1>${text}</h1>`);
}

/** Renders the page shown if the form could not be prepared. */
export function errorPage(baseUrl: string, locale: string, message: string): Html {
  return visitorPage({
    baseUrl,
    locale,
    title: message,
    body: html`<p class="notice" role="alert">${message}</p>`,
  });
}

/** What an input says besides its value. */
type PartState = Pick<FilledField, "error" | "focused">;

/** Renders one of the form's fields, or of its other parts that have a place among them. */
function partLine(view: FormView, name: string, state: PartState): Html | "" {
  const { settings, filled } = view;
  switch (name) {
    case "email": {
      const attributes = html`type="email" autocomplete="email" inputmode="email" required`;
      return line("email", settings.texts.emailLabel, filled.email, state, attributes);
    }
    case "name":
      return settings.nameField === "hidden" ? "" : nameLine(view, state);
    case "interests":
      return settings.interests.length > 0 ? interestLines(view, state) : "";
  }
  const field = settings.fields!.find((each) => each.name === name)!;
  const values = Object.hasOwn(filled.fields, name) ? filled.fields[name]! : [];
  return fieldLine({ field, values, settings, ...state });
}

function nameLine({ settings, filled }: FormView, state: PartState): Html {
  const { texts, nameField } = settings;
  const required = nameField === "required";
  const label = required ? texts.nameLabel : html`${texts.nameLabel} ${mark(texts.optional)}`;
  return line("name", label, filled.name, state, html`autocomplete="name" ${required ? "required" : ""}`);
}

function line(
  name: string,
  label: string | Html,
  value: string,
  state: PartState,
  attributes: Html,
): Html {
  return html`<p class="field"><label for="${name}">${label}</label>
  <input id="${name}" name="${name}" value="${value}" ${attributes} ${stateOf(name, state)}>
  ${errorLine(name, state.error)}</p>`;
}

function interestLines({ settings, filled }: FormView, { error, focused }: PartState): Html {
  const { interests, texts } = settings;
  return html`<fieldset><legend>${texts.interestsLabel} ${mark(texts.optional)}</legend>${
    interests.map(({ tag, label }, index) =>
      html`
        <label
          class="tick"><input type="checkbox" name="interests" value="${tag}" ${filled.interests.includes(tag)
            ? "checked"
            : ""} ${stateOf("interests", { error, focused: focused && index === 0 })}> ${label}</label>
      `
    )
  }${errorLine("interests", error)}</fieldset>`;
}

function consentLine({ settings, filled }: FormView, state: PartState): Html {
  const { texts, consent, consentText } = settings;
  const required = consent === "required";
  return html`
    <p
      class="field"><label class="tick"><input type="checkbox" name="consent" value="true" ${filled.consent
        ? "checked"
        : ""} ${required ? "required" : ""} ${stateOf("consent", state)}> <span>${consentHtml(
          consentText,
          texts,
        )} ${required ? "" : mark(texts.optional)}</span></label>
      ${errorLine("consent", state.error)}</p>
  `;
}
