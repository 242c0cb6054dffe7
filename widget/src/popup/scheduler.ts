/** Checks the rules after each relevant change of the page, and shows the popup or another form when nothing blocks it. */
import { popupBlockers } from "../../../shared/popup_rules.ts";
import type { PopupRules } from "../../../shared/public_settings.ts";
import type { Load } from "../host/context.ts";
import { type Memory, POPUP_KEY } from "../host/memory.ts";
import type { PopupBlocker } from "../types.ts";
import { blockersIn, rootsOf } from "./blockers.ts";
import { type VisitedPlace, watchPage } from "./page.ts";

/** Groups changes that quickly follow each other into one check. */
const CHECK_DELAY_MS = 150;
/**
 * While the popup waits, the rules are checked at least this often: a quiet period ends, a blocker can disappear by a
 * style alone, and code that failed to load can load again, each without any event.
 */
const RECHECK_MS = 60_000;
/** Blockers that stay for as long as the visitor is on this page. */
const FINAL = /shown|subscribed/;

/**
 * Watches what a targeting depends on.
 *
 * @param onChange is called when the result may have changed
 * @returns a function that returns whether the popup is meant for this page and visitor
 */
export type WatchTargeting = (onChange: () => void) => (page: VisitedPlace) => boolean;

/**
 * Shows the popup, or another form, as soon as its rules allow it.
 *
 * @param show prepares it, and shows it if `isAllowed` still returns true, or if the visitor asks for it (without
 * `isAllowed`); resolves to false if the page cancels
 * @param moreBlockers returns what else blocks it at a time in Unix milliseconds
 * @returns a function that returns everything that blocks it now
 */
export function showWhenAllowed(
  load: Load,
  rules: PopupRules,
  memory: Memory,
  show: (isAllowed?: () => boolean) => Promise<boolean>,
  watchTargeting: WatchTargeting = () => () => true,
  moreBlockers: (now: number) => PopupBlocker[] = () => [],
): () => PopupBlocker[] {
  const controller = new AbortController();
  let cancelled = false;
  let showing = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let checkTimer: ReturnType<typeof setTimeout> | undefined;

  const scheduleCheck = () => {
    if (!controller.signal.aborted) checkTimer ??= setTimeout(check, CHECK_DELAY_MS);
  };
  const mutations = new MutationObserver(scheduleCheck);
  const view = watchPage(scheduleCheck, () => cancelled = false, controller.signal);
  const isTargeted = watchTargeting(scheduleCheck);
  const { triggers: { delaySeconds, more } } = rules;
  /** Undefined until they load, and after that has failed. */
  let triggers: Promise<unknown> | void;
  let isFired: (() => boolean) | undefined;

  const applyRules = (blockers: PopupBlocker[], page = view()): PopupBlocker[] => {
    const { now } = page;
    let popup = memory.get("localStorage", POPUP_KEY);
    // A close in the future was stored before the clock was set back. Without this it could hide the popup for years.
    if (Number(popup) > now) memory.set("localStorage", POPUP_KEY, popup = String(now));
    const shown = !!memory.get("sessionStorage", POPUP_KEY);
    const targeted = isTargeted(page);
    return popupBlockers(
      rules,
      { popup, shown, cancelled },
      { ...page, targeted, fired: isFired?.(), blockers: [...moreBlockers(now), ...blockers] },
      now,
    );
  };
  const findBlockers = () => blockersIn(rootsOf(), rules);
  const currentBlockers = () => applyRules(findBlockers());

  /** Shows the popup, or arms what checks again: both follow from one reading of the clocks. */
  function check(): void {
    clearTimeout(timer);
    checkTimer = undefined;
    mutations.disconnect();
    if (more) {
      triggers ??= load("triggers").then(({ watchTriggers }) => {
        isFired = watchTriggers(more, scheduleCheck, show, applyRules, rootsOf, controller.signal);
      }).catch((error) => triggers = console.warn(error));
    }
    const page = view();
    // Searching all shadow roots for blocking elements is expensive, so all other rules are checked first.
    const blockers = applyRules([], page).join();
    rules.on?.(blockers);
    if (FINAL.test(blockers)) return controller.abort();
    const rest = delaySeconds * 1000 - page.visibleMs;
    // A millisecond more, because browsers round timers down. The delay does not run while the page is hidden.
    timer = setTimeout(check, rest > 0 && !page.hidden ? rest + 1 : RECHECK_MS);
    if (showing) return;
    if (!blockers && !findBlockers().length) return void tryToShow();
    if (blockers && "navigation" in self && !/page/.test(blockers)) return;
    for (const root of blockers ? [document] : rootsOf()) {
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
      // The next check tries again.
      console.warn(error);
    }
    showing = false;
  }

  check();
  return currentBlockers;
}
