import assert from "node:assert/strict";
import { harness } from "../../../dev/testing/harness.ts";
import { eventually } from "../../../dev/testing/eventually.ts";

const SECOND = 1_000;

Deno.test("a process that a load balancer asks once a second says 503 for longer than a second before it ends, and still serves visitors", async () => {
  await using app = await harness();
  const { draining } = app.services;
  const ready = async () => (await app.fetch("/readyz")).status;
  assert.equal(await ready(), 200);
  await app.clock.advance(SECOND);
  let ended = false;
  const ending = draining.begin().then(() => ended = true);
  await eventually("it waits", () => app.clock.sleeping > 0);
  await app.clock.advance(SECOND);
  const response = await app.fetch("/readyz");
  const { ok, draining: said, database } = await response.json();
  assert.deepEqual([response.status, ok, said, database, ended], [503, false, true, true, false]);
  assert.equal((await app.post({ email: "ann@example.com" })).status, 200);
  await app.clock.advance(SECOND);
  await ending;
});

Deno.test("a process that nobody has asked for ten seconds ends at once", async () => {
  for (const asked of [false, true]) {
    await using app = await harness();
    if (asked) await (await app.fetch("/readyz")).body?.cancel();
    await app.clock.advance(11 * SECOND);
    await app.services.draining.begin();
    assert.equal((await app.fetch("/readyz")).status, 503);
  }
});
