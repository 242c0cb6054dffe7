import assert from "node:assert/strict";
import { missingFields } from "../../settings/provider.ts";
import { signupStatuses } from "../../ops/signup_status.ts";
import { startProgram } from "../../testing/program.ts";
import { serveListmonk } from "./testing/double.ts";

/** Signups in the real program, with the environment's settings, to the double of listmonk. */

async function withListmonk() {
  const double = serveListmonk();
  const list = double.addList("News", "double");
  const program = await startProgram({
    env: { CFBE_PROVIDER: "listmonk", CFBE_PROVIDER_URL: double.url, CFBE_PROVIDER_API_KEY: double.token },
    file: { settings: { general: { defaultList: list } } },
  });
  return {
    double,
    list,
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
    async [Symbol.asyncDispose]() {
      await program[Symbol.asyncDispose]();
      await double[Symbol.asyncDispose]();
    },
  };
}

Deno.test("a signup gets one email, is found by the poll once it is confirmed, and is not resent at once", async () => {
  await using app = await withListmonk();
  const ada = "ada@example.com";
  await app.signUp(ada);
  await app.signUp(ada);
  assert.deepEqual([await app.state(ada), app.double.mails], [["pending", "pending"], [ada]]);
  assert.equal((await app.program.services.poll.run()).confirmed, 0);
  app.double.confirm(app.list, ada);
  assert.equal((await app.program.services.poll.run()).confirmed, 1);
  assert.deepEqual(await app.state(ada), ["active", "active"]);
});

Deno.test("somebody who left or is on the blocklist fails, and gets no email", async () => {
  await using app = await withListmonk();
  const [left, blocked] = ["left@example.com", "blocked@example.com"];
  await app.signUp(left);
  app.double.unsubscribe(app.list, left);
  app.double.blocklist(blocked);
  await app.signUp(left);
  await app.signUp(blocked);
  assert.deepEqual(await app.state(left), ["failed", "unsubscribed"]);
  assert.deepEqual(await app.state(blocked), ["failed", "suppressed"]);
  assert.deepEqual(app.double.mails, [left]);
});

Deno.test("a signup whose response is lost becomes pending with one email", async () => {
  await using app = await withListmonk();
  const ada = "ada@example.com";
  app.double.fault = "lost response";
  await app.signUp(ada);
  assert.deepEqual(await app.state(ada), ["queued", undefined]);
  app.double.fault = "none";
  app.double.confirm(app.list, ada);
  await app.program.services.poll.run();
  assert.deepEqual([await app.state(ada), app.double.mails], [["active", "active"], [ada]]);
});

Deno.test("without its URL, listmonk counts as not configured", async () => {
  await using program = await startProgram({
    env: { CFBE_PROVIDER: "listmonk", CFBE_PROVIDER_API_KEY: "cfbe:a-token" },
  });
  const { settings } = program.services;
  assert.deepEqual(missingFields(settings.current(), settings.providers).map(([name]) => name), [
    "listmonkUrl",
  ]);
});
