import assert from "node:assert/strict";
import { createAudit } from "../../platform/audit/audit.ts";
import { Chains } from "../../platform/kv/chains.ts";
import { startRecurringJobs } from "../../program/recurring_jobs.ts";
import { createCarts } from "../../shops/carts/carts.ts";
import { createMarkers } from "../../shops/mail/markers.ts";
import { harness, LIST } from "../../../dev/testing/harness.ts";

const DAY_MS = 24 * 60 * 60_000;
const [ANN, BAD] = ["ann@example.com", "bad@example.com"];

Deno.test("personal data that was stored while the clock was a year ahead is deleted on time once it is right", async () => {
  await using app = await harness();
  const right = app.clock.now();
  app.provider.put(LIST, BAD, "bounced");
  await app.clock.set(right + 365 * DAY_MS);
  for (const email of [ANN, BAD]) {
    await (await app.post({ email }, { peer: "192.0.2.65" })).body?.cancel();
    await app.work();
  }
  await createAudit(app.services).begin({
    who: "ann",
    action: { name: "cfbe_log_in" },
    from: { ip: "192.0.2.66" },
  });
  const carts = createCarts({
    ...app.services,
    chains: new Chains(),
    markers: createMarkers(app.services.keyring),
    maxBytes: 1e6,
    wake: () => {},
  });
  await carts.change("session".padEnd(22, "x"), { email: "cart@example.com" });
  await app.clock.set(right);
  for (let n = 0; n < 95; n++) {
    await startRecurringJobs(app.services);
    await app.work();
    await app.clock.advance(DAY_MS);
  }
  const dump = await app.dump();
  assert.doesNotMatch(dump, /cart@example\.com/);
  assert.doesNotMatch(dump, /bad@example\.com/);
  assert.doesNotMatch(dump, /192\.0\.2\.66/);
  assert.doesNotMatch(dump, /ip: "?'?192\.0\.2\./);
  assert.equal(await app.record(ANN), null, "it expired and was deleted");
});
