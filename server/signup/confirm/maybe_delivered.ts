import type { Kv } from "../../platform/kv/port.ts";
import { deliverJobId } from "../delivery/job.ts";
import { jobKey, type JobRow } from "../../platform/jobs/row.ts";
import type { Key } from "../../platform/kv/key.ts";
import { listReadable, readReadable } from "../../platform/kv/bad_rows.ts";
import { keys } from "../../platform/kv/keys.ts";

/** Maximum number of keys per `getMany`. */
const KEYS_PER_READ = 10;

/** Returns the key of a record's delivery job. */
export function deliveryKey(target: { email: string; list: string }): Key<JobRow> {
  return jobKey(deliverJobId(target));
}

/**
 * Returns whether a queued record may already be at the provider: its delivery waits for a retry, possibly for hours,
 * after an attempt with an unknown result. The person may have confirmed in the meantime.
 */
export function isMaybeDelivered(delivery: JobRow | null): boolean {
  return delivery?.state === "waiting" && delivery.unknown;
}

/** Yields the addresses of the queued records on a list that may already be at the provider, oldest first. */
export async function* maybeDeliveredOn(kv: Kv, list: string): AsyncGenerator<string> {
  for await (const emails of inBatches(queuedOn(kv, list))) {
    const rows = await readReadable(kv, emails.map((email) => deliveryKey({ email, list })));
    for (const [i, value] of rows.entries()) if (isMaybeDelivered(value)) yield emails[i]!;
  }
}

async function* queuedOn(kv: Kv, list: string): AsyncGenerator<string> {
  for await (const { key } of listReadable(kv, { prefix: keys.byStatusOn("queued", list) })) {
    yield key.at(-1) as string;
  }
}

async function* inBatches(items: AsyncIterable<string>): AsyncGenerator<string[]> {
  let batch: string[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < KEYS_PER_READ) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
