import assert from "node:assert/strict";
import { signupStatuses } from "../../ops/signup_status.ts";
import { registerWebhook } from "../../ops/webhook.ts";
import { startProgram } from "../../testing/program.ts";
import { OPT_IN_TEMPLATE } from "./testing/account.ts";
import { serveBrevo } from "./testing/serve.ts";

/** Signups in the real program, with settings from the environment and the config file, to the double of Brevo. */

const ADA = "ada@example.com";

async function withBrevo() {
  const served = await serveBrevo();
  const { double: { account, apiKey }, front, list } = served;
  const program = await startProgram({
    env: { CFBE_PROVIDER: "brevo", CFBE_PROVIDER_URL: `${front.url}/v3`, CFBE_PROVIDER_API_KEY: apiKey },
    file: {
      settings: {
        general: {
          defaultList: list,
          brevoTemplate: String(OPT_IN_TEMPLATE),
          brevoThanksUrl: "https://example.com/welcome",
        },
      },
    },
  });
  const { services } = program;
  return {
    account,
    front,
    list,
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
    /** Registers the webhook as if cfbe had a public URL; Brevo cannot reach this one. */
    register: () =>
      registerWebhook({ ...services, config: { ...services.config, baseUrl: "https://n.example" } }),
    /** Sends an event with the token of the registered webhook, unless there is another. */
    async hook(event: string, email: string, token = account.webhooks[0]!.auth!.token) {
      const response = await fetch(`${program.api}/provider-hook`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
        body: JSON.stringify({ id: 1, event, email, list_id: [Number(list)], ts: 1 }),
      });
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

Deno.test("a signup gets one email and is pending although Brevo shows nobody, until a webhook reports the confirmation", async () => {
  await using app = await withBrevo();
  assert.equal((await app.register()).kind, "registered");
  await app.signUp(ADA);
  await app.signUp(ADA);
  assert.deepEqual([await app.state(ADA), app.account.mails], [["pending", "pending"], [ADA]]);
  app.account.confirm(app.list, ADA);
  assert.equal(await app.hook("list_addition", ADA, "a guess"), 401);
  assert.deepEqual(await app.state(ADA), ["pending", "pending"]);
  assert.equal(await app.hook("list_addition", ADA), 200);
  assert.deepEqual(await app.state(ADA), ["active", "active"]);
});

Deno.test("without the webhook, the poll finds a confirmation, and leaves the others pending", async () => {
  await using app = await withBrevo();
  await app.signUp(ADA);
  await app.signUp("bob@example.com");
  assert.equal((await app.program.services.poll.run()).confirmed, 0);
  app.account.confirm(app.list, ADA);
  assert.equal((await app.program.services.poll.run()).confirmed, 1);
  assert.deepEqual(await app.state(ADA), ["active", "active"]);
  assert.deepEqual(await app.state("bob@example.com"), ["pending", "pending"]);
});

Deno.test("a person who unsubscribed, bounced or complained fails, and gets no email", async () => {
  await using app = await withBrevo();
  const states = { unknown: "unsubscribed", hardBounces: "bounced", complaints: "suppressed" } as const;
  for (const [why, listStatus] of Object.entries(states)) {
    const email = `${why.toLowerCase()}@example.com`;
    app.account.block(email, why as keyof typeof states);
    await app.signUp(email);
    assert.deepEqual(await app.state(email), ["failed", listStatus]);
  }
  assert.deepEqual(app.account.mails, []);
});

Deno.test("a signup whose response is lost becomes active with one email, if the person confirms before the retry", async () => {
  await using app = await withBrevo();
  app.front.fail("resets after storing", ({ method }) => method === "POST");
  await app.signUp(ADA);
  assert.deepEqual(await app.state(ADA), ["queued", undefined]);
  app.front.recover();
  app.account.confirm(app.list, ADA);
  await app.program.services.poll.run();
  assert.deepEqual([await app.state(ADA), app.account.mails], [["active", "active"], [ADA]]);
});
