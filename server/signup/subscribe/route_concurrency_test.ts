import assert from "node:assert/strict";
import { ManualClock } from "../../../dev/testing/manual_clock.ts";
import { startProgram, type TestProgram } from "../../../dev/testing/program.ts";

/** Limits are exact under concurrency, over real HTTP with a database file. */

async function withDatabaseFile(test: (program: TestProgram, clock: ManualClock) => Promise<void>) {
  const folder = await Deno.makeTempDir({ prefix: "cfbe-limits-" });
  const clock = new ManualClock();
  try {
    await using program = await startProgram({
      clock,
      env: { CFBE_KV: `${folder}/cfbe.kv` },
      file: { filters: { cfbe_signup_site_limit: () => 0 } },
    });
    await test(program, clock);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Returns how many responses have each status. */
async function countStatuses(requests: Promise<Response>[]): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (const response of await Promise.all(requests)) {
    await response.body?.cancel();
    counts[response.status] = (counts[response.status] ?? 0) + 1;
  }
  return counts;
}

Deno.test("exactly 5 of 200 concurrent requests from one IP are accepted", () =>
  withDatabaseFile(async (program) => {
    const requests = Array.from({ length: 200 }, (_, i) => program.subscribe({ email: `a${i}@example.com` }));
    assert.deepEqual(await countStatuses(requests), { 200: 5, 429: 195 });
  }));

Deno.test("exactly 3 of 200 concurrent signups of one mailbox are accepted, in any spelling and from any IP", () =>
  withDatabaseFile(async (program) => {
    const email = (i: number) => {
      const local = i % 2 ? "ada.lovelace" : "a.d.alovelace";
      return `${local}+${i}@${i % 3 ? "gmail.com" : "googlemail.com"}`;
    };
    const requests = Array.from(
      { length: 200 },
      (_, i) => program.subscribe({ email: email(i) }, `10.1.${i >> 4}.${i}`),
    );
    assert.deepEqual(await countStatuses(requests), { 200: 3, 429: 197 });
    const { requests: counted, accepted, "rate_limited.mailbox": refused } = await program.services.counters
      .totals();
    assert.deepEqual([counted, accepted, refused], [200, 3, 197]);
  }));

Deno.test("exactly 5 requests from one IP are accepted while the clock changes back and forth", () =>
  withDatabaseFile(async (program, clock) => {
    const start = clock.now();
    let accepted = 0;
    for (const minutes of [0, -30, 9, -60, 4]) {
      clock.set(start + minutes * 60_000);
      const requests = Array.from(
        { length: 20 },
        (_, i) => program.subscribe({ email: `b${i}@example.com` }),
      );
      accepted += (await countStatuses(requests))[200] ?? 0;
    }
    assert.equal(accepted, 5);
  }));

Deno.test("exactly 30 of 60 concurrent signups from different IPs are accepted by the site", async () => {
  await using program = await startProgram({ clock: new ManualClock(), run: false });
  const requests = Array.from(
    { length: 60 },
    (_, i) => program.subscribe({ email: `c${i}@example.com` }, `10.2.0.${i}`),
  );
  assert.deepEqual(await countStatuses(requests), { 200: 30, 429: 30 });
});
