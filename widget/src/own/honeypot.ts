/** Hides the field from eyes and screen readers. Bots recognize `type=hidden` and `display: none`. */
const HIDDEN = "position:absolute!important;width:1px!important;height:1px!important;" +
  "overflow:hidden!important;clip-path:inset(50%)!important";

/**
 * Adds the honeypot field to a form in the page's own markup.
 *
 * @returns a function that removes it
 */
export function addHoneypot(form: HTMLFormElement): () => void {
  const box = document.createElement("div");
  const input = document.createElement("input");
  // Set by script, which a content security policy allows, and with `!important`, so that no style sheet of the page
  // makes the field visible.
  box.style.cssText = HIDDEN;
  box.ariaHidden = "true";
  input.name = "cfbe_hp";
  input.autocomplete = "off";
  input.tabIndex = -1;
  box.append(input);
  form.append(box);
  return () => box.remove();
}
