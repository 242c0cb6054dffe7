/** When the popup may show itself: one function of what is set, what is remembered, what the page is, and the time. */
import type { PopupRules } from "./public_settings.ts";

/** What `cfbe_popup` holds in a browser that has subscribed (contract 13.3). */
export const SUBSCRIBED = "subscribed";

/** What holds the popup back: `cfbe.why()`. */
export type PopupBlocker =
  /** Its rules are not there yet; with `data-manual` they never come. */
  | "loading"
  | "disabled"
  /** Cart, checkout or account. */
  | "shop-page"
  | "excluded-path"
  /** In this browser. */
  | "subscribed"
  /** In this session. */
  | "shown"
  /** Not long enough ago. */
  | "closed"
  /** By the page, in `cfbe-beforeshow`. */
  | "cancelled"
  /** Another tab is in front, or the page was loaded ahead of the visit. */
  | "hidden"
  /** Not yet waited, scrolled or turned away. */
  | "trigger"
  | "cookie-bar"
  | "dialog"
  /** On screen. */
  | "inline-form"
  /** Has the focus. */
  | "field";

/** What is remembered. */
export interface PopupState {
  /** `cfbe_popup`: `subscribed`, or the Unix milliseconds of the last close; anything else is nothing. */
  popup: string | undefined;
  /** It was shown in this session. */
  shown: boolean;
  /** The page has cancelled `cfbe-beforeshow`. */
  cancelled: boolean;
}

/** Where the visitor is. */
export interface Place {
  /** Path of the address, and of a router that keeps it in the fragment. */
  path: string;
  /** Classes of the body. */
  classes: readonly string[];
  /** Values of `data-cfbe-page`. */
  marks: readonly string[];
}

/** What the page is, and what has happened on it. */
export interface PageView extends Place {
  /** Nobody sees it: another tab is in front, or it was loaded ahead of the visit. */
  hidden: boolean;
  /** How long it could be seen, in milliseconds. */
  visibleMs: number;
  /** How far it was scrolled, in percent. */
  scrolled: number;
  /** The pointer has left it over its upper edge. */
  left: boolean;
  /** What stands in the way right now. */
  blockers: readonly PopupBlocker[];
}

const DAY_MS = 86_400_000;
/** Where nobody may be kept from paying (contract 13.5); these can't be taken out by any setting. */
const SHOP = /^(cart|basket|checkouts?|(my-)?account)$/;
const SHOP_CLASS = /^woocommerce-(cart|checkout|account)$/;

/** A path's segments as people read them; `cart.php` is a cart as well. */
function segmentsOf(path: string): string[] {
  try {
    path = decodeURIComponent(path);
  } catch {
    // No valid encoding: then as it is written.
  }
  return path.toLowerCase().split("/").filter(Boolean).map((segment) => segment.replace(/(.)\.\w+$/, "$1"));
}

/** `/a/b` is that path and all below it, `/` the first page alone, `b` a segment of any path, `*` any one segment. */
function excludes(entry: string, segments: string[]): boolean {
  const wanted = segmentsOf(entry);
  if (!wanted.length) return entry === "/" && !segments.length;
  const leads = (path: string[]) => wanted.every((want, i) => path[i] && (want === "*" || want === path[i]));
  return entry[0] === "/" ? leads(segments) : segments.some((_, from) => leads(segments.slice(from)));
}

/** Why the popup may not be shown in this place, whoever asks for it. */
export function keptFree(rules: PopupRules | undefined, { path, classes, marks }: Place): PopupBlocker[] {
  const segments = segmentsOf(path);
  const shop = segments.some((segment) => SHOP.test(segment)) ||
    classes.some((name) => SHOP_CLASS.test(name)) ||
    marks.some((mark) => !mark || SHOP.test(mark));
  const excluded = rules?.excludePaths.some((entry) => excludes(entry, segments));
  return [...shop ? ["shop-page" as const] : [], ...excluded ? ["excluded-path" as const] : []];
}

/**
 * Everything that holds the popup back; when it is nothing, the popup may show itself.
 *
 * @param rules absent when the popup is off
 * @param now Unix milliseconds
 */
export function heldBackBy(
  rules: PopupRules | undefined,
  state: PopupState,
  page: PageView,
  now: number,
): PopupBlocker[] {
  const closedAt = Number(state.popup);
  const { delaySeconds = 0, scrollPercent = 0, exitIntent = false } = rules?.triggers ?? {};
  const fired = delaySeconds > 0 && page.visibleMs >= delaySeconds * 1000 ||
    scrollPercent > 0 && page.scrolled >= scrollPercent ||
    exitIntent && page.left ||
    !(delaySeconds > 0 || scrollPercent > 0 || exitIntent);

  const held: Partial<Record<PopupBlocker, boolean>> = {
    disabled: !rules,
    subscribed: state.popup === SUBSCRIBED,
    shown: state.shown,
    // Also one that lies ahead, made by a clock that was since set back; it is then kept as of now.
    closed: closedAt > 0 && !!rules && now - closedAt < rules.hideDays * DAY_MS,
    cancelled: state.cancelled,
    hidden: page.hidden,
    trigger: !fired,
  };
  const names = Object.keys(held) as PopupBlocker[];
  return [...keptFree(rules, page), ...names.filter((name) => held[name]), ...page.blockers];
}
