import { keys } from "../../platform/kv/keys.ts";
import { isCountedForm } from "../../forms/public/test_form.ts";
import type { Clock } from "../../platform/deps.ts";
import type { Kv } from "../../platform/kv/port.ts";
import type { Counters } from "../../platform/observe/counters.ts";

const HOUR_MS = 60 * 60 * 1000;

/** Request counters of a period. */
export interface Counts {
  /** Start of the period, in Unix milliseconds; null while nothing has been counted. */
  since: number | null;
  requests: number;
  accepted: number;
  /** By reason: too_large, not_json, source, fields. */
  invalid: Record<string, number>;
  /** By the limit that was exceeded: ip, site, mailbox, … */
  rate_limited: Record<string, number>;
  /** Requests that got the response of a success and were discarded, by drop reason: honeypot, missing, too_young, … */
  dropped: Record<string, number>;
  rejected: Record<string, number>;
  /** Other events, not part of the request total. */
  notes: Record<string, number>;
}

/**
 * Sums the request counters, without test signups.
 *
 * @param hours how many hours to look back; by default everything that is stored
 */
export async function countsSince(
  { counters, clock, kv }: { counters: Counters; clock: Clock; kv: Kv },
  hours?: number,
): Promise<Counts> {
  const from = hours === undefined ? 0 : Math.floor(clock.now() / HOUR_MS) - hours + 1;
  const totals = await counters.totals(from, isCountedForm);
  const of = (group: string) =>
    Object.fromEntries(
      Object.entries(totals).flatMap(([entry, count]) =>
        entry.startsWith(`${group}.`) ? [[entry.slice(group.length + 1), count]] : []
      ),
    );
  return {
    since: hours === undefined ? await firstHour(kv, totals, clock.now()) : from * HOUR_MS,
    requests: totals["requests"] ?? 0,
    accepted: totals["accepted"] ?? 0,
    invalid: of("invalid"),
    rate_limited: of("rate_limited"),
    dropped: of("dropped"),
    rejected: of("rejected"),
    notes: of("note"),
  };
}

async function firstHour(kv: Kv, totals: Record<string, number>, now: number): Promise<number | null> {
  const range = { start: keys.countersFrom(0), end: keys.countersEnd() };
  for await (const { key } of kv.list(range)) {
    const [hour, form] = key.slice(-3) as [number, string, string];
    if (isCountedForm(form)) return hour * HOUR_MS;
  }
  return totals["requests"] ? Math.floor(now / HOUR_MS) * HOUR_MS : null;
}
