import type { PublicSettings } from "../../../shared/public_settings.ts";
import { make, makeCloseButton, makeForm, makeHost } from "./make.ts";
import css from "./popup.css?inline" with { type: "text" };

/** The popup's elements. */
export interface Elements {
  /** The `<cfbe-popup>` that is added to the page. */
  host: HTMLElement;
  dialog: HTMLDialogElement;
  closeButton: HTMLElement;
  form: HTMLElement;
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
export function createElements(
  { texts, locale, dir }: Pick<PublicSettings, "texts" | "locale" | "dir">,
  name: string,
): Elements {
  const form = makeForm();
  const { corner, closeButton } = makeCloseButton(texts.close);
  const dialog = make("dialog", { part: "dialog", tabindex: "-1", lang: locale, dir });
  dialog.append(corner, form);
  return { host: makeHost(name, css, dialog), dialog, closeButton, form };
}
