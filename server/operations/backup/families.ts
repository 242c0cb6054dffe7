import { RESEND_INTERVAL_MS } from "../../../shared/limits.ts";
import type { AtomicOperation, KvKey } from "../../platform/kv/port.ts";
import { putRecord } from "../../signup/record/record.ts";
import type { ConsentRow, SignupRecord } from "../../signup/record/row.ts";
import { type CartRow, putCart } from "../../shops/carts/cart.ts";
import { orderMailOf } from "../../shops/orders/order_mail_job.ts";
import type { OnceRow } from "../../shops/mail/once_mail.ts";
import { MARKER_KEPT } from "../../shops/mail/markers.ts";
import { CHANGED, type JobRow, withNote, writeRow } from "../../platform/jobs/row.ts";
import { keys } from "../../platform/kv/keys.ts";
import { ERASED_KEPT } from "../../subscribers/privacy/job_data.ts";
import { BACKUP_JOB } from "./job_name.ts";

/**
 * How a backup handles each family of rows (the third part of a key). A backup is read page by page while the service
 * writes, so rows that belong together are not read at the same moment. The order of reading makes up for that:
 *
 * - `first`: records. Everything that a record needs was committed with it, and is read later.
 * - `plain`: read in the order of their keys and restored unchanged.
 * - `late`: rows that a record needs: its consent, its job, its once-only markers. Because they are read later, there can be
 *   more of them than the record needs, but never fewer. Markers come after jobs, so that no job is restored without the marker of
 *   what it did; the ledger after the markers of orders, so that every known order counts. Tombstones come last, so that
 *   a backup with rows of a person who was erased meanwhile also contains the tombstone.
 * - `derived`: indexes. Left out and rebuilt from their rows, because an entry that moves while it is read may be missed.
 * - `left_out`: state that must not be restored: the running processes and what they announce, the poll's position, which may be ahead of restored records, the
 *   provider's health, the newest link of the audit log's chain, which its rows have too, an attack and the proofs of work that were used in it, its pauses and the tests of its setup, admin sessions and used challenges, API tokens, which may be revoked since, codes with which sites collect their keys, the log of backups, notifications that have been sent since, and a bulk action
 *   or a move to another provider, which must not go on by itself.
 */
export type BackupMode = "first" | "plain" | "late" | "derived" | "left_out";

export const FAMILIES: Readonly<Record<string, BackupMode>> = {
  signup: "first",
  cart: "first",
  activation: "plain",
  alerts: "plain",
  alert_past: "plain",
  admin_users: "plain",
  admin_second_factor: "plain",
  admin_passkeys: "plain",
  admin_used_challenge: "left_out",
  audit: "plain",
  attack: "left_out",
  solved: "left_out",
  audit_head: "left_out",
  audit_ip: "plain",
  books: "plain",
  books_day: "plain",
  page_counts: "plain",
  experiment_counts: "plain",
  hook_calls: "plain",
  refused_origins: "plain",
  image: "plain",
  sandbox: "plain",
  salts: "plain",
  sites: "plain",
  settings: "plain",
  provider_history: "plain",
  form_version: "plain",
  lists_source: "plain",
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
  books_summary: "derived",
  page_counts_summary: "derived",
  experiment_counts_summary: "derived",
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
  api_tokens: "left_out",
  api_token_use: "left_out",
  site_use: "left_out",
  site_grant: "left_out",
  bulk_run: "left_out",
  migration: "left_out",
  flushed: "left_out",
  poll: "left_out",
  poll_position: "left_out",
  provider_check: "left_out",
  provider_health: "left_out",
  provider_pauses: "left_out",
  shop_check: "left_out",
  skipped_rows: "left_out",
  process: "left_out",
  changed: "left_out",
  purge_due: "left_out",
  move: "left_out",
  move_change: "left_out",
  move_progress: "left_out",
  restoring: "left_out",
  restored: "left_out",
  doctor: "left_out",
  backup_log: "left_out",
  alert_outbox: "left_out",
};

export const RECORD_FAMILIES = of("first");
export const LATE_FAMILIES = of("late");

function of(mode: BackupMode): string[] {
  return Object.keys(FAMILIES).filter((family) => FAMILIES[family] === mode);
}

/** Returns how a backup handles a key. Unknown families are copied unchanged. */
export function backupModeOf(key: KvKey): BackupMode {
  return FAMILIES[String(key[2])] ?? "plain";
}

const DAY_MS = 24 * 60 * 60 * 1000;
const SHOP_MARKERS = ["order", "session_ordered", "mailbox_ordered", "cart_mailed", "mailbox_mailed"];

/**
 * Returns how long a row is kept that is written now, because no database says when one expires. Rows without a known
 * expiry are kept permanently.
 */
export function expiry([, , family, kind]: KvKey): { expireIn: number } | Record<never, never> {
  // These rows say themselves when they end.
  if (family === "admin_session") return { expireIn: 7 * DAY_MS };
  if (["provider_pauses", "process", "solved", "admin_used_challenge"].includes(String(family))) {
    return { expireIn: DAY_MS };
  }
  if (family === "mark" && kind === "erased") return ERASED_KEPT;
  // Rate limits look back at most one day.
  if (family === "log") return { expireIn: 2 * DAY_MS };
  if (family === "mark" && kind === "confirmation") return { expireIn: 2 * RESEND_INTERVAL_MS };
  if (family === "mark" && SHOP_MARKERS.includes(String(kind))) return MARKER_KEPT;
  return {};
}

/**
 * Writes one row of a backup with its index entries. Emails that may have been sent since the backup are not sent again:
 * jobs continue with an unknown result; the emails of carts and orders that were not sent yet count as sent. The job that
 * made the backup is left out.
 *
 * @param now Unix milliseconds
 */
export function restoreRow(tx: AtomicOperation, key: KvKey, value: unknown, now: number): void {
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
      if (key[3] === BACKUP_JOB.id) return;
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

/** Returns the row with an unknown result. If the job was running, its lease has expired, so it is due at once. */
function restoredJob(row: JobRow, now: number): JobRow {
  const history = withNote(row, now, CHANGED.restored);
  const restored: JobRow = { ...row, unknown: true, history };
  return row.state === "running" ? { ...restored, lease: { token: "", until: now } } : restored;
}
