import assert from "node:assert/strict";
import { LOCAL_STATUSES } from "../../../shared/outcomes.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { Kv, KvKey } from "../../platform/kv/port.ts";
import { readConsents } from "../../signup/record/consents.ts";
import { type Harness, harness, LIST } from "../../../dev/testing/harness.ts";
import { tempKv } from "../../../dev/testing/temp_kv.ts";
import { countMatches } from "../search/count.ts";
import { insertSampleSignups } from "./insert_signups.ts";
import { putSampleSignup, type SampleSignup, sampleSignup } from "./sample_signups.ts";

const FAMILIES = ["signup", "consent", "consent_by_time", "by_status", "subscriber"];
const SPREAD = { count: 2_000, days: 400, end: Date.UTC(2026, 0, 1) };
const DAY_MS = 24 * 60 * 60 * 1_000;
const samples = Array.from({ length: SPREAD.count }, (_, index) => sampleSignup(index, SPREAD));

async function rowsOf(kv: Kv): Promise<[KvKey, unknown][]> {
  const rows: [KvKey, unknown][] = [];
  for (const family of FAMILIES) {
    for await (const { key, value } of kv.list({ prefix: keys.family(family) })) rows.push([key, value]);
  }
  return rows;
}

/** Signs up, delivers and reads statuses through the program. Returns the sample that describes the same signup. */
async function signUp(app: Harness, like: SampleSignup): Promise<SampleSignup> {
  const { email } = like.signup;
  const at = app.clock.now();
  await app.post({ email });
  const suppressed = like.delivery?.delivered.outcome === "suppressed";
  if (suppressed) {
    app.provider.nextResults.subscribe.push({ kind: "suppressed", bounced: false, reason: "Suppressed." });
  }
  if (like.delivery) await app.work();
  const delivered = suppressed
    ? { ...like.delivery!.delivered, reason: "Suppressed." }
    : like.delivery?.delivered;
  const seen: SampleSignup["seen"] = [];
  for (const { status } of like.seen) {
    await app.clock.advance(60_000);
    app.provider.put(LIST, email, status);
    await app.hook({ type: "subscribe", subscription: { email, status, subscriberList: { _id: LIST } } });
    await app.work();
    seen.push({ at: app.clock.now(), by: "webhook", status });
  }
  if (like.again) {
    await app.clock.advance(2 * DAY_MS);
    await app.post({ email });
  }
  const again = like.again && app.clock.now();
  const record = (await app.record(email))!;
  const [first, second] = (await readConsents(app.kv, record)).toReversed();
  const { id, at: _at, v: _v, source, form, ...consent } = first!;
  const { page: _page, form: _form, ...base } = like.signup;
  return {
    signup: { ...base, list: LIST, provider: record.provider!, source, ...(form && { form }), consent },
    id,
    at,
    seen,
    ...(delivered && { delivery: { at, delivered } }),
    ...(again !== undefined && { again: { id: second!.id, at: again } }),
  };
}

const kinds: Record<string, (sample: SampleSignup) => boolean> = {
  "a queued signup": ({ delivery }) => !delivery,
  "a pending signup": ({ delivery, seen, expiredAt }) =>
    delivery?.delivered.outcome === "pending" && seen.length === 0 && expiredAt === undefined,
  "a rejected signup": ({ delivery }) => delivery?.delivered.outcome === "suppressed",
  "a confirmed signup": ({ seen, again }) => seen.length === 1 && !again,
  "a signup that left the list": ({ seen, again }) => seen.length === 2 && !again,
  "a confirmed address that signed up twice": ({ seen, again }) => seen.length === 1 && again !== undefined,
};
for (const [kind, isOfKind] of Object.entries(kinds)) {
  Deno.test(`the sample rows of ${kind} are those of a real one`, async () => {
    await using app = await harness();
    await using temp = await tempKv();
    const sample = await signUp(app, samples.find(isOfKind)!);
    const tx = temp.kv.atomic();
    putSampleSignup(tx, sample);
    await tx.commit();
    assert.deepEqual(await rowsOf(temp.kv), await rowsOf(app.kv));
  });
}

Deno.test("inserted sample signups are found by the program's own counts, and inserted once", async () => {
  await using temp = await tempKv();
  const spread = { ...SPREAD, count: 900 };
  assert.equal(await insertSampleSignups(temp.kv, spread), true);
  assert.equal(await insertSampleSignups(temp.kv, { ...spread, end: spread.end + 1 }), false);
  const total = await countMatches(temp.kv, {});
  const counts = await Promise.all(LOCAL_STATUSES.map((status) => countMatches(temp.kv, { status })));
  // Queued ones have no search entries yet.
  assert.equal(total.count, 900 - 20);
  assert.equal(counts.reduce((sum, { count }) => sum + count, 0), total.count);
  await assert.rejects(insertSampleSignups(temp.kv, SPREAD), /for 900 records, not 2000/);
});

Deno.test("sample signups that were interrupted are completed with the same rows", async () => {
  await using whole = await tempKv();
  await using broken = await tempKv();
  const spread = { ...SPREAD, count: 5_000 };
  await insertSampleSignups(whole.kv, spread);
  const stop = new Error("stopped");
  await assert.rejects(
    insertSampleSignups(broken.kv, spread, () => {
      throw stop;
    }),
    stop,
  );
  assert.equal(await insertSampleSignups(broken.kv, { ...spread, end: spread.end + DAY_MS }), true);
  assert.deepEqual(await rowsOf(broken.kv), await rowsOf(whole.kv));
});
