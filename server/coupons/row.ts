import { type Key, typed } from "../kv/key.ts";
import { keys } from "../kv/keys.ts";
import type { Settings } from "../settings/schema.ts";
import type { Coupon } from "../shop/port.ts";
import { codeFor } from "./code.ts";

/**
 * The one coupon of a mailbox, for ever: under an HMAC of it, whoever else signs up with another spelling. It is
 * written before the shop is asked, so that whatever ends in between, the same code is asked for again.
 */
export interface CouponRow extends Coupon {
  v: 1;
  /**
   * Whom it was chosen for, and the one job that gives it away: forgotten with `over`. The job of another spelling
   * finds that the mailbox has its coupon; if two gave it away, one might give up because the other is trying.
   */
  to?: { email: string; list: string; job: string };
  state: "chosen" | "made" | "over";
}

/** Returns the key of a mailbox's coupon. @param mailbox its HMAC; see `Markers.mailbox` */
export const couponKey = (mailbox: string): Key<CouponRow> => typed(keys.marker("coupon", mailbox));

const DAY_MS = 24 * 60 * 60 * 1000;
/** A day ends last at UTC-12. */
const DAY_AND_A_HALF_MS = 1.5 * DAY_MS;

/** The list whose subscribers get one. */
export function couponList({ coupon, general }: Settings): string {
  return coupon.list || general.defaultList;
}

/** @returns the last day of `validDays` from now, and the moment when it is over everywhere (Unix milliseconds) */
export function lastDay(now: number, validDays: number): { day: string; endsAt: number } {
  const day = new Date(now + validDays * DAY_MS).toISOString().slice(0, 10);
  return { day, endsAt: Date.parse(day) + DAY_AND_A_HALF_MS };
}

export function chooseCoupon(
  { prefix, kind, amount, validDays }: Settings["coupon"],
  { now, identify }: { now: number; identify: (text: string) => string },
): Coupon {
  return {
    code: codeFor(prefix, identify),
    kind,
    amount,
    createdAt: now,
    expiresAt: lastDay(now, validDays).endsAt,
  };
}

/** What the template gets. */
export function mailData({ code, kind, amount, expiresAt }: Coupon): Record<string, string | number> {
  const expiresOn = new Date(expiresAt - DAY_AND_A_HALF_MS).toISOString().slice(0, 10);
  return { code, kind, amount, expiresOn, expiresAt: new Date(expiresAt).toISOString() };
}
