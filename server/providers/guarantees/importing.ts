/** Guarantees about people who confirmed at another provider. */
import assert from "node:assert/strict";
import type { Guarantees } from "../conformance.ts";

const PROOF = { name: "Ada", tags: ["news"], confirmedAt: Date.UTC(2026, 0, 2, 3, 4, 5), ip: "192.0.2.7" };
const NO_PROFILE = { tags: [] };

export const importing: Guarantees = {
  "an imported person is active, and gets no email, however often they are imported": async (h) => {
    if (!h.provider.capabilities.imports) return;
    const target = { list: h.doubleOptIn, email: "moved@example.com" };
    assert.deepEqual(await h.provider.importConfirmed(target, PROOF), { kind: "imported", omitted: {} });
    for (let repeat = 0; repeat < 2; repeat++) {
      assert.deepEqual(await h.provider.importConfirmed(target, PROOF), { kind: "exists", status: "active" });
    }
    assert.partialDeepStrictEqual(await h.provider.status(target), { kind: "found", status: "active" });
    assert.equal(await h.mailsTo(target.email), 0);
  },

  "a person who is active on another list is imported without an email": async (h) => {
    if (!h.provider.capabilities.imports || h.singleOptIn === undefined) return;
    const email = "both@example.com";
    await h.provider.subscribe({ list: h.singleOptIn, email }, NO_PROFILE);
    const target = { list: h.doubleOptIn, email };
    assert.deepEqual(await h.provider.importConfirmed(target, PROOF), { kind: "imported", omitted: {} });
    assert.partialDeepStrictEqual(await h.provider.status(target), { kind: "found", status: "active" });
    assert.equal(await h.mailsTo(email), 0);
  },

  "an import stores the values of a new person's fields": async (h) => {
    const { imports, properties } = h.provider.capabilities;
    if (!imports || !properties) return;
    const target = { list: h.doubleOptIn, email: "answers@example.com" };
    const person = { ...PROOF, properties: { size: "l", guests: 2 } };
    assert.deepEqual(await h.provider.importConfirmed(target, person), { kind: "imported", omitted: {} });
    assert.partialDeepStrictEqual(await h.provider.status(target), { kind: "found", status: "active" });
    assert.equal(await h.mailsTo(target.email), 0);
  },

  "an import never brings back somebody who left": async (h) => {
    if (!h.provider.capabilities.imports) return;
    const target = { list: h.doubleOptIn, email: "left@example.com" };
    await h.provider.subscribe(target, NO_PROFILE);
    await h.confirm(target);
    await h.unsubscribe(target);
    const mails = await h.mailsTo(target.email);
    for (let repeat = 0; repeat < 2; repeat++) {
      assert.deepEqual(await h.provider.importConfirmed(target, PROOF), {
        kind: "exists",
        status: "unsubscribed",
      });
      assert.partialDeepStrictEqual(await h.provider.status(target), {
        kind: "found",
        status: "unsubscribed",
      });
    }
    assert.equal(await h.mailsTo(target.email), mails);
  },

  "an import never brings back a suppressed or bounced address": async (h) => {
    if (!h.provider.capabilities.imports) return;
    const addresses = { suppressed: h.suppressedAddress, bounced: h.bouncedAddress };
    for (const [status, email] of Object.entries(addresses)) {
      if (email === undefined) continue;
      const target = { list: h.doubleOptIn, email };
      assert.deepEqual(await h.provider.importConfirmed(target, PROOF), { kind: "exists", status });
      const after = await h.provider.status(target);
      assert.ok(after.kind === "absent" || after.kind === "found", after.kind);
      if (after.kind === "found") assert.equal(after.status, status);
      assert.equal(await h.mailsTo(email), 0);
    }
  },

  "an import does not confirm for somebody who is still pending": async (h) => {
    const { imports, showsPending } = h.provider.capabilities;
    if (!imports || !showsPending) return;
    const target = { list: h.doubleOptIn, email: "waits@example.com" };
    await h.provider.subscribe(target, NO_PROFILE);
    const mails = await h.mailsTo(target.email);
    assert.deepEqual(await h.provider.importConfirmed(target, PROOF), { kind: "exists", status: "pending" });
    assert.partialDeepStrictEqual(await h.provider.status(target), { kind: "found", status: "pending" });
    assert.equal(await h.mailsTo(target.email), mails);
  },

  "after a lost response, repeating an import finds the person active": async (h) => {
    if (!h.provider.capabilities.imports) return;
    const target = { list: h.doubleOptIn, email: "lost@example.com" };
    await h.fault("lost response");
    const lost = await h.provider.importConfirmed(target, PROOF);
    assert.ok(lost.kind === "trouble", lost.kind);
    await h.fault("none");
    const repeated = await h.provider.importConfirmed(target, PROOF);
    // Where a read was lost already, nothing was written.
    assert.deepEqual(
      repeated,
      lost.unknown ? { kind: "exists", status: "active" } : { kind: "imported", omitted: {} },
    );
    assert.partialDeepStrictEqual(await h.provider.status(target), { kind: "found", status: "active" });
    assert.equal(await h.mailsTo(target.email), 0);
  },

  "importing to a missing list is trouble and does not reject the address": async (h) => {
    if (!h.provider.capabilities.imports) return;
    const target = { list: "000000000000000000000000", email: "a@example.com" };
    assert.equal((await h.provider.importConfirmed(target, PROOF)).kind, "trouble");
  },
};
