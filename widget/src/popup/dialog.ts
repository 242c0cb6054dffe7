/** The popup's part of the widget: a native dialog in a shadow root of its own, with the form component in it. */
import type { PublicForm, PublicSettings } from "../../../shared/public_settings.ts";
import type { Context } from "../host/context.ts";
import { cross } from "../host/cross.ts";
import { type Memory, POPUP } from "../host/memory.ts";
import { emit } from "../signup/events.ts";
import type { CloseReason } from "../types.ts";
import { watchAddress } from "./leaving.ts";
import { lockScroll } from "./lock.ts";
import css from "./popup.css?inline" with { type: "text" };

/** Of the form within, for the page's style sheets. */
const PARTS = "form,heading,text,field,label,input,hint,interests,consent,button,message,error";

export interface Dialog {
  /** Makes everything ready, out of sight. Rejects when the form can't be had. */
  prepare(form?: string): Promise<void>;
  /**
   * @param asked whether the visitor asked for it; if not, the page is asked whether it may be
   * @returns whether it can be seen now; never where it is forbidden
   */
  show(asked: boolean): boolean;
  close(reason: CloseReason): void;
}

/** The same settings, with every form laid out for the popup, and the popup's own as the one without a name. */
function forPopup(settings: PublicSettings): PublicSettings {
  const { popup: { cfg, heading, text }, forms } = settings;
  const own = { cfg, ...heading !== undefined && { heading }, ...text !== undefined && { text } };
  const all = Object.entries<Omit<PublicForm, "layout">>({ ...forms, "": own });
  return {
    ...settings,
    forms: Object.fromEntries(all.map(([name, form]) => [name, { ...form, layout: "popup" }])),
  };
}

/** Makes an element in one line. */
function make<Name extends keyof HTMLElementTagNameMap>(name: Name, attributes: Record<string, string> = {}) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

/**
 * @param settings in the locale of the page
 * @param forbidden whether the popup may not be on the page as it is now: the cart, for one. Going on to such a page
 * closes it
 */
export function createDialog(
  context: Context,
  memory: Memory,
  settings: PublicSettings,
  forbidden: () => boolean,
): Dialog {
  const host = make("cfbe-popup");
  const form = make("cfbe-form", { exportparts: PARTS });
  const button = make("button", { part: "close", type: "button", "aria-label": settings.texts.close });
  const dialog = make("dialog", { part: "dialog", lang: settings.locale, dir: settings.dir });
  const corner = make("div");
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  button.append(cross());
  corner.append(button);
  dialog.append(corner, form);
  const root = host.attachShadow({ mode: "open" });
  root.adoptedStyleSheets = [sheet];
  root.append(dialog);

  let reason: CloseReason = "escape";
  let pressed: EventTarget | null;
  /** While it can be seen. */
  let life: AbortController | undefined;
  let ready: Promise<void> | undefined;
  const about = () => ({ form: form.getAttribute("form"), source: "popup" }) as const;

  const close: Dialog["close"] = (why) => {
    if (!life) return;
    reason = why;
    dialog.close();
    // A browser tells of it a task later, when it may be open again; and never of one that is not in the document.
    closed();
  };
  const closed = () => {
    if (!life || dialog.open) return;
    life.abort();
    life = undefined;
    host.toggleAttribute("open", false);
    // Who goes on to another page has not closed it.
    if (reason !== "navigation") memory.set("localStorage", POPUP, String(Date.now()));
    emit(host, "close", about(), { reason });
    // Until it opens again its form keeps no token fresh.
    host.remove();
    reason = "escape";
  };
  const leave = () => close("navigation");

  dialog.addEventListener("close", closed);
  button.addEventListener("click", () => close("button"));
  // A press that began in a field, to mark its text, may end out here.
  dialog.addEventListener("pointerdown", ({ target }) => pressed = target);
  dialog.addEventListener("click", ({ target }) => {
    if (target === dialog && pressed === dialog) close("backdrop");
  });

  return {
    close,
    async prepare(name) {
      if (name) form.setAttribute("form", name);
      else if (!dialog.open) form.removeAttribute("form");
      if (!host.isConnected) {
        // A page that throws its body away has taken an open popup along.
        leave();
        document.body.append(host);
      }
      dialog.className = getComputedStyle(host).colorScheme === "normal" ? "auto" : "";
      const own = { ...context, settings: (locale: string) => context.settings(locale).then(forPopup) };
      ready ??= context.load("form").then(({ start }) => start(form, own));
      await ready.catch((error) => {
        ready = undefined;
        throw error;
      });
      dialog.setAttribute(
        "aria-label",
        form.shadowRoot!.querySelector("h2")?.textContent || settings.texts.heading,
      );
      // Drawing the form and laying it out in the dialog would keep a slow phone busy for too long in one go.
      // Where there is no such pause, both are done at once.
      await self.scheduler?.yield?.();
    },
    show(asked) {
      if (dialog.open) return true;
      // Also when it was asked for: the visitor may have gone on while it was being loaded.
      if (forbidden() || !asked && !emit(host, "beforeshow", about())) return false;
      host.toggleAttribute("open", true);
      const { signal } = life = new AbortController();
      signal.onabort = lockScroll();
      // It takes the focus itself: nobody who types or reads lands in a field, or on a button, unawares. Only now, for
      // a browser warns of what would take the focus while it is put into the page.
      dialog.autofocus = true;
      dialog.showModal();
      memory.set("sessionStorage", POPUP, "shown");
      // A page that comes back from the back-forward cache comes back without it.
      addEventListener("pagehide", leave, { signal });
      watchAddress(() => forbidden() && leave(), signal);
      if (asked) form.shadowRoot!.querySelector("input")!.focus();
      emit(host, "show", about());
      return true;
    },
  };
}
