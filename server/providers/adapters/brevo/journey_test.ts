import assert from "node:assert/strict";
import { providerJourney, startJourney } from "../../testing/journey.ts";
import { openBrevo } from "./testing/harness.ts";
import { serveBrevo } from "./testing/serve.ts";

const ADA = "ada@example.com";

providerJourney("brevo", openBrevo);

Deno.test("a signup is pending although Brevo shows nobody, until a webhook with the registered token reports the confirmation", async () => {
  await using served = await serveBrevo();
  await using app = await startJourney("brevo", served);
  const { account, list } = served;
  const hook = (token: string) =>
    app.post(
      JSON.stringify({ id: 1, event: "list_addition", email: ADA, list_id: [Number(list)], ts: 1 }),
      { authorization: `Bearer ${token}` },
    );
  assert.equal((await app.register()).kind, "registered");
  await app.signUp(ADA);
  await app.signUp(ADA);
  assert.deepEqual([await app.state(ADA), served.mails], [["pending", "pending"], [ADA]]);
  account.confirm(list, ADA);
  assert.equal(await hook("a guess"), 401);
  assert.deepEqual(await app.state(ADA), ["pending", "pending"]);
  assert.equal(await hook(account.webhooks[0]!.auth!.token), 200);
  assert.deepEqual(await app.state(ADA), ["active", "active"]);
});

Deno.test("a poll keeps the reason why somebody is on the blocklist, and learns it if no webhook told it", async () => {
  await using served = await serveBrevo();
  await using app = await startJourney("brevo", served);
  const { account, list } = served;
  await app.register();
  const authorization = `Bearer ${account.webhooks[0]!.auth!.token}`;
  const people = [
    { email: ADA, why: "hardBounces", event: "hard_bounce", listStatus: "bounced" },
    { email: "ann@example.com", why: "complaints", event: undefined, listStatus: "suppressed" },
  ] as const;
  for (const { email } of people) {
    await app.signUp(email);
    account.confirm(list, email);
  }
  assert.equal(await app.poll(), people.length);
  for (const { email, why, event, listStatus } of people) {
    account.block(email, why);
    if (event === undefined) continue;
    await app.post(JSON.stringify({ id: 1, event, email, ts: 1 }), { authorization });
    assert.deepEqual(await app.state(email), ["active", listStatus]);
  }
  await app.signUp("bob@example.com");
  await app.poll();
  await app.program.runner.idle();
  for (const { email, listStatus } of people) {
    assert.deepEqual(await app.state(email), ["active", listStatus], email);
  }
});

Deno.test("a reason for the blocklist stays known after 90 days, when Brevo does not show it any more", async () => {
  await using served = await serveBrevo();
  await using app = await startJourney("brevo", served);
  const { account, list } = served;
  await app.register();
  const authorization = `Bearer ${account.webhooks[0]!.auth!.token}`;
  const complain = () =>
    app.post(JSON.stringify({ id: 1, event: "spam", email: ADA, ts: 1 }), { authorization });
  await app.signUp(ADA);
  account.confirm(list, ADA);
  await app.poll();
  account.block(ADA, "complaints");
  await complain();
  account.age(ADA, 91);
  await complain();
  assert.deepEqual(await app.state(ADA), ["active", "suppressed"]);
  await app.signUp(ADA);
  assert.deepEqual(await app.state(ADA), ["active", "suppressed"]);
  assert.deepEqual(served.mails, [ADA]);
});
