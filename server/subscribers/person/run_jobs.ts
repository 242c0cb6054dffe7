import { z } from "zod";

/** IDs and names of the jobs that act on many subscribers. There is one of each at a time. */
export const BULK_JOB = { id: "bulk_people", name: "cfbe_bulk_people" } as const;
/** The same for an erasure, which also runs while the service is deactivated. */
export const BULK_ERASURE_JOB = { id: BULK_JOB.id, name: "cfbe_bulk_erasure" } as const;
export const MIGRATION_JOB = { id: "migrate_provider", name: "cfbe_migrate_provider" } as const;

/** The payload of both. It names the run only, so that it contains no address. */
export const RunPayload = z.object({ startedAt: z.number() });
export type RunPayload = z.output<typeof RunPayload>;
