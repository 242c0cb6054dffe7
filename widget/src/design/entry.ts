/** The design of a form: its colors, font, corners, spacing and image. Loaded only for forms that have one. */
import { imagePath, sizeOfImage } from "../../../shared/design/image_id.ts";
import type { PublicDesign } from "../../../shared/design/public_design.ts";
import type { Model } from "../form/model.ts";
import { colored } from "../host/colors.ts";
import { dialogCss, formCss } from "./css.ts";

const sheets = new WeakMap<ShadowRoot, CSSStyleSheet>();

/** Sets the last style sheet of a shadow root. Constructed, because a content security policy may forbid others. */
function setStyles(root: ShadowRoot, css: string): void {
  const sheet = sheets.get(root) ?? new CSSStyleSheet();
  sheets.set(root, sheet);
  sheet.replaceSync(colored(css));
  root.adoptedStyleSheets = [...root.adoptedStyleSheets.filter((other) => other !== sheet), sheet];
}

/** Shows the image of a design at the beginning of the form's box; without one, removes that of the design before. */
function showImage(box: Element, image: PublicDesign["image"], base: string): void {
  const before = box.querySelector<HTMLImageElement>("[part=image]");
  const src = image && base + imagePath(image.id);
  const shown = before?.getAttribute("src") === src ? before : undefined;
  if (before !== shown) before?.remove();
  if (!image || !src) return;
  const element = shown ?? document.createElement("img");
  element.part.add("image");
  element.alt = image.alt;
  if (shown) return;
  // Reserves the room of the image before it is loaded.
  Object.assign(element, sizeOfImage(image.id), { decoding: "async", src });
  box.prepend(element);
}

/**
 * Applies the design of a rendered form, to it and to the dialog around it. Replaces the design that was applied before; a
 * form without one removes it.
 *
 * @param base URL of the server's root
 */
export function apply(form: HTMLElement, { placement }: Model, base: string): void {
  const { design = {}, source } = placement();
  const root = form.shadowRoot!;
  setStyles(root, formCss(design, source));
  showImage(root.querySelector("[part~=form]")!, design.image, base);
  const around = form.getRootNode();
  if (around instanceof ShadowRoot && around.host.matches("cfbe-popup")) setStyles(around, dialogCss(design));
}
