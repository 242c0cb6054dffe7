import { type PopupBlocker, popupBlockers } from "../../shared/popup_rules.ts";
import type { Settings } from "../settings/schema.ts";

/** What one rule of the popup says of an address. */
export interface RuleAnswer {
  rule: string;
  /** `depends`: on the visitor, the browser or the page itself, which cannot be seen from here. */
  answer: "fine" | "holds" | "depends";
  says: string;
}

/**
 * Why the popup would not show itself on an address now, rule by rule, to somebody who comes for the first time. The
 * rules are the widget's own.
 *
 * @returns undefined for what is no address of a page
 */
export function whyNoPopup(
  { popup, general }: Pick<Settings, "popup" | "general">,
  address: string,
  now: number,
): RuleAnswer[] | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  const held = new Set<PopupBlocker>(
    popupBlockers(
      popup.enabled ? popup : undefined,
      { popup: undefined, shown: false, cancelled: false },
      {
        // As the widget reads it: a router may keep the path in the fragment.
        path: url.pathname + (/^#!?(\/.*)/.exec(url.hash)?.[1] ?? ""),
        classes: [],
        pageTypes: [],
        hidden: false,
        visibleMs: Infinity,
        scrolledPercent: 100,
        pointerLeft: true,
        blockers: [],
      },
      now,
    ),
  );
  const rule = (name: string, blocker: PopupBlocker, fine: string, holds: string): RuleAnswer => {
    const is = held.has(blocker);
    return { rule: name, answer: is ? "holds" : "fine", says: is ? holds : fine };
  };
  const depends = (name: string, says: string): RuleAnswer => ({ rule: name, answer: "depends", says });
  const known = general.origins.length === 0 || general.origins.includes(url.origin);
  return [
    rule("Switched on", "disabled", "The popup is on.", "The popup is off. Switch it on above."),
    {
      rule: "Origin",
      answer: known ? "fine" : "holds",
      says: known
        ? `Pages of ${url.origin} may embed forms.`
        : `${url.origin} is not among the origins on the General tab: the script gets no settings there.`,
    },
    rule(
      "Cart, checkout, account",
      "shop-page",
      "The address is none of these. A page can also say so by data-cfbe-page or WooCommerce's classes.",
      "The address looks like one of these, where the popup never shows. No setting changes that.",
    ),
    rule(
      "Excluded paths",
      "excluded-path",
      "No excluded path fits the address.",
      `One of these fits: ${popup.excludePaths.join(", ")}.`,
    ),
    depends("Trigger", triggerWords(popup.triggers)),
    depends("Subscribed already", "Whoever subscribed in this browser, by any form, never sees it again."),
    depends("Once a session", "It shows at most once in a visit."),
    depends("Closed before", `It stays away for ${popup.hideDays} days after it was closed.`),
    depends(
      "Cookie bar",
      popup.cookieBarSelector === ""
        ? "No selector is set, so it waits for no cookie bar."
        : `It waits while ${popup.cookieBarSelector} can be seen.`,
    ),
    depends(
      "Other dialogs",
      "The popup waits while another dialog is open, an alert included, or while the visitor types. A role=dialog " +
        "without aria-modal counts if it covers more than half of the screen.",
    ),
    depends("Inline form", "The popup waits while a form of cfbe is on screen, loaded or not."),
    depends("The page's own code", "A script may cancel cfbe-beforeshow."),
  ];
}

function triggerWords({ delaySeconds, scrollPercent, exitIntent }: Settings["popup"]["triggers"]): string {
  const words = [
    ...(delaySeconds > 0 ? [`the page was in sight for ${delaySeconds} s`] : []),
    ...(scrollPercent > 0 ? [`${scrollPercent} % of it were scrolled`] : []),
    ...(exitIntent ? ["the pointer left it upwards"] : []),
  ];
  return words.length === 0 ? "None is set: it shows at once." : `It waits until ${words.join(", or ")}.`;
}
