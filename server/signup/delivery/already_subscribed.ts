import type { Provider, Target } from "../../provider/port.ts";

/** A visitor waits no longer than this for the message (contract 4.15). */
const WAIT_MS = 2_000;
/** Until then the delivery stays put, or the answer would tell of the visitor's own signup a moment ago. */
export const DELIVER_AFTER_MS = WAIT_MS + 500;

/**
 * Whether the list has the address as active or paused, for the setting "Show the Already subscribed message".
 * No answer in time, and every other answer, means no.
 */
export async function isAlreadySubscribed(provider: Provider, target: Target): Promise<boolean> {
  const read = await provider.status(target, AbortSignal.timeout(WAIT_MS));
  return read.kind === "found" && (read.status === "active" || read.status === "paused");
}
