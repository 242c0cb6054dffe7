import assert from "node:assert/strict";
import { harness } from "../../../dev/testing/harness.ts";
import { createActivation } from "./activation.ts";

const EMAIL = "ann@example.com";

Deno.test("a deactivated service rejects signups and pauses queued jobs", async () => {
  await using app = await harness();
  await (await app.post({ email: EMAIL })).body?.cancel();
  assert.equal(await app.services.activation.deactivate(), 1);
  assert.equal(await app.queue.nextDue(), undefined);

  const refused = await app.post({ email: "ben@example.com" });
  assert.deepEqual([refused.status, (await refused.json()).code], [503, "rejected"]);
});

Deno.test("after activation every queued signup is delivered once, and its outcome is reported", async () => {
  await using app = await harness();
  await (await app.post({ email: EMAIL })).body?.cancel();
  await app.services.activation.deactivate();
  assert.equal(await app.services.activation.activate(), 1);
  assert.equal(await app.services.activation.activate(), 0, "its delivery is already queued");
  await app.work();
  assert.equal((await app.record(EMAIL))?.status, "pending");
  assert.deepEqual(app.subscribedEvents.map(({ email, outcome }) => [email, outcome]), [[EMAIL, "pending"]]);
});

Deno.test("a delivery paused after it had reached the provider sends no second email", async () => {
  await using app = await harness();
  await (await app.post({ email: EMAIL })).body?.cancel();
  app.provider.put(app.services.settings.current().general.defaultList, EMAIL, "pending");
  await app.services.activation.deactivate();
  await app.services.activation.activate();
  await app.work();
  assert.equal((await app.record(EMAIL))?.status, "pending");
  assert.deepEqual(app.provider.calls.filter((call) => call.startsWith("resend")), []);
});

Deno.test("the service stays deactivated after a restart", async () => {
  await using app = await harness();
  await app.services.activation.deactivate();
  const restarted = createActivation(app.services);
  await restarted.refresh();
  assert.equal(restarted.isActive(), false);
});

Deno.test("an erasure at the provider continues while the service is deactivated", async () => {
  await using app = await harness();
  await (await app.post({ email: EMAIL })).body?.cancel();
  await app.work();
  await app.services.people.erase(EMAIL, { provider: true });
  assert.equal(await app.services.activation.deactivate(), 0);
  await app.clock.advance(10 * 60_000);
  await app.work();
  assert.ok(app.provider.calls.some((call) => call.startsWith("erase")), app.provider.calls.join());
});
