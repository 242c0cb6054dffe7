import { z } from "zod";
import type { Kv, KvKey } from "../../platform/kv/port.ts";
import type { CartRow } from "../../shops/carts/cart.ts";
import { type CouponRow, overCoupon } from "../../shops/coupons/row.ts";
import type { JobRow } from "../../platform/jobs/row.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { Markers } from "../../shops/mail/markers.ts";
import type { OwnerRow } from "../../shops/orders/ledger.ts";
import { ERASE_JOB } from "../../subscribers/privacy/job_data.ts";
import type { TombstoneRow } from "../../signup/record/tombstone.ts";
import type { SignupRecord } from "../../signup/record/row.ts";
import { plausibleTime } from "../../platform/time/stored_time.ts";
import type { BackupRow } from "./file.ts";

/** Times of erasures (Unix milliseconds) by the HMAC of the email address. */
export type Tombstones = Map<string, number>;

const Row = z.object({ v: z.literal(1), at: z.number() });

/** Returns whether a key is that of a tombstone: the proof that a person was erased. */
export function isTombstone(key: KvKey): boolean {
  return key[2] === keys.tombstone("")[2];
}

/**
 * Adds a row to the tombstones if it is one. Of two for the same address, the newer counts.
 *
 * @throws {z.ZodError} for a tombstone without a time
 */
export function addTombstone(tombstones: Tombstones, { key, value }: BackupRow): void {
  if (!isTombstone(key)) return;
  const { at } = Row.parse(value);
  const person = String(key[3]);
  tombstones.set(person, Math.max(at, tombstones.get(person) ?? at));
}

/** Adds all tombstones of a database. */
export async function addTombstonesOf(kv: Kv, tombstones: Tombstones): Promise<void> {
  const rows = kv.list({ prefix: keys.family("tombstone") }, { batchSize: 500 });
  for await (const row of rows) addTombstone(tombstones, row);
}

/**
 * Applies erasures to a row of a backup. A row about a person who was erased later is dropped; a coupon loses its email
 * address but stays, because a mailbox gets only one coupon. Rows written after the erasure are kept, because the person
 * signed up again.
 *
 * @param takenAt when the backup was started (Unix milliseconds); used for rows without a time of their own, and
 * for those that were written while the clock was ahead
 * @returns the row to restore, or undefined
 */
export function afterErasures(
  row: BackupRow,
  { tombstones, markers, takenAt }: { tombstones: Tombstones; markers: Markers; takenAt: number },
): BackupRow | undefined {
  if (tombstones.size === 0) return row;
  if (isTombstone(row.key)) {
    const at = tombstones.get(String(row.key[3]))!;
    return { key: row.key, value: { v: 1, at } satisfies TombstoneRow };
  }
  const subjects = subjectsOf(row);
  if (!subjects) return row;
  const emails = (subjects.emails ?? []).filter((email) => typeof email === "string");
  const people = [...subjects.people ?? [], ...emails.map((email) => markers.person(email))];
  const erasedAt = Math.max(...people.map((person) => tombstones.get(person) ?? -Infinity));
  const isErased = plausibleTime(subjects.at ?? takenAt, takenAt) <= erasedAt;
  if (!isErased) return row;
  if (row.key[2] !== "mark") return undefined;
  return { key: row.key, value: overCoupon(row.value as CouponRow) };
}

interface Subjects {
  emails?: string[];
  /** HMACs of addresses. */
  people?: string[];
  at?: number;
}

/**
 * Returns the people whom a row is about, and when it was written (Unix milliseconds) if the row says so.
 *
 * @throws {RangeError} for a job whose payload contains itself
 */
export function subjectsOf({ key, value }: BackupRow): Subjects | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  switch (key[2]) {
    case "signup": {
      const { email, createdAt } = value as SignupRecord;
      return { emails: [email], at: createdAt };
    }
    case "consent":
      return { emails: [key[3] as string], at: key[5] as number };
    case "cart": {
      const { email, changedAt } = value as CartRow;
      return email === undefined ? undefined : { emails: [email], at: changedAt };
    }
    case "job": {
      const { name, payload, next, createdAt } = value as JobRow;
      if (name === ERASE_JOB) return undefined;
      const texts = [...textsIn(payload), ...textsIn(next?.payload)];
      return { emails: texts.filter((text) => text.includes("@")), people: texts, at: createdAt };
    }
    // Without its time: that is when the order was placed, and a shop may report an old order after the erasure.
    case "ledger":
      return { people: [key[3] as string] };
    case "order_owner":
      return { people: [(value as OwnerRow).person] };
    case "mark": {
      if (key[3] !== "coupon") return undefined;
      const { to, createdAt } = value as CouponRow;
      return to && { emails: [to.email], at: createdAt };
    }
    case "sandbox": {
      const { email, to, createdAt, at } = value as Record<string, unknown>;
      const emails = [email, to].filter((text) => typeof text === "string");
      const time = createdAt ?? at;
      return {
        emails: emails.map((text) => text.toLowerCase()),
        ...(typeof time === "number" && { at: time }),
      };
    }
    default:
      return undefined;
  }
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return value.includes("@") ? [value.toLowerCase()] : [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}
