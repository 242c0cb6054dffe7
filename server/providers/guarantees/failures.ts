/** Guarantees about calls that fail: rate limits, lost responses, wrong keys. */
import assert from "node:assert/strict";
import type { Guarantees } from "../conformance.ts";
import type { Trouble } from "../port/trouble.ts";
import { callAll } from "./calls.ts";
import { assertPending } from "./pending.ts";

const EMAIL = "ann.lee@example.com";

export const failures: Guarantees = {
  "a 429 is trouble without effect for every call, with the time that the provider asks for": async (h) => {
    await h.fault("rate limited");
    for (const [name, result] of await callAll(h.provider, h, EMAIL)) {
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
      const { showsPending, sendsSeparately } = h.provider.capabilities;
      // With several requests, the first one that changes data was the last one.
      if (!sendsSeparately) await assertPending(h, target);
      const isListed = (await h.provider.status(target)).kind === "found";
      const repeated = await h.provider.subscribe(target, { tags: [] });
      assert.equal(repeated.kind, isListed ? "exists" : "accepted");
      if (showsPending) assert.equal(await h.mailsTo(EMAIL), sendsSeparately ? 0 : 1);
      await assertPending(h, target);
    },

  "no failed call names the address or the key": async (h) => {
    const seen: string[] = [];
    // A listing contains addresses, and a provider without erasure still lists the one that was subscribed.
    const see = (calls: [name: string, { kind: string }][]) =>
      calls.forEach(([, result]) => result.kind === "page" || seen.push(JSON.stringify(result)));
    for (const fault of ["rate limited", "lost response"] as const) {
      await h.fault(fault);
      see(await callAll(h.provider, h, EMAIL));
    }
    await h.fault("none");
    for (const provider of [h.withWrongKey(), h.unreachable()]) {
      see(await callAll(provider, h, EMAIL));
    }
    for (const text of seen) {
      for (const secret of [EMAIL, encodeURIComponent(EMAIL), h.apiKey, h.wrongKey]) {
        assert.ok(!text.includes(secret), `${text} contains ${secret}`);
      }
    }
  },
};
