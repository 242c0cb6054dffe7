import assert from "node:assert/strict";
import { callUnderFaults, type FaultCase, type Result } from "../../testing/faulty/call_under_faults.ts";
import type { Seen } from "../../testing/faulty/wire.ts";
import type { Provider, Target } from "../port.ts";
import { type ServedKlaviyo, serveKlaviyo } from "./testing/serve.ts";
import { unsupportedCalls } from "./unsupported.ts";

interface Call extends Omit<FaultCase, "name" | "call"> {
  run(provider: Provider, target: Target, signal: AbortSignal): Promise<Result>;
  /** Prepares the account's data, without faults. */
  before?: (served: ServedKlaviyo, target: Target) => void;
}

const isTo = (method: string, path: RegExp) => (request: Seen) =>
  request.method === method && path.test(request.target);
const ACCOUNT = isTo("GET", /\/api\/profiles\?/);
const MEMBER = isTo("GET", /\/api\/lists\/\w+\/profiles\?/);
const IMPORT = isTo("POST", /\/profile-import$/);
const JOB = isTo("POST", /\/profile-subscription-bulk-create-jobs$/);
const subscribe = (provider: Provider, target: Target) =>
  provider.subscribe(target, { name: "Ada", tags: [] });
const resend = (provider: Provider, target: Target) => provider.resend(target);
const importConfirmed = (provider: Provider, target: Target, signal: AbortSignal) =>
  provider.importConfirmed(target, { name: "Ada", tags: [], confirmedAt: 0 }, signal);
const known = ({ account }: ServedKlaviyo, { email }: Target) => void account.profile(email);
const listed = ({ account }: ServedKlaviyo, { list, email }: Target) => account.confirm(email, list);

const CALLS: Readonly<Record<string, Call>> = {
  "subscribe, reading": { effect: "reads", expectedKind: "accepted", hits: ACCOUNT, run: subscribe },
  "subscribe, storing the name": { effect: "reads", expectedKind: "accepted", hits: IMPORT, run: subscribe },
  "subscribe, starting the job": {
    effect: "writes",
    expectedKind: "accepted",
    hits: JOB,
    hasNoBody: true,
    before: known,
    run: subscribe,
  },
  "status, reading the account": {
    effect: "reads",
    expectedKind: "found",
    hits: ACCOUNT,
    before: listed,
    run: (provider, target, signal) => provider.status(target, signal),
  },
  "status, reading the list": {
    effect: "reads",
    expectedKind: "found",
    hits: MEMBER,
    before: listed,
    run: (provider, target, signal) => provider.status(target, signal),
  },
  "resend, reading the opt-in": {
    effect: "reads",
    expectedKind: "sent",
    hits: isTo("GET", /\/api\/lists\/\w+$/),
    run: resend,
  },
  "resend, starting the job": {
    effect: "writes",
    expectedKind: "sent",
    hits: JOB,
    hasNoBody: true,
    run: resend,
  },
  "importConfirmed, reading": {
    effect: "reads",
    expectedKind: "imported",
    hits: ACCOUNT,
    run: importConfirmed,
  },
  "importConfirmed, storing the name": {
    effect: "reads",
    expectedKind: "imported",
    hits: IMPORT,
    run: importConfirmed,
  },
  "importConfirmed, starting the job": {
    effect: "writes",
    expectedKind: "imported",
    hits: JOB,
    hasNoBody: true,
    run: importConfirmed,
  },
  contact: {
    effect: "reads",
    expectedKind: "found",
    before: known,
    run: (provider, { email }, signal) => provider.contact(email, signal),
  },
  saveContact: {
    effect: "writes",
    expectedKind: "saved",
    run: (provider, { email }, signal) => provider.saveContact(email, { tags: [], properties: {} }, signal),
  },
  "erase, reading": {
    effect: "reads",
    expectedKind: "erased",
    hits: ACCOUNT,
    before: known,
    run: (provider, { email }, signal) => provider.erase(email, signal),
  },
  "erase, starting the job": {
    effect: "writes",
    expectedKind: "erased",
    hits: isTo("POST", /\/data-privacy-deletion-jobs$/),
    hasNoBody: true,
    before: known,
    run: (provider, { email }, signal) => provider.erase(email, signal),
  },
  lists: { effect: "reads", expectedKind: "lists", run: (provider) => provider.lists() },
  connection: { effect: "reads", expectedKind: "connected", run: (provider) => provider.connection() },
  changed: { effect: "reads", expectedKind: "page", run: (provider, { list }) => provider.changed(list, 0) },
};

async function underFaults(name: string, { before, run, ...facts }: Call): Promise<void> {
  await using served = await serveKlaviyo();
  const target = (fault: string) => ({
    list: served.lists.double,
    email: `${fault.replaceAll(" ", "-")}@example.com`.toLowerCase(),
  });
  const row: FaultCase = {
    name,
    ...facts,
    call: ({ url, timeoutMs, signal }, fault) =>
      run(served.provider({ baseUrl: url, timeoutMs }), target(fault), signal),
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
  await using served = await serveKlaviyo();
  const provider = served.provider();
  const tested = new Set(Object.keys(CALLS).map((name) => name.split(",")[0]));
  const calls = Object.entries(provider).filter(([, member]) => typeof member === "function");
  assert.deepEqual(
    calls.map(([name]) => name).filter((name) => !tested.has(name)).toSorted(),
    [...Object.keys(unsupportedCalls), "readWebhook"].toSorted(),
  );
  const target = { list: served.lists.double, email: "ada@example.com" };
  const data = { template: "1", data: {} };
  const results = await Promise.all([
    provider.reactivate(target),
    provider.sendTriggered({ ...data, emails: [target.email] }),
    provider.sendTransactional({ ...data, email: target.email }),
    provider.setWebhook({ url: "https://own.example/hook", secretKey: "" }),
    provider.getWebhook(),
    provider.unconfirmed(target.list),
    provider.template("1"),
  ]);
  assert.deepEqual(
    results.map(({ kind }) => kind),
    ["refused", "refused", "refused", "refused", "trouble", "trouble", "trouble"],
  );
  assert.deepEqual(served.front.received, []);
});
