/** The popup's rules and memory. The dialog itself is loaded only when it opens. */
import { placeBlockers, SUBSCRIBED } from "../../../shared/popup_rules.ts";
import type { PopupRules, PublicSettings } from "../../../shared/public_settings.ts";
import type { Context } from "../host/context.ts";
import { createMemory, POPUP_KEY } from "../host/memory.ts";
import type { PopupBlocker } from "../types.ts";
import type { PopupControl } from "./control.ts";
import type { Dialog } from "./dialog.ts";
import { currentPlace } from "./page.ts";
import { showWhenAllowed } from "./scheduler.ts";

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
  const fetchSettings = () => context.settings(context.localeOf(document.documentElement));
  const exclusions = ({ popup }: PublicSettings) => placeBlockers(popup.rules, currentPlace());
  let dialog: Dialog | undefined;
  let why: (() => PopupBlocker[]) | undefined;
  let enabled: Promise<void> | undefined;

  const prepare = async (form?: string) => {
    const settings = await fetchSettings();
    const { createDialog } = await context.load("popup");
    dialog ??= createDialog(context, memory, settings, () => !!exclusions(settings).length);
    await dialog.prepare(form);
    return dialog;
  };

  const startRules = async (rules: PopupRules) => {
    const { targeting } = rules;
    const part = targeting && await context.load("targeting");
    why = showWhenAllowed(rules, memory, async (isAllowed) => {
      const dialog = await prepare();
      return !isAllowed() || dialog.show(false);
    }, part?.createTargeting(context, memory, targeting!));
  };

  const rememberSubscribed = () => memory.set("localStorage", POPUP_KEY, SUBSCRIBED);
  if (context.subscribed) rememberSubscribed();
  document.addEventListener("cfbe-success", rememberSubscribed);
  return {
    memory,
    enable: (rules) => enabled ??= startRules(rules),
    async open(form) {
      const excluded = exclusions(await fetchSettings());
      if (excluded.length) console.warn(`[cfbe] the popup stays closed here: ${excluded}`);
      return !excluded.length && (await prepare(form)).show(true);
    },
    close: () => dialog?.close("api"),
    why: () => why?.() ?? [enabled ? "loading" : "disabled"],
  };
}
