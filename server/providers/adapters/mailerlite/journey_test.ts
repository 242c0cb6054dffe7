import assert from "node:assert/strict";
import { providerJourney, startJourney } from "../../testing/journey.ts";
import { mailerliteSignature } from "./testing/double.ts";
import { openMailerlite } from "./testing/harness.ts";
import { serveMailerlite } from "./testing/serve.ts";

const ADA = "ada@example.com";

providerJourney("mailerlite", openMailerlite);

Deno.test("a signup gets one email, and a webhook signed with the secret of the registration confirms it", async () => {
  await using served = await serveMailerlite();
  await using app = await startJourney("mailerlite", served);
  const { account } = served;
  const hook = (secret: string) => {
    const { status } = account.people.get(ADA)!;
    const body = JSON.stringify({ event: "subscriber.updated", email: ADA, status, account_id: 1 });
    return app.post(body, { signature: mailerliteSignature(body, secret) });
  };
  assert.equal((await app.register()).kind, "registered");
  await app.signUp(ADA);
  await app.signUp(ADA);
  assert.deepEqual([await app.state(ADA), served.mails], [["pending", "pending"], [ADA]]);
  account.put(ADA, "active");
  assert.equal(await hook("a guess"), 401);
  assert.deepEqual(await app.state(ADA), ["pending", "pending"]);
  assert.equal(await hook(account.hooks[0]!.secret), 200);
  assert.deepEqual(await app.state(ADA), ["active", "active"]);
});
