/** The layouts beside inline: `block`, a section of its own, and `promo`, a strip that can be closed. */
import type { PublicSettings } from "../../../shared/public_settings.ts";
import type { CfbeForm } from "../form/element.tsx";
import type { Context } from "../host/context.ts";
import { cross } from "../host/cross.ts";
import type { Memory } from "../host/memory.ts";
import { emit } from "../signup/events.ts";
import type { Placement } from "../signup/placement.ts";
import css from "./layout.css?inline" with { type: "text" };

let sheet: CSSStyleSheet | undefined;

/**
 * Fetches what a layout needs.
 *
 * @param placement by its source, `block` or `promo`
 * @returns lays a form out, once it is drawn
 */
export async function layOut(
  context: Context,
  settings: PublicSettings,
  placement: Placement,
): Promise<(form: CfbeForm) => void> {
  const memory = placement.source === "promo" && (await context.load("rules")).start(context).memory;
  return (form) => {
    if (!sheet) {
      sheet = new CSSStyleSheet();
      sheet.replaceSync(css);
    }
    form.shadowRoot!.adoptedStyleSheets.push(sheet);
    if (!memory) return;
    form.shadowRoot!.querySelector(".promo")!.part.add("strip");
    makeClosable(form, memory, settings, placement);
  };
}

/** Gives a strip its button, and takes away one that was closed before. */
function makeClosable(form: CfbeForm, memory: Memory, { texts }: PublicSettings, placement: Placement): void {
  // Each by itself: who has closed one has not seen the other.
  const key = `cfbe_promo_${placement.form ?? ""}`;
  const close = () => {
    form.hidden = true;
    form.disconnectedCallback();
  };
  if (memory.get("localStorage", key)) close();
  const button = document.createElement("button");
  button.part.add("close");
  button.type = "button";
  button.ariaLabel = texts.close;
  button.append(cross());
  button.addEventListener("click", () => {
    memory.set("localStorage", key, String(Date.now()));
    close();
    emit(form, "close", placement, { reason: "button" });
  });
  form.shadowRoot!.append(button);
}
