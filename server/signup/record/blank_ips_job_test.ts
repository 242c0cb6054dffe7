import assert from "node:assert/strict";
import { type Harness, harness, LIST } from "../../testing/harness.ts";
import { keys } from "../../kv/keys.ts";
import type { ConsentRow } from "./row.ts";
import { startSlot } from "../../jobs/recurring.ts";
import { BLANK_IPS_EVERY_MS, BLANK_IPS_JOB } from "./blank_ips_job.ts";

const DAY = 24 * 60 * 60_000;

async function blank(b: Harness) {
  await startSlot(
    b.services,
    { name: "blank", everyMs: BLANK_IPS_EVERY_MS, now: b.clock.now() },
    BLANK_IPS_JOB,
  );
  await b.work();
}
async function consent(b: Harness, email: string): Promise<ConsentRow> {
  const rows = b.kv.list<ConsentRow>({ prefix: keys.consentsOf(email, LIST) });
  return (await Array.fromAsync(rows))[0]!.value;
}

Deno.test("an IP is blanked when its retention is over, not before; the rest of the proof stays", async () => {
  await using b = await harness({ settings: { privacy: { ipRetentionDays: 2 } } });
  await b.post({ email: "old@example.com" }, { peer: "198.51.100.7" });
  const before = await consent(b, "old@example.com");
  await b.clock.advance(DAY);
  await b.post({ email: "new@example.com" }, { peer: "198.51.100.8" });
  await blank(b);
  assert.equal((await consent(b, "old@example.com")).ip, "198.51.100.7");
  await b.clock.advance(DAY + 1);
  await blank(b);
  assert.deepEqual(await consent(b, "old@example.com"), { ...before, ip: null });
  assert.equal((await consent(b, "new@example.com")).ip, "198.51.100.8");
});

Deno.test("a blanked IP is nowhere in the database, and nothing is left to blank", async () => {
  await using b = await harness();
  await b.post({ email: "ada@example.com" }, { peer: "198.51.100.7" });
  await b.work();
  await b.clock.advance(91 * DAY);
  await blank(b);
  assert.doesNotMatch(await b.dump(), /198\.51\.100\.7|consent_by_time/);
});

Deno.test("a consent erased meanwhile is not brought back", async () => {
  await using b = await harness();
  await b.post({ email: "ada@example.com" });
  const { at, id } = await consent(b, "ada@example.com");
  await b.kv.delete(keys.consent("ada@example.com", LIST, at, id));
  await b.clock.advance(91 * DAY);
  await blank(b);
  assert.doesNotMatch(await b.dump(), /"consent"|consent_by_time/);
});
