/** Guarantees about people who left, and about repeated and concurrent requests. */
import assert from "node:assert/strict";
import type { Guarantees } from "../conformance.ts";
import { assertPending } from "./pending.ts";

const person = { tags: [] };

export const leaving: Guarantees = {
  "subscribing somebody who left never makes them active before they confirm again": async (h) => {
    const target = { list: h.doubleOptIn, email: "left@example.com" };
    await h.provider.subscribe(target, person);
    await h.confirm(target);
    await h.unsubscribe(target);
    for (let repeat = 0; repeat < 2; repeat++) {
      const { kind } = await h.provider.subscribe(target, person);
      assert.ok(["exists", "left", "elsewhere", "accepted", "suppressed"].includes(kind), kind);
      const after = await h.provider.status(target);
      assert.ok(after.kind === "absent" || after.kind === "found", after.kind);
      if (after.kind === "found") assert.notEqual(after.status, "active");
      const status = h.provider.capabilities.takesBack ? "pending" : "unsubscribed";
      if (kind === "exists") assert.partialDeepStrictEqual(after, { kind: "found", status });
    }
  },

  "subscribing and resending never demote somebody who is active": async (h) => {
    const target = { list: h.doubleOptIn, email: "member@example.com" };
    await h.provider.subscribe(target, person);
    await h.confirm(target);
    assert.deepEqual(await h.provider.subscribe(target, { name: "Other", tags: ["more"] }), {
      kind: "exists",
    });
    await h.provider.resend(target);
    assert.partialDeepStrictEqual(await h.provider.status(target), { kind: "found", status: "active" });
  },

  "concurrent requests for one address subscribe it once": async (h) => {
    const target = { list: h.doubleOptIn, email: "eager@example.com" };
    const results = await Promise.all(Array.from({ length: 3 }, () => h.provider.subscribe(target, person)));
    for (const { kind } of results) assert.ok(kind === "accepted" || kind === "exists", kind);
    await assertPending(h, target);
    await h.confirm(target);
    assert.partialDeepStrictEqual(await h.provider.status(target), { kind: "found", status: "active" });
  },

  "a suppressed address stays suppressed, however often it is subscribed": async (h) => {
    const target = { list: h.doubleOptIn, email: h.suppressedAddress };
    for (let repeat = 0; repeat < 2; repeat++) {
      assert.equal((await h.provider.subscribe(target, person)).kind, "suppressed");
      const status = await h.provider.status(target);
      if (status.kind === "found") {
        assert.ok(["suppressed", "bounced"].includes(status.status), status.status);
      } else assert.equal(status.kind, "absent");
    }
    assert.equal(await h.mailsTo(target.email), 0);
  },
};
