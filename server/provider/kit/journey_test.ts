import assert from "node:assert/strict";
import { signupStatuses } from "../../ops/signup_status.ts";
import { registerWebhook } from "../../ops/webhook.ts";
import { startProgram } from "../../testing/program.ts";
import { kitSignature } from "./testing/double.ts";
import { KEY, serveKit } from "./testing/serve.ts";

/** Signups in the real program, with the environment's settings, to the double of Kit. */

const ADA = "ada@example.com";
const BOB = "bob@example.com";

async function withKit() {
  const served = await serveKit();
  const { account, double, front, forms: [list] } = served;
  const program = await startProgram({
    env: { CFBE_PROVIDER: "kit", CFBE_PROVIDER_URL: `${front.url}/v4`, CFBE_PROVIDER_API_KEY: KEY },
    file: { settings: { general: { defaultList: list } } },
  });
  const { services } = program;
  return {
    account,
    double,
    program,
    async signUp(email: string) {
      const response = await program.subscribe({ email });
      assert.equal((await response.json()).code, "pending", "the neutral response");
      await program.runner.idle();
    },
    async state(email: string) {
      const record = (await signupStatuses(services, email))?.[0]?.record;
      return [record?.status, record?.listStatus];
    },
    /** Registers the webhook as if cfbe had a public URL; Kit cannot reach this one. */
    register: () =>
      registerWebhook({ ...services, config: { ...services.config, baseUrl: "https://n.example" } }),
    /** Sends one call about these people, signed with the secret of the registered webhook unless there is another. */
    async hook(type: string, emails: readonly string[], secret = account.hooks[0]!.secret) {
      const events = emails.map((email) => ({ type, data: { subscriber: { email_address: email } } }));
      const body = JSON.stringify({ delivery_id: 1, events });
      const seconds = Math.floor(services.clock.now() / 1000);
      const headers = {
        "content-type": "application/json",
        "x-kit-signature": kitSignature(body, [secret], seconds),
      };
      const response = await fetch(`${program.api}/provider-hook`, { method: "POST", headers, body });
      await response.body?.cancel();
      await program.runner.idle();
      return response.status;
    },
    async [Symbol.asyncDispose]() {
      await program[Symbol.asyncDispose]();
      await served[Symbol.asyncDispose]();
    },
  };
}

Deno.test("signups get one email each, and one signed webhook call confirms all of them, although Kit's listings lag behind", async () => {
  await using app = await withKit();
  assert.equal((await app.register()).kind, "registered");
  for (const email of [ADA, ADA, BOB]) await app.signUp(email);
  assert.deepEqual([await app.state(ADA), app.account.mails], [["pending", "pending"], [ADA, BOB]]);
  app.double.lag(true);
  for (const email of [ADA, BOB]) app.account.put(email, "active");
  assert.equal(await app.hook("subscriber.activated", [ADA, BOB], "a guess"), 401);
  assert.deepEqual(await app.state(ADA), ["pending", "pending"]);
  assert.equal(await app.hook("subscriber.activated", [ADA, BOB]), 200);
  assert.deepEqual([await app.state(ADA), await app.state(BOB)], [["active", "active"], [
    "active",
    "active",
  ]]);
});

Deno.test("without the webhook, the poll finds a confirmation, and nobody who has not confirmed", async () => {
  await using app = await withKit();
  for (const email of [ADA, BOB]) await app.signUp(email);
  assert.equal((await app.program.services.poll.run()).confirmed, 0);
  app.account.put(ADA, "active");
  assert.equal((await app.program.services.poll.run()).confirmed, 1);
  assert.deepEqual([await app.state(ADA), await app.state(BOB)], [["active", "active"], [
    "pending",
    "pending",
  ]]);
});

Deno.test("somebody who left, bounced or reported spam fails, and gets no email", async () => {
  await using app = await withKit();
  const states = { cancelled: "unsubscribed", bounced: "bounced", complained: "suppressed" } as const;
  for (const [state, listStatus] of Object.entries(states)) {
    const email = `${state}@example.com`;
    app.account.add(email, { state: state as keyof typeof states });
    await app.signUp(email);
    assert.deepEqual(await app.state(email), ["failed", listStatus]);
  }
  assert.deepEqual(app.account.mails, []);
});
