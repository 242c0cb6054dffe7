import assert from "node:assert/strict";
import { callUnderFaults, type FaultCase, type Result } from "../../testing/faulty/call_under_faults.ts";
import type { Seen } from "../../testing/faulty/wire.ts";
import type { Provider, Target } from "../port.ts";
import { type Account, OTHER_TEMPLATE } from "./testing/account.ts";
import { serveBrevo } from "./testing/serve.ts";

interface Call extends Omit<FaultCase, "name" | "call"> {
  run(provider: Provider, target: Target, signal: AbortSignal): Promise<Result>;
  /** Prepares Brevo's data, without faults. */
  before?: (account: Account, target: Target) => void;
}

const isTo = (method: string, path: RegExp) => (request: Seen) =>
  request.method === method && path.test(request.target);
const CONTACT = isTo("GET", /\/contacts\/[^/]+%40/);
const template = String(OTHER_TEMPLATE);

const subscribe: Call["run"] = (provider, target) => provider.subscribe(target, { tags: [] });
const imported: Call["run"] = (provider, target, signal) =>
  provider.importConfirmed(target, { tags: [], confirmedAt: 0 }, signal);
const save: Call["run"] = (provider, { email }, signal) =>
  provider.saveContact(email, { tags: ["a"], properties: {} }, signal);
const transactional: Call["run"] = (provider, { email }, signal) =>
  provider.sendTransactional({ template, email, data: {} }, signal);
const triggered: Call["run"] = (provider, { email }, signal) =>
  provider.sendTriggered({ template, emails: [email], data: {} }, signal);
const register: Call["run"] = (provider) =>
  provider.setWebhook({ url: "https://own.example/hook", secretKey: "k" });
const known: Call["before"] = (account, { email }) => void account.put(email);
const member: Call["before"] = (account, { list, email }) =>
  account.change(account.put(email), { listIds: [Number(list)] });
const hasTags: Call["before"] = (account) => void account.attributes.set("CFBE_TAGS", "text");
const noWebhook: Call["before"] = (account) => void (account.webhooks = []);
const oldWebhook: Call["before"] = (account) => {
  const url = "https://own.example/hook";
  account.webhooks = [{ id: 1, url, description: "cfbe", type: "marketing", events: ["opened"] }];
};

const CALLS: Readonly<Record<string, Call>> = {
  "subscribe, reading": {
    effect: "reads",
    expectedKind: "accepted",
    hits: CONTACT,
    before: known,
    run: subscribe,
  },
  "subscribe, requesting the confirmation": {
    effect: "writes",
    expectedKind: "accepted",
    hits: isTo("POST", /\/doubleOptinConfirmation$/),
    hasNoBody: true,
    run: subscribe,
  },
  status: {
    effect: "reads",
    expectedKind: "found",
    before: member,
    run: (provider, target, signal) => provider.status(target, signal),
  },
  resend: {
    effect: "writes",
    expectedKind: "sent",
    hits: isTo("POST", /\/doubleOptinConfirmation$/),
    hasNoBody: true,
    run: (provider, target) => provider.resend(target),
  },
  reactivate: {
    effect: "writes",
    expectedKind: "active",
    hits: isTo("PUT", /\/contacts\//),
    hasNoBody: true,
    before(account, target) {
      member(account, target);
      account.unsubscribe(target.email);
    },
    run: (provider, target, signal) => provider.reactivate(target, signal),
  },
  "importConfirmed, reading": {
    effect: "reads",
    expectedKind: "imported",
    hits: CONTACT,
    before: known,
    run: imported,
  },
  "importConfirmed, creating the contact": {
    effect: "writes",
    expectedKind: "imported",
    hits: isTo("POST", /\/contacts$/),
    run: imported,
  },
  "importConfirmed, changing the contact": {
    effect: "writes",
    expectedKind: "imported",
    hits: isTo("POST", /\/contacts$/),
    hasNoBody: true,
    before: known,
    run: imported,
  },
  contact: {
    effect: "reads",
    expectedKind: "found",
    before: member,
    run: (provider, { email }, signal) => provider.contact(email, signal),
  },
  "saveContact, listing attributes": {
    effect: "writes",
    expectedKind: "saved",
    hits: isTo("GET", /\/attributes$/),
    before: hasTags,
    run: save,
  },
  "saveContact, creating an attribute": {
    effect: "writes",
    expectedKind: "saved",
    hits: isTo("POST", /\/attributes\/normal\//),
    hasNoBody: true,
    before: (account) => void account.attributes.delete("CFBE_TAGS"),
    run: save,
  },
  "saveContact, creating the contact": {
    effect: "writes",
    expectedKind: "saved",
    hits: isTo("POST", /\/contacts$/),
    before: hasTags,
    run: save,
  },
  erase: {
    effect: "writes",
    expectedKind: "erased",
    hasNoBody: true,
    before: member,
    run: (provider, { email }, signal) => provider.erase(email, signal),
  },
  "sendTriggered, reading": {
    effect: "reads",
    expectedKind: "sent",
    hits: CONTACT,
    before: known,
    run: triggered,
  },
  "sendTriggered, sending": {
    effect: "writes",
    expectedKind: "sent",
    hits: isTo("POST", /\/smtp\/email$/),
    run: triggered,
  },
  "sendTransactional, reading": {
    effect: "reads",
    expectedKind: "sent",
    hits: CONTACT,
    before: known,
    run: transactional,
  },
  "sendTransactional, sending": {
    effect: "writes",
    expectedKind: "sent",
    hits: isTo("POST", /\/smtp\/email$/),
    run: transactional,
  },
  lists: {
    effect: "reads",
    expectedKind: "lists",
    hits: isTo("GET", /\/contacts\/lists/),
    run: (provider) => provider.lists(),
  },
  template: { effect: "reads", expectedKind: "found", run: (provider) => provider.template(template) },
  connection: { effect: "reads", expectedKind: "connected", run: (provider) => provider.connection() },
  getWebhook: {
    effect: "reads",
    expectedKind: "webhook",
    before: oldWebhook,
    run: (provider) => provider.getWebhook(),
  },
  "setWebhook, reading what is registered": {
    effect: "reads",
    expectedKind: "registered",
    hits: isTo("GET", /\/webhooks/),
    before: oldWebhook,
    run: register,
  },
  "setWebhook, creating": {
    effect: "writes",
    expectedKind: "registered",
    hits: isTo("POST", /\/webhooks$/),
    before: noWebhook,
    run: register,
  },
  "setWebhook, changing": {
    effect: "writes",
    expectedKind: "registered",
    hits: isTo("PUT", /\/webhooks\//),
    hasNoBody: true,
    before: oldWebhook,
    run: register,
  },
  changed: {
    effect: "reads",
    expectedKind: "page",
    run: (provider, { list }) => provider.changed(list, 0),
  },
};

async function underFaults(name: string, { before, run, ...facts }: Call): Promise<void> {
  await using served = await serveBrevo();
  const { double, list, provider } = served;
  const target = (fault: string) => ({ list, email: `${fault.replaceAll(" ", "-")}@example.com` });
  const row: FaultCase = {
    name,
    ...facts,
    call: ({ url, timeoutMs, signal }, fault) =>
      run(provider({ baseUrl: `${url}/v3`, timeoutMs }), target(fault), signal),
  };
  await callUnderFaults(row, double.handle, (fault) => {
    before?.(double.account, target(fault));
    return Promise.resolve();
  });
}

Deno.test("whatever fault the connection has, each call ends in time, is sent once and reports whether it may have taken effect", async () => {
  const ends = await Promise.allSettled(Object.entries(CALLS).map(([name, call]) => underFaults(name, call)));
  assert.deepEqual(ends.flatMap((end) => end.status === "rejected" ? [String(end.reason)] : []), []);
});

Deno.test("the fault table contains every call of the port that sends a request", async () => {
  await using served = await serveBrevo();
  const tested = new Set(Object.keys(CALLS).map((name) => name.split(",")[0]));
  const without = ["unconfirmed", "readWebhook"];
  const calls = Object.entries(served.provider()).filter(([, member]) => typeof member === "function");
  assert.deepEqual(
    calls.map(([name]) => name).filter((name) => !tested.has(name) && !without.includes(name)),
    [],
  );
});
