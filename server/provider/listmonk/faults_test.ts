import assert from "node:assert/strict";
import { transport } from "../../http/outbound/transport.ts";
import { callUnderFaults, type FaultCase, type Result } from "../../testing/faulty/call_under_faults.ts";
import type { Seen } from "../../testing/faulty/wire.ts";
import type { Provider, Target } from "../port.ts";
import { createListmonk } from "./adapter.ts";
import { type ListmonkDouble, serveListmonk } from "./testing/double.ts";

/** An address on the list, and a template. */
interface Given extends Target {
  template: string;
}

interface Call extends Omit<FaultCase, "name" | "call"> {
  run(provider: Provider, given: Given, signal: AbortSignal): Promise<Result>;
  /** Prepares listmonk's data, without faults. */
  before?: (double: ListmonkDouble, provider: Provider, target: Target) => Promise<unknown>;
}

const isTo = (method: string, path: RegExp) => (request: Seen) =>
  request.method === method && path.test(request.target);
const subscribed = (_: ListmonkDouble, provider: Provider, target: Target) =>
  provider.subscribe(target, { tags: [] });
/** Makes listmonk know the person, but not on the list. */
const known = (_: ListmonkDouble, provider: Provider, { email }: Target) =>
  provider.saveContact(email, { tags: [], properties: {} });
const imported = (provider: Provider, target: Target, signal: AbortSignal) =>
  provider.importConfirmed(target, { tags: [], confirmedAt: 0 }, signal);
const SEARCH = isTo("GET", /\/subscribers\?search/);

const CALLS: Readonly<Record<string, Call>> = {
  "subscribe, searching": {
    effect: "reads",
    expectedKind: "accepted",
    hits: SEARCH,
    run: (provider, target) => provider.subscribe(target, { tags: [] }),
  },
  "subscribe, creating": {
    effect: "writes",
    expectedKind: "accepted",
    hits: isTo("POST", /\/subscribers$/),
    run: (provider, target) => provider.subscribe(target, { tags: [] }),
  },
  "subscribe, adding to the list": {
    effect: "writes",
    expectedKind: "accepted",
    hits: isTo("PUT", /\/subscribers\/lists$/),
    before: known,
    run: (provider, target) => provider.subscribe(target, { tags: [] }),
  },
  "subscribe, sending the confirmation": {
    effect: "writes",
    expectedKind: "accepted",
    hits: isTo("POST", /\/optin$/),
    before: known,
    run: (provider, target) => provider.subscribe(target, { tags: [] }),
  },
  status: {
    effect: "reads",
    expectedKind: "found",
    before: subscribed,
    run: (provider, target, signal) => provider.status(target, signal),
  },
  resend: {
    effect: "writes",
    expectedKind: "sent",
    hits: isTo("POST", /\/optin$/),
    before: subscribed,
    run: (provider, target) => provider.resend(target),
  },
  reactivate: {
    effect: "writes",
    expectedKind: "active",
    hits: isTo("PUT", /\/subscribers\/lists$/),
    before: subscribed,
    run: (provider, target, signal) => provider.reactivate(target, signal),
  },
  "importConfirmed, searching": {
    effect: "reads",
    expectedKind: "imported",
    hits: SEARCH,
    run: imported,
  },
  "importConfirmed, creating": {
    effect: "writes",
    expectedKind: "imported",
    hits: isTo("POST", /\/subscribers$/),
    run: imported,
  },
  "importConfirmed, adding to the list": {
    effect: "writes",
    expectedKind: "imported",
    hits: isTo("PUT", /\/subscribers\/lists$/),
    before: known,
    run: imported,
  },
  contact: {
    effect: "reads",
    expectedKind: "found",
    before: known,
    run: (provider, { email }, signal) => provider.contact(email, signal),
  },
  "saveContact, creating": {
    effect: "writes",
    expectedKind: "saved",
    hits: isTo("POST", /\/subscribers$/),
    run: (provider, { email }, signal) => provider.saveContact(email, { tags: [], properties: {} }, signal),
  },
  "saveContact, changing": {
    effect: "writes",
    expectedKind: "saved",
    hits: isTo("PATCH", /\/subscribers\//),
    before: known,
    run: (provider, { email }, signal) => provider.saveContact(email, { tags: [], properties: {} }, signal),
  },
  erase: {
    effect: "writes",
    expectedKind: "erased",
    hits: isTo("DELETE", /\/subscribers\//),
    before: known,
    run: (provider, { email }, signal) => provider.erase(email, signal),
  },
  sendTriggered: {
    effect: "writes",
    expectedKind: "sent",
    hits: isTo("POST", /\/tx$/),
    run: (provider, { email, template }, signal) =>
      provider.sendTriggered({ template, emails: [email], data: {} }, signal),
  },
  sendTransactional: {
    effect: "writes",
    expectedKind: "sent",
    hits: isTo("POST", /\/tx$/),
    run: (provider, { email, template }, signal) =>
      provider.sendTransactional({ template, email, data: {} }, signal),
  },
  template: {
    effect: "reads",
    expectedKind: "found",
    run: (provider, { template }) => provider.template(template),
  },
  lists: { effect: "reads", expectedKind: "lists", run: (provider) => provider.lists() },
  connection: { effect: "reads", expectedKind: "connected", run: (provider) => provider.connection() },
  unconfirmed: {
    effect: "reads",
    expectedKind: "page",
    run: (provider, { list }) => provider.unconfirmed(list),
  },
};

async function underFaults(name: string, { before, run, ...facts }: Call): Promise<void> {
  await using double = serveListmonk();
  const list = double.addList("News", "double");
  const template = double.addTemplate("Order", "tx");
  const { pathname } = new URL(double.url);
  const create = (baseUrl: string, timeoutMs?: number) =>
    createListmonk({
      baseUrl: () => baseUrl,
      token: () => double.token,
      fetch: transport,
      now: Date.now,
      ...(timeoutMs !== undefined && { timeoutMs }),
    });
  const target = (fault: string) => ({ list, template, email: `${fault.replaceAll(" ", "-")}@example.com` });
  const row: FaultCase = {
    name,
    ...facts,
    call: ({ url, timeoutMs, signal }, fault) =>
      run(create(url + pathname, timeoutMs), target(fault), signal),
  };
  await callUnderFaults(row, (request) => double.fetch(request), async (fault) => {
    await before?.(double, create(double.url), target(fault));
  });
}

Deno.test("whatever fault the connection has, each call ends in time, is sent once and reports whether it may have taken effect", async () => {
  const ends = await Promise.allSettled(Object.entries(CALLS).map(([name, call]) => underFaults(name, call)));
  assert.deepEqual(ends.flatMap((end) => end.status === "rejected" ? [String(end.reason)] : []), []);
});

Deno.test("the fault table contains every call of the port that sends a request", () => {
  const provider = createListmonk({ baseUrl: () => "", token: () => "", fetch: transport, now: Date.now });
  const tested = new Set(Object.keys(CALLS).map((name) => name.split(",")[0]));
  const without = ["changed", "getWebhook", "setWebhook", "readWebhook"];
  const calls = Object.entries(provider).filter(([, member]) => typeof member === "function");
  assert.deepEqual(
    calls.map(([name]) => name).filter((name) => !tested.has(name) && !without.includes(name)),
    [],
  );
});
