import assert from "node:assert/strict";
import { serveSandbox } from "../testing/serve.ts";

Deno.test("20 concurrent subscribe requests for one address create one subscriber and send one email", async () => {
  await using served = await serveSandbox();
  const path = `/subscriber-lists/${served.provisioned.list}/subscribers`;
  const responses = await Promise.all(
    Array.from(
      { length: 20 },
      () => served.api(path, { method: "POST", json: { email: "rush@example.com" } }),
    ),
  );
  const statuses = responses.map((response) => response.status).sort();
  await Promise.all(responses.map((response) => response.body?.cancel()));
  assert.deepEqual(statuses, [201, ...Array<number>(19).fill(400)]);
  assert.equal((await served.json("/sandbox/inbox.json")).mails.length, 1);
  assert.equal((await served.json("/sandbox/subscribers.json?email=rush@example.com")).subscribers.length, 1);
});

Deno.test("concurrent requests to subscribe one address to two lists create one contact with all its tags", async () => {
  await using served = await serveSandbox();
  const responses = await Promise.all(
    served.provisioned.lists.map(({ id, name }) =>
      served.api(`/subscriber-lists/${id}/subscribers`, {
        method: "POST",
        json: { email: "both@example.com", tags: [name] },
      })
    ),
  );
  for (const response of responses) {
    assert.equal(response.status, 201);
    await response.body?.cancel();
  }
  const { subscribers, tags } = await served.json("/sandbox/subscribers.json?email=both@example.com");
  assert.equal(subscribers.length, 2);
  assert.deepEqual(tags.sort(), ["Newsletter", "Single opt-in"]);
});

Deno.test("ten concurrent clicks on a confirmation link cause one confirmation and one webhook call", async () => {
  await using served = await serveSandbox();
  await served.provider().setWebhook({ url: served.hookUrl, secretKey: served.provisioned.apiKey });
  await served.provider().subscribe({ list: served.provisioned.list, email: "click@example.com" }, {
    tags: [],
  });
  const { mails: [mail] } = await served.json("/sandbox/inbox.json");
  const pages = await Promise.all(Array.from({ length: 10 }, () => fetch(mail.links.confirm)));
  for (const page of pages) {
    assert.equal(page.status, 200);
    assert.match(await page.text(), /You are subscribed/);
  }
  await served.sandbox.idle();
  assert.equal(served.received.length, 1);
});
