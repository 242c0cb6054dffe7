import assert from "node:assert/strict";
import { ManualClock } from "../../../dev/testing/manual_clock.ts";
import { stubProvider } from "../../../dev/testing/stub_provider.ts";
import { lazyAdapter, lazyProvider } from "./lazy_provider.ts";
import type { Provider } from "../port/port.ts";

const target = { list: "l", email: "ada@example.com" };
const webhook = {
  headers: new Headers(),
  body: new Uint8Array(),
  query: new URLSearchParams(),
  authenticated: false,
};

/** Returns a provider whose next `failures` imports fail, and how many imports there were. */
function lazyStub(failures = 0) {
  const stub = stubProvider(new ManualClock());
  const seen = { imports: 0 };
  const adapter = lazyAdapter(stub.capabilities, () => {
    seen.imports++;
    return seen.imports > failures
      ? Promise.resolve<Provider>(stub)
      : Promise.reject(new Error("no such file"));
  });
  return { stub, seen, adapter, provider: lazyProvider(() => adapter) };
}

Deno.test("a provider imports its adapter once, at the first call, and knows its capabilities before", async () => {
  const { seen, stub, provider } = lazyStub();
  assert.equal(provider.capabilities, stub.capabilities);
  assert.equal(seen.imports, 0);
  await Promise.all([provider.subscribe(target, { tags: [] }), provider.status(target)]);
  assert.equal((await provider.readWebhook(webhook)).kind, "refused");
  assert.equal(seen.imports, 1);
  assert.deepEqual(stub.calls, [`subscribe ${target.email}`, `status ${target.email}`]);
});

Deno.test("a call whose adapter can't be imported has no effect and says why, and the next call tries again", async () => {
  const { stub, provider } = lazyStub(2);
  await assert.rejects(provider.readWebhook(webhook), /no such file/);
  const result = await provider.subscribe(target, { tags: [] });
  assert.deepEqual(result, {
    kind: "trouble",
    code: "unavailable",
    reason: "The provider's adapter could not be loaded: no such file",
    unknown: false,
  });
  assert.deepEqual(stub.calls, []);
  assert.deepEqual(await provider.subscribe(target, { tags: [] }), { kind: "accepted" });
});

Deno.test("every call of the port reaches the adapter with its arguments", async () => {
  const received: [string, unknown[]][] = [];
  const methods = Object.keys(lazyStub().provider).filter((name) => name !== "capabilities");
  const adapter = Object.fromEntries(methods.map((name) => [name, (...args: unknown[]) => {
    received.push([name, args]);
    return Promise.resolve({ kind: name });
  }]));
  const { capabilities } = stubProvider(new ManualClock());
  const lazy = lazyAdapter(capabilities, () => Promise.resolve(adapter as unknown as Provider));
  const provider = lazyProvider(() => lazy) as unknown as typeof adapter;
  for (const name of methods) assert.deepEqual(await provider[name]!(1, 2, 3), { kind: name });
  const all = methods.map((name) => [name, name === "readWebhook" ? [1] : [1, 2, 3]]);
  assert.deepEqual(received, all);
});
