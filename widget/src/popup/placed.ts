/** Forms in the page that are meant for certain pages and visitors. Loaded only if such a form is on the page. */
import type { Context } from "../host/context.ts";
import type { Placement } from "../signup/placement.ts";
import { OFF } from "../host/off.ts";
import { watchNavigation } from "./navigation.ts";
import { currentPlace, type VisitedPlace } from "./page.ts";

/** How often, at least, a form that waits is compared with its targeting. */
const RECHECK_MS = 60_000;

interface Placed {
  /** Weak, so that a form that the page has removed can be collected. */
  form: WeakRef<HTMLElement>;
  isMeant(page: VisitedPlace): boolean;
}

const placed = new Set<Placed>();
/** Forms that wait, each with a function that lets it go on. */
const waiting = new WeakMap<HTMLElement, () => void>();
let href: string | undefined;

/** Shows or hides a form in the page's own markup, whose styles may overrule `hidden`. Others are empty while hidden. */
const setVisible = (form: HTMLElement, isVisible: boolean) => {
  if (form.matches("form")) form.style.visibility = isVisible ? "" : "hidden";
};

/**
 * Resolves as soon as a form's targeting holds. Until then the form is empty, or invisible in the page's own markup, and
 * takes no space unless its place is visible: nothing that is visible moves. After a navigation within a single-page application the form is hidden or
 * shown again, unless the visitor is using it.
 */
export async function start(
  form: HTMLElement,
  context: Context,
  { targeting }: Placement,
): Promise<void> {
  const [rules, { createTargeting }] = await Promise.all([
    context.load("rules"),
    context.load("targeting"),
  ]);
  const isMeant = createTargeting(context, rules.start(context).memory, targeting!)(checkAll);
  watch();
  await new Promise<void>((show) => {
    waiting.set(form, show);
    const each = { form: new WeakRef(form), isMeant };
    placed.add(each);
    check(form, each);
    if (!waiting.has(form)) return;
    if (!form.matches("form")) form.replaceChildren();
    setVisible(form, false);
    form.setAttribute(OFF, "targeting");
    form.hidden = form.getBoundingClientRect().top >= innerHeight;
  });
}

/** Starts watching the page. */
function watch(): void {
  if (href) return;
  href = location.href;
  for (const name of ["resize", "visibilitychange"]) addEventListener(name, () => checkAll());
  // Conditions about the time of day change without an event.
  setInterval(checkAll, RECHECK_MS);
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
  const holds = isMeant({ ...currentPlace(), hidden: document.hidden, now: Date.now() });
  const show = waiting.get(form);
  if (show && holds) {
    waiting.delete(form);
    show();
  }
  if (holds && form.getAttribute(OFF) === "targeting") {
    setVisible(form, true);
    form.hidden = false;
    form.removeAttribute(OFF);
  } else if (!holds && hasNavigated && !form.hidden && !form.matches(":focus-within")) {
    setVisible(form, false);
    form.hidden = true;
    form.setAttribute(OFF, "targeting");
  }
}
