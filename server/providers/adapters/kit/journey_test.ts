import assert from "node:assert/strict";
import { providerJourney, startJourney } from "../../testing/journey.ts";
import { kitSignature } from "./testing/double.ts";
import { openKit } from "./testing/harness.ts";
import { serveKit } from "./testing/serve.ts";

const ADA = "ada@example.com";
const BOB = "bob@example.com";

providerJourney("kit", openKit);

Deno.test("signups get one email each, and one signed webhook call confirms all of them, although Kit's listings lag behind", async () => {
  await using served = await serveKit();
  await using app = await startJourney("kit", served);
  const { account, double, mails } = served;
  /** Sends one call about both people. */
  const hook = (secret: string) => {
    const events = [ADA, BOB].map((email) => ({
      type: "subscriber.activated",
      data: { subscriber: { email_address: email } },
    }));
    const body = JSON.stringify({ delivery_id: 1, events });
    const seconds = Math.floor(app.program.services.clock.now() / 1000);
    return app.post(body, { "x-kit-signature": kitSignature(body, [secret], seconds) });
  };
  assert.equal((await app.register()).kind, "registered");
  for (const email of [ADA, ADA, BOB]) await app.signUp(email);
  assert.deepEqual([await app.state(ADA), mails], [["pending", "pending"], [ADA, BOB]]);
  double.lag(true);
  for (const email of [ADA, BOB]) account.put(email, "active");
  assert.equal(await hook("a guess"), 401);
  assert.deepEqual(await app.state(ADA), ["pending", "pending"]);
  assert.equal(await hook(account.hooks[0]!.secret), 200);
  for (const email of [ADA, BOB]) assert.deepEqual(await app.state(email), ["active", "active"]);
});
