/** The `block` (full-width section) and `promo` (dismissible bar) layouts. */
import type { PublicSettings } from "../../../shared/public_settings.ts";
import type { CfbeForm } from "../form/element.tsx";
import { closeIcon } from "../host/close_icon.ts";
import { colored } from "../host/colors.ts";
import type { Context } from "../host/context.ts";
import type { Memory } from "../host/memory.ts";
import { OFF } from "../host/off.ts";
import { emit } from "../signup/events.ts";
import type { Placement } from "../signup/placement.ts";
import css from "./layout.css?inline" with { type: "text" };

let sheet: CSSStyleSheet | undefined;

/**
 * Loads what a layout needs.
 *
 * @param placement its source, `block` or `promo`, selects the layout
 * @returns a function that applies the layout to a rendered form
 */
export async function loadLayout(
  context: Context,
  settings: PublicSettings,
  placement: Placement,
): Promise<(form: CfbeForm) => void> {
  const memory = placement.source === "promo" && (await context.load("rules")).start(context).memory;
  return (form) => {
    addStyles(form);
    // A bar that opens by itself has a close button of its own.
    if (!memory || (form.getRootNode() as ShadowRoot).host?.matches("cfbe-popup")) return;
    form.shadowRoot!.querySelector(".promo")!.part.add("strip");
    makeDismissible(form, memory, settings, placement);
  };
}

/** Adds the styles of both layouts to a rendered form. */
function addStyles({ shadowRoot }: Element): void {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(colored(css));
  }
  shadowRoot!.adoptedStyleSheets.push(sheet);
}

/** Adds the close button to a promo bar, and hides a bar that the visitor closed before. */
function makeDismissible(
  form: CfbeForm,
  memory: Memory,
  { texts }: PublicSettings,
  placement: Placement,
): void {
  // One key per form: closing one bar does not hide another.
  const key = `cfbe_promo_${placement.form ?? ""}`;
  const hide = () => {
    form.hidden = true;
    form.setAttribute(OFF, "closed");
    form.disconnectedCallback();
  };
  if (memory.get("localStorage", key)) hide();
  const button = document.createElement("button");
  button.part.add("close");
  button.type = "button";
  button.setAttribute("aria-label", texts.close);
  button.append(closeIcon());
  button.addEventListener("click", () => {
    memory.set("localStorage", key, String(Date.now()));
    hide();
    emit(form, "close", placement, { reason: "button" });
  });
  form.shadowRoot!.append(button);
}
