/** Checks the rules after each relevant change of the page, and shows the popup or another form when nothing blocks it. */
import { type Place, popupBlockers } from "../../../shared/popup_rules.ts";
import type { PopupRules } from "../../../shared/public_settings.ts";
import type { Load } from "../host/context.ts";
import { type Memory, POPUP_KEY } from "../host/memory.ts";
import type { PopupBlocker } from "../types.ts";
import { blockersIn, rootsOf } from "./blockers.ts";
import { watchPage } from "./page.ts";

/** Groups changes that quickly follow each other into one check. */
const CHECK_DELAY_MS = 150;
/** Blockers that stay for as long as the visitor is on this page. */
const FINAL = /shown|subscribed|closed|quiet/;

/**
 * Watches what a targeting depends on.
 *
 * @param onChange is called when the result may have changed
 * @returns a function that returns whether the popup is meant for this page and visitor
 */
export type WatchTargeting = (onChange: () => void) => (page: Place & { hidden: boolean }) => boolean;

/**
 * Shows the popup, or another form, as soon as its rules allow it.
 *
 * @param show prepares it, and shows it if `isAllowed` still returns true, or if the visitor asks for it (without
 * `isAllowed`); resolves to false if the page cancels
 * @param moreBlockers returns what else blocks it now
 * @returns a function that returns everything that blocks it now
 */
export function showWhenAllowed(
  load: Load,
  rules: PopupRules,
  memory: Memory,
  show: (isAllowed?: () => boolean) => Promise<boolean>,
  watchTargeting: WatchTargeting = () => () => true,
  moreBlockers?: () => PopupBlocker[],
): () => PopupBlocker[] {
  const controller = new AbortController();
  let cancelled = false;
  let showing = false;
  let delayTimer: ReturnType<typeof setTimeout> | undefined;
  let checkTimer: ReturnType<typeof setTimeout> | undefined;

  const scheduleCheck = () => {
    if (!controller.signal.aborted) checkTimer ??= setTimeout(check, CHECK_DELAY_MS);
  };
  const mutations = new MutationObserver(scheduleCheck);
  const page = watchPage(scheduleCheck, () => cancelled = false, controller.signal);
  const isTargeted = watchTargeting(scheduleCheck);
  const { triggers: { delaySeconds, more } } = rules;
  let isFired: (() => boolean) | undefined;

  const applyRules = (blockers: PopupBlocker[]): PopupBlocker[] => {
    const now = Date.now();
    let popup = memory.get("localStorage", POPUP_KEY);
    // A close in the future was stored before the clock was set back. Without this it could hide the popup for years.
    if (Number(popup) > now) memory.set("localStorage", POPUP_KEY, popup = String(now));
    const shown = !!memory.get("sessionStorage", POPUP_KEY);
    const view = page.view();
    const targeted = isTargeted(view);
    return popupBlockers(
      rules,
      { popup, shown, cancelled },
      { ...view, targeted, fired: isFired?.(), blockers: [...moreBlockers?.() ?? [], ...blockers] },
      now,
    );
  };
  const currentBlockers = () => applyRules(blockersIn(rootsOf(), rules));

  function check(): void {
    clearTimeout(delayTimer);
    checkTimer = undefined;
    mutations.disconnect();
    if (showing) return;
    // Searching all shadow roots for blocking elements is expensive, so all other rules are checked first.
    const blockers = applyRules([]).join();
    rules.on?.(blockers);
    if (FINAL.test(blockers)) return controller.abort();
    const rest = page.timeUntil(delaySeconds * 1000);
    if (rest > 0) delayTimer = setTimeout(check, rest);
    if (blockers) {
      if (!("navigation" in self)) mutations.observe(document, { subtree: true, childList: true });
      return;
    }
    if (!currentBlockers().length) return void tryToShow();
    for (const root of rootsOf()) {
      mutations.observe(root, { subtree: true, childList: true, attributes: true });
    }
  }

  async function tryToShow(): Promise<void> {
    showing = true;
    try {
      // Checks the rules again at the last moment, because the page may have changed while the popup was loading.
      cancelled = !await show(() => !currentBlockers().length);
      scheduleCheck();
    } catch (error) {
      // The next check, for example when the network is back, tries again.
      console.warn(error);
    }
    showing = false;
  }

  check();
  if (more) {
    load("triggers").then(
      ({ watchTriggers }) =>
        isFired = watchTriggers(more, scheduleCheck, show, applyRules, rootsOf, controller.signal),
      console.warn,
    );
  }
  return currentBlockers;
}
