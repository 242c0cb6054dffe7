import type { CfbeEventName, CfbeEvents } from "../types.ts";

/** Tells the page. @returns false when it cancelled */
export function emit<Name extends CfbeEventName>(
  target: EventTarget,
  name: Name,
  detail: CfbeEvents[Name],
): boolean {
  const cancelable = name === "beforesubmit";
  return target.dispatchEvent(
    new CustomEvent(`cfbe-${name}`, { detail, cancelable, bubbles: true, composed: true }),
  );
}
