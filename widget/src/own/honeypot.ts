/**
 * Hides the field from eyes, without space of its own: a fixed box makes no page longer, and a clipped one takes no
 * clicks. Bots recognize `type=hidden` and `display: none`.
 */
const HIDDEN = "position:fixed!important;top:0!important;clip-path:inset(50%)!important";

/** Adds the honeypot field to a form in the page's own markup, unless a copied form has it, and returns it. */
export function addHoneypot(form: HTMLFormElement): HTMLInputElement {
  const input = form.querySelector<HTMLInputElement>("[name=cfbe_hp]") ??
    form.appendChild(document.createElement("input"));
  // Set by script, which a content security policy allows, and with `!important`, so that no style sheet of the page
  // makes the field visible.
  input.style.cssText = HIDDEN;
  input.setAttribute("aria-hidden", "true");
  input.name = "cfbe_hp";
  input.autocomplete = "off";
  input.tabIndex = -1;
  return input;
}
