import { RESEND_INTERVAL_MS } from "../../../shared/limits.ts";
import { putRecord } from "../../signup/record/record.ts";
import type { ConsentRow, SignupRecord } from "../../signup/record/row.ts";
import { type CartRow, putCart } from "../../carts/cart.ts";
import { orderMailOf } from "../../orders/order_mail_job.ts";
import type { OnceRow } from "../../mail/once_mail.ts";
import { MARKER_KEPT } from "../../mail/markers.ts";
import { type JobRow, withNote, writeRow } from "../../jobs/row.ts";
import { keys } from "../../kv/keys.ts";

/**
 * How each family of rows (the part of a key behind the site) gets into a backup. A backup reads page by page while
 * the service writes, so what belongs together is not read in one moment; the order makes up for that:
 *
 * - `first`: records. What stands in one was committed together with everything that is read later.
 * - `plain`: read in the order of their keys, and restored as they are.
 * - `late`: what a record needs: its consent, its job, its marks. Read later there can be more of it than a record
 *   asks for, never less. Marks come after jobs, so that no job is restored without the mark of what it did; the
 *   ledger after the marks of orders, so that no order is known that does not count. Tombstones come last: a backup
 *   that holds part of a person who was erased while it was taken holds the tombstone too.
 * - `derived`: indexes. Left out, and made anew from their rows: an entry that moves while it is read may be missed.
 * - `left_out`: how far the poll had read, which a record from before may not have reached; what the provider last
 *   said; whoever was signed in.
 */
export type Place = "first" | "plain" | "late" | "derived" | "left_out";

export const FAMILIES: Readonly<Record<string, Place>> = {
  signup: "first",
  cart: "first",
  activation: "plain",
  admin_users: "plain",
  audit: "plain",
  audit_ip: "plain",
  books: "plain",
  books_day: "plain",
  hook_calls: "plain",
  sandbox: "plain",
  salts: "plain",
  settings: "plain",
  migrated: "plain",
  slot: "plain",
  consent: "late",
  consent_text: "late",
  job: "late",
  mark: "late",
  log: "late",
  ledger: "late",
  order_owner: "late",
  tombstone: "late",
  by_status: "derived",
  subscriber: "derived",
  cart_of: "derived",
  cart_bytes: "derived",
  cart_by_time: "derived",
  consent_by_time: "derived",
  dead: "derived",
  due: "derived",
  parked: "derived",
  admin_session: "left_out",
  poll: "left_out",
  poll_position: "left_out",
  provider_health: "left_out",
  purge_due: "left_out",
  restoring: "left_out",
  doctor: "left_out",
};

export const RECORD_FAMILIES = of("first");
export const LATE_FAMILIES = of("late");

function of(place: Place): string[] {
  return Object.keys(FAMILIES).filter((family) => FAMILIES[family] === place);
}

/** A family that nobody has thought about is copied as it is. */
export function backupModeOf(key: Deno.KvKey): Place {
  return FAMILIES[String(key[2])] ?? "plain";
}

const DAY_MS = 24 * 60 * 60 * 1000;
const SHOP_MARKERS = ["order", "session_ordered", "mailbox_ordered", "cart_mailed", "mailbox_mailed"];

/** Housekeeping that a row has lost with its file; what is not known to end is kept for ever. */
function expiry([, , family, kind]: Deno.KvKey): { expireIn: number } | Record<never, never> {
  // No limit looks back further than a day.
  if (family === "log") return { expireIn: 2 * DAY_MS };
  if (family === "mark" && kind === "confirmation") return { expireIn: 2 * RESEND_INTERVAL_MS };
  if (family === "mark" && SHOP_MARKERS.includes(String(kind))) return MARKER_KEPT;
  return {};
}

/**
 * Write one row of a backup, with its index entries. What may have been mailed since the backup is not mailed again:
 * a job goes on as one whose last attempt may have taken effect; a cart without its mail, and an order whose mail
 * waits, count as mailed.
 *
 * @param now Unix milliseconds
 */
export function restoreRow(tx: Deno.AtomicOperation, key: Deno.KvKey, value: unknown, now: number): void {
  switch (key[2]) {
    case "signup":
      return void putRecord(tx, null, value as SignupRecord);
    case "cart": {
      const cart = value as CartRow;
      const mail = cart.mail && cart.mail.state !== "sending"
        ? cart.mail
        : { at: now, state: "unknown" as const };
      return putCart(tx, null, { ...cart, mail });
    }
    case "consent": {
      const [email, list, at, id] = key.slice(3) as [string, string, number, string];
      if ((value as ConsentRow).ip !== null) tx.set(keys.consentByTime(at, email, list, id), 1);
      return void tx.set(key, value);
    }
    case "job": {
      const waiting = orderMailOf(value as JobRow);
      if (waiting) {
        const marker = keys.marker(`order_mailed_${waiting.status}`, waiting.order);
        return void tx.set(marker, { v: 1, at: now, state: "unknown" } satisfies OnceRow);
      }
      return writeRow(tx, null, restoredJob(value as JobRow, now));
    }
    default:
      return void tx.set(key, value, expiry(key));
  }
}

/** Nobody holds its lease any more: one that ran is due at once, as after any process that died. */
function restoredJob(row: JobRow, now: number): JobRow {
  const history = withNote(row, now, "restored from a backup");
  const restored: JobRow = { ...row, unknown: true, history };
  return row.state === "running" ? { ...restored, lease: { token: "", until: now } } : restored;
}
