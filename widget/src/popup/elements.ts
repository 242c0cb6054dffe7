import type { PublicSettings } from "../../../shared/public_settings.ts";
import { closeIcon } from "../host/close_icon.ts";
import css from "./popup.css?inline" with { type: "text" };

/** Parts of the form inside the popup, exported to the page's style sheets. */
const PARTS =
  "form,heading,text,field,label,input,hint,interests,consent,help,date,button,message,error,image";

/** The popup's elements. */
export interface Elements {
  /** The `<cfbe-popup>` that is added to the page. */
  host: HTMLElement;
  dialog: HTMLDialogElement;
  closeButton: HTMLElement;
  form: HTMLElement;
}

function make<Name extends keyof HTMLElementTagNameMap>(name: Name, attributes: Record<string, string> = {}) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

/** Calls a function when the visitor clicks the backdrop of a dialog. */
export function onBackdropClick(dialog: HTMLDialogElement, callback: () => void): void {
  let pressed: EventTarget | null;
  // A press that starts in a field, for example to select its text, may end on the backdrop.
  dialog.addEventListener("pointerdown", ({ target }) => pressed = target);
  dialog.addEventListener("click", ({ target }) => {
    if (target === dialog && pressed === dialog) callback();
  });
}

/** Creates the popup's elements: a dialog with a close button and a form, in a shadow root. */
export function createElements({ texts, locale, dir }: PublicSettings): Elements {
  const host = make("cfbe-popup");
  const form = make("cfbe-form", { exportparts: PARTS });
  const closeButton = make("button", { part: "close", type: "button", "aria-label": texts.close });
  const dialog = make("dialog", { part: "dialog", lang: locale, dir });
  const corner = make("div");
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  closeButton.append(closeIcon());
  corner.append(closeButton);
  dialog.append(corner, form);
  const root = host.attachShadow({ mode: "open" });
  root.adoptedStyleSheets = [sheet];
  root.append(dialog);
  return { host, dialog, closeButton, form };
}
