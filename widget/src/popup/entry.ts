/**
 * The rules and memory of the popup, and of other forms that open by themselves. What they open as is loaded only then.
 */
import { placeBlockers, SUBSCRIBED } from "../../../shared/popup_rules.ts";
import type { Context } from "../host/context.ts";
import { createMemory, POPUP_KEY } from "../host/memory.ts";
import type { PopupBlocker } from "../types.ts";
import type { PopupControl } from "./control.ts";
import { currentPlace } from "./page.ts";
import { showWhenAllowed } from "./scheduler.ts";
import type { Surface } from "./surface.ts";

let control: PopupControl | undefined;

/** Returns the page's popup control. Creates it on the first call. */
export function start(context: Context): PopupControl {
  return control ??= create(context);
}

function create(context: Context): PopupControl {
  const memory = createMemory(context.storage);
  if (context.storage === "consent") {
    context.load("banners").then(({ watchConsent }) => watchConsent(memory.consent)).catch(console.warn);
  }
  const fetchSettings = (form?: string) => context.settings(context.locales(document.documentElement), form);
  let surface: Surface | undefined;
  let why: ((form?: string) => PopupBlocker[]) | undefined;
  let enabled: Promise<void> | undefined;

  /** Without `isAllowed`, the visitor has asked for it. */
  const show = async (isAllowed?: () => boolean, form?: string) => {
    const settings = await fetchSettings(form);
    // What will be rendered, at the same time: on a slow network, one after the other takes twice as long.
    const kind = settings.forms[form!]?.opens?.kind;
    const panel = kind && (kind === "slide-in" ? ["slide", "beside"] : ["bar", "beside", "layout"]);
    for (const part of ["form", ...panel ?? []]) context.load(part as "form").catch(console.warn);
    const { createSurface } = await context.load(settings.opening ? "openings" : "popup");
    surface ??= createSurface(context, memory, settings, (rules) => placeBlockers(rules, currentPlace()));
    await surface.prepare(form);
    return isAllowed?.() === false || surface.show(!isAllowed, form);
  };

  const startRules = async () => {
    const settings = await fetchSettings();
    const rules = settings.popup.rules!;
    why = settings.opening
      ? await (await context.load("openings")).start(context, memory, settings, show, showWhenAllowed)
      : showWhenAllowed(
        context.load,
        rules,
        memory,
        show,
        rules.targeting &&
          (await context.load("targeting")).createTargeting(context, memory, rules.targeting),
      );
  };

  const rememberSubscribed = () => memory.set("localStorage", POPUP_KEY, SUBSCRIBED);
  if (context.subscribed) rememberSubscribed();
  document.addEventListener("cfbe-success", rememberSubscribed);
  return {
    memory,
    enable: () => enabled ??= startRules(),
    open: (form) => show(undefined, form),
    close: () => surface?.close("api"),
    why: (form) => why?.(form) ?? [enabled ? "loading" : "disabled"],
  };
}
