/** The forms that open by themselves besides the popup. Loaded only if there are any. */
import { sharedBlockers } from "../../../shared/opening_rules.ts";
import { SUBSCRIBED } from "../../../shared/popup_rules.ts";
import type { Context } from "../host/context.ts";
import { CLOSED_KEY, type Memory, POPUP_KEY } from "../host/memory.ts";
import type { PopupBlocker } from "../types.ts";
import type { PublicSettings } from "../../../shared/public_settings.ts";
import type { showWhenAllowed } from "./scheduler.ts";
import type { CreateSurface, Surface } from "./surface.ts";

/** Returns a memory in which the popup's state is that of a named form. A signup counts for all forms. */
function memoryOf(memory: Memory, form: string): Memory {
  const keyOf = (key: string) => form && key === POPUP_KEY ? `${POPUP_KEY}:${form}` : key;
  return {
    ...memory,
    get: (storage, key) =>
      memory.get(storage, key) === SUBSCRIBED ? SUBSCRIBED : memory.get(storage, keyOf(key)),
    set(storage, key, value) {
      memory.set(storage, keyOf(key), value);
      // A close starts the quiet period of all.
      if (storage === "localStorage" && key === POPUP_KEY) memory.set(storage, CLOSED_KEY, value);
    },
  };
}

/** Returns a surface that shows each form as its own kind, and forms without one in the popup. */
export const createSurface: CreateSurface = (context, memory, settings, exclusions) => {
  /** By name of the form; that of the popup is empty. */
  const surfaces: Record<string, Surface> = {};
  const kindOf = (form = "") => settings.forms[form]?.opens?.kind;
  const ownOf = (form = "") => kindOf(form) ? form : "";

  return {
    async prepare(form) {
      // `slide-in` is in the part `slide`, and both bars are in `bar`.
      const [name] = (kindOf(form) ?? "popup").split("-");
      const part = await context.load(name as "popup");
      const own = ownOf(form);
      surfaces[own] ??= part.createSurface(context, memoryOf(memory, own), settings, exclusions, own);
      await surfaces[own].prepare(form);
    },
    show(requested, form) {
      const surface = surfaces[ownOf(form)]!;
      if (requested) {
        for (const other of Object.values(surfaces)) if (other !== surface) other.close("replaced");
      }
      return surface.show(requested, form);
    },
    close: (reason) => Object.values(surfaces).forEach((surface) => surface.close(reason)),
  };
};

/**
 * Opens the popup and the other forms as soon as their rules allow it, one at a time. If several may open at the same
 * moment, the popup comes first, then the others in the order of the settings.
 *
 * @returns a function that returns everything that blocks a form now; without a name, the popup
 */
export async function start(
  context: Context,
  memory: Memory,
  { opening = [], forms, popup }: PublicSettings,
  show: (isAllowed?: () => boolean, form?: string) => Promise<boolean>,
  openWhenAllowed: typeof showWhenAllowed,
): Promise<(form?: string) => PopupBlocker[]> {
  const all = ["", ...opening].map((form) => [form, form ? forms[form]?.opens : popup.rules] as const);
  const groups = all.flatMap(([, rules]) => rules?.targeting ?? []);
  const listeners: (() => void)[] = [];
  const isTargeted = groups.length
    ? (await context.load("targeting")).createTargeting(context, memory, groups)(() =>
      listeners.forEach((listener) => listener())
    )
    : undefined;
  const why = new Map<string, () => PopupBlocker[]>();
  let lastShown = Promise.resolve(true);

  for (const [form, rules] of all) {
    if (!rules) continue;
    const { targeting, quietHours } = rules;
    why.set(
      form,
      openWhenAllowed(
        context.load,
        rules,
        memoryOf(memory, form),
        // One after the other, so that the order decides, and not which form loads faster.
        (isAllowed) =>
          isAllowed
            ? lastShown = lastShown.catch(() => {}).then(() => !isAllowed() || show(isAllowed, form))
            : show(isAllowed, form),
        targeting && ((onChange) => {
          listeners.push(onChange);
          return (page) => isTargeted!(page, targeting);
        }),
        (now) =>
          sharedBlockers(
            {
              closedAt: Number(memory.get("localStorage", CLOSED_KEY)),
              // A copy, as libraries put it on the page on Back, has no shadow root: nobody sees it or can close it.
              otherOpen: [...document.querySelectorAll(`cfbe-popup[open]:not([form="${form}"])`)]
                .some(({ shadowRoot }) => shadowRoot),
            },
            quietHours,
            now,
          ),
      ),
    );
  }
  return (form = "") => why.get(form)?.() ?? ["disabled"];
}
