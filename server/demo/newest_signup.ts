import { readEntries } from "../kv/entries.ts";
import { keys } from "../kv/keys.ts";
import type { Counters } from "../observe/counters.ts";
import { consentKey, type ConsentRow, signupKey, type SignupRecord } from "../signup/record/row.ts";
import type { Journey } from "./journey.ts";

/** The parts of a sandbox email that the demo needs. */
export interface DemoMail {
  at: number;
  link: string;
}

const HOUR_MS = 60 * 60 * 1000;

/**
 * Reads the journey of the newest signup from the rows that its steps write: consent row, record, inbox.
 *
 * @param mailTo returns the newest confirmation email to an address that was sent at or after a time
 */
export function newestSignup(
  { kv, counters }: { kv: Deno.Kv; counters: Counters },
  mailTo: (email: string, since: number) => Promise<DemoMail | undefined>,
): Journey {
  async function newestConsent(since: number): Promise<[ConsentRow, SignupRecord] | undefined> {
    const newest = kv.list({ prefix: keys.consentByTimeAll() }, { limit: 1, reverse: true });
    for await (const { key } of newest) {
      const [at, email, list, id] = key.slice(-4) as [number, string, string, string];
      if (at < since) return undefined;
      const { consent, record } = await readEntries(kv, {
        consent: consentKey(email, list, at, id),
        record: signupKey(email, list),
      });
      return consent.value && record.value ? [consent.value, record.value] : undefined;
    }
  }

  return async (since) => {
    const totals = await counters.totals(Math.floor(since / HOUR_MS));
    const dropped = Object.entries(totals).filter(([entry]) => entry.startsWith("dropped."))
      .reduce((sum, [, count]) => sum + count, 0);
    const found = await newestConsent(since);
    if (!found) return dropped > 0 ? { dropped } : null;

    const [{ at }, { email, status, listStatus, since: reachedAt, confirmed }] = found;
    const mail = await mailTo(email, at);
    const delivered = listStatus !== undefined && status !== "queued";
    const deliveredAt = status === "pending" ? reachedAt : mail?.at ?? reachedAt;
    return {
      acceptedAt: at,
      ...(delivered && { deliveredAt: Math.max(at, deliveredAt) }),
      ...(mail && { mailedAt: mail.at, mailLink: mail.link }),
      ...(confirmed && { confirmedAt: confirmed.at, confirmedBy: confirmed.by }),
      status,
      dropped,
    };
  };
}
