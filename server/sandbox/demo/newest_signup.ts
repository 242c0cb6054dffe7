import { readRow } from "../../platform/kv/key.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { Kv } from "../../platform/kv/port.ts";
import type { Counters } from "../../platform/observe/counters.ts";
import { readConsents } from "../../signup/record/consents.ts";
import { type ConsentRow, signupKey, type SignupRecord } from "../../signup/record/row.ts";
import type { Journey } from "./journey.ts";

/** The parts of a sandbox email that the demo needs. */
export interface DemoMail {
  at: number;
  link: string;
}

const HOUR_MS = 60 * 60 * 1000;

/**
 * Reads the journey of the newest signup from the rows that its steps write: record, consent, inbox.
 *
 * @param mailTo returns the newest confirmation email to an address that was sent at or after a time
 */
export function newestSignup(
  { kv, counters }: { kv: Kv; counters: Counters },
  mailTo: (email: string, since: number) => Promise<DemoMail | undefined>,
): Journey {
  /** Yields the queued signups, whose consent may have no row yet, and then the newest one with such a row. */
  async function* candidates(): AsyncGenerator<{ at: number; email: string; list: string }> {
    for await (const { key } of kv.list({ prefix: keys.byStatusAll("queued") })) {
      const [list, at, email] = key.slice(-3) as [string, number, string];
      yield { at, email, list };
    }
    for await (const { key } of kv.list({ prefix: keys.consentByTimeAll() }, { limit: 1, reverse: true })) {
      const [at, email, list] = key.slice(-4) as [number, string, string, string];
      yield { at, email, list };
    }
  }

  async function newestConsent(since: number): Promise<[ConsentRow, SignupRecord] | undefined> {
    let newest: { at: number; email: string; list: string } | undefined;
    for await (const one of candidates()) if (one.at >= (newest?.at ?? since)) newest = one;
    const record = newest && await readRow(kv, signupKey(newest.email, newest.list));
    const [consent] = record ? await readConsents(kv, record, { limit: 1 }) : [];
    return record && consent ? [consent, record] : undefined;
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
