import assert from "node:assert/strict";
import { providerJourney, startJourney } from "../../testing/journey.ts";
import { openKlaviyo } from "./testing/harness.ts";
import { serveKlaviyo } from "./testing/serve.ts";

const ADA = "ada@example.com";
const SECRET = "a-secret-that-a-flow-sends-to-cfbe";

providerJourney("klaviyo", openKlaviyo);

Deno.test("a signup is pending with one email, and a flow with the secret confirms it", async () => {
  await using served = await serveKlaviyo();
  await using app = await startJourney("klaviyo", served, { secret: SECRET });
  /** Sends what a flow's webhook action sends. */
  const flow = (secret: string) => app.post(JSON.stringify({ email: ADA }), { "x-cfbe-secret": secret });
  await app.signUp(ADA);
  await app.signUp(ADA);
  assert.deepEqual([await app.state(ADA), served.mails], [["pending", "pending"], [ADA]]);
  served.account.confirm(ADA, served.list);
  assert.equal(await flow("a guess"), 401);
  assert.deepEqual(await app.state(ADA), ["pending", "pending"]);
  assert.equal(await flow(SECRET), 200);
  assert.deepEqual(await app.state(ADA), ["active", "active"]);
});
