import { z } from "zod";
import type { Audit } from "../audit/audit.ts";
import type { Clock, Log } from "../deps.ts";
import type { Provider } from "../provider/port.ts";
import type { JobDefinition } from "../jobs/handler.ts";
import type { JobRow } from "../jobs/row.ts";

const Payload = z.object({
  email: z.string(),
  /** Whether the provider is to erase it too. */
  provider: z.boolean(),
});
type Payload = z.output<typeof Payload>;

/** What an attempt under way has asked the provider for has arrived there, or failed, by then. */
export const QUIET_AFTER_MS = 60_000;

const NAME = "cfbe_erase_person";
/** As the audit log names what this did by itself. */
const ACTION = "cfbe_erase_at_provider";

/** An erasure, by the HMAC of the address: two requests become one. */
export function erasePersonJob(person: string, payload: Payload) {
  return { id: `erase_person:${person}`, name: NAME, payload, merge: join } as const;
}

/** Who asked for both is not to get less because somebody asked for less. */
function join(older: Payload, newer: Payload): Payload {
  return { ...newer, provider: older.provider || newer.provider };
}

/** Whether such a job is to ask the provider. */
export function asksProvider({ payload }: Pick<JobRow, "payload">): boolean {
  return Payload.safeParse(payload).data?.provider ?? false;
}

interface Options {
  clock: Clock;
  log: Log;
  provider: Provider;
  /** Erases everything here once more, and says whether an attempt was under way meanwhile. */
  people: { pass(email: string): Promise<{ wasRunning: boolean }> };
  audit: Audit;
}

/**
 * Finishes an erasure: what a request did not get to here, then the provider, when nothing that was under way can
 * bring the address back to it.
 */
export function erasePerson({ clock, log, provider, people, audit }: Options): JobDefinition<Payload> {
  async function put(email: string, result: "done" | "failed") {
    const end = await audit.begin({ who: "cfbe", action: ACTION, target: audit.target(email) });
    await end(result);
  }

  return {
    name: NAME,
    payload: Payload,
    runsWhileDeactivated: true,
    merge: join,
    async handle({ payload: { email, provider: there } }) {
      const { wasRunning } = await people.pass(email);
      if (wasRunning) {
        return { kind: "snooze", until: clock.now() + QUIET_AFTER_MS, reason: "Something was under way." };
      }
      if (!there) return { kind: "done" };
      const result = await provider.erase(email);
      if (result.kind === "trouble") return { ...result, kind: "retry" };
      await put(email, "done");
      log.info("person.erased_at_provider", { result: result.kind });
      return { kind: "done" };
    },
    async onDead({ payload }) {
      if (payload) await put(payload.email, "failed");
    },
  };
}
