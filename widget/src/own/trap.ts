/** Away from eyes and screen readers by other means than `type=hidden` and `display: none`, which bots know. */
const HIDDEN = "position:absolute!important;width:1px!important;height:1px!important;" +
  "overflow:hidden!important;clip-path:inset(50%)!important";

/**
 * Adds the honeypot to a form of the page's own markup.
 *
 * @returns takes it out again
 */
export function addTrap(form: HTMLFormElement): () => void {
  const box = document.createElement("div");
  const input = document.createElement("input");
  // Declared through the object model, which a content security policy lets pass, and as important, so that
  // no style sheet of the page brings the box to light.
  box.style.cssText = HIDDEN;
  box.ariaHidden = "true";
  input.name = "cfbe_hp";
  input.autocomplete = "off";
  input.tabIndex = -1;
  box.append(input);
  form.append(box);
  return () => box.remove();
}
