/** Checks of the database after a run. */
import { indexKey, type IndexRow, type JobRow } from "../../server/platform/jobs/row.ts";
import { keys } from "../../server/platform/kv/keys.ts";
import { openKv } from "../../server/platform/kv/open.ts";
import type { Kv, KvKey } from "../../server/platform/kv/port.ts";
import { RECURRING } from "../../server/program/recurring_jobs.ts";
import { deliveryOf } from "../../server/signup/delivery/job.ts";
import { RETURNED } from "../../server/signup/record/record.ts";
import type { SignupRecord } from "../../server/signup/record/row.ts";

/** Returns the prefix of a key without its last parts. */
const prefixOf = (key: KvKey, parts: number) => key.slice(0, -parts);

/**
 * Checks the database of a stopped server that has finished all work: no jobs are left, and every index matches
 * the rows.
 *
 * @param waiting addresses whose deliveries wait for the mail budget
 * @returns one message per problem
 */
export async function databaseProblems(
  file: string,
  waiting: ReadonlySet<string> = new Set(),
): Promise<string[]> {
  const { kv, close } = await openKv(file);
  try {
    return [...await jobProblems(kv, waiting), ...await recordProblems(kv, waiting)];
  } finally {
    close();
  }
}

async function jobProblems(kv: Kv, waiting: ReadonlySet<string>): Promise<string[]> {
  const problems: string[] = [];
  const indexed = new Set<string>();
  for await (const { value: row } of kv.list<JobRow>({ prefix: prefixOf(keys.job(""), 1) })) {
    indexed.add(JSON.stringify(indexKey(row)));
    // A slot of recurring work can begin just before the shutdown. The next start runs it.
    if (row.state === "waiting" && RECURRING.some(({ job }) => job.id === row.id)) continue;
    const delivery = deliveryOf(row);
    if (delivery && waiting.has(delivery.email) && row.state === "waiting") continue;
    const state = row.lease ? "leased" : row.state;
    problems.push(`the job ${row.id} is ${state}: ${JSON.stringify(row)}`);
  }
  for (const prefix of [keys.dueAll(), keys.deadAll(), keys.parkedAll()]) {
    for await (const { key, value } of kv.list<IndexRow>({ prefix })) {
      if (indexed.has(JSON.stringify(key))) continue;
      problems.push(`an index entry has no job: ${JSON.stringify({ key, value })}`);
    }
  }
  return problems;
}

async function recordProblems(kv: Kv, waiting: ReadonlySet<string>): Promise<string[]> {
  const problems: string[] = [];
  const expected = new Set<string>();
  let records = 0;
  for await (const { value: record } of kv.list<SignupRecord>({ prefix: prefixOf(keys.signup("", ""), 2) })) {
    const { status, list, since, email } = record;
    if (status === "queued" && !waiting.has(email)) {
      problems.push(`${email} is still queued: ${JSON.stringify(record)}`);
    }
    expected.add(JSON.stringify(keys.byStatus(status, list, since, email)));
    if (record.pendingSince !== undefined) {
      expected.add(JSON.stringify(keys.byStatus(RETURNED, list, record.pendingSince, email)));
    }
    if (record.v !== 2) problems.push(`${email} has no search entries: ${JSON.stringify(record)}`);
    records++;
  }
  for await (const { key } of kv.list({ prefix: prefixOf(keys.byStatusAll(""), 1) })) {
    if (!expected.delete(JSON.stringify(key))) {
      problems.push(`the index entry ${JSON.stringify(key)} has no record`);
    }
  }
  for (const key of expected) problems.push(`the index entry ${key} is missing`);

  const searchable = await countUnder(kv, keys.subscribersBy("all", ""));
  if (searchable !== records) {
    problems.push(`${records} records, but ${searchable} entries in the search index`);
  }

  const consents = await countUnder(kv, prefixOf(keys.consentsOf("", ""), 2));
  const byTime = await countUnder(kv, keys.consentByTimeAll());
  if (consents !== byTime) {
    problems.push(`${consents} consents, but ${byTime} index entries for deleting their IP addresses`);
  }
  return problems;
}

async function countUnder(kv: Kv, prefix: KvKey): Promise<number> {
  let count = 0;
  for await (const _ of kv.list({ prefix })) count++;
  return count;
}
