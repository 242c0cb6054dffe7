/** The form's part of the widget: Preact comes with it, and only when a form is near. */
import type { Context } from "../host/context.ts";
import { CfbeForm } from "./element.tsx";
import css from "./form.css?inline" with { type: "text" };

let sheet: CSSStyleSheet | undefined;

/**
 * Shows a form in a `<cfbe-form>`.
 *
 * @param element the element, which becomes a custom one with the first call
 */
export async function start(element: Element, context: Context): Promise<void> {
  if (!sheet) {
    // Adopted, not written into the page: a content security policy may forbid any style element.
    sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    customElements.define("cfbe-form", CfbeForm);
  }
  customElements.upgrade(element);
  await (element as CfbeForm).show(context, sheet);
}
