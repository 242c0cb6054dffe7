import { SUBSCRIBED } from "../../../shared/popup_rules.ts";
import type { Context } from "../host/context.ts";
import { POPUP_KEY } from "../host/memory.ts";
import type { PopupControl } from "../popup/control.ts";
import type { Cfbe, PopupBlocker } from "../types.ts";

/** The members of `window.cfbe` that concern the popup. */
export type Popup = Pick<Cfbe, "open" | "close" | "why" | "consent">;

/**
 * Creates the popup's API. The popup's code is loaded if any form opens by itself, or when one is first opened.
 *
 * @param manual whether the popup opens only on request
 * @param retries functions to call when the server may be reachable again
 */
export function createPopup(context: Context, manual: boolean, retries: Set<() => void>): Popup {
  let control: PopupControl | undefined;
  let initialBlocker: PopupBlocker = "loading";

  const load = () => context.load("rules").then(({ start }) => control = start(context));
  /** Calls the popup's code. Resolves to undefined if it cannot be loaded. */
  const withControl = <T>(call: (control: PopupControl) => T | Promise<T>) =>
    load().then(call).catch(console.warn);
  const fetchSettings = (form?: string) => context.settings(context.locales(document.documentElement), form);
  const initialize = () =>
    fetchSettings().then(({ popup: { rules }, opening }) => {
      if (rules || opening) withControl((popup) => popup.enable());
      else initialBlocker = "disabled";
    }, () => retries.add(initialize));
  const open: Popup["open"] = (form) => {
    // At the same time as the popup's code, which reports if they cannot be loaded.
    fetchSettings(form).catch(() => {});
    return withControl((popup) => popup.open(form)).then((shown) => !!shown);
  };

  // Forms open in the body, which a slow script in the head can delay.
  if (!manual) document.body ? initialize() : addEventListener("DOMContentLoaded", initialize);
  // Stored here, because the popup's code may never load: the popup may be off, or the page may navigate at once.
  // Without permission to store it, `context.subscribed` passes it on.
  document.addEventListener("cfbe-success", () => {
    context.subscribed = true;
    try {
      if (context.storage === "auto") localStorage[POPUP_KEY] = SUBSCRIBED;
    } catch {
      // Storage is blocked or full.
    }
  });
  document.addEventListener("click", (event) => {
    // Also within shadow roots.
    const button = event.composedPath().find((each) => (each as Element).matches?.("[data-cfbe-open]")) as
      | HTMLAnchorElement
      | undefined;
    if (!button || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    // Links lead to the form's own page when JavaScript is off, or where the form can't open.
    open(button.getAttribute("data-cfbe-open")!).then((shown) =>
      shown || button.href && location.assign(button.href)
    );
  });

  return {
    open,
    close: () => control?.close(),
    why: (form) => context.why?.(form) ?? control?.why(form) ?? [initialBlocker],
    consent: (granted) => withControl((popup) => popup.memory.consent(granted)),
  };
}
