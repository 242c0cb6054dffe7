/** What slide-ins and bars have in common: a region over the page that leaves the page usable. */
import { POPUP_KEY } from "../host/memory.ts";
import { emit } from "../signup/events.ts";
import type { Parts } from "../host/context.ts";
import type { CloseReason } from "../types.ts";
import { make, makeCloseButton, makeForm, makeHost } from "./make.ts";
import { watchNavigation } from "./navigation.ts";
import {
  createRenderer,
  type CreateSurface,
  isKeptClosed,
  isMisplaced,
  languageOf,
  onClosed,
  rulesOf,
} from "./surface.ts";

/**
 * Returns a function that creates panels.
 *
 * @param source the `source` that its signups send
 */
export function panelOf(css: string, source: "popup" | "promo"): CreateSurface {
  return (context, memory, settings, exclusions, name = "") => {
    const { texts, locale, dir } = languageOf(settings, name);
    const form = makeForm();
    const { corner, closeButton } = makeCloseButton(texts.close);
    // Not a dialog: it takes neither the focus nor the page away.
    const panel = make("aside", { part: "panel", lang: locale, dir });
    const status = make("span", { role: "status" });
    panel.append(corner, form);
    const host = makeHost(name, css, panel, status);
    // Of what is announced, which is outside of the panel.
    host.lang = locale;
    const renderForm = createRenderer(context, form, source);
    const { kind, corner: side = "" } = settings.forms[name]!.opens!;
    const detail = { form: name, source };
    const excluded = () => exclusions(rulesOf(settings, name));
    /** Set while the panel is open. Aborting it removes what an open panel adds to the page. */
    let open: AbortController | undefined;
    let beside: Parts["beside"];
    /** What had the focus before it came here. */
    let focusedBefore: EventTarget | null | undefined;

    const close = (reason: CloseReason) => {
      if (!open) return;
      open.abort();
      open = undefined;
      const hadFocus = host.matches(":focus-within");
      host.toggleAttribute("open");
      onClosed(memory, host, detail, reason);
      if (hadFocus) (focusedBefore as HTMLElement | undefined)?.focus({ preventScroll: true });
    };
    const closeForNavigation = () => close("navigation");

    closeButton.addEventListener("click", () => close("button"));
    host.addEventListener("focusin", ({ relatedTarget }) => focusedBefore = relatedTarget);

    return {
      close,
      async prepare() {
        if (excluded().length) return;
        form.setAttribute("form", name);
        beside ??= await context.load("beside");
        if (!host.isConnected) {
          // A page that replaces its body also removes an open panel.
          closeForNavigation();
          beside.addToPage(host, status);
        }
        panel.className = `${kind} ${side} ${getComputedStyle(host).colorScheme === "normal" ? "auto" : ""}`;
        await renderForm();
        // Rendering the form and laying out the panel in one task would block slow phones for too long.
        await self.scheduler?.yield?.();
      },
      show(requested) {
        if (!open) {
          if (isKeptClosed(excluded(), requested) || !requested && !emit(host, "beforeshow", detail)) {
            return false;
          }
          open = new AbortController();
          const { signal } = open;
          host.toggleAttribute("open");
          // Screen readers announce the change. Otherwise nobody who does not see the panel would notice it.
          status.textContent = texts.opened.replace("{heading}", panel.getAttribute("aria-label")!);
          const edge = kind === "bar-top" ? "top" : "bottom";
          beside.keepBeside({ host, panel, form, edge, requested, close, signal });
          memory.set("sessionStorage", POPUP_KEY, "shown");
          // A page restored from the back-forward cache must not show the panel.
          addEventListener("pagehide", closeForNavigation, { signal });
          watchNavigation(() => {
            if (!host.isConnected || excluded().length || !requested && isMisplaced(settings, form, name)) {
              close("navigation");
            }
          }, signal);
          emit(host, "show", detail);
        }
        if (requested) form.shadowRoot!.querySelector("input")!.focus();
        return true;
      },
    };
  };
}
