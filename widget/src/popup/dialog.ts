/** The popup: a native modal dialog in its own shadow root, which contains a `<cfbe-form>`. */
import type { PublicForm, PublicSettings } from "../../../shared/public_settings.ts";
import type { Context } from "../host/context.ts";
import { type Memory, POPUP_KEY } from "../host/memory.ts";
import { emit } from "../signup/events.ts";
import type { CloseReason } from "../types.ts";
import { createElements, onBackdropClick } from "./elements.ts";
import { watchNavigation } from "./navigation.ts";
import { lockScroll } from "./scroll_lock.ts";

export interface Dialog {
  /** Loads and renders everything without showing it. Rejects if the form cannot be loaded. */
  prepare(form?: string): Promise<void>;
  /**
   * Shows the prepared popup, unless the page excludes it.
   *
   * @param requested whether the visitor opened the popup; if not, the page can cancel it with `cfbe-beforeshow`
   * @returns whether the popup is open
   */
  show(requested: boolean): boolean;
  close(reason: CloseReason): void;
}

/** Returns the settings with every form in the popup layout, and with the popup's own form as the default form. */
function settingsForPopup(settings: PublicSettings): PublicSettings {
  const { popup, forms } = settings;
  const all = Object.entries<Omit<PublicForm, "layout">>({ ...forms, "": popup });
  return {
    ...settings,
    forms: Object.fromEntries(all.map(([name, form]) => [name, { ...form, layout: "popup" }])),
  };
}

/** Returns a function that renders the form on its first call. If that fails, the next call tries again. */
function createRenderer(context: Context, form: HTMLElement): () => Promise<void> {
  const popupContext = {
    ...context,
    settings: (locale: string) => context.settings(locale).then(settingsForPopup),
  };
  let rendered: Promise<void> | undefined;
  return async () => {
    rendered ??= context.load("form").then(({ start }) => start(form, popupContext));
    await rendered.catch((error) => {
      rendered = undefined;
      throw error;
    });
  };
}

/**
 * Creates the popup without adding it to the page.
 *
 * @param settings settings in the locale of the page
 * @param isExcluded returns whether the popup must not be open on the current page, such as the cart. The popup also
 * closes when the visitor navigates to such a page
 */
export function createDialog(
  context: Context,
  memory: Memory,
  settings: PublicSettings,
  isExcluded: () => boolean,
): Dialog {
  const { host, dialog, closeButton, form } = createElements(settings);
  const renderForm = createRenderer(context, form);
  const detail = () => ({ form: form.getAttribute("form"), source: "popup" }) as const;
  let reason: CloseReason = "escape";
  /** Set while the popup is open. Aborting it removes what an open popup adds to the page. */
  let open: AbortController | undefined;

  const close: Dialog["close"] = (why) => {
    if (!open) return;
    reason = why;
    dialog.close();
    // The browser's close event comes a task later, when the popup may be open again. It never comes if the dialog is
    // no longer in the document.
    onClose();
  };
  const onClose = () => {
    if (!open || dialog.open) return;
    open.abort();
    open = undefined;
    host.toggleAttribute("open", false);
    // Navigating to another page does not count as closing the popup.
    if (reason !== "navigation") memory.set("localStorage", POPUP_KEY, String(Date.now()));
    emit(host, "close", detail(), { reason });
    // Removed, so that the form stops refreshing its token.
    host.remove();
    reason = "escape";
  };
  const closeForNavigation = () => close("navigation");

  dialog.addEventListener("close", onClose);
  closeButton.addEventListener("click", () => close("button"));
  onBackdropClick(dialog, () => close("backdrop"));

  return {
    close,
    async prepare(name) {
      if (name) form.setAttribute("form", name);
      else if (!dialog.open) form.removeAttribute("form");
      if (!host.isConnected) {
        // A page that replaces its body also removes an open popup.
        closeForNavigation();
        document.body.append(host);
      }
      dialog.className = getComputedStyle(host).colorScheme === "normal" ? "auto" : "";
      await renderForm();
      const heading = form.shadowRoot!.querySelector("h2")?.textContent;
      dialog.setAttribute("aria-label", heading || settings.texts.heading);
      // Rendering the form and laying out the dialog in one task would block slow phones for too long.
      await self.scheduler?.yield?.();
    },
    show(requested) {
      if (dialog.open) return true;
      // Also checked for requested popups: the visitor may have navigated while the popup was loading.
      if (isExcluded() || !requested && !emit(host, "beforeshow", detail())) return false;
      host.toggleAttribute("open", true);
      const { signal } = open = new AbortController();
      signal.onabort = lockScroll();
      // The dialog itself takes the focus, so that no field or button suddenly receives what the visitor is typing.
      // Set only now, because browsers warn about autofocus on elements that are added to a page.
      dialog.autofocus = true;
      dialog.showModal();
      memory.set("sessionStorage", POPUP_KEY, "shown");
      // A page restored from the back-forward cache must not show the popup.
      addEventListener("pagehide", closeForNavigation, { signal });
      watchNavigation(() => isExcluded() && closeForNavigation(), signal);
      if (requested) form.shadowRoot!.querySelector("input")!.focus();
      emit(host, "show", detail());
      return true;
    },
  };
}
