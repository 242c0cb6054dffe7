/** The popup's rules and what is remembered of it; the dialog itself comes when it is due. */
import type { PublicSettings } from "../../../shared/public_settings.ts";
import type { Context } from "../host/context.ts";
import { createMemory, POPUP } from "../host/memory.ts";
import type { PopupBlocker } from "../types.ts";
import type { PopupControl } from "./control.ts";
import type { Dialog } from "./dialog.ts";
import { placeOf } from "./page.ts";
import { keptFree, SUBSCRIBED } from "../../../shared/popup_rules.ts";
import { watch } from "./watch.ts";

let control: PopupControl | undefined;

/** Makes it, once a page. */
export function start(context: Context): PopupControl {
  return control ??= create(context);
}

function create(context: Context): PopupControl {
  const memory = createMemory(context.storage);
  const settings = () => context.settings(context.localeOf(document.documentElement));
  const forbidden = ({ popup }: PublicSettings) => keptFree(popup.rules, placeOf());
  let dialog: Dialog | undefined;
  let why: (() => PopupBlocker[]) | undefined;

  const prepare = async (form?: string) => {
    const known = await settings();
    const { createDialog } = await context.load("popup");
    dialog ??= createDialog(context, memory, known, () => !!forbidden(known).length);
    await dialog.prepare(form);
    return dialog;
  };

  const remember = () => memory.set("localStorage", POPUP, SUBSCRIBED);
  if (context.subscribed) remember();
  document.addEventListener("cfbe-success", remember);
  return {
    memory,
    begin(rules) {
      why ??= watch(rules, memory, async (allowed) => {
        const ready = await prepare();
        return !allowed() || ready.show(false);
      });
    },
    async open(form) {
      const never = forbidden(await settings());
      if (never.length) console.warn(`[cfbe] the popup stays closed here: ${never}`);
      return !never.length && (await prepare(form)).show(true);
    },
    close: () => dialog?.close("api"),
    why: () => why?.() ?? ["disabled"],
  };
}
