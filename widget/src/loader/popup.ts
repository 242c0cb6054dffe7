import { SUBSCRIBED } from "../../../shared/popup_rules.ts";
import type { Context } from "../host/context.ts";
import { POPUP } from "../host/memory.ts";
import type { PopupControl } from "../popup/control.ts";
import type { Cfbe, PopupBlocker } from "../types.ts";

/** What of `window.cfbe` is about the popup. */
export type Popup = Pick<Cfbe, "open" | "close" | "why" | "consent">;

/**
 * The popup, as long as nothing of it is there: its rules come when it is on, or when somebody opens it.
 *
 * @param manual whether it opens only when asked
 * @param missed where to leave what is to be tried again
 */
export function createPopup(context: Context, manual: boolean, missed: Set<() => void>): Popup {
  let control: PopupControl | undefined;
  let before: PopupBlocker = "loading";

  const load = () => context.load("rules").then(({ start }) => control = start(context));
  /** @returns nothing when it could not be loaded */
  const use = <T>(ask: (control: PopupControl) => T | Promise<T>) => load().then(ask).catch(console.warn);
  const begin = () =>
    context.settings(context.localeOf(document.documentElement)).then(({ popup: { rules } }) => {
      if (rules) use((popup) => popup.begin(rules));
      else before = "disabled";
    }, () => missed.add(begin));
  const open: Popup["open"] = (form) => use((popup) => popup.open(form)).then((shown) => !!shown);

  if (!manual) begin();
  // Written down here, for the rules may never come: the popup may be off, and the page may go on at once. What may
  // not be written down, or can't be, the rules find when they come.
  document.addEventListener("cfbe-success", () => {
    context.subscribed = true;
    try {
      if (context.storage === "auto") localStorage[POPUP] = SUBSCRIBED;
    } catch {
      // Blocked, or full.
    }
  });
  document.addEventListener("click", (event) => {
    const button = (event.target as Element).closest?.("[data-cfbe-open]");
    if (!button) return;
    // A link leads to the form's own page where there is no script.
    event.preventDefault();
    open(button.getAttribute("data-cfbe-open")!);
  });

  return {
    open,
    close: () => control?.close(),
    why: () => control?.why() ?? [before],
    consent: (granted) => use((popup) => popup.memory.consent(granted)),
  };
}
