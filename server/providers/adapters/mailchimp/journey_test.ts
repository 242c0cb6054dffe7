import assert from "node:assert/strict";
import { providerJourney, startJourney } from "../../testing/journey.ts";
import { mailchimpSignature } from "./testing/double.ts";
import { openMailchimp } from "./testing/harness.ts";
import { KEY, serveMailchimp } from "./testing/serve.ts";
import { webhookToken, withToken } from "./webhook_token.ts";

const ADA = "ada@example.com";
const SIGNING = "whsec_of_a_test";

providerJourney("mailchimp", openMailchimp);

Deno.test("a form-encoded webhook confirms a signup, with the secret in its URL or with a signature, and the URL passes Mailchimp's probe", async () => {
  const ways = [
    { token: webhookToken(KEY)!, signature: undefined },
    { token: "x", signature: (body: string) => mailchimpSignature(body, SIGNING, Date.now()) },
  ];
  for (const { token, signature } of ways) {
    await using served = await serveMailchimp();
    const { account, list } = served;
    const settings = { mailchimpSigningSecrets: SIGNING };
    await using app = await startJourney("mailchimp", { ...served, settings });
    const query = (token: string) => new URL(withToken("https://own.example", token)).search;
    const body = new URLSearchParams({ type: "subscribe", "data[email]": ADA, "data[list_id]": list })
      .toString();
    const hook = (query: string, headers: Record<string, string> = {}) =>
      app.post(body, { "content-type": "application/x-www-form-urlencoded", ...headers }, query);
    await app.signUp(ADA);
    account.put(list, ADA, "subscribed");
    assert.equal(await hook(""), 401);
    assert.equal(await hook(query("x")), 401);
    assert.deepEqual(await app.state(ADA), ["pending", "pending"]);
    const probe = await fetch(`${app.program.api}/provider-hook${query(token)}`);
    await probe.body?.cancel();
    assert.equal(probe.status, 200);
    assert.equal(await hook(query(token), signature && { "x-mailchimp-signature": signature(body) }), 200);
    assert.deepEqual(await app.state(ADA), ["active", "active"]);
    assert.ok(!app.program.lines.join("\n").includes(webhookToken(KEY)!), "the log has no secret");
  }
});
