/** Guarantees about a person on a list: subscribing, leaving and coming back. */
import assert from "node:assert/strict";
import type { Guarantees } from "../conformance.ts";
import { join } from "./join.ts";
import { assertPending } from "./pending.ts";

export const subscribing: Guarantees = {
  "a new address on a double opt-in list is accepted and pending": async (h) => {
    const target = { list: h.doubleOptIn, email: "new@example.com" };
    assert.partialDeepStrictEqual(await h.provider.subscribe(target, { name: "Ada", tags: ["news"] }), {
      kind: "accepted",
    });
    await assertPending(h, target);
    if (h.provider.capabilities.sendsSeparately) {
      assert.equal(await h.mailsTo(target.email), 0);
      assert.deepEqual(await h.provider.resend(target), { kind: "sent" });
    }
    assert.equal(await h.mailsTo(target.email), 1);
  },

  "the tags of a new person are sent to a provider that stores tags, and to no other": async (h) => {
    const sent: string[] = [];
    const provider = h.withFetch((fetch) => (url, init) => {
      sent.push(String(init?.body));
      return fetch(url, init);
    });
    const target = { list: h.doubleOptIn, email: "tagged@example.com" };
    await provider.subscribe(target, { tags: ["greenhouse"] });
    assert.equal(sent.some((body) => body.includes("greenhouse")), provider.capabilities.tags);
  },

  "a new address on a single opt-in list is active at once": async (h) => {
    if (h.singleOptIn === undefined) return;
    const target = { list: h.singleOptIn, email: "single@example.com" };
    // Without `isPending`, which would skip the read that finds it active.
    assert.deepEqual(await h.provider.subscribe(target, { tags: [] }), { kind: "accepted" });
    assert.partialDeepStrictEqual(await h.provider.status(target), { kind: "found", status: "active" });
  },

  "an address that is on the list exists, whatever its status, and subscribing does not change it": async (
    h,
  ) => {
    const person = { tags: [] };
    const at = (email: string) => ({ list: h.doubleOptIn, email });
    const states = {
      ...(h.provider.capabilities.showsPending && { pending: at("pending@example.com") }),
      active: at("member@example.com"),
      ...(h.pause && { paused: at("paused@example.com") }),
    };
    for (const target of Object.values(states)) await h.provider.subscribe(target, person);
    await h.confirm(states.active);
    if (states.paused) {
      await h.confirm(states.paused);
      await h.pause!(states.paused);
    }
    for (const [status, target] of Object.entries(states)) {
      assert.deepEqual(await h.provider.subscribe(target, person), { kind: "exists" }, status);
      assert.partialDeepStrictEqual(await h.provider.status(target), { kind: "found", status }, status);
    }
  },

  "an address in another letter case is the same address": async (h) => {
    const target = { list: h.doubleOptIn, email: "Mixed.Case@Example.com" };
    assert.equal((await h.provider.subscribe(target, { tags: [] })).kind, "accepted");
    await h.confirm(target);
    const lower = { ...target, email: "mixed.case@example.com" };
    assert.equal((await h.provider.subscribe(lower, { tags: [] })).kind, "exists");
    assert.partialDeepStrictEqual(await h.provider.status(lower), { kind: "found", status: "active" });
  },

  "an address that was never subscribed is absent": async (h) => {
    assert.deepEqual(await h.provider.status({ list: h.doubleOptIn, email: "no@example.com" }), {
      kind: "absent",
    });
  },

  "an address with special characters is transmitted unchanged": async (h) => {
    const email = h.specialAddress ?? "o'hara+a/b?c=%d&e#{f}@example.com";
    const target = { list: h.doubleOptIn, email };
    assert.equal((await h.provider.subscribe(target, { tags: [] })).kind, "accepted");
    await assertPending(h, target);
  },

  "a suppressed address is reported as suppressed and not as bounced": async (h) => {
    const result = await h.provider.subscribe({ list: h.doubleOptIn, email: h.suppressedAddress }, {
      tags: [],
    });
    assert.ok(result.kind === "suppressed" && !result.bounced);
  },

  "a missing list is trouble and does not reject the address": async (h) => {
    const target = { list: "000000000000000000000000", email: "a@example.com" };
    assert.equal((await h.provider.subscribe(target, { tags: [] })).kind, "trouble");
  },

  "the confirmation email is resent only while the subscription is pending": async (h) => {
    if (!h.provider.capabilities.resend) return;
    const target = { list: h.doubleOptIn, email: "again@example.com" };
    await h.provider.subscribe(target, { tags: [] });
    const before = await h.mailsTo(target.email);
    assert.deepEqual(await h.provider.resend(target), { kind: "sent" });
    assert.equal(await h.mailsTo(target.email), before + 1);
    await h.confirm(target);
    assert.equal((await h.provider.resend(target)).kind, "refused");
    assert.equal(await h.mailsTo(target.email), before + 1);
  },

  "a bouncing address is reported as bounced": async (h) => {
    if (h.bouncedAddress === undefined) return;
    const result = await h.provider.subscribe({ list: h.doubleOptIn, email: h.bouncedAddress }, { tags: [] });
    assert.ok(result.kind === "suppressed" && result.bounced && result.reason !== "");
  },

  "a confirmation changes the status to active": async (h) => {
    const target = { list: h.doubleOptIn, email: "sure@example.com" };
    await h.provider.subscribe(target, { tags: [] });
    await h.confirm(target);
    assert.partialDeepStrictEqual(await h.provider.status(target), { kind: "found", status: "active" });
  },

  "erasing removes only that address, from all lists; erasing it again returns absent": async (h) => {
    if (!h.provider.capabilities.erasure) return;
    const pending = { list: h.doubleOptIn, email: "gone@example.com" };
    await h.provider.subscribe(pending, { tags: [] });
    const targets = [pending, await join(h, pending.email)];
    const other = await join(h, "stays@example.com");
    assert.deepEqual(await h.provider.erase("gone@example.com"), { kind: "erased" });
    for (const target of targets) assert.deepEqual(await h.provider.status(target), { kind: "absent" });
    assert.equal((await h.provider.status(other)).kind, "found");
    assert.deepEqual(await h.provider.erase("gone@example.com"), { kind: "absent" });
  },

  "reactivating makes an unsubscribed address active, and does not add a new one": async (h) => {
    if (!h.provider.capabilities.reactivation) return;
    const target = { list: h.singleOptIn ?? h.doubleOptIn, email: "back@example.com" };
    assert.deepEqual(await h.provider.reactivate(target), { kind: "absent" });
    await join(h, target.email);
    await h.unsubscribe(target);
    assert.deepEqual(await h.provider.reactivate(target), { kind: "active" });
    const read = await h.provider.status(target);
    assert.equal(read.kind === "found" && read.status, "active");
  },
};
