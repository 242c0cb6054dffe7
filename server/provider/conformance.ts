import assert from "node:assert/strict";
import type { Provider, Target } from "./port.ts";

/** A provider under test, and what only a person or its back office can do there. */
export interface Harness extends AsyncDisposable {
  provider: Provider;
  /** A list with double opt-in, empty at the start. */
  doubleOptIn: string;
  /** A list without, empty at the start. */
  singleOptIn: string;
  /** What the person does with the link in the confirmation mail. */
  confirm(target: Target): Promise<void>;
  pause(target: Target): Promise<void>;
  unsubscribe(target: Target): Promise<void>;
  /** An address that the provider refuses as bounced or suppressed. */
  suppressedAddress: string;
  /** How many confirmation mails the address has got. */
  mailsTo(email: string): Promise<number>;
  /** The same provider with a key that does not open its project. */
  refused(): Provider;
  /** Registers an address at the provider, as somebody else would. */
  registerForeign(url: string): Promise<void>;
  /** One of the project's API keys. */
  apiKey: string;
  /** The same provider behind a broken line: every call fails before it arrives. */
  unreachable(): Provider;
}

type Step = (harness: Harness) => Promise<void>;

/** Each guarantee of `port.ts` by its name; every adapter must hold all of them. */
const GUARANTEES: Readonly<Record<string, Step>> = {
  "a new address on a double opt-in list is accepted, and pending": async (h) => {
    const target = { list: h.doubleOptIn, email: "new@example.com" };
    assert.deepEqual(await h.provider.subscribe(target, { name: "Ada", tags: ["news"] }), {
      kind: "accepted",
    });
    assert.partialDeepStrictEqual(await h.provider.status(target), { kind: "found", status: "pending" });
    assert.equal(await h.mailsTo(target.email), 1);
  },

  "on a single opt-in list it is active at once": async (h) => {
    const target = { list: h.singleOptIn, email: "single@example.com" };
    assert.deepEqual(await h.provider.subscribe(target, { tags: [] }), { kind: "accepted" });
    assert.partialDeepStrictEqual(await h.provider.status(target), { kind: "found", status: "active" });
  },

  "an address that is there already exists, whatever its state, and subscribing changes nothing": async (
    h,
  ) => {
    const person = { tags: [] };
    const at = (email: string) => ({ list: h.doubleOptIn, email });
    const states = {
      pending: at("pending@example.com"),
      active: at("member@example.com"),
      paused: at("paused@example.com"),
      unsubscribed: at("left@example.com"),
    };
    for (const target of Object.values(states)) await h.provider.subscribe(target, person);
    await h.confirm(states.active);
    await h.confirm(states.paused);
    await h.pause(states.paused);
    await h.unsubscribe(states.unsubscribed);
    for (const [status, target] of Object.entries(states)) {
      assert.deepEqual(await h.provider.subscribe(target, person), { kind: "exists" }, status);
      assert.partialDeepStrictEqual(await h.provider.status(target), { kind: "found", status }, status);
    }
  },

  "the spelling of an address does not make it two": async (h) => {
    const target = { list: h.doubleOptIn, email: "Mixed.Case@Example.com" };
    assert.equal((await h.provider.subscribe(target, { tags: [] })).kind, "accepted");
    assert.equal(
      (await h.provider.subscribe({ ...target, email: "mixed.case@example.com" }, { tags: [] })).kind,
      "exists",
    );
  },

  "an address nobody subscribed is absent": async (h) => {
    assert.deepEqual(await h.provider.status({ list: h.doubleOptIn, email: "no@example.com" }), {
      kind: "absent",
    });
  },

  "an address with every character that an address may have survives the way": async (h) => {
    const target = { list: h.doubleOptIn, email: "o'hara+a/b?c=%d&e#{f}@example.com" };
    assert.deepEqual(await h.provider.subscribe(target, { tags: [] }), { kind: "accepted" });
    assert.partialDeepStrictEqual(await h.provider.status(target), { kind: "found", status: "pending" });
  },

  "a bounced or suppressed address is told from the site's own trouble": async (h) => {
    const result = await h.provider.subscribe({ list: h.doubleOptIn, email: h.suppressedAddress }, {
      tags: [],
    });
    assert.equal(result.kind, "suppressed");
  },

  "a list that is not there is trouble, not a refusal of the person": async (h) => {
    const target = { list: "000000000000000000000000", email: "a@example.com" };
    assert.equal((await h.provider.subscribe(target, { tags: [] })).kind, "trouble");
  },

  "the confirmation mail is sent again to who is pending, and to nobody else": async (h) => {
    if (!h.provider.capabilities.resend) return;
    const target = { list: h.doubleOptIn, email: "again@example.com" };
    await h.provider.subscribe(target, { tags: [] });
    assert.deepEqual(await h.provider.resend(target), { kind: "sent" });
    assert.equal(await h.mailsTo(target.email), 2);
    await h.confirm(target);
    assert.equal((await h.provider.resend(target)).kind, "refused");
    assert.equal(await h.mailsTo(target.email), 2);
  },

  "a confirmation shows in the status": async (h) => {
    const target = { list: h.doubleOptIn, email: "sure@example.com" };
    await h.provider.subscribe(target, { tags: [] });
    await h.confirm(target);
    assert.partialDeepStrictEqual(await h.provider.status(target), { kind: "found", status: "active" });
  },

  "who is erased is on no list any more, and nobody else; erasing again finds nobody": async (h) => {
    if (!h.provider.capabilities.erasure) return;
    const targets = [{ list: h.doubleOptIn, email: "gone@example.com" }, {
      list: h.singleOptIn,
      email: "gone@example.com",
    }];
    const other = { list: h.singleOptIn, email: "stays@example.com" };
    for (const target of [...targets, other]) await h.provider.subscribe(target, { tags: [] });
    assert.deepEqual(await h.provider.erase("gone@example.com"), { kind: "erased" });
    for (const target of targets) assert.deepEqual(await h.provider.status(target), { kind: "absent" });
    assert.equal((await h.provider.status(other)).kind, "found");
    assert.deepEqual(await h.provider.erase("gone@example.com"), { kind: "absent" });
  },

  "who left is active again when brought back, and who was never there is not made": async (h) => {
    if (!h.provider.capabilities.reactivation) return;
    const target = { list: h.singleOptIn, email: "back@example.com" };
    assert.deepEqual(await h.provider.reactivate(target), { kind: "absent" });
    await h.provider.subscribe(target, { tags: [] });
    await h.unsubscribe(target);
    assert.deepEqual(await h.provider.reactivate(target), { kind: "active" });
    const read = await h.provider.status(target);
    assert.equal(read.kind === "found" && read.status, "active");
  },

  "lists are told with their opt-in": async (h) => {
    const result = await h.provider.lists();
    assert.ok(result.kind === "lists");
    const byId = new Map(result.lists.map((list) => [list.id, list.doubleOptIn]));
    assert.equal(byId.get(h.doubleOptIn), true);
    assert.equal(byId.get(h.singleOptIn), false);
  },

  "a triggered mail arrives once for each address, and an empty list of addresses mails nobody": async (
    h,
  ) => {
    if (!h.provider.capabilities.triggered) return;
    const mail = { template: "cart", data: { total: 1 } };
    assert.deepEqual(await h.provider.sendTriggered({ ...mail, emails: ["m@example.com"] }), {
      kind: "sent",
    });
    assert.equal(await h.mailsTo("m@example.com"), 1);
    const nobody = [] as unknown as [string];
    assert.equal((await h.provider.sendTriggered({ ...mail, emails: nobody })).kind, "refused");
    assert.equal(await h.mailsTo("m@example.com"), 1);
  },

  "a transactional mail arrives once, also at who is no contact, and without an address at nobody": async (
    h,
  ) => {
    if (!h.provider.capabilities.transactional) return;
    const mail = { template: "order", data: { total: 1 } };
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

  "a contact is made, read and changed; tags are replaced, and a name that is not given stays": async (h) => {
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
    assert.equal((await provider.status({ list: h.singleOptIn, email })).kind, "absent", "on no list");
  },

  "concurrent saves of a contact that is new all arrive": async (h) => {
    if (!h.provider.capabilities.contacts) return;
    const saves = Array.from(
      { length: 5 },
      (_, cfbeCount) => h.provider.saveContact("new@example.com", { tags: ["t"], properties: { cfbeCount } }),
    );
    for (const result of await Promise.all(saves)) assert.deepEqual(result, { kind: "saved" });
  },

  "changes are listed newest first, and every one on exactly one page": async (h) => {
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

  "who is unconfirmed is listed oldest first, and leaves with the confirmation": async (h) => {
    if (!h.provider.capabilities.listing) return;
    const emails = ["one@example.com", "two@example.com", "three@example.com"];
    for (const email of emails) {
      await h.provider.subscribe({ list: h.doubleOptIn, email }, { tags: [] });
      // Two in one millisecond have no order that anybody could ask for.
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

  "a key that opens the project is told from one that does not": async (h) => {
    const connected = await h.provider.connection();
    assert.ok(connected.kind === "connected" && connected.name !== "");
    assert.ok(Math.abs(connected.skewMs ?? 0) < 5_000);
    assert.equal((await h.refused().connection()).kind, "forbidden");
  },

  "the webhook is registered with our key, told as it is, and somebody else's stays unless told otherwise":
    async (h) => {
      if (!h.provider.capabilities.webhook) return;
      const wish = { url: "https://own.example/hook", secretKey: h.apiKey };
      assert.deepEqual(await h.provider.getWebhook(), { kind: "webhook", webhook: null });
      await h.registerForeign("https://foreign.example/hook");
      assert.deepEqual(await h.provider.setWebhook(wish), {
        kind: "foreign",
        url: "https://foreign.example/hook",
      });
      const set = await h.provider.setWebhook({ ...wish, replace: true });
      const told = await h.provider.getWebhook();
      assert.ok(set.kind === "registered" && told.kind === "webhook");
      assert.deepEqual(told.webhook, set.webhook);
      assert.deepEqual([set.webhook.url, set.webhook.missing, set.webhook.surplus], [wish.url, [], []]);
      assert.notEqual(set.webhook.keyFits, false);
      assert.ok(!JSON.stringify(told).includes(h.apiKey), "the key must not end on a page");
    },

  "no call throws when the provider can't be reached, and each says that nothing took effect": async (h) => {
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
      assert.ok(!result.reason.includes("a@example.com"), "an address must not end in the log");
    }
  },

  "a caller that stops waiting gets trouble, not an exception": async (h) => {
    const target = { list: h.doubleOptIn, email: "a@example.com" };
    assert.equal((await h.provider.status(target, AbortSignal.abort())).kind, "trouble");
  },
};

/**
 * Registers one test a guarantee. Call it once for every adapter.
 *
 * @param name of the adapter and of what answers it
 * @param open a provider with two empty lists; called for each guarantee
 */
export function conformance(name: string, open: () => Promise<Harness>): void {
  for (const [guarantee, step] of Object.entries(GUARANTEES)) {
    Deno.test(`${name}: ${guarantee}`, async () => {
      await using harness = await open();
      await step(harness);
    });
  }
}
