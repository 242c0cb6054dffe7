import { closeIcon } from "../host/close_icon.ts";
import { colored } from "../host/colors.ts";
import closeButtonCss from "./close_button.css?inline" with { type: "text" };
import surfaceCss from "./surface.css?inline" with { type: "text" };

/** Parts of the form inside the popup, a slide-in or a bar, exported to the page's style sheets. */
const PARTS =
  "form,heading,text,field,label,input,hint,interests,consent,help,date,button,back,step,message,error,coupon,countdown,image";

/** Creates an element. */
export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Record<string, string> = {},
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

/** Creates a `<cfbe-form>` inside another shadow root. */
export const makeForm = (): HTMLElement => make("cfbe-form", { exportparts: PARTS });

/** Creates a close button in an element that keeps it in the corner. */
export function makeCloseButton(label: string): { corner: HTMLElement; closeButton: HTMLElement } {
  const closeButton = make("button", { part: "close", type: "button", "aria-label": label });
  const corner = make("div");
  closeButton.append(closeIcon());
  corner.append(closeButton);
  return { corner, closeButton };
}

/** Creates a `<cfbe-popup>` with these elements, and these styles and the common ones, in its shadow root. */
export function makeHost(name: string, css: string, ...children: Element[]): HTMLElement {
  // The name tells forms that open by themselves apart.
  const host = make("cfbe-popup", { form: name });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(colored(surfaceCss + closeButtonCss + css));
  const root = host.attachShadow({ mode: "open" });
  root.adoptedStyleSheets = [sheet];
  root.append(...children);
  return host;
}
