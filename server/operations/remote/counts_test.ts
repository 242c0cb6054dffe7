import assert from "node:assert/strict";
import { TEST_FORM } from "../../forms/public/test_form.ts";
import type { Counts } from "./counts.ts";
import { harness } from "../../../dev/testing/harness.ts";
import { runQuery } from "./queries.ts";

Deno.test("test signups are in no figure: neither in the books nor in the counts that agents read", async () => {
  await using app = await harness();
  const { counters } = app.services;
  counters.count(TEST_FORM, "accepted");
  await counters.flush();
  const HOUR_MS = 60 * 60 * 1000;
  await app.clock.advance(HOUR_MS);
  counters.count("shop", "accepted");
  counters.note("seen", TEST_FORM);
  counters.count(TEST_FORM, "dropped.honeypot");
  for (const flushed of [false, true]) {
    if (flushed) await counters.flush();
    assert.deepEqual(await runQuery(app.services, "books", {}), { requests: 1, accepted: 1 });
    const counts = await runQuery(app.services, "counts", {}) as Counts;
    assert.deepEqual([counts.requests, counts.dropped, counts.notes], [1, {}, {}]);
    if (flushed) assert.equal(counts.since, Math.floor(app.clock.now() / HOUR_MS) * HOUR_MS);
  }
});
