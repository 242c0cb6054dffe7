import assert from "node:assert/strict";
import { callUnderFaults, type FaultCase, type Result } from "../../testing/faulty/call_under_faults.ts";
import type { Seen } from "../../testing/faulty/wire.ts";
import type { Provider, Target } from "../port.ts";
import { type ServedMailerlite, serveMailerlite } from "./testing/serve.ts";
import { unsupportedCalls } from "./unsupported.ts";

interface Call extends Omit<FaultCase, "name" | "call"> {
  run(provider: Provider, target: Target, signal: AbortSignal): Promise<Result>;
  /** Prepares the account's data, without faults. */
  before?: (served: ServedMailerlite, target: Target) => void;
}

const isTo = (method: string, path: RegExp) => (request: Seen) =>
  request.method === method && path.test(request.target);
const subscribe = (provider: Provider, target: Target) => provider.subscribe(target, { tags: [] });
const imported = (provider: Provider, target: Target, signal: AbortSignal) =>
  provider.importConfirmed(target, { tags: [], confirmedAt: 0 }, signal);
const setWebhook = (provider: Provider) =>
  provider.setWebhook({ url: "https://own.example/hook", secretKey: "", replace: true });
const listed = ({ account }: ServedMailerlite, { list, email }: Target) =>
  void account.add(email, { groups: new Set([list]) });
const elsewhere = ({ account, groups }: ServedMailerlite, { email }: Target) =>
  void account.add(email, { groups: new Set([groups[1]]) });
const registered = ({ account }: ServedMailerlite) =>
  void (account.hooks.length || account.register({ name: "cfbe", url: "https://old.example", events: [] }));

const CALLS: Readonly<Record<string, Call>> = {
  "subscribe, reading": {
    effect: "reads",
    expectedKind: "accepted",
    hits: isTo("GET", /\/subscribers\//),
    before: elsewhere,
    run: subscribe,
  },
  "subscribe, creating": {
    effect: "writes",
    expectedKind: "accepted",
    hits: isTo("POST", /\/subscribers$/),
    run: subscribe,
  },
  "subscribe, adding to the group": {
    effect: "writes",
    expectedKind: "accepted",
    hits: isTo("POST", /\/groups\/\d+$/),
    before: elsewhere,
    run: subscribe,
  },
  status: {
    effect: "reads",
    expectedKind: "found",
    before: listed,
    run: (provider, target, signal) => provider.status(target, signal),
  },
  "importConfirmed, reading": {
    effect: "reads",
    expectedKind: "exists",
    hits: isTo("GET", /\/subscribers\//),
    before: listed,
    run: imported,
  },
  "importConfirmed, creating": {
    effect: "writes",
    expectedKind: "imported",
    hits: isTo("POST", /\/subscribers$/),
    run: imported,
  },
  "importConfirmed, adding to the group": {
    effect: "writes",
    expectedKind: "imported",
    hits: isTo("POST", /\/groups\/\d+$/),
    before: ({ account, groups }, { email }) =>
      void account.add(email, { status: "active", groups: new Set([groups[1]]) }),
    run: imported,
  },
  "erase, reading": {
    effect: "reads",
    expectedKind: "erased",
    hits: isTo("GET", /\/subscribers\//),
    before: listed,
    run: (provider, { email }, signal) => provider.erase(email, signal),
  },
  "erase, forgetting": {
    effect: "writes",
    expectedKind: "erased",
    hits: isTo("POST", /\/forget$/),
    before: listed,
    run: (provider, { email }, signal) => provider.erase(email, signal),
  },
  lists: { effect: "reads", expectedKind: "lists", run: (provider) => provider.lists() },
  connection: { effect: "reads", expectedKind: "connected", run: (provider) => provider.connection() },
  unconfirmed: {
    effect: "reads",
    expectedKind: "page",
    run: (provider, { list }) => provider.unconfirmed(list),
  },
  getWebhook: { effect: "reads", expectedKind: "webhook", run: (provider) => provider.getWebhook() },
  "setWebhook, reading what is registered": {
    effect: "reads",
    expectedKind: "registered",
    hits: isTo("GET", /\/webhooks\?/),
    run: setWebhook,
  },
  "setWebhook, creating": {
    effect: "writes",
    expectedKind: "registered",
    hits: isTo("POST", /\/webhooks$/),
    before: ({ account }) => void account.hooks.splice(0),
    run: setWebhook,
  },
  "setWebhook, replacing": {
    effect: "writes",
    expectedKind: "registered",
    hits: isTo("PUT", /\/webhooks\/\d+$/),
    before(served) {
      served.account.hooks.splice(0);
      registered(served);
    },
    run: setWebhook,
  },
};

async function underFaults(name: string, { before, run, ...facts }: Call): Promise<void> {
  await using served = await serveMailerlite();
  const target = (fault: string) => ({
    list: served.groups[0],
    email: `${fault.replaceAll(" ", "-")}@example.com`,
  });
  const row: FaultCase = {
    name,
    ...facts,
    call: ({ url, timeoutMs, signal }, fault) =>
      run(served.provider({ baseUrl: `${url}/api`, timeoutMs }), target(fault), signal),
  };
  await callUnderFaults(row, served.double.handle, (fault) => {
    before?.(served, target(fault));
    return Promise.resolve();
  });
}

Deno.test("whatever fault the connection has, each call ends in time, is sent once and reports whether it may have taken effect", async () => {
  const ends = await Promise.allSettled(Object.entries(CALLS).map(([name, call]) => underFaults(name, call)));
  assert.deepEqual(ends.flatMap((end) => end.status === "rejected" ? [String(end.reason)] : []), []);
});

Deno.test("the fault table contains every call that sends a request, and the others send none", async () => {
  await using served = await serveMailerlite();
  const provider = served.provider();
  const tested = new Set(Object.keys(CALLS).map((name) => name.split(",")[0]));
  const calls = Object.entries(provider).filter(([, member]) => typeof member === "function");
  assert.deepEqual(
    calls.map(([name]) => name).filter((name) => !tested.has(name)).toSorted(),
    [...Object.keys(unsupportedCalls), "readWebhook"].toSorted(),
  );
  const target = { list: served.groups[0], email: "ada@example.com" };
  const data = { template: "1", data: {} };
  const results = await Promise.all([
    provider.resend(target),
    provider.reactivate(target),
    provider.sendTriggered({ ...data, emails: [target.email] }),
    provider.sendTransactional({ ...data, email: target.email }),
    provider.saveContact(target.email, { tags: [], properties: {} }),
    provider.contact(target.email),
    provider.changed(target.list, 0),
    provider.template("1"),
  ]);
  assert.deepEqual(
    results.map(({ kind }) => kind),
    ["refused", "refused", "refused", "refused", "refused", "absent", "trouble", "trouble"],
  );
  assert.deepEqual(served.front.received, []);
});
