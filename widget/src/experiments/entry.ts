/**
 * Experiments: draws a variant of each form for this session, and finds the forms that are off. Loaded only if a form has
 * an experiment or is off, before any form renders. No cookie and no ID is sent: the server only learns the variants.
 */
import { NAMESPACE } from "../../../shared/contract.ts";
import type { PopupRules, PublicForm, PublicSettings } from "../../../shared/public_settings.ts";
import type { Context } from "../host/context.ts";
import { hashOf } from "../../../shared/text_hash.ts";
import { drawVariant } from "./draw.ts";

/** In session storage: the number from which variants are drawn, and with an experiment's ID, whether it was seen. */
const KEY = "cfbe_pick";

type ShownForm = Pick<PublicForm, "cfg" | "experiment">;

/** What is known of the session on this page, whether or not it may be stored. */
const values: Record<string, string> = {};
let session = values;
try {
  session = sessionStorage;
} catch {
  // Storage is blocked.
}

/**
 * Replaces the forms in the settings by the drawn variants, and finds out when one is seen, or would be. Called once for
 * each language that the page uses.
 */
export function start(context: Context, settings: PublicSettings): void {
  const { forms: live, offForms } = settings;
  const off = { off: true } as PublicForm;
  // The settings do not name the forms that are off.
  if (offForms) {
    settings.forms = new Proxy(live, {
      get: (_, name: string) => live[name] ?? (offForms.includes(hashOf(name)) ? off : undefined)!,
    });
  }
  storeOnce(context, KEY, String(Math.random()));
  const forms: Record<string, ShownForm> = { ...settings.forms, "": settings.popup };
  let counted = "";
  for (const name in forms) {
    const form = forms[name]!;
    const { experiment } = form;
    if (!experiment) continue;
    const { id, all, variants } = experiment;
    const variant = drawVariant(id + values[KEY], variants);
    Object.assign(form, variant);
    if (all) counted += `~${variant.cfg}`;

    const see = () => void storeOnce(context, KEY + id, "1", variant.cfg);
    const rules: Partial<PopupRules> = variant.opens || variant.rules || {};
    // The first moment at which only a trigger is missing is the same in each variant, so that sessions count from then.
    rules.on = (blockers) => {
      if (!blockers || blockers === "trigger") see();
    };
    // A form fetches its token when it is first on screen, and `cfbe.subscribe()` when it is called. One with a
    // configuration of the page's own shows no variant.
    const { token } = context;
    context.token = (shown) => {
      if (form.cfg === shown.cfg) see();
      return token(shown);
    };
    document.addEventListener("cfbe-beforeshow", (event) => {
      if (!variant.hidden || name !== (event.detail.form || "")) return;
      event.preventDefault();
      see();
    });
    // A session that signs up before the form is due counts in every variant alike.
    document.addEventListener("cfbe-success", () => {
      if (all) see();
    });
  }
  [settings, ...Object.values(forms)].forEach((each) => each.cfg += counted);
}

/**
 * Keeps a value for the session, unless the key has one already.
 *
 * @param cfg signed configuration to report if it has none
 */
async function storeOnce(context: Context, key: string, value: string, cfg?: string): Promise<void> {
  values[key] ||= session[key]!;
  if (values[key]) return;
  values[key] = value;
  if (cfg) navigator.sendBeacon(`${context.base + NAMESPACE}/variant-seen`, cfg);
  try {
    if (context.storage === "auto") session[key] = value;
    else if (context.storage === "consent") {
      // The popup's memory knows whether the visitor has consented, and stores the value when they do.
      (await context.load("rules")).start(context).memory.set("sessionStorage", key, value);
    }
  } catch {
    // Storage is full, or that code cannot be loaded: the next page draws again.
  }
}
