import { deliveryOf } from "../../signup/delivery/job.ts";
import type { SignupRecord } from "../../signup/record/row.ts";
import type { JobRow } from "../../jobs/row.ts";
import { keys } from "../../kv/keys.ts";
import type { BackupRow } from "./file.ts";

/** The most keys that Deno KV reads at once. */
const KEYS_A_READ = 10;

/**
 * Returns the rows as they fit the signup records that `kv` holds. A backup is read while the service writes, and
 * records are read first, so what belongs to a record can be newer than the record:
 *
 * - A consent of a signup that came after its record was read has no record. It is left out.
 * - A delivery can have been decided after its record was read as `queued`. The decision was stored together with a
 *   record that the backup does not hold, so the delivery is made again; as a restored job it mails nobody twice.
 */
export async function fitToRecords(kv: Deno.Kv, rows: BackupRow[]): Promise<BackupRow[]> {
  const fitting: BackupRow[] = [];
  for (let from = 0; from < rows.length; from += KEYS_A_READ) {
    const page = rows.slice(from, from + KEYS_A_READ).map((row) => ({ row, owner: recordOf(row) }));
    const asked = page.flatMap(({ owner }) => owner ? [owner] : []);
    const found = asked.length === 0 ? [] : await kv.getMany<SignupRecord[]>(asked);
    for (const { row, owner } of page) {
      const fitted = owner ? fit(row, found.shift()!.value) : row;
      if (fitted) fitting.push(fitted);
    }
  }
  return fitting;
}

/** Returns the key of the signup record that decides about a row; undefined where none does. */
function recordOf({ key, value }: BackupRow): Deno.KvKey | undefined {
  if (key[2] === "consent") return keys.signup(key[3] as string, key[4] as string);
  const delivery = key[2] === "job" ? deliveryOf(value as JobRow) : undefined;
  return delivery?.decided && keys.signup(delivery.email, delivery.list);
}

function fit(row: BackupRow, record: SignupRecord | null): BackupRow | undefined {
  if (row.key[2] === "consent") return record ? row : undefined;
  if (record?.status !== "queued") return row;
  const job = row.value as JobRow;
  return { ...row, value: { ...job, payload: { ...deliveryOf(job), decided: undefined } } };
}
