/**
 * Experiments: draws a variant of each form for this session. Loaded only if a form has an experiment, before any form
 * renders. No cookie and no ID is sent: the server only learns the variants.
 */
import { NAMESPACE } from "../../../shared/contract.ts";
import type { PublicForm, PublicSettings, PublicVariant } from "../../../shared/public_settings.ts";
import type { Context } from "../host/context.ts";
import type { FormDetail } from "../types.ts";
import { drawVariant } from "./draw.ts";

/** In session storage: the number from which variants are drawn, and with an experiment's ID, whether it was seen. */
const KEY = "cfbe_pick";

interface Drawn extends PublicVariant {
  /** ID of the experiment. */
  id: string;
  /** Whether signups of all forms count, because the first variant shows no form. */
  countsAll: boolean | undefined;
}

/** Values that are not stored, or not yet. */
const values: Record<string, unknown> = {};
/** By the form's name; empty for the popup. */
const drawn = new Map<string, Drawn>();
let seed: unknown;

/** Replaces the forms in the settings by the drawn variants. */
export function start(context: Context, settings: PublicSettings): void {
  if (!seed) watch(context);
  seed ||= recall(KEY) || remember(context, KEY, Math.random());
  const forms: Record<string, Pick<PublicForm, "cfg" | "experiment">> = {
    ...settings.forms,
    "": settings.popup,
  };
  for (const name in forms) {
    const form = forms[name]!;
    if (!form.experiment) continue;
    const { id, variants } = form.experiment;
    const variant = drawVariant(seed + id, variants);
    drawn.set(name, { ...variant, id, countsAll: variants[0]!.hidden });
    Object.assign(form, variant);
  }
  drawn.forEach(({ countsAll, cfg }) => {
    if (countsAll) { for (const each of [settings, ...Object.values(forms)]) each.cfg += `~${cfg}`; }
  });
}

/** Finds out when a form with an experiment is seen, or would be. */
function watch(context: Context): void {
  const see = ({ id, cfg }: Drawn) => {
    if (recall(KEY + id)) return;
    remember(context, KEY + id, 1);
    navigator.sendBeacon(`${context.base + NAMESPACE}/variant-seen`, cfg);
  };
  const on = (name: string, handle: (event: Event, found: Drawn | undefined) => void) =>
    document.addEventListener(`cfbe-${name}`, (event) => {
      const { form, source } = (event as CustomEvent<FormDetail>).detail;
      handle(event, form || source === "popup" ? drawn.get(form || "") : undefined);
    });
  on("ready", (event, found) => {
    const form = event.composedPath()[0] as Element;
    // A page can set a configuration of its own, which names no variant.
    if (!found || form.getAttribute("cfg")) return;
    new IntersectionObserver((entries, observer) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      observer.disconnect();
      see(found);
    }).observe(form);
  });
  on("beforeshow", (event, found) => {
    if (!found?.hidden) return;
    event.preventDefault();
    see(found);
  });
  // Every signup that counts comes from a session that is counted: one that signs up before the form is due counts in
  // every variant alike, and `cfbe.subscribe()` has no form that could be seen.
  on("success", (event, found) =>
    drawn.forEach((each) => {
      if (each.countsAll || each === found && event.target === document) see(each);
    }));
}

function recall(key: string): unknown {
  try {
    return sessionStorage[key] || values[key];
  } catch {
    return values[key];
  }
}

function remember(context: Context, key: string, value: number): unknown {
  values[key] = value;
  try {
    if (context.storage === "auto") sessionStorage[key] = value;
  } catch {
    // Storage is blocked or full.
  }
  // The popup's memory knows whether the visitor has consented, and stores the value when they do.
  if (context.storage === "consent") {
    context.load("rules").then(({ start }) => start(context).memory.set("sessionStorage", key, `${value}`))
      .catch(console.warn);
  }
  return value;
}
