import { deliverJobId } from "../signup/delivery/job.ts";
import { jobKey, type JobRow } from "../jobs/row.ts";
import type { Key } from "../kv/key.ts";
import { keys } from "../kv/keys.ts";

/** Job rows that one read takes. */
const ROWS_A_READ = 10;

/** Returns the key of the delivery of one record. */
export function deliveryKey(target: { email: string; list: string }): Key<JobRow> {
  return jobKey(deliverJobId(target));
}

/**
 * Whether a queued record may be at the provider already: its delivery waits for a retry (hours, where the provider
 * says `Retry-After`) after an attempt that may have taken effect. The person may have confirmed meanwhile.
 */
export function isMaybeDelivered(delivery: JobRow | null): boolean {
  return delivery?.state === "waiting" && delivery.unknown;
}

/** Lists the addresses of queued records in doubt on a list, oldest first. */
export async function* maybeDeliveredOn(kv: Deno.Kv, list: string): AsyncGenerator<string> {
  for await (const emails of inBatches(queuedOn(kv, list))) {
    const rows = await kv.getMany<JobRow[]>(emails.map((email) => deliveryKey({ email, list })));
    for (const [i, { value }] of rows.entries()) if (isMaybeDelivered(value)) yield emails[i]!;
  }
}

async function* queuedOn(kv: Deno.Kv, list: string): AsyncGenerator<string> {
  for await (const { key } of kv.list({ prefix: keys.byStatusOn("queued", list) })) {
    yield key.at(-1) as string;
  }
}

async function* inBatches(items: AsyncIterable<string>): AsyncGenerator<string[]> {
  let batch: string[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < ROWS_A_READ) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
