import type { Keyring } from "../../platform/keys/keyring.ts";
import { readEntries } from "../../platform/kv/entries.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { Kv } from "../../platform/kv/port.ts";
import { createMarkers } from "../mail/markers.ts";
import type { OnceRow } from "../mail/once_mail.ts";
import { couponKey, type CouponRow, isCreated } from "./row.ts";

/** A mailbox's coupon, and whether it was emailed. */
export type IssuedCoupon =
  & Pick<CouponRow, "code" | "kind" | "amount" | "createdAt" | "expiresAt">
  & {
    /** Whether the shop has confirmed that it created the code. */
    created: boolean;
    mail: OnceRow["state"] | "none";
    /** When its email was about to be sent; Unix milliseconds. */
    mailedAt?: number;
  };

/** Returns the coupon of the address's mailbox, which any spelling of the address may have received. */
export async function couponOf(
  kv: Kv,
  keyring: Keyring,
  email: string,
): Promise<IssuedCoupon | undefined> {
  const markers = createMarkers(keyring);
  const mailbox = markers.mailbox(email);
  const read = { coupon: couponKey(mailbox), mail: markers.couponMailed(mailbox) };
  const { coupon, mail } = await readEntries(kv, read);
  if (!coupon.value) return undefined;
  const { code, kind, amount, createdAt, expiresAt } = coupon.value;
  return {
    code,
    kind,
    amount,
    createdAt,
    expiresAt,
    created: isCreated(coupon.value),
    mail: mail.value?.state ?? "none",
    ...(mail.value && { mailedAt: mail.value.at }),
  };
}

/** How many codes there are. A shop does not report which ones were used. */
export interface CouponCounts {
  /** Created in the shop: the sum of the next three. */
  created: number;
  /** Not emailed yet. */
  waiting: number;
  /** Emailed or given up, and accepted by the shop until they are used. */
  valid: number;
  expired: number;
  /** Chosen, but the shop has not confirmed that it created them. */
  uncreated: number;
  /** There are more codes than were counted. */
  more: boolean;
}

/** Enough to count the codes of a small shop exactly, and few enough to read for a page. */
const MAX_COUNTED = 2000;

/** Counts the codes of all mailboxes, at most 2,000 of them. @param now Unix milliseconds */
export async function countCoupons(kv: Kv, now: number): Promise<CouponCounts> {
  const counts = { created: 0, waiting: 0, valid: 0, expired: 0, uncreated: 0, more: false };
  let read = 0;
  const all = kv.list<CouponRow>({ prefix: keys.markerAll("coupon") }, {
    limit: MAX_COUNTED + 1,
    batchSize: 500,
  });
  for await (const { value: row } of all) {
    if (read++ === MAX_COUNTED) return { ...counts, more: true };
    if (row.state === "chosen") counts.uncreated++;
    if (!isCreated(row)) continue;
    counts.created++;
    counts[row.state !== "over" ? "waiting" : row.expiresAt <= now ? "expired" : "valid"]++;
  }
  return counts;
}

/** A recently confirmed subscriber and the code of the mailbox. */
export interface CouponHolder {
  email: string;
  list: string;
  /** When the subscription became active; Unix milliseconds. */
  since: number;
  coupon: IssuedCoupon;
}

/** Subscribers without a code, such as those from before the module was on, are skipped, at most this many. */
const MAX_READ = 30;

/** Returns the newest active subscribers of a list who have a code, newest first. */
export async function newestCoupons(
  { kv, keyring }: { kv: Kv; keyring: Keyring },
  list: string,
  limit: number,
): Promise<CouponHolder[]> {
  const newest = await Array.fromAsync(
    kv.list({ prefix: keys.byStatusOn("active", list) }, { limit: MAX_READ, reverse: true }),
    ({ key }) => ({ since: key.at(-2) as number, email: key.at(-1) as string }),
  );
  const coupons = await Promise.all(newest.map(({ email }) => couponOf(kv, keyring, email)));
  return newest.flatMap(({ email, since }, index) => {
    const coupon = coupons[index];
    return coupon ? [{ email, list, since, coupon }] : [];
  }).slice(0, limit);
}
