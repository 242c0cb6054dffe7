/** What the popup, slide-ins and bars have in common: each shows a `<cfbe-form>`. */
import type { PopupRules, PublicForm, PublicSettings } from "../../../shared/public_settings.ts";
import type { Context } from "../host/context.ts";
import { type Memory, POPUP_KEY } from "../host/memory.ts";
import { emit } from "../signup/events.ts";
import type { Cfbe, CloseReason, FormDetail, PopupBlocker } from "../types.ts";

/** What a form opens as: a popup, slide-in or bar. */
export interface Surface {
  /**
   * Loads and renders everything without showing it, unless the page excludes it. Rejects if the form cannot be loaded.
   */
  prepare(form?: string): Promise<void>;
  /**
   * Shows the prepared form, unless the page excludes it.
   *
   * @param requested whether the visitor opened it; if not, the page can cancel it with `cfbe-beforeshow`
   * @param form the form that was prepared
   * @returns whether it is open
   */
  show(requested: boolean, form?: string): boolean;
  close(reason: CloseReason): void;
}

/**
 * Creates a surface without adding it to the page.
 *
 * @param settings settings in the locale of the page
 * @param exclusions returns why it must not be open on the current page, such as the cart. It also closes when the
 * visitor navigates to such a page
 * @param name the form that has it as its own; the popup, without one, can show any form
 */
export type CreateSurface = (
  context: Context,
  memory: Memory,
  settings: PublicSettings,
  exclusions: (rules: PopupRules | undefined) => PopupBlocker[],
  name?: string,
) => Surface;

/** Returns the settings with every form in one layout, whether or not it is meant for the page it is placed on, and with the popup's own form as the default form. */
function settingsFor(settings: PublicSettings, layout: "popup" | "promo"): PublicSettings {
  const { popup, forms } = settings;
  const all = Object.entries<Omit<PublicForm, "layout" | "targeting">>({ ...forms, "": popup });
  return {
    ...settings,
    forms: Object.fromEntries(all.map(([name, form]) => [name, { ...form, layout, targeting: undefined }])),
  };
}

/**
 * Returns a function that renders the form on its first call. If that fails, the next call tries again.
 */
export function createRenderer(
  context: Context,
  form: HTMLElement,
  layout: "popup" | "promo" = "popup",
): () => Promise<void> {
  const ownContext = {
    ...context,
    settings: (locale: string, name?: string | null) =>
      context.settings(locale, name).then((settings) => settingsFor(settings, layout)),
  };
  let rendered: Promise<void> | undefined;
  return () => {
    rendered ??= context.load("form").then(({ start }) => start(form, ownContext));
    rendered.catch(() => rendered = undefined);
    return rendered;
  };
}

/**
 * Returns what has the texts of a surface: a form in another language than the page's has all of them. Without a name, that
 * of the popup.
 */
export function languageOf(settings: PublicSettings, name: string): InOneLanguage {
  const own = settings.forms[name] ?? settings.popup;
  return own.locale ? own as InOneLanguage : settings;
}

type InOneLanguage = Pick<PublicSettings, "texts" | "locale" | "dir">;

/** Returns the rules of a form that opens by itself; without a name, those of the popup. */
export const rulesOf = ({ forms, popup }: PublicSettings, form: string): PopupRules | undefined =>
  forms[form]?.opens ?? popup.rules;

/** Returns whether the page excludes a form. Says so to the developer of the page if a visitor asked for it. */
export function isKeptClosed(excluded: PopupBlocker[], requested: boolean): boolean {
  if (excluded.length && requested) console.warn(`[cfbe] the popup stays closed here: ${excluded}`);
  return !!excluded.length;
}

/**
 * Returns whether a form that has opened by itself is not meant for the page that the visitor has navigated to, and the
 * visitor is not using it. Asked at every change of the page, so it looks for blockers only if the form has targeting.
 */
export const isMisplaced = (settings: PublicSettings, form: HTMLElement, name: string): boolean =>
  !!rulesOf(settings, name)?.targeting && !form.matches(":focus-within") &&
  (self.cfbe as Cfbe).why(name).includes("targeting");

/** Reports and remembers a close. Navigating to another page does not count as closing. */
export function onClosed(
  memory: Memory,
  host: HTMLElement,
  detail: FormDetail,
  reason: CloseReason,
): void {
  if (reason !== "navigation" && reason !== "replaced") {
    memory.set("localStorage", POPUP_KEY, String(Date.now()));
  }
  emit(host, "close", detail, { reason });
  // Removed, so that the form stops refreshing its token.
  host.remove();
}
