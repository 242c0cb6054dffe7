import assert from "node:assert/strict";
import { harness } from "../testing/harness.ts";
import { createActivation } from "./activation.ts";

const EMAIL = "ann@example.com";

Deno.test("a deactivated service rejects signups and parks waiting jobs", async () => {
  await using b = await harness();
  await (await b.post({ email: EMAIL })).body?.cancel();
  assert.equal(await b.services.activation.deactivate(), 1);
  assert.equal(await b.queue.nextDue(), undefined);

  const refused = await b.post({ email: "ben@example.com" });
  assert.deepEqual([refused.status, (await refused.json()).code], [503, "rejected"]);
});

Deno.test("after activation every queued signup is delivered once, and its outcome is reported", async () => {
  await using b = await harness();
  await (await b.post({ email: EMAIL })).body?.cancel();
  await b.services.activation.deactivate();
  assert.equal(await b.services.activation.activate(), 1);
  assert.equal(await b.services.activation.activate(), 0, "its delivery is already queued");
  await b.work();
  assert.equal((await b.record(EMAIL))?.status, "pending");
  assert.deepEqual(b.subscribedEvents.map(({ email, outcome }) => [email, outcome]), [[EMAIL, "pending"]]);
});

Deno.test("a delivery parked after it had reached the provider sends no second email", async () => {
  await using b = await harness();
  await (await b.post({ email: EMAIL })).body?.cancel();
  b.provider.put(b.services.settings.current().general.defaultList, EMAIL, "pending");
  await b.services.activation.deactivate();
  await b.services.activation.activate();
  await b.work();
  assert.equal((await b.record(EMAIL))?.status, "pending");
  assert.deepEqual(b.provider.calls.filter((call) => call.startsWith("resend")), []);
});

Deno.test("the service stays deactivated after a restart", async () => {
  await using b = await harness();
  await b.services.activation.deactivate();
  const restarted = createActivation(b.services);
  await restarted.refresh();
  assert.equal(restarted.isActive(), false);
});

Deno.test("an erasure at the provider continues while the service is deactivated", async () => {
  await using b = await harness();
  await (await b.post({ email: EMAIL })).body?.cancel();
  await b.work();
  await b.services.people.erase(EMAIL, { provider: true });
  assert.equal(await b.services.activation.deactivate(), 0);
  await b.clock.advance(10 * 60_000);
  await b.work();
  assert.ok(b.provider.calls.some((call) => call.startsWith("erase")), b.provider.calls.join());
});
