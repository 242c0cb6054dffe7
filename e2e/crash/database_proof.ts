import { POLL_JOB } from "../../server/confirm/poll_job.ts";
import { indexKey, type IndexRow, type JobRow } from "../../server/jobs/row.ts";
import { keys } from "../../server/kv/keys.ts";
import { openKv } from "../../server/kv/open.ts";
import type { SignupRecord } from "../../server/signup/record/row.ts";

/** Of a key shape: everything under it. */
const allOf = (key: Deno.KvKey, parts: number) => key.slice(0, -parts);

/**
 * What must hold of the database when the program has stopped and all work is done: nothing is left of the
 * queue, and every index says what the rows say.
 *
 * @returns a sentence for everything that does not hold
 */
export async function wrongWithDatabase(file: string): Promise<string[]> {
  const { kv, close } = await openKv(file);
  try {
    return [...await wrongWithJobs(kv), ...await wrongWithRecords(kv)];
  } finally {
    close();
  }
}

async function wrongWithJobs(kv: Deno.Kv): Promise<string[]> {
  const wrong: string[] = [];
  const indexed = new Set<string>();
  for await (const { value: row } of kv.list<JobRow>({ prefix: allOf(keys.job(""), 1) })) {
    indexed.add(JSON.stringify(indexKey(row)));
    // A poll that met trouble is not waited for: the next slot makes it due, and this test has polled by itself.
    if (row.id === POLL_JOB.id && row.state === "waiting") continue;
    const says = row.lease ? "holds a lease" : `is ${row.state}`;
    wrong.push(`the job ${row.id} ${says}: ${JSON.stringify(row)}`);
  }
  for (const prefix of [keys.dueAll(), keys.deadAll(), keys.parkedAll()]) {
    for await (const { key, value } of kv.list<IndexRow>({ prefix })) {
      if (indexed.has(JSON.stringify(key))) continue;
      wrong.push(`an index entry belongs to no job: ${JSON.stringify({ key, value })}`);
    }
  }
  return wrong;
}

async function wrongWithRecords(kv: Deno.Kv): Promise<string[]> {
  const wrong: string[] = [];
  const expected = new Set<string>();
  for await (const { value: record } of kv.list<SignupRecord>({ prefix: allOf(keys.signup("", ""), 2) })) {
    const { status, list, since, email } = record;
    if (status === "queued") wrong.push(`${email} is still queued: ${JSON.stringify(record)}`);
    expected.add(JSON.stringify(keys.byStatus(status, list, since, email)));
  }
  for await (const { key } of kv.list({ prefix: allOf(keys.byStatusAll(""), 1) })) {
    if (!expected.delete(JSON.stringify(key))) wrong.push(`no record is where ${JSON.stringify(key)} says`);
  }
  for (const key of expected) wrong.push(`${key} is missing`);

  const consents = await countUnder(kv, allOf(keys.consentsOf("", ""), 2));
  const byTime = await countUnder(kv, keys.consentByTimeAll());
  if (consents !== byTime) wrong.push(`${consents} consents, and ${byTime} IPs to be blanked`);
  return wrong;
}

async function countUnder(kv: Deno.Kv, prefix: Deno.KvKey): Promise<number> {
  let count = 0;
  for await (const _ of kv.list({ prefix })) count++;
  return count;
}
