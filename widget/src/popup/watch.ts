/** Asks the rules when something has happened, and shows the popup when nothing holds it back. */
import type { PopupRules } from "../../../shared/public_settings.ts";
import { type Memory, POPUP } from "../host/memory.ts";
import type { PopupBlocker } from "../types.ts";
import { blockersIn, rootsOf } from "./blockers.ts";
import { watchPage } from "./page.ts";
import { heldBackBy } from "../../../shared/popup_rules.ts";

/** How long a page that keeps changing is let be before it is looked at again. */
const SETTLE_MS = 150;
/** Nothing that can still happen on this page takes these away. */
const FINAL: PopupBlocker[] = ["subscribed", "shown", "closed"];

/**
 * Watches for the moment.
 *
 * @param show shows the popup if, when it is ready, it is still allowed; resolves to false when the page forbade it
 * @returns everything that holds it back at this moment
 */
export function watch(
  rules: PopupRules,
  memory: Memory,
  show: (allowed: () => boolean) => Promise<boolean>,
): () => PopupBlocker[] {
  const life = new AbortController();
  let cancelled = false;
  let busy = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let settling: ReturnType<typeof setTimeout> | undefined;

  const soon = () => {
    if (!life.signal.aborted) settling ??= setTimeout(ask, SETTLE_MS);
  };
  const mutations = new MutationObserver(soon);
  const page = watchPage(soon, () => cancelled = false, life.signal);

  /** @param blockers what is in the way */
  function why(blockers: PopupBlocker[]): PopupBlocker[] {
    const now = Date.now();
    let popup = memory.get("localStorage", POPUP);
    // Kept as of now when it lies ahead, or a clock that was set back would hide the popup for years.
    if (Number(popup) > now) memory.set("localStorage", POPUP, popup = String(now));
    const shown = memory.get("sessionStorage", POPUP) !== undefined;
    return heldBackBy(rules, { popup, shown, cancelled }, { ...page.view(), blockers }, now);
  }
  const whyNow = () => why(blockersIn(rootsOf(), rules));

  function ask(): void {
    clearTimeout(timer);
    settling = undefined;
    mutations.disconnect();
    if (busy) return;
    // What is in the way is the dear part, for it may be in any shadow root: looked for when nothing else is missing.
    const held = why([]);
    if (held.some((name) => FINAL.includes(name))) return life.abort();
    const rest = page.until(rules.triggers.delaySeconds * 1000);
    if (rest !== undefined) timer = setTimeout(ask, rest);
    if (held.length) {
      if (!("navigation" in self)) mutations.observe(document, { subtree: true, childList: true });
      return;
    }
    if (!whyNow().length) return void attempt();
    for (const root of rootsOf()) {
      mutations.observe(root, { subtree: true, childList: true, attributes: true });
    }
  }

  async function attempt(): Promise<void> {
    busy = true;
    try {
      // Asked again at the last moment: much may have happened while the code was on its way.
      cancelled = !await show(() => !whyNow().length);
      soon();
    } catch {
      addEventListener("online", soon, { once: true, signal: life.signal });
    }
    busy = false;
  }

  ask();
  return whyNow;
}
