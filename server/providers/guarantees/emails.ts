/** Guarantees about emails and contacts, for providers with these capabilities. */
import assert from "node:assert/strict";
import type { Guarantees } from "../conformance.ts";
import { assertPending } from "./pending.ts";

export const emails: Guarantees = {
  "a template is found by its ID, and a missing one is absent": async ({ provider, template }) => {
    if (!provider.capabilities.templates) return;
    assert.equal((await provider.template(template!)).kind, "found");
    assert.deepEqual(await provider.template("no-such-template"), { kind: "absent" });
  },

  "a triggered email arrives once per address, and an empty list of addresses is refused": async (
    h,
  ) => {
    if (!h.provider.capabilities.triggered) return;
    const mail = { template: h.template ?? "cart", data: { total: 1 } };
    assert.deepEqual(await h.provider.sendTriggered({ ...mail, emails: ["m@example.com"] }), {
      kind: "sent",
    });
    assert.equal(await h.mailsTo("m@example.com"), 1);
    const nobody = [] as unknown as [string];
    assert.equal((await h.provider.sendTriggered({ ...mail, emails: nobody })).kind, "refused");
    assert.equal(await h.mailsTo("m@example.com"), 1);
  },

  "a transactional email arrives once, even if the person is not a contact, and is refused without an address":
    async (
      h,
    ) => {
      if (!h.provider.capabilities.transactional) return;
      const mail = { template: h.template ?? "order", data: { total: 1 } };
      assert.deepEqual(await h.provider.sendTransactional({ ...mail, email: "o@example.com" }), {
        kind: "sent",
      });
      assert.equal(await h.mailsTo("o@example.com"), 1);
      assert.equal(
        (await h.provider.sendTransactional({ ...mail, email: h.suppressedAddress })).kind,
        "refused",
      );
      assert.equal((await h.provider.sendTransactional({ ...mail, email: " " })).kind, "refused");
    },

  "a contact is created, read and changed; tags are replaced, and without a name the old one stays": async (
    h,
  ) => {
    if (!h.provider.capabilities.contacts) return;
    const { provider } = h;
    const email = "o'hara+a/b@example.com";
    assert.deepEqual(await provider.contact(email), { kind: "absent" });
    const properties = { cfbeCount: 1, cfbeSince: "2026-01-01" };
    assert.deepEqual(await provider.saveContact(email, { name: "Ada", tags: ["a"], properties }), {
      kind: "saved",
    });
    assert.deepEqual(await provider.contact(email), {
      kind: "found",
      contact: { name: "Ada", tags: ["a"] },
    });
    assert.deepEqual(await provider.saveContact(email, { tags: ["b", "c"], properties: { cfbeCount: 2 } }), {
      kind: "saved",
    });
    assert.deepEqual(await provider.contact(email), {
      kind: "found",
      contact: { name: "Ada", tags: ["b", "c"] },
    });
    assert.equal((await provider.status({ list: h.doubleOptIn, email })).kind, "absent", "on no list");
  },

  "saving somebody who is pending as a contact sends no email and confirms nothing": async (h) => {
    if (!h.provider.capabilities.contacts) return;
    const target = { list: h.doubleOptIn, email: "buyer@example.com" };
    await h.provider.subscribe(target, { tags: [] });
    const mails = await h.mailsTo(target.email);
    assert.deepEqual(
      await h.provider.saveContact(target.email, { tags: ["buyer"], properties: { cfbeCount: 1 } }),
      { kind: "saved" },
    );
    await assertPending(h, target);
    assert.equal(await h.mailsTo(target.email), mails);
  },

  "concurrent saves of a new contact all succeed": async (h) => {
    if (!h.provider.capabilities.contacts) return;
    const saves = Array.from(
      { length: 5 },
      (_, cfbeCount) => h.provider.saveContact("new@example.com", { tags: ["t"], properties: { cfbeCount } }),
    );
    for (const result of await Promise.all(saves)) assert.deepEqual(result, { kind: "saved" });
  },
};
