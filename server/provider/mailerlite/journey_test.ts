import assert from "node:assert/strict";
import { signupStatuses } from "../../ops/signup_status.ts";
import { registerWebhook } from "../../ops/webhook.ts";
import { startProgram } from "../../testing/program.ts";
import { mailerliteSignature } from "./testing/double.ts";
import { serveMailerlite, TOKEN } from "./testing/serve.ts";

/** Signups in the real program, with the environment's settings, to the double of MailerLite. */

const ADA = "ada@example.com";

async function withMailerlite() {
  const served = await serveMailerlite();
  const { account, front, groups: [list] } = served;
  const program = await startProgram({
    env: {
      CFBE_PROVIDER: "mailerlite",
      CFBE_PROVIDER_URL: `${front.url}/api`,
      CFBE_PROVIDER_API_KEY: TOKEN,
    },
    file: { settings: { general: { defaultList: list } } },
  });
  const { services } = program;
  return {
    account,
    front,
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
    /** Registers the webhook as if cfbe had a public URL; MailerLite cannot reach this one. */
    register: () =>
      registerWebhook({ ...services, config: { ...services.config, baseUrl: "https://n.example" } }),
    /** Sends an event, signed with the secret of the registered webhook unless there is another. */
    async hook(event: string, email: string, secret = account.hooks[0]!.secret) {
      const body = JSON.stringify({ event, email, status: account.people.get(email)!.status, account_id: 1 });
      const headers = { "content-type": "application/json", signature: mailerliteSignature(body, secret) };
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

Deno.test("a signup gets one email, and a webhook signed with the secret of the registration confirms it", async () => {
  await using app = await withMailerlite();
  assert.equal((await app.register()).kind, "registered");
  await app.signUp(ADA);
  await app.signUp(ADA);
  assert.deepEqual([await app.state(ADA), app.account.mails], [["pending", "pending"], [ADA]]);
  app.account.put(ADA, "active");
  assert.equal(await app.hook("subscriber.updated", ADA, "a guess"), 401);
  assert.deepEqual(await app.state(ADA), ["pending", "pending"]);
  assert.equal(await app.hook("subscriber.updated", ADA), 200);
  assert.deepEqual(await app.state(ADA), ["active", "active"]);
});

Deno.test("without the webhook, the poll finds a confirmation, and nobody who has not confirmed", async () => {
  await using app = await withMailerlite();
  await app.signUp(ADA);
  await app.signUp("bob@example.com");
  assert.equal((await app.program.services.poll.run()).confirmed, 0);
  app.account.put(ADA, "active");
  assert.equal((await app.program.services.poll.run()).confirmed, 1);
  assert.deepEqual(await app.state(ADA), ["active", "active"]);
  assert.deepEqual(await app.state("bob@example.com"), ["pending", "pending"]);
});

Deno.test("somebody who left, bounced or reported spam fails, and gets no email", async () => {
  await using app = await withMailerlite();
  const states = { unsubscribed: "unsubscribed", bounced: "bounced", junk: "suppressed" } as const;
  for (const [status, listStatus] of Object.entries(states)) {
    const email = `${status}@example.com`;
    app.account.add(email, { status: status as keyof typeof states });
    await app.signUp(email);
    assert.deepEqual(await app.state(email), ["failed", listStatus]);
  }
  assert.deepEqual(app.account.mails, []);
});

Deno.test("a signup whose response is lost becomes pending with one email", async () => {
  await using app = await withMailerlite();
  app.front.fail("resets after storing", ({ method }) => method === "POST");
  await app.signUp(ADA);
  assert.deepEqual(await app.state(ADA), ["queued", undefined]);
  app.front.recover();
  app.account.put(ADA, "active");
  await app.program.services.poll.run();
  assert.deepEqual([await app.state(ADA), app.account.mails], [["active", "active"], [ADA]]);
});
