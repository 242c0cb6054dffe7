/** Guarantees about calls that fail: rate limits, lost responses, wrong keys. */
import assert from "node:assert/strict";
import type { Guarantees, ProviderHarness } from "../conformance.ts";
import type { Provider } from "../port.ts";
import type { Trouble } from "../trouble.ts";
import { assertPending } from "./pending.ts";

const EMAIL = "ann.lee@example.com";

/** Makes every call that the provider is capable of. */
async function callAll(provider: Provider, h: ProviderHarness): Promise<[name: string, { kind: string }][]> {
  const target = { list: h.doubleOptIn, email: EMAIL };
  const { capabilities: can } = provider;
  const calls: Record<string, false | (() => Promise<{ kind: string }>)> = {
    subscribe: () => provider.subscribe(target, { name: "Ann", tags: [] }),
    status: () => provider.status(target),
    resend: can.resend && (() => provider.resend(target)),
    erase: can.erasure && (() => provider.erase(EMAIL)),
    reactivate: can.reactivation && (() => provider.reactivate(target)),
    sendTriggered: can.triggered &&
      (() => provider.sendTriggered({ template: "1", emails: [EMAIL], data: {} })),
    sendTransactional: can.transactional &&
      (() => provider.sendTransactional({ template: "1", email: EMAIL, data: {} })),
    contact: can.contacts && (() => provider.contact(EMAIL)),
    saveContact: can.contacts && (() => provider.saveContact(EMAIL, { tags: ["a"], properties: {} })),
    lists: () => provider.lists(),
    connection: () => provider.connection(),
    getWebhook: can.webhook && (() => provider.getWebhook()),
    setWebhook: can.webhook &&
      (() => provider.setWebhook({ url: "https://own.example/hook", secretKey: h.apiKey })),
    changed: can.listsChanged && (() => provider.changed(target.list, 0)),
    unconfirmed: can.listsUnconfirmed && (() => provider.unconfirmed(target.list)),
  };
  const results: [string, { kind: string }][] = [];
  for (const [name, call] of Object.entries(calls)) if (call) results.push([name, await call()]);
  return results;
}

export const failures: Guarantees = {
  "a 429 is trouble without effect for every call, with the time that the provider asks for": async (h) => {
    await h.fault("rate limited");
    for (const [name, result] of await callAll(h.provider, h)) {
      const { kind, code, unknown, retryAfterMs } = result as Trouble;
      assert.deepEqual([kind, code, unknown, retryAfterMs], ["trouble", "rate_limited", false, 7_000], name);
    }
    await h.fault("none");
    assert.deepEqual(await h.provider.status({ list: h.doubleOptIn, email: EMAIL }), { kind: "absent" });
  },

  "after a lost response, reading tells whether a subscribe took effect, and repeating it does no harm":
    async (
      h,
    ) => {
      const target = { list: h.doubleOptIn, email: EMAIL };
      await h.fault("lost response");
      const lost = await h.provider.subscribe(target, { tags: [] });
      assert.ok(lost.kind === "trouble" && lost.unknown, "the call may have taken effect");
      await h.fault("none");
      await assertPending(h, target);
      const { showsPending } = h.provider.capabilities;
      const repeated = await h.provider.subscribe(target, { tags: [] });
      assert.equal(repeated.kind, showsPending ? "exists" : "accepted");
      if (showsPending) assert.equal(await h.mailsTo(EMAIL), 1);
      await assertPending(h, target);
    },

  "no failed call names the address or the key": async (h) => {
    const seen: string[] = [];
    for (const fault of ["rate limited", "lost response"] as const) {
      await h.fault(fault);
      for (const [, result] of await callAll(h.provider, h)) seen.push(JSON.stringify(result));
    }
    await h.fault("none");
    for (const provider of [h.withWrongKey(), h.unreachable()]) {
      for (const [, result] of await callAll(provider, h)) seen.push(JSON.stringify(result));
    }
    for (const text of seen) {
      for (const secret of [EMAIL, encodeURIComponent(EMAIL), h.apiKey, h.wrongKey]) {
        assert.ok(!text.includes(secret), `${text} contains ${secret}`);
      }
    }
  },
};
