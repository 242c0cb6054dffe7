import assert from "node:assert/strict";
import { transport } from "../../platform/http/outbound/transport.ts";
import { type Fault, FAULT_NAMES, FAULTS } from "../../../dev/testing/faulty/faults.ts";
import { startFaulty } from "../../../dev/testing/faulty/faulty.ts";
import { type Served, serveSandbox } from "../testing/serve.ts";

/** Registers a webhook, subscribes an address and returns the links in its confirmation email. */
async function waiting(served: Served, email = "ada@example.com"): Promise<Record<string, string>> {
  const provider = served.provider();
  await provider.setWebhook({ url: served.hookUrl, secretKey: served.provisioned.apiKey });
  await provider.subscribe({ list: served.provisioned.list, email }, { name: "Ada", tags: [] });
  return (await served.json(`/sandbox/inbox.json?email=${email}`)).mails[0].links;
}

async function open(link: string | undefined): Promise<void> {
  const response = await fetch(link!);
  assert.equal(response.status, 200);
  await response.body?.cancel();
}

const types = (served: Served) => served.received.map((call) => call.body.type);
const outcomes = async (served: Served) =>
  (await served.json("/sandbox/webhook.json")).deliveries.map((row: { outcome: string }) => row.outcome);

Deno.test("a confirmation sends the same webhook call as the provider", async () => {
  await using served = await serveSandbox();
  const links = await waiting(served);
  assert.equal(served.received.length, 0, "no webhook call before the confirmation");
  await open(links["confirm"]);
  await served.sandbox.idle();
  const [call] = served.received;
  assert.equal(call?.authorization, `Bearer ${served.provisioned.apiKey}`);
  const { _id, ...subscription } = call?.body.subscription;
  assert.equal(call?.body.type, "subscribe");
  assert.match(_id, /^[0-9a-f]{24}$/);
  assert.deepEqual(subscription, {
    name: "Ada",
    email: "ada@example.com",
    status: "active",
    subscriberList: { name: "Newsletter", _id: served.provisioned.list, private: false },
  });
  assert.deepEqual(await outcomes(served), ["delivered"]);
});

Deno.test("pausing, unsubscribing and resubscribing each send one webhook call", async () => {
  await using served = await serveSandbox();
  const links = await waiting(served);
  const resume = links["confirm"]!.replace("/confirm/", "/resume/");
  for (
    const link of [links["confirm"], links["pause"], links["pause"], resume, links["unsubscribe"], resume]
  ) {
    await open(link);
    await served.sandbox.idle();
  }
  assert.deepEqual(types(served), [
    "subscribe",
    "pause-subscription",
    "resubscribe",
    "unsubscribe",
    "resubscribe",
  ]);
});

Deno.test("an old confirmation link does not resubscribe anyone who has unsubscribed", async () => {
  await using served = await serveSandbox();
  const links = await waiting(served);
  await open(links["unsubscribe"]);
  await open(links["confirm"]);
  await served.sandbox.idle();
  assert.deepEqual(types(served), ["unsubscribe"]);
});

Deno.test("neither pausing nor resuming activates an unconfirmed subscription", async () => {
  await using served = await serveSandbox();
  const links = await waiting(served);
  await open(links["pause"]);
  await open(links["confirm"]!.replace("/confirm/", "/resume/"));
  const status = await served.provider().status({ list: served.provisioned.list, email: "ada@example.com" });
  assert.partialDeepStrictEqual(status, { kind: "found", status: "pending" });
});

Deno.test("a rejected call is attempted three times and then logged as failed", async () => {
  await using served = await serveSandbox();
  served.receiver.status = 500;
  await open((await waiting(served))["confirm"]);
  await served.sandbox.idle();
  assert.equal(served.received.length, 3);
  const { deliveries: [row] } = await served.json("/sandbox/webhook.json");
  assert.deepEqual([row.outcome, row.attempts, row.answer], ["failed", 3, "HTTP 500"]);
  assert.equal(served.log.of("sandbox.webhook_failed").length, 1);
});

Deno.test("webhooks can be lost, delivered twice or delayed on purpose", async () => {
  await using served = await serveSandbox({ timing: { lateMs: 40 } });
  const expected = { lose: 0, twice: 2, late: 1, deliver: 1 };
  for (const [webhooks, times] of Object.entries(expected)) {
    served.received.length = 0;
    await served.faults({ webhooks });
    const started = performance.now();
    await open((await waiting(served, `${webhooks}@example.com`))["confirm"]);
    await served.sandbox.idle();
    assert.equal(served.received.length, times, webhooks);
    if (webhooks === "late") assert.ok(performance.now() - started >= 40);
  }
  assert.deepEqual(await outcomes(served), ["delivered", "delivered", "delivered", "delivered", "lost"]);
});

Deno.test("simulated API faults affect neither emails nor their links", async () => {
  await using served = await serveSandbox();
  const links = await waiting(served);
  await served.faults({ mode: "503" });
  await open(links["confirm"]);
  await served.sandbox.idle();
  assert.deepEqual(types(served), ["subscribe"]);
});

Deno.test("the delivery log keeps the last 50", async () => {
  await using served = await serveSandbox();
  await served.faults({ webhooks: "lose" });
  await waiting(served);
  const path = `/subscriber-lists/${served.provisioned.lists[1]!.id}/subscribers`;
  for (let index = 0; index < 55; index++) {
    await (await served.api(path, { method: "POST", json: { email: `n${index}@example.com` } })).body
      ?.cancel();
  }
  await served.sandbox.idle();
  const { deliveries } = await served.json("/sandbox/webhook.json");
  assert.equal(deliveries.length, 50);
});

Deno.test("closing the sandbox aborts calls in progress", async () => {
  const served = await serveSandbox({ timing: { lateMs: 60_000 } });
  await served.faults({ webhooks: "late" });
  await open((await waiting(served))["confirm"]);
  const started = performance.now();
  await served[Symbol.asyncDispose]();
  assert.ok(performance.now() - started < 5_000);
});

Deno.test("whatever the receiver does at the network level, each attempt is one call, and there are at most three", async () => {
  const once: Fault[] = [];
  await Promise.all(FAULT_NAMES.map(async (fault) => {
    const timing = { retryMs: [1, 1] as const, webhookTimeoutMs: FAULTS[fault].endless ? 200 : 5_000 };
    await using served = await serveSandbox({ timing, fetch: transport });
    await using receiver = await startFaulty(() => new Response("thank you"));
    await receiver.keepOpen();
    receiver.fail(fault);
    served.hookUrl = receiver.url;
    await open((await waiting(served))["confirm"]);
    await served.sandbox.idle();
    const [row] = (await served.json("/sandbox/webhook.json")).deliveries;
    assert.equal(receiver.received.length, row.attempts, fault);
    if (row.outcome === "delivered") once.push(fault);
    else assert.equal(row.attempts, 3, fault);
    await receiver.drained(1);
  }));
  // The body of a 2xx response is not used, so a broken one still counts as delivered.
  assert.deepEqual(FAULT_NAMES.filter((fault) => once.includes(fault)), [
    "closes the idle connection",
    "closes as the next request comes",
    "responds twice",
    "responds with HTML and 200",
    "announces too few bytes",
  ]);
});
