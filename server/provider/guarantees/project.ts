/** Guarantees about the provider's project, and about a provider that cannot be reached. */
import assert from "node:assert/strict";
import type { Guarantees } from "../conformance.ts";

export const project: Guarantees = {
  "lists are returned with their opt-in": async (h) => {
    const result = await h.provider.lists();
    assert.ok(result.kind === "lists");
    const byId = new Map(result.lists.map((list) => [list.id, list.doubleOptIn]));
    assert.equal(byId.get(h.doubleOptIn), true);
    assert.equal(byId.get(h.singleOptIn), false);
  },

  "changes are listed newest first, each on exactly one page": async (h) => {
    if (!h.provider.capabilities.listing) return;
    const emails = Array.from({ length: 65 }, (_, index) => `reader${index}@example.com`);
    for (const email of emails) await h.provider.subscribe({ list: h.singleOptIn, email }, { tags: [] });
    const seen: string[] = [];
    const times: number[] = [];
    for (let page = 0, more = true; more; page++) {
      const result = await h.provider.changed(h.singleOptIn, page);
      assert.ok(result.kind === "page");
      assert.equal(result.total, emails.length);
      seen.push(...result.items.map((item) => item.email));
      times.push(...result.items.flatMap((item) => item.changedAt ?? []));
      more = result.more;
      assert.ok(page < 65, "the listing must end");
    }
    assert.deepEqual(seen.toSorted(), emails.toSorted());
    assert.deepEqual(times, times.toSorted((a, b) => b - a));
  },

  "unconfirmed subscribers are listed oldest first, until they confirm": async (h) => {
    if (!h.provider.capabilities.listing) return;
    const emails = ["one@example.com", "two@example.com", "three@example.com"];
    for (const email of emails) {
      await h.provider.subscribe({ list: h.doubleOptIn, email }, { tags: [] });
      // Two subscribers in the same millisecond have no defined order.
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    const listed = async () => {
      const result = await h.provider.unconfirmed(h.doubleOptIn, 0);
      assert.ok(result.kind === "page");
      assert.equal(result.total, result.items.length);
      assert.ok(result.items.every((item) => item.status === "pending"));
      return result.items.map((item) => item.email);
    };
    assert.deepEqual(await listed(), emails);
    await h.confirm({ list: h.doubleOptIn, email: "two@example.com" });
    assert.deepEqual(await listed(), ["one@example.com", "three@example.com"]);
  },

  "the connection test accepts the project's key and rejects a wrong one": async (h) => {
    const connected = await h.provider.connection();
    assert.ok(connected.kind === "connected" && connected.name !== "");
    assert.ok(Math.abs(connected.skewMs ?? 0) < 5_000);
    assert.equal((await h.withWrongKey().connection()).kind, "forbidden");
  },

  "the webhook is registered with our key, and another system's is overwritten only with replace": async (
    h,
  ) => {
    if (!h.provider.capabilities.webhook) return;
    const wanted = { url: "https://own.example/hook", secretKey: h.apiKey };
    assert.deepEqual(await h.provider.getWebhook(), { kind: "webhook", webhook: null });
    await h.registerForeign("https://foreign.example/hook");
    assert.deepEqual(await h.provider.setWebhook(wanted), {
      kind: "foreign",
      url: "https://foreign.example/hook",
    });
    const set = await h.provider.setWebhook({ ...wanted, replace: true });
    const found = await h.provider.getWebhook();
    assert.ok(set.kind === "registered" && found.kind === "webhook");
    assert.deepEqual(found.webhook, set.webhook);
    assert.deepEqual([set.webhook.url, set.webhook.missing, set.webhook.surplus], [wanted.url, [], []]);
    assert.notEqual(set.webhook.keyFits, false);
    assert.ok(!JSON.stringify(found).includes(h.apiKey), "the result must not contain the key");
  },

  "if the provider can't be reached, no call throws, and each reports that it had no effect": async (h) => {
    const provider = h.unreachable();
    const target = { list: h.doubleOptIn, email: "a@example.com" };
    const results = await Promise.all([
      provider.subscribe(target, { tags: [] }),
      provider.status(target),
      provider.resend(target),
      provider.erase(target.email),
      provider.reactivate(target),
      provider.sendTriggered({ template: "t", emails: [target.email], data: {} }),
      provider.sendTransactional({ template: "t", email: target.email, data: {} }),
      provider.contact(target.email),
      provider.saveContact(target.email, { tags: [], properties: {} }),
      provider.saveContact(target.email, { tags: [], properties: { cfbeCount: 1 } }),
      provider.lists(),
      provider.connection(),
      provider.getWebhook(),
      provider.setWebhook({ url: "https://own.example/hook", secretKey: "k" }),
      provider.changed(target.list, 0),
      provider.unconfirmed(target.list, 0),
    ]);
    for (const result of results) {
      assert.ok(result.kind === "trouble");
      assert.equal(result.unknown, false);
      assert.ok(!result.reason.includes("a@example.com"), "the reason must not contain an email address");
    }
  },

  "a caller that stops waiting gets trouble, not an exception": async (h) => {
    const target = { list: h.doubleOptIn, email: "a@example.com" };
    assert.equal((await h.provider.status(target, AbortSignal.abort())).kind, "trouble");
  },
};
