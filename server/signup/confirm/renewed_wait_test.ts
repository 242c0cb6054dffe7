import assert from "node:assert/strict";
import { runAction } from "../../admin/action_table.ts";
import { LOCAL } from "../../admin/auth/actor.ts";
import { keys } from "../../platform/kv/keys.ts";
import { type Harness, harness, LIST } from "../../../dev/testing/harness.ts";
import { DAY, MINUTE, pollWithTime, withoutListings } from "./testing/polls.ts";

/** How long a signup waits for its confirmation that was made, or whose email was sent, more than once. */

const ADA = "ada@example.com";

async function signUp(app: Harness): Promise<void> {
  const response = await app.post({ email: ADA });
  assert.equal(response.status, 200);
  await response.body?.cancel();
}

async function pollAfter(app: Harness, ms: number) {
  await app.clock.advance(ms);
  return await pollWithTime(app);
}

const status = async (app: Harness) => (await app.record(ADA))?.status;

const ways: Record<string, { again: (app: Harness) => Promise<unknown>; mails: number; resend?: false }> = {
  "another signup": { again: signUp, mails: 2 },
  "another signup at a provider that resends nothing": { again: signUp, mails: 1, resend: false },
  "an admin's resend": {
    again: ({ services }) =>
      runAction(services, LOCAL, "cfbe_resend_confirmation", { email: ADA, list: LIST }),
    mails: 2,
  },
};
for (const [name, { again, mails, resend = true }] of Object.entries(ways)) {
  Deno.test(`the 30 days for a confirmation begin anew with ${name}`, async () => {
    await using app = await harness();
    withoutListings(app);
    app.provider.capabilities.resend = resend;
    await signUp(app);
    await app.work();
    await pollAfter(app, 29.5 * DAY);
    await again(app);
    await app.callClock.passDuring(app.work());
    assert.equal(app.provider.mails.length, mails);
    await pollAfter(app, 29.9 * DAY);
    assert.equal(await status(app), "pending");
    const entries = await Array.fromAsync(app.kv.list({ prefix: keys.byStatusAll("pending") }));
    assert.equal(entries.length, 1, "the entry of the first signup is gone");
    app.provider.put(LIST, ADA, "active");
    await pollAfter(app, 15 * MINUTE);
    assert.equal(await status(app), "active");
  });
}

Deno.test("a signup that is repeated again and again expires 30 days after the last time", async () => {
  await using app = await harness();
  withoutListings(app);
  for (let times = 0; times < 3; times++) {
    await signUp(app);
    await app.callClock.passDuring(app.work());
    await pollAfter(app, 29 * DAY);
    assert.equal(await status(app), "pending");
  }
  await pollAfter(app, DAY);
  assert.equal(await status(app), "expired");
});
