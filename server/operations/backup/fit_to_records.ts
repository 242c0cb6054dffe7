import type { Kv, KvKey } from "../../platform/kv/port.ts";
import { deliveryOf } from "../../signup/delivery/job.ts";
import type { SignupRecord } from "../../signup/record/row.ts";
import type { JobRow } from "../../platform/jobs/row.ts";
import { readAll } from "../../platform/kv/entries.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { BackupRow } from "./file.ts";

/**
 * Makes rows consistent with the signup records in `kv`. A backup is read while the service writes, and records are read
 * first, so other rows can be newer than their record:
 *
 * - A consent without a record belongs to a signup made after the records were read. It is left out.
 * - A delivery may have been decided after its record was read as `queued`. The decision belongs to a version of the
 *   record that the backup does not contain, so the delivery runs again. As a restored job it sends no second email.
 */
export async function fitToRecords(kv: Kv, rows: BackupRow[]): Promise<BackupRow[]> {
  const owned = rows.map((row) => ({ row, owner: recordOf(row) }));
  const owners = (await readAll(kv, owned.flatMap(({ owner }) => owner ? [owner] : []))).values();
  return owned.flatMap(({ row, owner }) => {
    const fitted = owner ? fit(row, owners.next().value!.value as SignupRecord | null) : row;
    return fitted ? [fitted] : [];
  });
}

/** Returns the key of the signup record that a row must be consistent with, if any. */
function recordOf({ key, value }: BackupRow): KvKey | undefined {
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
