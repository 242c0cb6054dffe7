import type { Provider, Target } from "../../providers/port/port.ts";

/** How long a visitor waits for the message at most (contract 4.15). */
const WAIT_MS = 2_000;
/** Delay of the delivery, so that the provider cannot report the visitor's own new signup. */
export const DELIVER_AFTER_MS = WAIT_MS + 500;

/**
 * Returns whether the address is active or paused on its list, for the setting "Show the Already subscribed message".
 * Returns false if the provider fails or does not respond in time.
 */
export async function isAlreadySubscribed(provider: Provider, target: Target): Promise<boolean> {
  const read = await provider.status(target, AbortSignal.timeout(WAIT_MS));
  return read.kind === "found" && (read.status === "active" || read.status === "paused");
}
