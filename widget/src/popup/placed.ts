/** Forms in the page that are meant for certain pages and visitors. Loaded only if such a form is on the page. */
import type { Place } from "../../../shared/popup_rules.ts";
import type { Context } from "../host/context.ts";
import type { Placement } from "../signup/placement.ts";
import { watchNavigation } from "./navigation.ts";
import { currentPlace } from "./page.ts";

interface Placed {
  name: string | null;
  /** Weak, so that a form that the page has removed can be collected. */
  form: WeakRef<HTMLElement>;
  isMeant(page: Place & { hidden: boolean }): boolean;
}

const placed = new Set<Placed>();
/** Forms that wait, each with a function that lets it go on. */
const waiting = new WeakMap<HTMLElement, () => void>();
/** Forms that are hidden here, and not because the visitor has closed them. */
const hidden = new WeakSet<HTMLElement>();
let href: string | undefined;

/**
 * Resolves as soon as a form's targeting holds. Until then the form is empty, and takes no space unless its place is
 * visible: nothing that is visible moves. After a navigation within a single-page application the form is hidden or
 * shown again, unless the visitor is using it.
 */
export async function whenMeant(
  form: HTMLElement,
  context: Context,
  { form: name, targeting, opens }: Placement,
): Promise<void> {
  const [{ start }, { createTargeting }] = await Promise.all([
    context.load("rules"),
    context.load("targeting"),
  ]);
  const isMeant = createTargeting(context, start(context).memory, targeting!)(checkAll);
  // What keeps a form from opening by itself is reported elsewhere.
  if (!opens) context.why = why;
  watch();
  await new Promise<void>((show) => {
    waiting.set(form, show);
    const each = { name: opens ? null : name, form: new WeakRef(form), isMeant };
    placed.add(each);
    check(form, each);
    if (!waiting.has(form)) return;
    form.replaceChildren();
    if (form.getBoundingClientRect().top >= innerHeight) hide(form, true);
  });
}

/** Starts watching the page. */
function watch(): void {
  if (href) return;
  href = location.href;
  for (const name of ["resize", "visibilitychange"]) addEventListener(name, () => checkAll());
  watchNavigation(() => {
    if (href === location.href) return;
    href = location.href;
    checkAll(true);
  }, new AbortController().signal);
}

function checkAll(hasNavigated?: boolean): void {
  for (const each of placed) {
    const form = each.form.deref();
    if (form) check(form, each, hasNavigated);
    else placed.delete(each);
  }
}

function check(form: HTMLElement, { isMeant }: Placed, hasNavigated?: boolean): void {
  const holds = isMeant({ ...currentPlace(), hidden: document.hidden });
  const show = waiting.get(form);
  if (show && holds) {
    waiting.delete(form);
    show();
  }
  if (holds ? hidden.has(form) : hasNavigated && !form.hidden && !form.matches(":focus-within")) {
    hide(form, !holds);
  }
}

function hide(form: HTMLElement, hides: boolean): void {
  form.hidden = hides;
  hidden[hides ? "add" : "delete"](form);
}

/** Returns why a form in the page is not shown; undefined if there is no such form. */
const why: NonNullable<Context["why"]> = (name) => {
  const forms = [...placed].filter((each) => each.name === name).map(({ form }) => form.deref())
    .filter((form) => form?.isConnected) as HTMLElement[];
  if (!forms.length) return undefined;
  if (forms.some((form) => !waiting.has(form) && !form.hidden)) return [];
  return [forms.some((form) => waiting.has(form) || hidden.has(form)) ? "targeting" : "closed"];
};
