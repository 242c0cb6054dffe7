import assert from "node:assert/strict";
import { transport } from "../../../platform/http/outbound/transport.ts";
import { type Served, serveSandbox } from "../../../sandbox/testing/serve.ts";
import { forwardTo, startFaulty } from "../../../../dev/testing/faulty/faulty.ts";
import type { Provider, Target } from "../../port/port.ts";
import { callNames, PORT_CALLS, type PortCall } from "../../testing/port_calls.ts";
import { isTo, providerFaults } from "../../testing/provider_faults.ts";
import type { BluefoxOptions } from "./adapter.ts";

type ServedBluefox = Awaited<ReturnType<typeof serveBluefox>>;

/** Serves the sandbox, as the double of BlueFox. */
async function serveBluefox() {
  const served: Served = await serveSandbox({ timing: { retryMs: [1, 1] } });
  const { list, apiKey } = served.provisioned;
  return {
    list,
    apiKey,
    api: served.api,
    path: new URL(served.sandbox.apiUrl).pathname,
    handle: forwardTo(new URL(served.baseUrl).origin),
    provider: (options: Partial<BluefoxOptions> = {}): Provider =>
      served.provider({ fetch: transport, ...options }),
    [Symbol.asyncDispose]: () => served[Symbol.asyncDispose](),
  };
}

const subscribed = (served: ServedBluefox, target: Target) =>
  served.provider().subscribe(target, { tags: [] });
const saved = (served: ServedBluefox, { email }: Target) =>
  served.provider().saveContact(email, { tags: ["a"], properties: {} });
/** Returns a property with a name of its own, because the provider creates a property for the whole account. */
const property = ({ email }: Target) => ({ [`plan${email.replace(/\W/g, "")}`]: "gold" });
const subscribeWithProperty: PortCall["run"] = (provider, { target }) =>
  provider.subscribe(target, { tags: [], properties: property(target) });

providerFaults("bluefox", serveBluefox, {
  "subscribe, reading the contact": {
    effect: "reads",
    hits: isTo("GET", /\/contacts\/(?!fields)/),
    before: saved,
    run: subscribeWithProperty,
  },
  "subscribe, reading the custom properties": {
    effect: "reads",
    hits: isTo("GET", /\/contacts\/fields\?/),
    run: subscribeWithProperty,
  },
  "subscribe, creating a custom property": {
    // Nobody has been subscribed yet, and a property that exists is found by its name.
    effect: "reads",
    hits: isTo("POST", /\/contacts\/fields$/),
    run: subscribeWithProperty,
  },
  "subscribe, adding": { effect: "writes", hits: isTo("POST", /\/subscribers$/) },
  status: { effect: "reads", before: subscribed },
  resend: { effect: "writes", before: subscribed },
  sendTriggered: { effect: "writes" },
  sendTransactional: { effect: "writes" },
  contact: { effect: "reads", before: saved },
  "saveContact, creating a property": {
    effect: "reads",
    hits: isTo("POST", /\/contacts\/fields$/),
    run: (provider, { target, signal }) =>
      provider.saveContact(target.email, { tags: [], properties: property(target) }, signal),
  },
  "saveContact, changing the contact": {
    effect: "writes",
    hits: isTo("PATCH", /\/contacts\//),
    before: subscribed,
  },
  "saveContact, creating the contact": { effect: "writes", hits: isTo("POST", /\/contacts$/) },
  erase: { effect: "writes", before: subscribed },
  "importConfirmed, reading": {
    effect: "reads",
    expectedKind: "exists",
    hits: isTo("GET", /\/subscribers\/[^/]+$/),
    before: subscribed,
  },
  "importConfirmed, adding": { effect: "writes", hits: isTo("POST", /\/subscribers$/) },
  reactivate: { effect: "writes", before: subscribed },
  lists: { effect: "reads" },
  connection: { effect: "reads" },
  getWebhook: { effect: "reads" },
  "setWebhook, reading what is registered": { effect: "reads", hits: isTo("GET", /\/webhook$/) },
  "setWebhook, registering": {
    effect: "writes",
    hits: isTo("PATCH", /\/webhook$/),
    before: async ({ api }) => await (await api("/webhook", { method: "DELETE" })).body?.cancel(),
  },
  changed: { effect: "reads" },
  unconfirmed: { effect: "reads" },
});

Deno.test("if nothing listens at the provider's URL, every call reports that it had no effect", async () => {
  await using served = await serveBluefox();
  const front = await startFaulty(() => new Response());
  await front[Symbol.asyncDispose]();
  const { list, apiKey } = served;
  const provider = served.provider({ baseUrl: front.url + served.path, timeoutMs: 5_000 });
  const given = { target: { list, email: "ann@example.com" }, template: "t", secretKey: apiKey };
  for (const name of callNames(provider, true)) {
    const result: { kind: string; unknown?: boolean } = await PORT_CALLS[name].run(provider, given);
    assert.deepEqual([result.kind, result.unknown], ["trouble", false], name);
  }
});

Deno.test("a duplicate response is never used for the next request", async () => {
  await using served = await serveBluefox();
  await using front = await startFaulty(served.handle);
  const { list } = served;
  const provider = served.provider({ baseUrl: front.url + served.path, timeoutMs: 5_000 });
  const ann = { list, email: "ann@example.com" };
  const bob = { list, email: "bob@example.com" };
  await provider.subscribe(ann, { tags: [] });
  front.fail("responds twice");
  for (let round = 0; round < 10; round++) {
    assert.equal((await provider.status(ann)).kind, "found");
    assert.equal((await provider.status(bob)).kind, "absent");
  }
});
