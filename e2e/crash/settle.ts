/** Waiting for the end of all work. */
import type { SignupStatus } from "../../server/operations/remote/signup_status.ts";
import { AFTER_KILLS, answered, type Crowd } from "./crowd.ts";
import type { RemoteProvider } from "../providers/remote_provider.ts";
import type { Observer } from "./observer.ts";
import { waitsForMailBudget } from "./promises.ts";

const POLL_EVERY_MS = 250;
/** Impatient visitors wait this long for a retry before they sign up again. */
const PATIENCE_MS = 3_000;

interface Options {
  /** Longest time to wait. */
  limitMs: number;
  /**
   * Whether visitors sign up again, and the provider repeats webhooks, instead of waiting for a retry. This must
   * change nothing but the time.
   */
  impatient: boolean;
}

/**
 * Waits until no visitor's signup has pending jobs, except those that wait for the mail budget.
 *
 * @throws {Error} with the signups that still have pending jobs
 */
export async function waitUntilSettled(
  provider: RemoteProvider,
  observer: Observer,
  crowd: Crowd,
  { limitMs, impatient }: Options,
): Promise<void> {
  const end = performance.now() + limitMs;
  let waiting = [...crowd.visitors.values()];
  while (true) {
    const unsettled: typeof waiting = [];
    const details: string[] = [];
    for (const visitor of waiting) {
      const found = await observer.status(visitor.email);
      const lost = found.length === 0 && answered(visitor) > 0;
      const busy = found.some(({ record, jobs }) => jobs.length > 0 || record.status === "queued");
      if (!busy || lost || waitsForMailBudget(provider.capabilities, found)) continue;
      unsettled.push(visitor);
      details.push(JSON.stringify({ visitor, found }));
      if (!impatient) continue;
      if (waitsLong(found, "cfbe_check_signup")) await provider.repeatWebhook(visitor.email);
      if (waitsLong(found, "cfbe_deliver_signup") && crowd.canSignUpAgain(visitor)) {
        await crowd.signUp(visitor.email, AFTER_KILLS);
      }
    }
    if (unsettled.length === 0) return;
    if (performance.now() > end) {
      throw new Error(
        `${unsettled.length} signups still have pending jobs after ${limitMs} ms:\n${
          details.slice(0, 5).join("\n")
        }`,
      );
    }
    waiting = unsettled;
    await new Promise((resolve) => setTimeout(resolve, POLL_EVERY_MS));
  }
}

function waitsLong(found: SignupStatus[], name: string): boolean {
  const late = Date.now() + PATIENCE_MS;
  return found.some(({ jobs }) => jobs.some((job) => job.name === name && job.due > late));
}
