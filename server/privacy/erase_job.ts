import { z } from "zod";
import type { Audit } from "../audit/audit.ts";
import type { Clock, Log } from "../deps.ts";
import type { JobDefinition } from "../jobs/handler.ts";
import type { JobRow } from "../jobs/row.ts";
import type { Provider } from "../provider/port.ts";
import { providerTitle } from "../settings/provider.ts";
import type { SettingsStore } from "../settings/store.ts";
import { recordErasureAt } from "./audit_entry.ts";

const Payload = z.object({
  email: z.string(),
  /** Whether to erase the address at a provider too. */
  provider: z.boolean(),
  /** The provider's name. Jobs of earlier versions have none: they erase at the chosen provider. */
  at: z.string().optional(),
});
type Payload = z.output<typeof Payload>;

const NAME = "cfbe_erase_person";

/**
 * Returns a job of an erasure: one for each provider, so that an outage of one does not delay the others, or one in all
 * if there is none. Two requests for one address share their jobs.
 *
 * @param person HMAC of the address
 */
export function erasePersonJob(person: string, payload: Payload) {
  const id = payload.at === undefined ? `erase_person:${person}` : `erase_person:${person}:${payload.at}`;
  return { id, name: NAME, payload, merge: mergeRequests } as const;
}

/** A request that includes the provider is not weakened by one that does not. */
function mergeRequests(older: Payload, newer: Payload): Payload {
  return { ...newer, provider: older.provider || newer.provider };
}

/** Returns whether such a job includes a provider. */
export function includesProvider({ payload }: Pick<JobRow, "payload">): boolean {
  return Payload.safeParse(payload).data?.provider ?? false;
}

interface Options {
  clock: Clock;
  log: Log;
  settings: Pick<SettingsStore, "current" | "providers">;
  /** Returns undefined if the provider's key is not set. */
  providerNamed(name: string): Provider | undefined;
  people: { eraseLocally(email: string): Promise<{ settledAt: number }> };
  audit: Audit;
}

/**
 * Finishes an erasure: first in cfbe, if the request was interrupted, then at the provider, once no running job can
 * add the address there again.
 */
export function erasePerson(
  { clock, log, settings, providerNamed, people, audit }: Options,
): JobDefinition<Payload> {
  const nameIn = ({ at }: Payload) => at ?? settings.current().general.provider;
  const titleIn = (payload: Payload) => providerTitle(nameIn(payload), settings.providers);

  return {
    name: NAME,
    payload: Payload,
    runsWhileDeactivated: true,
    merge: mergeRequests,
    async handle({ payload }) {
      const { email } = payload;
      const { settledAt } = await people.eraseLocally(email);
      if (settledAt > clock.now()) {
        return { kind: "snooze", until: settledAt, reason: "A job about the address was running." };
      }
      if (!payload.provider) return { kind: "done" };
      const provider = providerNamed(nameIn(payload));
      if (!provider) {
        return { kind: "retry", reason: `The API key of ${titleIn(payload)} is no longer set.` };
      }
      const result = await provider.erase(email);
      if (result.kind === "trouble") return { ...result, kind: "retry" };
      await recordErasureAt(audit, { email, title: titleIn(payload), result: "done" });
      log.info("person.erased_at_provider", { provider: nameIn(payload), result: result.kind });
      return { kind: "done" };
    },
    async onDead({ payload }) {
      if (!payload?.provider) return;
      await recordErasureAt(audit, { email: payload.email, title: titleIn(payload), result: "failed" });
    },
  };
}
