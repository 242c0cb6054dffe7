/**
 * Remembers where a visit came from, so that targeting and attribution on later pages know it. Loaded on every page, but
 * only if a form asks for it.
 */
import { utmIn } from "../../../shared/signup_page.ts";
import type { Context } from "./context.ts";

/** In session storage: what `visitOrigin` returns. */
const KEY = "cfbe_page";

/**
 * Returns where the visit came from: its UTM parameters, and as `referrer` the origin of the site that linked to it. They
 * are those of its first page that has any, until a page has UTM parameters of its own. After a single-page application
 * has navigated, the page is the one that the visitor came to.
 */
export function visitOrigin(): URLSearchParams {
  const { search, origin } = location;
  const [landing] = performance.getEntriesByType("navigation");
  const utm = [search, new URL(landing?.name ?? origin).search].map(utmIn).find(([first]) => first);
  // Apps have a referrer without an origin.
  const [referrer] = document.referrer.match(/^https?:\/\/[^/]+/) ?? [];
  let stored: string | undefined;
  try {
    stored = sessionStorage[KEY];
  } catch {
    // Storage is blocked.
  }
  return new URLSearchParams(
    !utm && stored || [...utm ?? [], ...referrer && referrer !== origin ? [["referrer", referrer]] : []],
  );
}

/** Stores where the visit came from, if it may be stored. */
export async function start(context: Context): Promise<void> {
  const value = String(visitOrigin());
  if (!value) return;
  if (context.storage === "auto") sessionStorage[KEY] = value;
  else if (context.storage === "consent") {
    // The popup's memory knows whether the visitor has consented, and stores or deletes the value when they choose.
    (await context.load("rules")).start(context).memory.set("sessionStorage", KEY, value);
  }
}
