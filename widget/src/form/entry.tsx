/** The form part of the widget, including Preact. Loaded only when a form is close to the viewport. */
import { colored } from "../host/colors.ts";
import { PREFIX } from "../host/attribute.ts";
import type { Context } from "../host/context.ts";
import type { Cfbe } from "../types.ts";
import { CfbeForm } from "./element.tsx";
import fieldsCss from "./fields.css?inline" with { type: "text" };
import formCss from "./form.css?inline" with { type: "text" };

let sheet: CSSStyleSheet | undefined;

/** Adds a `<cfbe-form>` to a `<div data-cfbe-form="…">`, which the loader then starts. */
function expandPlaceholder(div: Element): void {
  const form = document.createElement("cfbe-form");
  for (const { name, value } of div.attributes) {
    const [, attribute] = name.split(PREFIX);
    if (attribute) form.setAttribute(attribute, value);
  }
  // The fallback content moves along, and stays until the form replaces it.
  form.append(...div.childNodes);
  div.append(form);
  // The loader has waited until the visitor was near.
  form.setAttribute("loading", "eager");
  // With `data-manual`, the loader would not look for it.
  (self.cfbe as Cfbe).scan(div);
}

/**
 * Shows a form in a `<cfbe-form>`, or in the `<div>` in its place. The first form defines the custom element.
 *
 * @throws {Error} if the settings cannot be fetched
 */
export async function start(element: Element, context: Context): Promise<void> {
  if (!element.matches("cfbe-form")) return expandPlaceholder(element);
  if (!sheet) {
    // A constructed style sheet, because a content security policy may forbid <style> elements.
    sheet = new CSSStyleSheet();
    sheet.replaceSync(colored(formCss + fieldsCss));
    customElements.define("cfbe-form", CfbeForm);
  }
  customElements.upgrade(element);
  await (element as CfbeForm).show(context, sheet);
}
