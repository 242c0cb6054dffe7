/** Decides what keeps a form from opening by itself because of the other forms that do: a pure function. */
import type { PopupBlocker } from "./popup_rules.ts";

const HOUR_MS = 3_600_000;

/** What the browser and the page remember about all forms that open by themselves. */
export interface SharedState {
  /** When the visitor last closed any of the forms, in Unix milliseconds. 0 or NaN if never. */
  closedAt: number;
  /** Whether another one is open. */
  otherOpen: boolean;
}

/**
 * Returns what keeps a form closed because of the others.
 *
 * @param quietHours hours after a close for which none opens; 0 for none
 * @param now Unix milliseconds
 */
export function sharedBlockers(
  { closedAt, otherOpen }: SharedState,
  quietHours = 0,
  now: number,
): PopupBlocker[] {
  return [
    // A time in the future was stored before the clock was set back. It counts as no close.
    ...closedAt > 0 && closedAt <= now && now - closedAt < quietHours * HOUR_MS ? ["quiet" as const] : [],
    ...otherOpen ? ["other-form" as const] : [],
  ];
}
