import { type Key, typed } from "../../platform/kv/key.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { Settings } from "../../settings/schema/schema.ts";
import type { Coupon } from "../systems/port.ts";
import { codeFor } from "./code.ts";

/**
 * The one coupon of a mailbox, stored permanently under an HMAC of it. It is written before the shop is called, so that
 * after a crash the same code is requested again.
 */
export interface CouponRow extends Coupon {
  v: 1;
  /**
   * The recipient, and the only job that may send the coupon; removed when the state is `over`. A job for another
   * spelling of the mailbox is canceled.
   */
  to?: { email: string; list: string; job: string };
  state: "chosen" | "made" | "over";
  /** The coupon was given up before the shop had created its code. */
  neverCreated?: true;
}

/** Returns whether the shop has confirmed that it created the code. */
export const isCreated = ({ state, neverCreated }: Pick<CouponRow, "state" | "neverCreated">): boolean =>
  state !== "chosen" && !neverCreated;

/** Returns the coupon once nothing more happens with it: without its recipient, and never created if it was only chosen. */
export function overCoupon({ to: _, ...row }: CouponRow): CouponRow {
  return { ...row, ...(row.state === "chosen" && { neverCreated: true }), state: "over" };
}

/** Returns the key of a mailbox's coupon. @param mailbox its HMAC; see `Markers.mailbox` */
export const couponKey = (mailbox: string): Key<CouponRow> => typed(keys.marker("coupon", mailbox));

const DAY_MS = 24 * 60 * 60 * 1000;
/** From the start of a day in UTC to its end in the last time zone (UTC−12). */
const DAY_AND_A_HALF_MS = 1.5 * DAY_MS;

/** Returns the list whose subscribers get a coupon. */
export function couponList({ coupon, general }: Settings): string {
  return coupon.list || general.defaultList;
}

/** Returns the last of `validDays` days from now, and its end in the last time zone (Unix milliseconds). */
export function lastDay(now: number, validDays: number): { day: string; endsAt: number } {
  const day = new Date(now + validDays * DAY_MS).toISOString().slice(0, 10);
  return { day, endsAt: Date.parse(day) + DAY_AND_A_HALF_MS };
}

/** Returns the last day on which a coupon is valid, such as `2026-12-23`: everything that people read names this day. */
export function lastDayOf({ expiresAt }: Pick<Coupon, "expiresAt">): string {
  return new Date(expiresAt - DAY_AND_A_HALF_MS).toISOString().slice(0, 10);
}

/** Returns a mailbox's coupon with the current settings. @param identify see `codeFor` */
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

/** Returns the template's data. */
export function mailData(coupon: Coupon): Record<string, string | number> {
  const { code, kind, amount, expiresAt } = coupon;
  return { code, kind, amount, expiresOn: lastDayOf(coupon), expiresAt: new Date(expiresAt).toISOString() };
}
