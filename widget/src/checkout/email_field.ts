/** Watches the email field of a shop's checkout. */

/** Long enough not to interrupt typing, short enough to finish before most visitors leave the page. */
const TYPING_PAUSE_MS = 1_000;

/** Returns whether a text looks like a complete email address. The server validates it fully. */
export function looksLikeEmail(text: string): boolean {
  return text.length <= 254 && /^[^\s@]+@[^\s@]+\.[^\s@.]{2,}$/.test(text);
}

/**
 * Reports the address in a field each time it changes to a complete one. Listens on the document, because checkouts
 * replace their fields as the visitor proceeds.
 *
 * @param selector CSS selector of the field
 * @param onEmail is called with each complete address
 * @param onLeave is called when the visitor leaves the page, with the address in the field, if it is complete
 * @returns a function that removes all listeners and timers
 * @throws {SyntaxError} if the selector is invalid
 */
export function watchEmailField(
  selector: string,
  onEmail: (email: string) => void,
  onLeave: (email: string | undefined) => void,
): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const emailIn = (field: Element | null) => {
    const text = (field as HTMLInputElement | null)?.value?.trim() ?? "";
    return looksLikeEmail(text) ? text : undefined;
  };
  const report = (field: Element | null) => {
    clearTimeout(timer);
    const email = emailIn(field);
    if (email !== undefined) onEmail(email);
  };
  const onChange = ({ type, target }: Event) => {
    if (!(target instanceof Element) || !target.matches(selector)) return;
    clearTimeout(timer);
    if (type === "change") report(target);
    else timer = setTimeout(report, TYPING_PAUSE_MS, target);
  };
  const leave = () => {
    clearTimeout(timer);
    onLeave(emailIn(document.querySelector(selector)));
  };

  // The browser or the shop may have filled in the field. This call also throws if the selector is invalid.
  report(document.querySelector(selector));
  document.addEventListener("input", onChange, { signal });
  document.addEventListener("change", onChange, { signal });
  addEventListener("pagehide", leave, { signal });
  document.addEventListener("visibilitychange", () => document.hidden && leave(), { signal });
  return () => {
    clearTimeout(timer);
    controller.abort();
  };
}
