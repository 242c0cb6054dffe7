import { z } from "zod";
import { OTHER_ACTORS } from "../audit/actor_name.ts";
import type { Audit } from "../audit/audit.ts";
import type { Clock, Log } from "../deps.ts";
import type { Provider } from "../provider/port.ts";
import type { JobDefinition } from "../jobs/handler.ts";
import type { JobRow } from "../jobs/row.ts";

const Payload = z.object({
  email: z.string(),
  /** Whether to erase the address at the provider too. */
  provider: z.boolean(),
});
type Payload = z.output<typeof Payload>;

/** After this time, requests that an interrupted attempt sent to the provider have taken effect or failed. */
export const SETTLED_AFTER_MS = 60_000;

const NAME = "cfbe_erase_person";
/** The action in the audit log. */
const ACTION = "cfbe_erase_at_provider";

/** Returns the job of an erasure. Two requests for one address share a job. @param person HMAC of the address */
export function erasePersonJob(person: string, payload: Payload) {
  return { id: `erase_person:${person}`, name: NAME, payload, merge: mergeRequests } as const;
}

/** A request that includes the provider is not weakened by one that does not. */
function mergeRequests(older: Payload, newer: Payload): Payload {
  return { ...newer, provider: older.provider || newer.provider };
}

/** Returns whether such a job includes the provider. */
export function includesProvider({ payload }: Pick<JobRow, "payload">): boolean {
  return Payload.safeParse(payload).data?.provider ?? false;
}

interface Options {
  clock: Clock;
  log: Log;
  provider: Provider;
  people: { eraseLocally(email: string): Promise<{ wasRunning: boolean }> };
  audit: Audit;
}

/**
 * Finishes an erasure: first in cfbe, if the request was interrupted, then at the provider, once no running job can
 * add the address there again.
 */
export function erasePerson({ clock, log, provider, people, audit }: Options): JobDefinition<Payload> {
  async function recordResult(email: string, result: "done" | "failed") {
    const end = await audit.begin({ who: OTHER_ACTORS.program, action: ACTION, target: audit.target(email) });
    await end(result);
  }

  return {
    name: NAME,
    payload: Payload,
    runsWhileDeactivated: true,
    merge: mergeRequests,
    async handle({ payload: { email, provider: atProvider } }) {
      const { wasRunning } = await people.eraseLocally(email);
      if (wasRunning) {
        return {
          kind: "snooze",
          until: clock.now() + SETTLED_AFTER_MS,
          reason: "A job about the address was running.",
        };
      }
      if (!atProvider) return { kind: "done" };
      const result = await provider.erase(email);
      if (result.kind === "trouble") return { ...result, kind: "retry" };
      await recordResult(email, "done");
      log.info("person.erased_at_provider", { result: result.kind });
      return { kind: "done" };
    },
    async onDead({ payload }) {
      if (payload) await recordResult(payload.email, "failed");
    },
  };
}
