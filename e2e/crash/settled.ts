import type { SignupStatus } from "../../server/ops/operations.ts";
import { AFTERWARDS, answered, type Crowd } from "./crowd.ts";
import type { Outside } from "./outside.ts";

const LOOK_EVERY_MS = 250;
/** Who would wait longer for another try of what failed does not, if impatient. */
const PATIENCE_MS = 3_000;

interface Options {
  /** After which it is too late. */
  limitMs: number;
  /**
   * Nobody waits for a backoff: visitors sign up again, and the provider tells again. It is to make no difference
   * but to the time.
   */
  impatient: boolean;
}

/**
 * Resolves when no visitor's signup has work under way any more.
 *
 * @throws {Error} with the addresses that are still under way, and what they wait for
 */
export async function untilSettled(
  outside: Outside,
  crowd: Crowd,
  { limitMs, impatient }: Options,
): Promise<void> {
  const end = performance.now() + limitMs;
  let waiting = [...crowd.visitors.values()];
  while (true) {
    const still: typeof waiting = [];
    const why: string[] = [];
    for (const visitor of waiting) {
      const found = await outside.status(visitor.email);
      const lost = found.length === 0 && answered(visitor) > 0;
      const busy = found.some(({ record, jobs }) => jobs.length > 0 || record.status === "queued");
      if (!busy || lost) continue;
      still.push(visitor);
      why.push(JSON.stringify({ visitor, found }));
      if (!impatient) continue;
      if (waitsLong(found, "cfbe_check_signup")) await outside.tellAgain(visitor.email);
      if (waitsLong(found, "cfbe_deliver_signup") && crowd.mayComeAgain(visitor)) {
        await crowd.signUp(visitor.email, AFTERWARDS);
      }
    }
    if (still.length === 0) return;
    if (performance.now() > end) {
      throw new Error(
        `${still.length} are still under way after ${limitMs} ms:\n${why.slice(0, 5).join("\n")}`,
      );
    }
    waiting = still;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

function waitsLong(found: SignupStatus[], name: string): boolean {
  const late = Date.now() + PATIENCE_MS;
  return found.some(({ jobs }) => jobs.some((job) => job.name === name && job.due > late));
}
