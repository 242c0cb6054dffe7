import assert from "node:assert/strict";
import { forwardTo, startFaulty } from "../../testing/faulty/faulty.ts";
import type { Fault } from "../../testing/faulty/faults.ts";
import { callUnderFaults, type FaultCase, type Result } from "../../testing/faulty/call_under_faults.ts";
import type { Seen } from "../../testing/faulty/wire.ts";
import { transport } from "../../http/outbound/transport.ts";
import type { Target } from "../port.ts";
import { type Served, serveSandbox } from "../../sandbox/testing/serve.ts";
import type { Bluefox } from "./adapter.ts";

/** The arguments of a call: the subscription, the project's key, and the caller's signal. */
interface CallArguments {
  target: Target;
  secretKey: string;
  signal: AbortSignal;
}

interface Call extends Omit<FaultCase, "name" | "call"> {
  run(provider: Bluefox, given: CallArguments): Promise<Result>;
  /** Prepares the provider's data, without faults. */
  before?: (provider: Bluefox, given: Omit<CallArguments, "signal">) => Promise<unknown>;
}

const subscribed = (provider: Bluefox, { target }: Pick<CallArguments, "target">) =>
  provider.subscribe(target, { tags: [] });
const registered = (provider: Bluefox, { secretKey }: Pick<CallArguments, "secretKey">) =>
  provider.setWebhook({ url: "http://127.0.0.1:9/hook", secretKey });
const imported = (provider: Bluefox, { target, signal }: CallArguments) =>
  provider.importConfirmed(target, { tags: [], confirmedAt: 0 }, signal);
const isTo = (method: string, path: RegExp) => (request: Seen) =>
  request.method === method && path.test(request.target);
/** Returns a property with a name of its own, because the provider creates a property for the whole account. */
const property = ({ email }: Target) => ({ [`plan${email.replace(/\W/g, "")}`]: "gold" });

const CALLS: Readonly<Record<string, Call>> = {
  subscribe: {
    effect: "writes",
    expectedKind: "accepted",
    run: subscribed,
  },
  status: {
    effect: "reads",
    expectedKind: "found",
    before: subscribed,
    run: (provider, { target, signal }) => provider.status(target, signal),
  },
  resend: {
    effect: "writes",
    expectedKind: "sent",
    before: subscribed,
    run: (provider, { target }) => provider.resend(target),
  },
  sendTriggered: {
    effect: "writes",
    expectedKind: "sent",
    run: (provider, { target, signal }) =>
      provider.sendTriggered({ template: "t", emails: [target.email], data: {} }, signal),
  },
  sendTransactional: {
    effect: "writes",
    expectedKind: "sent",
    run: (provider, { target: { email }, signal }) =>
      provider.sendTransactional({ template: "t", email, data: {} }, signal),
  },
  contact: {
    effect: "reads",
    expectedKind: "found",
    before: (provider, { target }) => provider.saveContact(target.email, { tags: ["a"], properties: {} }),
    run: (provider, { target, signal }) => provider.contact(target.email, signal),
  },
  "saveContact, creating a property": {
    effect: "writes",
    expectedKind: "saved",
    hits: isTo("POST", /\/contacts\/fields$/),
    run: (provider, { target, signal }) =>
      provider.saveContact(target.email, { tags: [], properties: property(target) }, signal),
  },
  "saveContact, changing the contact": {
    effect: "writes",
    expectedKind: "saved",
    hits: isTo("PATCH", /\/contacts\//),
    before: subscribed,
    run: (provider, { target, signal }) =>
      provider.saveContact(target.email, { tags: ["a"], properties: {} }, signal),
  },
  "saveContact, creating the contact": {
    effect: "writes",
    expectedKind: "saved",
    hits: isTo("POST", /\/contacts$/),
    run: (provider, { target, signal }) =>
      provider.saveContact(target.email, { tags: ["a"], properties: {} }, signal),
  },
  erase: {
    effect: "writes",
    expectedKind: "erased",
    before: subscribed,
    run: (provider, { target, signal }) => provider.erase(target.email, signal),
  },
  "importConfirmed, reading": {
    effect: "reads",
    expectedKind: "exists",
    hits: isTo("GET", /\/subscribers\/[^/]+$/),
    before: subscribed,
    run: imported,
  },
  "importConfirmed, adding": {
    effect: "writes",
    expectedKind: "imported",
    hits: isTo("POST", /\/subscribers$/),
    run: imported,
  },
  reactivate: {
    effect: "writes",
    expectedKind: "active",
    before: subscribed,
    run: (provider, { target, signal }) => provider.reactivate(target, signal),
  },
  lists: { effect: "reads", expectedKind: "lists", run: (provider) => provider.lists() },
  connection: { effect: "reads", expectedKind: "connected", run: (provider) => provider.connection() },
  getWebhook: { effect: "reads", expectedKind: "webhook", run: (provider) => provider.getWebhook() },
  "setWebhook, reading what is registered": {
    effect: "reads",
    expectedKind: "registered",
    hits: isTo("GET", /\/webhook$/),
    run: registered,
  },
  "setWebhook, registering": {
    effect: "writes",
    expectedKind: "registered",
    hits: isTo("PATCH", /\/webhook$/),
    before: (provider) => provider.removeWebhook(),
    run: registered,
  },
  removeWebhook: {
    effect: "writes",
    expectedKind: "removed",
    before: registered,
    run: (provider) => provider.removeWebhook(),
  },
  changed: {
    effect: "reads",
    expectedKind: "page",
    run: (provider, { target }) => provider.changed(target.list, 0),
  },
  unconfirmed: {
    effect: "reads",
    expectedKind: "page",
    run: (provider, { target }) => provider.unconfirmed(target.list),
  },
};

/** Returns the sandbox's adapter with another URL. */
function at(served: Served, url: string, timeoutMs: number): Bluefox {
  const { pathname } = new URL(served.sandbox.apiUrl);
  return served.provider({ baseUrl: url + pathname, timeoutMs, fetch: transport });
}

async function underFaults(name: string, { before, run, ...facts }: Call): Promise<void> {
  await using served = await serveSandbox({ timing: { retryMs: [1, 1] } });
  const { list, apiKey: secretKey } = served.provisioned;
  const target = (fault: Fault) => ({ list, email: `${fault.replaceAll(" ", "-")}@example.com` });
  const row: FaultCase = {
    name,
    ...facts,
    call: ({ url, timeoutMs, signal }, fault) =>
      run(at(served, url, timeoutMs), { target: target(fault), secretKey, signal }),
  };
  await callUnderFaults(row, forwardTo(new URL(served.baseUrl).origin), async (fault) => {
    await before?.(served.provider(), { target: target(fault), secretKey });
  });
}

Deno.test("whatever fault the connection has, each call ends in time, is sent once and reports whether it may have taken effect", async () => {
  const ends = await Promise.allSettled(Object.entries(CALLS).map(([name, call]) => underFaults(name, call)));
  assert.deepEqual(ends.flatMap((end) => end.status === "rejected" ? [String(end.reason)] : []), []);
});

Deno.test("the fault table contains every call of the port", async () => {
  await using served = await serveSandbox();
  const sendNothing = ["readWebhook", "template"];
  const calls = Object.entries(served.provider()).filter(([name, member]) =>
    typeof member === "function" && !sendNothing.includes(name)
  );
  const tested = new Set(Object.keys(CALLS).map((name) => name.split(",")[0]));
  assert.deepEqual(calls.map(([name]) => name).filter((name) => !tested.has(name)), []);
});

Deno.test("if nothing listens at the provider's URL, every call reports that it had no effect", async () => {
  await using served = await serveSandbox();
  const front = await startFaulty(() => new Response());
  await front[Symbol.asyncDispose]();
  const { signal } = new AbortController();
  const { list, apiKey: secretKey } = served.provisioned;
  const target = { list, email: "ann@example.com" };
  for (const [name, { run }] of Object.entries(CALLS)) {
    const result = await run(at(served, front.url, 5_000), { target, secretKey, signal });
    assert.deepEqual([result.kind, result.unknown], ["trouble", false], name);
  }
});

Deno.test("a duplicate response is never used for the next request", async () => {
  await using served = await serveSandbox();
  await using front = await startFaulty(forwardTo(new URL(served.baseUrl).origin));
  const { list } = served.provisioned;
  const provider = at(served, front.url, 5_000);
  const ann = { list, email: "ann@example.com" };
  const bob = { list, email: "bob@example.com" };
  await subscribed(provider, { target: ann });
  front.fail("responds twice");
  for (let round = 0; round < 10; round++) {
    assert.equal((await provider.status(ann)).kind, "found");
    assert.equal((await provider.status(bob)).kind, "absent");
  }
});
