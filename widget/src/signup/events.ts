import type { CfbeEventName, CfbeEvents, FormDetail } from "../types.ts";

/**
 * Tells the page.
 *
 * @param form which form it is about; of it goes along what an event may carry
 * @param more what an event of this name carries besides
 * @returns false when the page cancelled it
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
      cancelable: /^before/.test(name),
      bubbles: true,
      composed: true,
    }),
  );
}
