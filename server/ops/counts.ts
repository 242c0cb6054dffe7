import { keys } from "../kv/keys.ts";
import type { Clock } from "../deps.ts";
import type { Counters } from "../observe/counters.ts";

const HOUR_MS = 60 * 60 * 1000;

/** What became of requests, without any address. */
export interface Counts {
  /** From when on it was counted, Unix milliseconds; null while nothing is. */
  since: number | null;
  requests: number;
  accepted: number;
  /** By what was wrong: too_large, not_json, source, fields. */
  invalid: Record<string, number>;
  /** By the limit that was exceeded: ip, site, mailbox, … */
  rate_limited: Record<string, number>;
  /** Fake successes, by what gave the request away: honeypot, missing, too_young, … */
  dropped: Record<string, number>;
  rejected: Record<string, number>;
  /** Counted beside the requests. */
  notes: Record<string, number>;
}

/** @param hours how far to look back; all there is unless told */
export async function countsSince(
  { counters, clock, kv }: { counters: Counters; clock: Clock; kv: Deno.Kv },
  hours?: number,
): Promise<Counts> {
  const from = hours === undefined ? 0 : Math.floor(clock.now() / HOUR_MS) - hours + 1;
  const totals = await counters.totals(from);
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

async function firstHour(kv: Deno.Kv, totals: Record<string, number>, now: number): Promise<number | null> {
  const range = { start: keys.countersFrom(0), end: keys.countersEnd() };
  for await (const { key } of kv.list(range, { limit: 1 })) return (key[3] as number) * HOUR_MS;
  return totals["requests"] ? Math.floor(now / HOUR_MS) * HOUR_MS : null;
}
