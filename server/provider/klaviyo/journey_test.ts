import assert from "node:assert/strict";
import { signupStatuses } from "../../ops/signup_status.ts";
import { startProgram } from "../../testing/program.ts";
import { KEY, serveKlaviyo } from "./testing/serve.ts";

/** Signups in the real program, with the environment's settings, to the double of Klaviyo. */

const ADA = "ada@example.com";
const SECRET = "a-secret-that-a-flow-sends-to-cfbe";

async function withKlaviyo() {
  const served = await serveKlaviyo();
  const { account, front, lists } = served;
  const program = await startProgram({
    env: { CFBE_PROVIDER: "klaviyo", CFBE_PROVIDER_URL: front.url, CFBE_PROVIDER_API_KEY: KEY },
    file: { settings: { general: { defaultList: lists.double }, webhooks: { secret: SECRET } } },
  });
  return {
    account,
    front,
    list: lists.double,
    program,
    async signUp(email: string) {
      const response = await program.subscribe({ email });
      assert.equal((await response.json()).code, "pending", "the neutral response");
      await program.runner.idle();
    },
    async state(email: string) {
      const record = (await signupStatuses(program.services, email))?.[0]?.record;
      return [record?.status, record?.listStatus];
    },
    /** Sends what a flow's webhook action sends. */
    async flow(email: string, secret: string) {
      const headers = { "content-type": "application/json", "x-cfbe-secret": secret };
      const body = JSON.stringify({ email });
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

Deno.test("a signup is pending with one email, and a flow with the secret confirms it", async () => {
  await using app = await withKlaviyo();
  await app.signUp(ADA);
  await app.signUp(ADA);
  assert.deepEqual([await app.state(ADA), app.account.mails], [["pending", "pending"], [ADA]]);
  app.account.confirm(ADA, app.list);
  assert.equal(await app.flow(ADA, "a guess"), 401);
  assert.deepEqual(await app.state(ADA), ["pending", "pending"]);
  assert.equal(await app.flow(ADA, SECRET), 200);
  assert.deepEqual(await app.state(ADA), ["active", "active"]);
});

Deno.test("without a flow, the poll finds a confirmation, and nobody who has not confirmed", async () => {
  await using app = await withKlaviyo();
  await app.signUp(ADA);
  await app.signUp("bob@example.com");
  assert.equal((await app.program.services.poll.run()).confirmed, 0);
  app.account.confirm(ADA, app.list);
  assert.equal((await app.program.services.poll.run()).confirmed, 1);
  assert.deepEqual(await app.state(ADA), ["active", "active"]);
  assert.deepEqual(await app.state("bob@example.com"), ["pending", "pending"]);
});

Deno.test("somebody who left, bounced or is suppressed fails, and gets no email", async () => {
  await using app = await withKlaviyo();
  const states = { UNSUBSCRIBE: "unsubscribed", HARD_BOUNCE: "bounced", USER_SUPPRESSED: "suppressed" };
  for (const [reason, listStatus] of Object.entries(states)) {
    const email = `${reason.toLowerCase()}@example.com`;
    app.account.suppress(email, reason);
    await app.signUp(email);
    assert.deepEqual(await app.state(email), ["failed", listStatus]);
  }
  assert.deepEqual(app.account.mails, []);
});

Deno.test("a signup whose response is lost is found once it is confirmed, with one email", async () => {
  await using app = await withKlaviyo();
  app.front.fail("resets after storing", ({ method }) => method === "POST");
  await app.signUp(ADA);
  assert.deepEqual(await app.state(ADA), ["queued", undefined]);
  app.front.recover();
  app.account.confirm(ADA, app.list);
  await app.program.services.poll.run();
  assert.deepEqual([await app.state(ADA), app.account.mails], [["active", "active"], [ADA]]);
});
