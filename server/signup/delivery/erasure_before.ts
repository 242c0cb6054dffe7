import type { Clock } from "../../platform/deps.ts";
import type { JobRow } from "../../platform/jobs/row.ts";
import type { Key } from "../../platform/kv/key.ts";
import type { ErasedRow } from "../record/erased_row.ts";
import type { Provider } from "../../providers/port/port.ts";
import type { DeliveryRun } from "./run.ts";

/**
 * Erasures that a provider has not done yet. It erases all that it has about an address, so whatever adds the address
 * there again has to wait until then.
 */
export interface Erasures {
  /** Returns the key of the marker without which no erasure of the address is open anywhere. */
  marker(email: string): Key<ErasedRow>;
  /** Returns the job of the open erasure at a provider, or undefined. */
  openAt(provider: string, email: string): Promise<JobRow | undefined>;
  /** Makes an erasure that waits for its retry due now, or when the provider allows it. */
  bringForward(provider: string, email: string): Promise<void>;
  /** Ends an erasure that waits, as failed. Returns whether none is open now. */
  giveUp(provider: string, email: string): Promise<boolean>;
}

export const WAITS_FOR_ERASURE =
  "An earlier erasure of the address at the provider is not done yet. The delivery waits for it.";

/** A provider that responds, and that has not erased the address for so long, is not waited for. */
const MAX_WAIT_MS = 60 * 60 * 1000;
const LOOK_AGAIN_MS = 5_000;

/** How a delivery waits: since when and until when, in Unix milliseconds. */
interface Wait {
  /** Undefined if the wait starts again. */
  seen: number | undefined;
  until: number;
}

/**
 * Makes the delivery of a signup wait for an erasure that was requested before the signup, because the erasure would take
 * the signup with it. If the erasure keeps failing at a provider that responds, gives up the erasure, and not the signup.
 */
export async function erasureBefore(
  erasures: Erasures,
  clock: Clock,
  { payload: { email, list, erasureSeen } }: Pick<DeliveryRun, "payload">,
  { name, provider }: { name: string; provider: Pick<Provider, "status"> },
): Promise<Wait | "done"> {
  const erasure = await erasures.openAt(name, email);
  if (!erasure) return "done";
  const now = clock.now();
  if (erasureSeen === undefined) {
    await erasures.bringForward(name, email);
    return { seen: now, until: now + LOOK_AGAIN_MS };
  }
  const end = erasureSeen + MAX_WAIT_MS;
  if (now >= end) {
    const read = await provider.status({ list, email });
    // After an outage, both start again.
    if (read.kind === "trouble") {
      return { seen: undefined, until: now + (read.retryAfterMs ?? MAX_WAIT_MS / 10) };
    }
    if (await erasures.giveUp(name, email)) return "done";
  }
  const next = (erasure.state === "waiting" ? Math.max(erasure.due, now) : now) + LOOK_AGAIN_MS;
  return { seen: erasureSeen, until: now >= end ? now + LOOK_AGAIN_MS : Math.min(next, end) };
}
