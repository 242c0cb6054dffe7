/** Guarantees about the provider's project, and about a provider that cannot be reached. */
import assert from "node:assert/strict";
import type { Guarantees, ProviderHarness } from "../conformance.ts";
import type { ListedSubscriber, PageResult } from "../port/port.ts";
import type { Trouble } from "../port/trouble.ts";
import { callAll } from "./calls.ts";
import { join } from "./join.ts";

/**
 * Reads all pages of the changes on the list of `join`.
 *
 * @param between runs after each page, with its subscribers
 * @returns the time of each subscriber's last change
 */
async function changesOf(
  h: ProviderHarness,
  since: number,
  between: (items: ListedSubscriber[]) => Promise<void> = () => Promise.resolve(),
): Promise<Map<string, number>> {
  const seen = new Map<string, number>();
  let cursor: string | undefined;
  let pages = 0;
  do {
    const page: PageResult = await h.provider.changed(h.singleOptIn ?? h.doubleOptIn, since, cursor);
    assert.ok(page.kind === "page");
    for (const { email, changedAt } of page.items) {
      assert.ok(changedAt !== undefined, "the time of the change is listed");
      seen.set(email, changedAt);
    }
    cursor = page.cursor;
    assert.ok(pages++ < 65, "the listing must end");
    await between(page.items);
  } while (cursor !== undefined);
  return seen;
}

export const project: Guarantees = {
  "lists are returned with their opt-in": async (h) => {
    const result = await h.provider.lists();
    assert.ok(result.kind === "lists");
    const byId = new Map(result.lists.map((list) => [list.id, list.doubleOptIn]));
    // Only a provider that has the setting for each list has to show it.
    const mayHide = h.provider.capabilities.optIn !== "list";
    const check = (list: string, expected: boolean) => {
      assert.ok(byId.has(list));
      if (!mayHide || byId.get(list) !== undefined) assert.equal(byId.get(list), expected);
    };
    check(h.doubleOptIn, true);
    if (h.singleOptIn !== undefined) check(h.singleOptIn, false);
  },

  "the changes since a time are listed completely, and a listing ends": async (h) => {
    if (!h.provider.capabilities.listsChanged) return;
    const emails = Array.from({ length: 65 }, (_, index) => `reader${index}@example.com`);
    for (const email of emails) await join(h, email);
    const all = await changesOf(h, 0);
    assert.deepEqual([...all.keys()].toSorted(), emails.toSorted());
    const latest = Math.max(...all.values());
    await join(h, "latest@example.com");
    const recent = await changesOf(h, latest);
    assert.ok(recent.has("latest@example.com"));
    for (const [email, at] of all) {
      assert.ok(at < latest || recent.has(email), `${email} changed at that time`);
    }
  },

  "the changes are listed completely while subscribers are removed from the list": async (h) => {
    const { listsChanged, erasure } = h.provider.capabilities;
    if (!listsChanged || !erasure) return;
    const emails = Array.from({ length: 65 }, (_, index) => `reader${index}@example.com`);
    for (const email of emails) await join(h, email);
    const removed = new Set<string>();
    const seen = await changesOf(h, 0, async (page) => {
      for (const { email } of page.slice(0, 3)) {
        removed.add(email);
        await h.provider.erase(email);
      }
    });
    assert.deepEqual(emails.filter((email) => !seen.has(email) && !removed.has(email)), []);
  },

  "unconfirmed subscribers are listed until they confirm": async (h) => {
    if (!h.provider.capabilities.listsUnconfirmed) return;
    const emails = ["one@example.com", "three@example.com", "two@example.com"];
    for (const email of emails) await h.provider.subscribe({ list: h.doubleOptIn, email }, { tags: [] });
    const listed = async () => {
      const items: ListedSubscriber[] = [];
      let cursor: string | undefined;
      do {
        const page: PageResult = await h.provider.unconfirmed(h.doubleOptIn, cursor);
        assert.ok(page.kind === "page");
        items.push(...page.items);
        if (page.total !== undefined && page.cursor === undefined) assert.equal(page.total, items.length);
        cursor = page.cursor;
      } while (cursor !== undefined);
      assert.ok(items.every(({ status }) => status === "pending"));
      return items.map(({ email }) => email).toSorted();
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
    await h.registerForeign!("https://foreign.example/hook");
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
    for (const [name, result] of await callAll(h.unreachable(), h, "a@example.com")) {
      const { kind, unknown, reason } = result as Trouble;
      assert.deepEqual([kind, unknown], ["trouble", false], name);
      assert.ok(!reason.includes("a@example.com"), "the reason must not contain an email address");
    }
  },

  "a caller that stops waiting gets trouble, not an exception": async (h) => {
    const target = { list: h.doubleOptIn, email: "a@example.com" };
    assert.equal((await h.provider.status(target, AbortSignal.abort())).kind, "trouble");
  },
};
