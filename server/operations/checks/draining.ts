import type { Clock } from "../../platform/deps.ts";

/** A load balancer that notices in time has asked within so many milliseconds. */
const WITHIN_MS = 10_000;
/** Longer than a load balancer waits that asks once a second, and short enough for hosts that kill after 5 seconds. */
const NOTICE_MS = 1_300;

/** Lets load balancers know that this process is about to end, before it refuses connections. */
export interface Draining {
  /** Whether the process is about to end. Called for each request of `/readyz`. */
  asked(): boolean;
  /**
   * Begins to answer 503 at `/readyz`. Resolves when load balancers have had the time to notice: at once to false if none
   * has asked lately, and otherwise to true.
   */
  begin(): Promise<boolean>;
}

export function createDraining({ clock }: { clock: Clock }): Draining {
  let lastAsked = -Infinity;
  let isDraining = false;
  return {
    asked() {
      lastAsked = clock.now();
      return isDraining;
    },
    async begin() {
      isDraining = true;
      if (clock.now() - lastAsked > WITHIN_MS) return false;
      await clock.sleep(NOTICE_MS);
      return true;
    },
  };
}
