import assert from "node:assert/strict";
import { signupStatuses } from "../../ops/signup_status.ts";
import { startProgram } from "../../testing/program.ts";
import { mailchimpSignature } from "./testing/double.ts";
import { KEY, serveMailchimp } from "./testing/serve.ts";
import { webhookToken, withToken } from "./webhook_token.ts";

/** Signups in the real program, with the environment's settings, to the double of Mailchimp. */

const ADA = "ada@example.com";
const SIGNING = "whsec_of_a_test";

async function withMailchimp() {
  const served = await serveMailchimp();
  const [list] = served.audiences;
  const program = await startProgram({
    env: { CFBE_PROVIDER: "mailchimp", CFBE_PROVIDER_URL: served.url, CFBE_PROVIDER_API_KEY: KEY },
    file: { settings: { general: { defaultList: list, mailchimpSigningSecrets: SIGNING } } },
  });
  return {
    ...served,
    list,
    program,
    async signUp() {
      const response = await program.subscribe({ email: ADA });
      assert.equal((await response.json()).code, "pending", "the neutral response");
      await program.runner.idle();
    },
    async state() {
      const record = (await signupStatuses(program.services, ADA))?.[0]?.record;
      return [record?.status, record?.listStatus];
    },
    /** Sends a webhook call as Mailchimp does. */
    async hook(url: string, type: string, headers: Record<string, string> = {}) {
      const body = new URLSearchParams({ type, "data[email]": ADA, "data[list_id]": list }).toString();
      const signature = headers["x-mailchimp-signature"] === "valid"
        ? { "x-mailchimp-signature": mailchimpSignature(body, SIGNING, Date.now()) }
        : {};
      const form = "application/x-www-form-urlencoded";
      const response = await fetch(url, {
        method: "POST",
        headers: { "content-type": form, ...headers, ...signature },
        body,
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

Deno.test("a signup gets one email, is found by the poll once it is confirmed, and is not repeated", async () => {
  await using app = await withMailchimp();
  await app.signUp();
  await app.signUp();
  assert.deepEqual([await app.state(), app.account.mails], [["pending", "pending"], [ADA]]);
  assert.equal((await app.program.services.poll.run()).confirmed, 0);
  app.account.put(app.list, ADA, "subscribed");
  assert.equal((await app.program.services.poll.run()).confirmed, 1);
  assert.deepEqual(await app.state(), ["active", "active"]);
});

Deno.test("a form-encoded webhook confirms a signup, with the secret in its URL or with a signature, and the URL passes Mailchimp's probe", async () => {
  const url = (app: { program: { api: string } }) => `${app.program.api}/provider-hook`;
  const ways = [
    { token: webhookToken(KEY)!, headers: {} },
    { token: "x", headers: { "x-mailchimp-signature": "valid" } },
  ];
  for (const { token, headers } of ways) {
    await using app = await withMailchimp();
    await app.signUp();
    app.account.put(app.list, ADA, "subscribed");
    assert.equal(await app.hook(url(app), "subscribe"), 401);
    assert.equal(await app.hook(withToken(url(app), "x"), "subscribe"), 401);
    assert.deepEqual(await app.state(), ["pending", "pending"]);
    const probe = await fetch(withToken(url(app), token));
    await probe.body?.cancel();
    assert.equal(probe.status, 200);
    assert.equal(await app.hook(withToken(url(app), token), "subscribe", headers), 200);
    assert.deepEqual(await app.state(), ["active", "active"]);
    assert.ok(!app.program.lines.join("\n").includes(webhookToken(KEY)!), "the log has no secret");
  }
});

Deno.test("somebody who left fails and gets no email", async () => {
  await using app = await withMailchimp();
  app.account.add(app.list, ADA, { status: "unsubscribed" });
  await app.signUp();
  assert.deepEqual([await app.state(), app.account.mails], [["failed", "unsubscribed"], []]);
});

Deno.test("a signup whose response is lost becomes pending with one email", async () => {
  await using app = await withMailchimp();
  app.front.fail("resets after storing", ({ method }) => method !== "GET");
  await app.signUp();
  assert.deepEqual(await app.state(), ["queued", undefined]);
  app.front.recover();
  app.account.put(app.list, ADA, "subscribed");
  await app.program.services.poll.run();
  assert.deepEqual([await app.state(), app.account.mails], [["active", "active"], [ADA]]);
});
