import assert from "node:assert/strict";
import { callUnderFaults, type FaultCase, type Result } from "../../testing/faulty/call_under_faults.ts";
import type { Seen } from "../../testing/faulty/wire.ts";
import type { Provider, Target } from "../port.ts";
import { type ServedKit, serveKit } from "./testing/serve.ts";
import { unsupportedCalls } from "./unsupported.ts";
import { WEBHOOK_NAME } from "./webhook.ts";

interface Call extends Omit<FaultCase, "name" | "call"> {
  run(provider: Provider, target: Target, signal: AbortSignal): Promise<Result>;
  /** Prepares the account's data, without faults. */
  before?: (served: ServedKit, target: Target) => void;
}

const isTo = (method: string, path: RegExp) => (request: Seen) =>
  request.method === method && path.test(request.target);
const FINDING = isTo("GET", /\/subscribers\?email_address=/);
const READING = isTo("GET", /\/subscribers\/\d+$/);
const subscribe = (provider: Provider, target: Target) => provider.subscribe(target, { tags: [] });
const status = (provider: Provider, target: Target, signal: AbortSignal) => provider.status(target, signal);
const setWebhook = (provider: Provider) =>
  provider.setWebhook({ url: "https://own.example/hook", secretKey: "", replace: true });
const known = ({ account }: ServedKit, { email }: Target) => void account.add(email, { state: "inactive" });
const listed = ({ account }: ServedKit, { list, email }: Target) =>
  void account.join(account.add(email, { state: "inactive" }), Number(list));
const registered = ({ account }: ServedKit) => {
  account.hooks.splice(0);
  account.register({ name: WEBHOOK_NAME, url: "https://old.example", events: ["subscriber.created"] });
};

const CALLS: Readonly<Record<string, Call>> = {
  "subscribe, finding": { effect: "reads", expectedKind: "accepted", hits: FINDING, run: subscribe },
  "subscribe, reading": {
    effect: "reads",
    expectedKind: "accepted",
    hits: READING,
    before: known,
    run: subscribe,
  },
  "subscribe, creating": {
    effect: "writes",
    expectedKind: "accepted",
    hits: isTo("POST", /\/v4\/subscribers$/),
    run: subscribe,
  },
  "subscribe, adding to the form": {
    effect: "writes",
    expectedKind: "accepted",
    hits: isTo("POST", /\/forms\/\d+\/subscribers$/),
    run: subscribe,
  },
  "status, finding": { effect: "reads", expectedKind: "found", hits: FINDING, before: listed, run: status },
  "status, reading": { effect: "reads", expectedKind: "found", hits: READING, before: listed, run: status },
  "status, looking through the form": {
    effect: "reads",
    expectedKind: "found",
    hits: isTo("GET", /\/forms\/\d+\/subscribers\?/),
    before: listed,
    run: status,
  },
  lists: { effect: "reads", expectedKind: "lists", run: (provider) => provider.lists() },
  connection: { effect: "reads", expectedKind: "connected", run: (provider) => provider.connection() },
  unconfirmed: {
    effect: "reads",
    expectedKind: "page",
    run: (provider, { list }) => provider.unconfirmed(list),
  },
  getWebhook: { effect: "reads", expectedKind: "webhook", run: (provider) => provider.getWebhook() },
  "setWebhook, finding": {
    effect: "reads",
    expectedKind: "registered",
    hits: isTo("GET", /\/webhook_endpoints$/),
    run: setWebhook,
  },
  "setWebhook, creating": {
    effect: "writes",
    expectedKind: "registered",
    hits: isTo("POST", /\/webhook_endpoints$/),
    before: ({ account }) => void account.hooks.splice(0),
    run: setWebhook,
  },
  "setWebhook, changing": {
    effect: "writes",
    expectedKind: "registered",
    hits: isTo("PATCH", /\/webhook_endpoints\/\d+$/),
    before: registered,
    run: setWebhook,
  },
  "setWebhook, renewing the secret": {
    effect: "writes",
    expectedKind: "registered",
    hits: isTo("POST", /\/rotate_secret$/),
    before: registered,
    run: setWebhook,
  },
};

async function underFaults(name: string, { before, run, ...facts }: Call): Promise<void> {
  await using served = await serveKit();
  const target = (fault: string) => ({
    list: served.forms[0],
    email: `${fault.replaceAll(" ", "-")}@example.com`,
  });
  const row: FaultCase = {
    name,
    ...facts,
    call: ({ url, timeoutMs, signal }, fault) =>
      run(served.provider({ baseUrl: `${url}/v4`, timeoutMs }), target(fault), signal),
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
  await using served = await serveKit();
  const provider = served.provider();
  const tested = new Set(Object.keys(CALLS).map((name) => name.split(",")[0]));
  const calls = Object.entries(provider).filter(([, member]) => typeof member === "function");
  assert.deepEqual(
    calls.map(([name]) => name).filter((name) => !tested.has(name)).toSorted(),
    [...Object.keys(unsupportedCalls), "readWebhook"].toSorted(),
  );
  const target = { list: served.forms[0], email: "ada@example.com" };
  const data = { template: "1", data: {} };
  const results = await Promise.all([
    provider.resend(target),
    provider.reactivate(target),
    provider.sendTriggered({ ...data, emails: [target.email] }),
    provider.sendTransactional({ ...data, email: target.email }),
    provider.saveContact(target.email, { tags: [], properties: {} }),
    provider.contact(target.email),
    provider.erase(target.email),
    provider.importConfirmed(target, { tags: [], confirmedAt: 0 }),
    provider.changed(target.list, 0),
    provider.template("1"),
  ]);
  assert.deepEqual(
    results.map(({ kind }) => kind),
    [
      "refused",
      "refused",
      "refused",
      "refused",
      "refused",
      "absent",
      "absent",
      "refused",
      "trouble",
      "trouble",
    ],
  );
  assert.deepEqual(served.front.received, []);
});
