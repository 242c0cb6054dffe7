import type { CfbeEventName, CfbeEvents, FormDetail } from "../types.ts";

/**
 * Dispatches a `cfbe-*` event.
 *
 * @param form identifies the form; only its name and source are added to the event
 * @param more additional properties of the event's `detail`
 * @returns false if the page canceled the event
 */
export function emit<Name extends CfbeEventName>(
  target: EventTarget,
  name: Name,
  { form, source }: FormDetail,
  more?: Omit<CfbeEvents[Name], keyof FormDetail>,
): boolean {
  return target.dispatchEvent(
    new CustomEvent(`cfbe-${name}`, {
      detail: { form, source, ...more },
      // `beforeshow` and `beforesubmit`.
      cancelable: /^b/.test(name),
      bubbles: true,
      composed: true,
    }),
  );
}
