import assert from "node:assert/strict";
import { callUnderFaults, type FaultCase, type Result } from "../../testing/faulty/call_under_faults.ts";
import type { Seen } from "../../testing/faulty/wire.ts";
import type { Provider, Target } from "../port.ts";
import { hashOf } from "./testing/account.ts";
import { type ServedMailchimp, serveMailchimp } from "./testing/serve.ts";
import { unsupportedCalls } from "./unsupported.ts";

interface Call extends Omit<FaultCase, "name" | "call"> {
  run(provider: Provider, target: Target, signal: AbortSignal): Promise<Result>;
  /** Prepares the account's data, without faults. */
  before?: (served: ServedMailchimp, target: Target) => void;
}

const isTo = (method: string, path: RegExp) => (request: Seen) =>
  request.method === method && path.test(request.target);
const subscribe = (provider: Provider, target: Target) => provider.subscribe(target, { tags: [] });
const erase = (provider: Provider, { email }: Target, signal: AbortSignal) => provider.erase(email, signal);
const importConfirmed = (provider: Provider, target: Target, signal: AbortSignal) =>
  provider.importConfirmed(target, { tags: [], confirmedAt: 0 }, signal);
const setWebhook = (provider: Provider) =>
  provider.setWebhook({ url: "https://own.example/hook", secretKey: "", replace: true });
const listed = ({ account }: ServedMailchimp, { list, email }: Target) => void account.add(list, email);
const archived = ({ account }: ServedMailchimp, { list, email }: Target) =>
  void account.add(list, email, { status: "archived" });
const fromOrder = ({ account }: ServedMailchimp, { list, email }: Target) =>
  void account.add(list, email, { status: "transactional" });
const forgotten = ({ account }: ServedMailchimp, { list, email }: Target) =>
  void account.audiences.get(list)!.forgotten.add(hashOf(email));
/** Leaves one audience, so that each request of `setWebhook` is sent once. */
const oneAudience = ({ account, audiences }: ServedMailchimp) => void account.audiences.delete(audiences[1]);

const CALLS: Readonly<Record<string, Call>> = {
  "subscribe, reading": {
    effect: "reads",
    expectedKind: "accepted",
    hits: isTo("GET", /\/members\//),
    before: archived,
    run: subscribe,
  },
  "subscribe, adding": {
    effect: "writes",
    expectedKind: "accepted",
    hits: isTo("POST", /\/members\?/),
    run: subscribe,
  },
  "subscribe, adding somebody who is archived": {
    effect: "writes",
    expectedKind: "accepted",
    hits: isTo("PUT", /\/members\//),
    before: archived,
    run: subscribe,
  },
  "subscribe, reading the URL of the hosted form": {
    effect: "reads",
    expectedKind: "elsewhere",
    hits: isTo("GET", /fields=subscribe_url_long/),
    before: forgotten,
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
    expectedKind: "imported",
    hits: isTo("GET", /\/members\//),
    before: fromOrder,
    run: importConfirmed,
  },
  "importConfirmed, adding": {
    effect: "writes",
    expectedKind: "imported",
    hits: isTo("POST", /\/members\?/),
    run: importConfirmed,
  },
  "importConfirmed, adding somebody who is known from an order": {
    effect: "writes",
    expectedKind: "imported",
    hits: isTo("PUT", /\/members\//),
    before: fromOrder,
    run: importConfirmed,
  },
  "erase, reading the audiences": {
    effect: "reads",
    expectedKind: "erased",
    hits: isTo("GET", /\/lists\?/),
    before: listed,
    run: erase,
  },
  "erase, deleting": {
    effect: "writes",
    expectedKind: "erased",
    hasNoBody: true,
    hits: isTo("POST", /\/delete-permanent$/),
    before(served, target) {
      oneAudience(served);
      listed(served, target);
    },
    run: erase,
  },
  lists: { effect: "reads", expectedKind: "lists", run: (provider) => provider.lists() },
  connection: { effect: "reads", expectedKind: "connected", run: (provider) => provider.connection() },
  changed: {
    effect: "reads",
    expectedKind: "page",
    run: (provider, { list }) => provider.changed(list, 0),
  },
  unconfirmed: {
    effect: "reads",
    expectedKind: "page",
    run: (provider, { list }) => provider.unconfirmed(list),
  },
  getWebhook: {
    effect: "reads",
    expectedKind: "webhook",
    hits: isTo("GET", /\/webhooks$/),
    run: (provider) => provider.getWebhook(),
  },
  "setWebhook, reading what is registered": {
    effect: "reads",
    expectedKind: "registered",
    hits: isTo("GET", /\/webhooks$/),
    run: setWebhook,
  },
  "setWebhook, creating": {
    effect: "writes",
    expectedKind: "registered",
    hits: isTo("POST", /\/webhooks$/),
    before(served, { list }) {
      oneAudience(served);
      served.account.audiences.get(list)!.hooks.splice(0);
    },
    run: setWebhook,
  },
  "setWebhook, replacing": {
    effect: "writes",
    expectedKind: "registered",
    hits: isTo("PATCH", /\/webhooks\/\w+$/),
    before(served, { list }) {
      oneAudience(served);
      served.account.audiences.get(list)!.hooks.splice(0);
      served.account.register(list, { url: "https://old.example/hook?cfbe_token=old" });
    },
    run: setWebhook,
  },
};

async function underFaults(name: string, { before, run, ...facts }: Call): Promise<void> {
  await using served = await serveMailchimp();
  const target = (fault: string) => ({
    list: served.audiences[0],
    email: `${fault.replaceAll(" ", "-")}@example.com`,
  });
  const row: FaultCase = {
    name,
    ...facts,
    call: ({ url, timeoutMs, signal }, fault) =>
      run(served.provider({ baseUrl: `${url}/3.0`, timeoutMs }), target(fault), signal),
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
  await using served = await serveMailchimp();
  const provider = served.provider();
  const tested = new Set(Object.keys(CALLS).map((name) => name.split(",")[0]));
  const calls = Object.entries(provider).filter(([, member]) => typeof member === "function");
  assert.deepEqual(
    calls.map(([name]) => name).filter((name) => !tested.has(name)).toSorted(),
    [...Object.keys(unsupportedCalls), "readWebhook"].toSorted(),
  );
  const target = { list: served.audiences[0], email: "ada@example.com" };
  const data = { template: "1", data: {} };
  const results = await Promise.all([
    provider.resend(target),
    provider.reactivate(target),
    provider.sendTriggered({ ...data, emails: [target.email] }),
    provider.sendTransactional({ ...data, email: target.email }),
    provider.saveContact(target.email, { tags: [], properties: {} }),
    provider.contact(target.email),
    provider.template("1"),
  ]);
  assert.deepEqual(
    results.map(({ kind }) => kind),
    ["refused", "refused", "refused", "refused", "refused", "absent", "trouble"],
  );
  assert.deepEqual(served.front.received, []);
});
