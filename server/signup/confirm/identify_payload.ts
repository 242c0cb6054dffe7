import { z } from "zod";
import type { ProviderEvent } from "../../providers/port/webhook.ts";

export const IDENTIFY_JOB = "cfbe_identify_subscriber";

export const IdentifyPayload = z.object({
  /** The provider's name, as `general.provider` names it. */
  provider: z.string(),
  /** The subscriber's ID there. */
  id: z.string(),
  list: z.string().optional(),
  change: z.enum(["active", "ended", "other"]),
});

/** Returns the job that looks up whom an event is about. Several events about one person share it. */
export function identifyJob(
  { id, list, change }: Extract<ProviderEvent, { kind: "unnamed" }>,
  provider: string,
) {
  const payload: z.output<typeof IdentifyPayload> = {
    provider,
    id,
    ...(list !== undefined && { list }),
    change,
  };
  return { id: `identify:${provider}:${id}`, name: IDENTIFY_JOB, payload } as const;
}
