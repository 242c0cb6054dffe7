import { runAction } from "../../admin/action_table.ts";
import assert from "node:assert/strict";
import { addJob } from "../../platform/jobs/add.ts";
import { jobKey, type JobName, type JobRow } from "../../platform/jobs/row.ts";
import { RECURRING, startRecurringJobs } from "../../program/recurring_jobs.ts";
import { cas } from "../../platform/kv/cas.ts";
import { type Harness, harness } from "../../../dev/testing/harness.ts";
import { LOCAL } from "../../admin/auth/actor.ts";
import { runQuery } from "../remote/queries.ts";

/** What holds for every kind of job, and not only for deliveries (contract 8.9). */

type Listed = { group: string; id: string; name: string };

async function add(app: Harness, name: JobName, parked = false): Promise<string> {
  const id = `every:${name}`;
  const now = app.clock.now();
  await cas(app.kv, { existing: jobKey(id) }, ({ existing }) => ({
    value: undefined,
    write: (tx) => void addJob(tx, existing, { id, name, payload: null, due: now, parked }, now),
  }), app.services);
  return id;
}

async function listed(app: Harness, state: JobRow["state"]): Promise<Listed[]> {
  const found: Listed[] = [];
  let after: string | undefined;
  do {
    const input = { state, limit: 10, ...(after !== undefined && { after }) };
    const page = await runQuery(app.services, "jobs", input) as { rows: Listed[]; after?: string };
    found.push(...page.rows);
    after = page.after;
  } while (after !== undefined);
  return found;
}
const act = async (app: Harness, action: string, id: string) =>
  (await runAction(app.services, LOCAL, action, { id })).ok;

Deno.test("every kind of job has a name that starts with cfbe_, and no two have the same", async () => {
  await using app = await harness();
  const names = app.services.jobs.map(({ name }) => name);
  for (const name of names) assert.match(name, /^cfbe_[a-z_]+$/);
  assert.equal(new Set(names).size, names.length);
  for (const { job } of RECURRING) assert.ok(names.includes(job.name), job.name);
});

Deno.test("every kind of job is listed in the group cfbe in each of its states, and can be retried and canceled", async () => {
  await using app = await harness();
  const names = app.services.jobs.map(({ name }) => name).toSorted();
  const inState = async (state: JobRow["state"]) => {
    const rows = await listed(app, state);
    for (const { group } of rows) assert.equal(group, "cfbe");
    return rows.map(({ name }) => name).toSorted();
  };
  for (const name of names) await add(app, name);
  assert.deepEqual(await inState("waiting"), names);
  const claimed = await app.queue.claim(names.length);
  assert.deepEqual(await inState("running"), names);
  for (const job of claimed) await app.queue.finish(job, { kind: "dead", reason: "test" });
  assert.deepEqual(await inState("dead"), names);
  for (const name of names) assert.ok(await act(app, "cfbe_retry_job", `every:${name}`), name);
  assert.deepEqual(await inState("waiting"), names);
  for (const name of names) assert.ok(await act(app, "cfbe_cancel_job", `every:${name}`), name);
  for (const state of ["waiting", "running", "dead"] as const) assert.deepEqual(await inState(state), []);
  for (const name of names) await add(app, name, true);
  assert.deepEqual(await inState("parked"), names);
});

Deno.test("the recurring jobs are listed as they are started", async () => {
  await using app = await harness();
  await startRecurringJobs(app.services);
  const rows = await listed(app, "waiting");
  for (const { job } of RECURRING) {
    assert.ok(rows.some(({ group, name }) => group === "cfbe" && name === job.name), job.name);
  }
});
