/** What a delivery costs: round trips to the database and calls to the provider. */
import assert from "node:assert/strict";
import { type Harness, harness, LIST } from "../../../dev/testing/harness.ts";
import { beginningsOf } from "../../platform/jobs/handler.ts";
import { EMBEDDED_LIMITS, REMOTE_LIMITS } from "../../platform/kv/limits.ts";
import { ADA, outcomes } from "./testing/deliveries.ts";

/** Delivers a signup. Returns the commits, the reads and the calls that it took, including the job's own. */
async function costOf(app: Harness): Promise<{ commits: number; reads: number; calls: string[] }> {
  assert.equal((await app.post({ email: ADA })).status, 200);
  app.reset();
  await app.work();
  // The last read finds no further job.
  return { commits: app.counts.commits, reads: app.counts.reads - 1, calls: app.provider.calls };
}
const withoutListeners = ({ services: { hooks } }: Harness) => void (hooks.has = () => false);

Deno.test("a delivery is two commits: the claim with the mail budget, and the result with the end of the job", async () => {
  await using app = await harness();
  withoutListeners(app);
  app.provider.nextResults.subscribe.push({ kind: "accepted", isPending: true });
  assert.deepEqual(await costOf(app), {
    commits: 2,
    // The due index, the job's row, and the record with the mail budget.
    reads: 3,
    calls: [`status ${ADA}`, `subscribe ${ADA}`],
  });
  assert.deepEqual((await app.record(ADA))?.status, "pending");
  assert.equal((await app.dump()).includes('"job"'), false, "no job is left");
});

for (
  const [engine, limits, expected] of [
    ["a KV Connect server", REMOTE_LIMITS, { commits: 14, reads: 19 }],
    ["a file", EMBEDDED_LIMITS, { commits: 3, reads: 13 }],
  ] as const
) {
  Deno.test(`24 deliveries that are due together in ${engine} are claimed with ${expected.commits} commits`, async () => {
    await using app = await harness({ limits });
    for (let n = 0; n < 24; n++) {
      const response = await app.post({ email: `p${n}@example.com` }, { peer: `192.0.2.${n}` });
      assert.equal(response.status, 200);
    }
    app.reset();
    const claimed = await app.queue.claim(32, new Set(), beginningsOf(app.services.jobs));
    assert.equal(claimed.length, 24);
    assert.deepEqual(app.counts, expected);
  });
}

Deno.test("a listener of cfbe_subscribed costs one more commit, because the event must outlive a crash", async () => {
  await using app = await harness();
  app.provider.nextResults.subscribe.push({ kind: "accepted", isPending: true });
  const { commits, reads } = await costOf(app);
  assert.deepEqual([commits, reads, outcomes(app)], [3, 3, ["pending"]]);
});

Deno.test("the status is read again only if the response to the subscribe does not say that it is pending", async () => {
  await using app = await harness();
  withoutListeners(app);
  app.provider.singleOptIn.add(LIST);
  const { calls } = await costOf(app);
  assert.deepEqual(calls, [`status ${ADA}`, `subscribe ${ADA}`, `status ${ADA}`]);
  assert.equal((await app.record(ADA))?.status, "active");
});

Deno.test("an address that is on the list already costs one call, and is not subscribed again", async () => {
  await using app = await harness();
  app.provider.put(LIST, ADA, "unsubscribed");
  assert.deepEqual((await costOf(app)).calls, [`status ${ADA}`]);
  assert.equal((await app.record(ADA))?.listStatus, "unsubscribed");
});
