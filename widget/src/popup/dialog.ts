/** The popup: a native modal dialog in its own shadow root, which contains a `<cfbe-form>`. */
import type { Parts } from "../host/context.ts";
import { POPUP_KEY } from "../host/memory.ts";
import { emit } from "../signup/events.ts";
import type { CloseReason } from "../types.ts";
import { createElements, onBackdropClick } from "./elements.ts";
import { watchNavigation } from "./navigation.ts";
import { lockScroll } from "./scroll_lock.ts";
import {
  createRenderer,
  type CreateSurface,
  isKeptClosed,
  isMisplaced,
  languageOf,
  onClosed,
  rulesOf,
} from "./surface.ts";

export const createSurface: CreateSurface = (context, memory, settings, exclusions, own = "") => {
  const { host, dialog, closeButton, form } = createElements(languageOf(settings, own), own);
  const { width = "" } = settings.forms[own]?.opens ?? settings.popup;
  const excluded = () => exclusions(rulesOf(settings, own));
  // A form that is off has no kind of its own, so it would open as the popup.
  const isOff = (name = "") => settings.forms[name]?.off;
  const renderForm = createRenderer(context, form);
  const detail = () => ({ form: form.getAttribute("form"), source: "popup" }) as const;
  /** Set while the popup is open. Aborting it removes what an open popup adds to the page. */
  let open: AbortController | undefined;
  /** Loaded if the page's scroll bar takes up space. */
  let gutter: Parts["gutter"] | undefined;

  const close = (reason: CloseReason) => {
    dialog.close();
    if (!open) return;
    open.abort();
    open = undefined;
    host.toggleAttribute("open", false);
    onClosed(memory, host, detail(), reason);
  };
  const closeForNavigation = () => close("navigation");

  // After `close`, the browser's event comes a task later, when the popup may be open again. It never comes if the dialog
  // is no longer in the document.
  dialog.addEventListener("close", () => dialog.open || close("escape"));
  closeButton.addEventListener("click", () => close("button"));
  onBackdropClick(dialog, () => close("backdrop"));

  return {
    close,
    async prepare(name) {
      if (excluded().length || isOff(name)) return;
      if (name) form.setAttribute("form", name);
      else if (!dialog.open) form.removeAttribute("form");
      if (!host.isConnected) {
        // A page that replaces its body also removes an open popup.
        closeForNavigation();
        document.body.append(host);
      }
      dialog.className = `${width} ${getComputedStyle(host).colorScheme === "normal" ? "auto" : ""}`;
      const loading = innerWidth > document.documentElement.clientWidth && context.load("gutter");
      await renderForm();
      if (loading) gutter = await loading;
      // Rendering the form and laying out the dialog in one task would block slow phones for too long.
      await self.scheduler?.yield?.();
    },
    show(requested, name) {
      if (isOff(name)) {
        console.warn(`[cfbe] form="${name}" is off`);
        return false;
      }
      if (dialog.open) return true;
      // The page is inert behind an open dialog, also behind one that an ad blocker hides.
      if (getComputedStyle(host).display === "none") return false;
      // Checked again, because the visitor may have navigated while the popup was loading.
      if (isKeptClosed(excluded(), requested) || !requested && !emit(host, "beforeshow", detail())) {
        return false;
      }
      host.toggleAttribute("open", true);
      const { signal } = open = new AbortController();
      dialog.showModal();
      signal.onabort = lockScroll(gutter?.gutterCss(dialog) ?? "");
      // Unless the visitor asked for it, the dialog itself takes the focus, so that no field or button suddenly receives
      // what the visitor is typing. `autofocus` does not work in every browser.
      (requested ? form.shadowRoot!.querySelector("input")! : dialog).focus();
      memory.set("sessionStorage", POPUP_KEY, "shown");
      // A page restored from the back-forward cache must not show the popup.
      addEventListener("pagehide", closeForNavigation, { signal });
      watchNavigation(() => {
        // A page that moves or writes its body anew leaves the dialog closed, or open at its place in the page.
        if (
          !dialog.matches(":modal") || excluded().length || !requested && isMisplaced(settings, form, own)
        ) {
          close("navigation");
        }
      }, signal);
      emit(host, "show", detail());
      return true;
    },
  };
};
