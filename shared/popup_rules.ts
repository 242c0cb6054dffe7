/**
 * Decides when the popup may open: pure functions of the settings, the browser's memory, the page and the time. The same
 * rules hold for every other form that opens by itself, so "the popup" stands for any of them here.
 */
import type { PopupRules } from "./public_settings.ts";
import { segmentsOf, startsWithSegments } from "./url_path.ts";

/** Value of `cfbe_popup` in a browser that has subscribed (contract 13.3). */
export const SUBSCRIBED = "subscribed";

/** A reason why the popup does not open; listed by `cfbe.why()`. */
export type PopupBlocker =
  /** The popup's settings are still loading. With `data-manual` they never load. */
  | "loading"
  | "disabled"
  /** The page is a cart, checkout or account page. */
  | "shop-page"
  | "excluded-path"
  /** The page or the visitor is not one that the popup is meant for. */
  | "targeting"
  /** This browser has subscribed. */
  | "subscribed"
  /** The popup was already shown in this session. */
  | "shown"
  /** The visitor closed the popup less than `hideDays` ago. */
  | "closed"
  /** The visitor closed this or another form that opens by itself less than `quietHours` ago. */
  | "quiet"
  /** Another form that opens by itself is open. */
  | "other-form"
  /** The page canceled `cfbe-beforeshow`. */
  | "cancelled"
  /** The tab is in the background, or the page is prerendered. */
  | "hidden"
  /** No trigger has fired yet. */
  | "trigger"
  | "cookie-bar"
  | "dialog"
  /** A signup form is on screen. */
  | "inline-form"
  /** A form field has the focus. */
  | "field";

/** What the browser and the page remember about the popup. */
export interface PopupState {
  /** `cfbe_popup`: `subscribed`, or the Unix milliseconds of the last close. Any other value is ignored. */
  popup: string | undefined;
  /** Whether the popup was shown in this session. */
  shown: boolean;
  /** Whether the page has canceled `cfbe-beforeshow`. */
  cancelled: boolean;
}

/** Identifies the page that the visitor is on. */
export interface Place {
  /** Path of the URL, followed by the path in the fragment if a router keeps one there. */
  path: string;
  /** Classes of the body. */
  classes: readonly string[];
  /** Values of `data-cfbe-page`. */
  pageTypes: readonly string[];
}

/** The page, and what has happened on it. */
export interface PageView extends Place {
  /** Whether the targeting holds, or there is none. */
  targeted: boolean;
  /** Whether the tab is in the background, or the page is prerendered. */
  hidden: boolean;
  /** Milliseconds for which the page was visible. */
  visibleMs: number;
  /** How far the visitor has scrolled, in percent. */
  scrolledPercent: number;
  /** Whether the pointer has left the page through the top. */
  pointerLeft: boolean;
  /** Whether one of the triggers has fired that need code of their own (`MoreTriggers`). */
  fired?: boolean | undefined;
  /** Elements that currently block the popup. */
  blockers: readonly PopupBlocker[];
}

const DAY_MS = 86_400_000;
/** The popup must never get in the way of a purchase (contract 13.5). No setting changes this. */
const SHOP = /^(cart|basket|checkouts?|(my-)?account)$/;
const SHOP_CLASS = /^woocommerce-(cart|checkout|account)$/;

/** `/a/b` matches that path and all paths below, `/` the home page, `b` a segment anywhere, `*` any one segment. */
function excludes(entry: string, segments: string[]): boolean {
  const pattern = segmentsOf(entry);
  if (!pattern.length) return entry === "/" && !segments.length;
  return entry[0] === "/"
    ? startsWithSegments(segments, pattern)
    : segments.some((_, from) => startsWithSegments(segments.slice(from), pattern));
}

/** Returns why the popup must not open on this page, not even when a visitor asks for it. */
export function placeBlockers(
  rules: PopupRules | undefined,
  { path, classes, pageTypes }: Place,
): PopupBlocker[] {
  const segments = segmentsOf(path);
  const shop = segments.some((segment) => SHOP.test(segment)) ||
    classes.some((name) => SHOP_CLASS.test(name)) ||
    pageTypes.some((type) => !type || SHOP.test(type));
  const excluded = rules?.excludePaths.some((entry) => excludes(entry, segments));
  return [...shop ? ["shop-page" as const] : [], ...excluded ? ["excluded-path" as const] : []];
}

/**
 * Returns everything that currently keeps the popup from opening automatically. It may open when the list is empty.
 *
 * @param rules undefined while the popup is off
 * @param now Unix milliseconds
 */
export function popupBlockers(
  rules: PopupRules | undefined,
  state: PopupState,
  page: PageView,
  now: number,
): PopupBlocker[] {
  const closedAt = Number(state.popup);
  const triggers: Partial<PopupRules["triggers"]> = rules?.triggers ?? {};
  const { delaySeconds, scrollPercent, exitIntent } = triggers;
  const triggered = delaySeconds && page.visibleMs >= delaySeconds * 1000 ||
    scrollPercent && page.scrolledPercent >= scrollPercent ||
    exitIntent && page.pointerLeft ||
    page.fired ||
    !Object.values(triggers).some(Boolean);

  const blocked: Partial<Record<PopupBlocker, boolean>> = {
    disabled: !rules,
    targeting: !page.targeted,
    subscribed: state.popup === SUBSCRIBED,
    shown: state.shown,
    // True as well for a time in the future, which was stored before the clock was set back.
    closed: closedAt > 0 && !!rules && now - closedAt < rules.hideDays * DAY_MS,
    cancelled: state.cancelled,
    hidden: page.hidden,
    trigger: !triggered,
  };
  return [
    ...placeBlockers(rules, page),
    ...(Object.keys(blocked) as PopupBlocker[]).filter((name) => blocked[name]),
    ...page.blockers,
  ];
}
