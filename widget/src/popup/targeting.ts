/** The targeting of forms. Loaded only if one is not meant for every page and visitor. */
import type { Cart } from "../../../shared/contract.ts";
import { evaluateTargeting, type Targeting } from "../../../shared/targeting.ts";
import type { Context } from "../host/context.ts";
import type { Memory } from "../host/memory.ts";
import { visitOrigin } from "../host/visit.ts";
import type { VisitedPlace } from "./page.ts";

/** In session storage: the number of pages seen. */
const PAGES_KEY = "cfbe_popup_pages";
/** In session storage: `new` or `returning`. In local storage: set since the first visit. */
const VISIT_KEY = "cfbe_popup_visit";

/** The kinds of conditions of all targetings on this page, which share what they count and watch. */
const kinds = new Set<string>();
const listeners = new Set<() => void>();
let visits: ReturnType<typeof rememberVisits> | undefined;
let watched: Promise<void> | undefined;
let cart: Cart | undefined;

const onChange = () => listeners.forEach((listener) => listener());

/**
 * Returns a function that watches a visit, and compares it with a targeting.
 *
 * @param all the groups of all targetings that it is compared with
 */
export function createTargeting(
  context: Context,
  memory: Memory,
  all: Targeting,
): (onChange: () => void) => (page: VisitedPlace, targeting?: Targeting) => boolean {
  for (const { conditions } of all) conditions.forEach(({ kind }) => kinds.add(kind));
  visits ??= rememberVisits(memory);
  return (listener) => {
    listeners.add(listener);
    memory.onConsent(onChange);
    if (/cart/.test([...kinds].join())) {
      watched ??= context.load("checkout").then(({ watchCart }) =>
        watchCart((latest) => {
          cart = latest;
          onChange();
        })
      ).catch(console.warn);
    }
    return (page, targeting = all) => {
      const from = visitOrigin();
      const referrer = from.get("referrer") || document.referrer;
      return evaluateTargeting(targeting, {
        ...visits!(page),
        path: page.path,
        search: location.search,
        utm: `${from}`,
        referrer: referrer && new URL(referrer).hostname,
        width: innerWidth,
        language: navigator.language,
        cart,
        now: page.now,
      }).holds;
    };
  };
}

/**
 * Counts pages and visits. While nothing may be stored, this page counts as the first one of a new visitor; its pages
 * are added to the stored ones after consent.
 *
 * @returns a function that counts the page if it is visible and another one than before
 */
function rememberVisits(memory: Memory) {
  let path: string | undefined;
  let unsaved = 0;
  return (page: VisitedPlace) => {
    if (!page.hidden && page.path !== path) {
      path = page.path;
      unsaved++;
    }
    const pagesSeen = (Number(memory.get("sessionStorage", PAGES_KEY)) || 0) + unsaved;
    if (memory.persists()) {
      if (kinds.has("pages") && unsaved) {
        memory.set("sessionStorage", PAGES_KEY, String(pagesSeen));
        unsaved = 0;
      }
      if (kinds.has("visitor") && !memory.get("sessionStorage", VISIT_KEY)) {
        const visitedBefore = memory.get("localStorage", VISIT_KEY);
        memory.set("sessionStorage", VISIT_KEY, visitedBefore ? "returning" : "new");
        memory.set("localStorage", VISIT_KEY, "1");
      }
    }
    return { pagesSeen, returning: memory.get("sessionStorage", VISIT_KEY) === "returning" };
  };
}
