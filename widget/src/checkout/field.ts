/** The e-mail field of the checkout, which is the page's own. */

/** Long enough to type on; short enough to be there before most people leave. */
const PAUSE_MS = 1_000;

/** What can be an address: the server looks closer. */
export function isAddress(text: string): boolean {
  return text.length <= 254 && /^[^\s@]+@[^\s@]+\.[^\s@.]{2,}$/.test(text);
}

/**
 * Reads a field whenever its address has become another valid one. Listens at the document: a checkout replaces its
 * fields as it goes on.
 *
 * @param selector of the field
 * @param tell an address that somebody has typed
 * @param leave the page is being left, with this address in the field, if there is one
 * @returns ends it, leaving no listener and no timer
 */
export function watchField(
  selector: string,
  tell: (email: string) => void,
  leave: (email: string | undefined) => void,
): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const valueOf = (field: Element | null) => {
    const text = (field as HTMLInputElement | null)?.value?.trim() ?? "";
    return isAddress(text) ? text : undefined;
  };
  const look = (field: Element | null) => {
    clearTimeout(timer);
    const email = valueOf(field);
    if (email !== undefined) tell(email);
  };
  const onChange = ({ type, target }: Event) => {
    if (!(target instanceof Element) || !target.matches(selector)) return;
    clearTimeout(timer);
    if (type === "change") look(target);
    else timer = setTimeout(look, PAUSE_MS, target);
  };
  const onLeave = () => {
    clearTimeout(timer);
    leave(valueOf(document.querySelector(selector)));
  };

  // A browser or a shop may have filled it in already. Also finds out here whether the selector is one.
  look(document.querySelector(selector));
  document.addEventListener("input", onChange, { signal });
  document.addEventListener("change", onChange, { signal });
  addEventListener("pagehide", onLeave, { signal });
  document.addEventListener("visibilitychange", () => document.hidden && onLeave(), { signal });
  return () => {
    clearTimeout(timer);
    controller.abort();
  };
}
