/** The form part of the widget, including Preact. Loaded only when a form is close to the viewport. */
import { colored } from "../host/colors.ts";
import type { Context } from "../host/context.ts";
import { CfbeForm } from "./element.tsx";
import fieldsCss from "./fields.css?inline" with { type: "text" };
import formCss from "./form.css?inline" with { type: "text" };

let sheet: CSSStyleSheet | undefined;

/**
 * Shows a form in a `<cfbe-form>`. The first call defines the custom element.
 *
 * @throws {Error} if the settings cannot be fetched
 */
export async function start(element: Element, context: Context): Promise<void> {
  if (!sheet) {
    // A constructed style sheet, because a content security policy may forbid <style> elements.
    sheet = new CSSStyleSheet();
    sheet.replaceSync(colored(formCss + fieldsCss));
    customElements.define("cfbe-form", CfbeForm);
  }
  customElements.upgrade(element);
  await (element as CfbeForm).show(context, sheet);
}
