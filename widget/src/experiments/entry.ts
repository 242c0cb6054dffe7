/**
 * Experiments: draws a variant of each form for this session. Loaded only if a form has an experiment, before any form
 * renders. No cookie and no ID is sent: the server only learns the variants.
 */
import { NAMESPACE } from "../../../shared/contract.ts";
import type {
  PublicExperiment,
  PublicForm,
  PublicSettings,
  PublicVariant,
} from "../../../shared/public_settings.ts";
import type { Context } from "../host/context.ts";
import { drawVariant } from "./draw.ts";

/** In session storage: the number from which variants are drawn, and with an experiment's ID, whether it was seen. */
const KEY = "cfbe_pick";

type ShownForm = Pick<PublicForm, "cfg" | "experiment">;

/** A form that shows a variant. */
interface Drawn extends PublicExperiment, PublicVariant {
  /** The form's name; empty for the popup. */
  name: string;
  form: ShownForm;
}

/** What is known of the session on this page, whether or not it may be stored. */
const values: Record<string, string> = {};
let session = values;
try {
  session = sessionStorage;
} catch {
  // Storage is blocked.
}
/** The drawn variants, in each language that the page uses. */
const drawn: Drawn[] = [];

/** Replaces the forms in the settings by the drawn variants. */
export function start(context: Context, settings: PublicSettings): void {
  if (!values[KEY]) watch(context);
  storeOnce(context, KEY, String(Math.random()));
  const forms: Record<string, ShownForm> = { ...settings.forms, "": settings.popup };
  let counted = "";
  for (const name in forms) {
    const form = forms[name]!;
    const { experiment } = form;
    if (!experiment) continue;
    const variant = drawVariant(experiment.id + values[KEY], experiment.variants);
    drawn.push({ ...experiment, ...variant, name, form });
    Object.assign(form, variant);
    if (countsAll(experiment)) counted += `~${variant.cfg}`;
  }
  [settings, ...Object.values(forms)].forEach((each) => each.cfg += counted);
}

/** Returns whether signups of all forms count, because the first variant shows no form. */
const countsAll = ({ variants: [first] }: PublicExperiment) => first!.hidden;

/** Finds out when a form with an experiment is seen, or would be. */
function watch(context: Context): void {
  const see = (isSeen: (variant: Drawn) => unknown) => {
    for (const each of drawn) if (isSeen(each)) storeOnce(context, KEY + each.id, "1", each.cfg);
  };
  // A form fetches its token when it is first on screen, and `cfbe.subscribe()` when it is called. One with a
  // configuration of the page's own shows no variant.
  const { token } = context;
  context.token = (shown) => {
    see(({ form }) => form.cfg === shown.cfg);
    return token(shown);
  };
  document.addEventListener("cfbe-beforeshow", (event) => {
    see(({ name, hidden }) => hidden && name === (event.detail.form || "") && (event.preventDefault(), true));
  });
  // A session that signs up before the form is due counts in every variant alike.
  document.addEventListener("cfbe-success", () => see(countsAll));
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
