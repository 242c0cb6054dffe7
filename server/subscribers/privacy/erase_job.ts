import { z } from "zod";
import type { Audit } from "../../platform/audit/audit.ts";
import type { Clock, Log } from "../../platform/deps.ts";
import type { JobDefinition } from "../../platform/jobs/handler.ts";
import type { JobRow } from "../../platform/jobs/row.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { Kv } from "../../platform/kv/port.ts";
import type { Provider } from "../../providers/port/port.ts";
import { providerTitle } from "../../settings/store/provider.ts";
import type { SettingsStore } from "../../settings/store/store.ts";
import type { SignupProviders } from "../../signup/record/provider_of.ts";
import type { SignupRecord } from "../../signup/record/row.ts";
import { recordErasureAt } from "./audit_entry.ts";
import { includedAt } from "./personal_data.ts";

const Payload = z.object({
  email: z.string(),
  /** Whether to erase the address at a provider too. */
  provider: z.boolean(),
  /** The provider's name. Jobs of earlier versions have none: they erase at the chosen provider. */
  at: z.string().optional(),
  /**
   * When the erasure was requested, Unix milliseconds: what is newer stays. Jobs of earlier versions have none and use
   * the time when they were added.
   */
  requestedAt: z.number().optional(),
  /** Whether the request has erased everything in cfbe. */
  isErasedHere: z.boolean().optional(),
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
  return { id: eraseJobId(person, payload.at), name: NAME, payload, merge: mergeRequests } as const;
}

/** Returns the ID of the job of an erasure at a provider. @param person HMAC of the address */
export function eraseJobId(person: string, provider: string | undefined): string {
  return provider === undefined ? `erase_person:${person}` : `erase_person:${person}:${provider}`;
}

/** A request that includes the provider is not weakened by one that does not. */
function mergeRequests(older: Payload, newer: Payload): Payload {
  const times = [older.requestedAt, newer.requestedAt].filter((time) => time !== undefined);
  return {
    ...newer,
    provider: older.provider || newer.provider,
    ...(times.length > 0 && { requestedAt: Math.max(...times) }),
  };
}

/** Returns when the erasure of such a job was requested; undefined in rows of earlier versions. */
export function requestedAtOf({ payload }: Pick<JobRow, "payload">): number | undefined {
  return Payload.safeParse(payload).data?.requestedAt;
}

/** Returns whether such a job includes a provider. */
export function includesProvider({ payload }: Pick<JobRow, "payload">): boolean {
  return Payload.safeParse(payload).data?.provider ?? false;
}

interface Options {
  kv: Kv;
  clock: Clock;
  log: Log;
  settings: Pick<SettingsStore, "current" | "providers">;
  /** Returns undefined if the provider's key is not set. */
  providerNamed(name: string): Provider | undefined;
  people: {
    eraseLocally(email: string, requestedAt: number): Promise<{ settledAt: number }>;
    settledAt(email: string): Promise<number>;
  };
  signupProviders: Pick<SignupProviders, "nameOf">;
  audit: Audit;
}

/**
 * Finishes an erasure: first in cfbe, if the request was interrupted, then at the provider, once no running job can
 * add the address there again. A signup that is newer than the request waits for it (`erasures.ts`). If the provider has
 * such a signup already, the erasure there fails, because it would take the signup with it.
 */
export function erasePerson(
  { kv, clock, log, settings, providerNamed, people, signupProviders, audit }: Options,
): JobDefinition<Payload> {
  const nameIn = ({ at }: Payload) => at ?? settings.current().general.provider;
  const titleIn = (payload: Payload) => providerTitle(nameIn(payload), settings.providers);

  /** Returns whether the provider may have a signup that is newer than the request. */
  async function hasNewerSignup(payload: Payload, requestedAt: number): Promise<boolean> {
    const includes = includedAt(requestedAt, clock.now());
    const rows = kv.list<SignupRecord>({ prefix: keys.signupsOf(payload.email) });
    for await (const { value } of rows) {
      const isDelivered = value.status !== "queued" && signupProviders.nameOf(value) === nameIn(payload);
      if (isDelivered && !includes(value.createdAt)) return true;
    }
    return false;
  }

  return {
    name: NAME,
    payload: Payload,
    runsWhileDeactivated: true,
    merge: mergeRequests,
    async handle({ payload, createdAt }) {
      const { email, requestedAt = createdAt } = payload;
      const settledAt = payload.isErasedHere
        ? await people.settledAt(email)
        : (await people.eraseLocally(email, requestedAt)).settledAt;
      if (settledAt > clock.now()) {
        return {
          kind: "snooze",
          until: settledAt,
          reason: "A request about the address may still arrive at a provider.",
        };
      }
      if (!payload.provider) return { kind: "done" };
      const provider = providerNamed(nameIn(payload));
      if (!provider) {
        return { kind: "retry", reason: `The API key of ${titleIn(payload)} is no longer set.` };
      }
      if (await hasNewerSignup(payload, requestedAt)) {
        await recordErasureAt(audit, { email, title: titleIn(payload), result: "failed" });
        return { kind: "cancel", reason: "The person has signed up again since the request." };
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
