import assert from "node:assert/strict";
import type { Fetch } from "../../../platform/deps.ts";
import { transport } from "../../../platform/http/outbound/transport.ts";
import { serveButtondown } from "./testing/serve.ts";

/** Guarantees that come from Buttondown's own rules: newsletters as lists, plans, limits and the firewall. */

const ADA = "ada@example.com";

const PERSON = { name: "Ada", tags: ["footer"], properties: { size: "l", guests: 2 } };
const METADATA = { ...PERSON.properties, name: "Ada" };

Deno.test("a new person is created with name, answers and tags, and without a type, which could skip double opt-in", async () => {
  await using served = await serveButtondown();
  const target = { list: served.own.id, email: ADA };
  const result = await served.provider().subscribe(target, PERSON);
  assert.deepEqual(result, { kind: "accepted", isPending: true });
  const { type, metadata, tags } = served.own.people.get(ADA)!;
  assert.deepEqual({ type, metadata, tags }, { type: "unactivated", metadata: METADATA, tags: ["footer"] });
});

Deno.test("on a plan without tags or metadata, the person is added without them, with one email", async () => {
  for (const hasMetadata of [true, false]) {
    await using served = await serveButtondown();
    Object.assign(served.double.rules, { hasTags: false, hasMetadata });
    const target = { list: served.own.id, email: ADA };
    const result = await served.provider().subscribe(target, PERSON);
    assert.deepEqual(result, { kind: "accepted", isPending: true });
    const { metadata, tags } = served.own.people.get(ADA)!;
    assert.deepEqual({ metadata, tags }, { metadata: hasMetadata ? METADATA : {}, tags: [] });
    assert.deepEqual(served.double.mails, [ADA]);
  }
});

Deno.test("a signup that the key's permissions do not allow is sent once", async () => {
  await using served = await serveButtondown();
  const body = { code: "forbidden", detail: "You may not do this." };
  let requests = 0;
  const fetch: Fetch = () => {
    requests++;
    return Promise.resolve(Response.json(body, { status: 403 }));
  };
  const result = await served.provider({ fetch }).subscribe({ list: served.own.id, email: ADA }, PERSON);
  assert.partialDeepStrictEqual(result, { kind: "trouble", code: "forbidden", unknown: false });
  assert.equal(requests, 1);
});

Deno.test("somebody whom Buttondown has already is not changed, whatever their type", async () => {
  const cases = [
    ["unactivated", "exists"],
    ["regular", "exists"],
    ["premium", "exists"],
    ["unsubscribed", "left"],
    ["undeliverable", "suppressed"],
    ["complained", "suppressed"],
    ["blocked", "suppressed"],
  ] as const;
  for (const [type, kind] of cases) {
    await using served = await serveButtondown();
    served.put(ADA, type);
    const before = structuredClone(served.own.people);
    const target = { list: served.own.id, email: ADA };
    const result = await served.provider().subscribe(target, { name: "Mallory", tags: ["x"] });
    assert.equal(result.kind, kind, type);
    assert.deepEqual([served.own.people, served.double.mails], [before, []], type);
  }
});

Deno.test("a person who is deleted after the collision is trouble without effect, so that the signup is repeated", async () => {
  await using served = await serveButtondown();
  served.put(ADA, "regular");
  let requests = 0;
  const fetch: Fetch = async (input, init) => {
    const response = await transport(input, init);
    if (++requests === 1) served.own.people.delete(ADA);
    return response;
  };
  const target = { list: served.own.id, email: ADA };
  const result = await served.provider({ fetch }).subscribe(target, { tags: [] });
  assert.partialDeepStrictEqual(result, { kind: "trouble", unknown: false });
});

Deno.test("the daily limit is trouble with the account and not with the person", async () => {
  await using served = await serveButtondown();
  served.double.rules.creationsLeft = 0;
  const result = await served.provider().subscribe({ list: served.own.id, email: ADA }, { tags: [] });
  assert.deepEqual(result, {
    kind: "trouble",
    code: "account",
    reason: "Buttondown's limit of new subscribers a day is reached",
    unknown: false,
  });
});

Deno.test("somebody whom the firewall blocks is suppressed, whether or not Buttondown keeps them for a review", async () => {
  for (const firewall of ["rejects", "accepts as blocked"] as const) {
    await using served = await serveButtondown();
    served.double.rules.firewall = firewall;
    const target = { list: served.own.id, email: "spam@example.com" };
    const result = await served.provider().subscribe(target, { tags: [] });
    assert.partialDeepStrictEqual(result, { kind: "suppressed" }, firewall);
    assert.deepEqual(served.double.mails, [], firewall);
  }
});

Deno.test("an address with characters that Buttondown does not accept is refused", async () => {
  await using served = await serveButtondown();
  const target = { list: served.own.id, email: "a/b@example.com" };
  assert.equal((await served.provider().subscribe(target, { tags: [] })).kind, "refused");
});

Deno.test("a signup for one newsletter does not change the others", async () => {
  await using served = await serveButtondown();
  const [own, other] = served.double.newsletters;
  served.put(ADA, "unsubscribed");
  const target = { list: other!.id, email: ADA };
  assert.deepEqual(await served.provider().status(target), { kind: "absent" });
  assert.deepEqual(await served.provider().subscribe(target, { tags: [] }), { kind: "accepted" });
  assert.deepEqual([own!.people.get(ADA)!.type, other!.people.get(ADA)!.type], ["unsubscribed", "regular"]);
});

Deno.test("a newsletter that the key does not reach is trouble, and nothing is sent for an ID that cannot exist", async () => {
  await using served = await serveButtondown();
  const provider = served.provider();
  const elsewhere = await provider.subscribe({ list: crypto.randomUUID(), email: ADA }, { tags: [] });
  assert.partialDeepStrictEqual(elsewhere, { kind: "trouble", code: "forbidden", unknown: false });
  const sent = served.front.received.length;
  for (const list of ["", "a\r\nb", "a b", "ä"]) {
    const result = await provider.status({ list, email: ADA });
    assert.partialDeepStrictEqual(result, { kind: "trouble", code: "not_configured" }, list);
  }
  assert.equal(served.front.received.length, sent);
});

Deno.test("the list of newsletters does not contain their API keys", async () => {
  await using served = await serveButtondown();
  const lists = served.double.newsletters.map(({ id, name }) => ({ id, name }));
  assert.deepEqual(await served.provider().lists(), { kind: "lists", lists });
});

Deno.test("a reminder and a reactivation change nobody for whom they are not meant", async () => {
  const cases = [
    ["regular", "refused", "active"],
    ["unsubscribed", "refused", "active"],
    ["unactivated", "sent", "refused"],
    ["undeliverable", "suppressed", "refused"],
    ["blocked", "suppressed", "refused"],
  ] as const;
  for (const [type, resent, reactivated] of cases) {
    await using served = await serveButtondown();
    served.put(ADA, type);
    const target = { list: served.own.id, email: ADA };
    assert.equal((await served.provider().resend(target)).kind, resent, type);
    assert.equal((await served.provider().reactivate(target)).kind, reactivated, type);
    const expected = reactivated === "active" ? "regular" : type;
    assert.equal(served.own.people.get(ADA)!.type, expected);
  }
});

Deno.test("people with a paid subscription are active, with the time of their last change", async () => {
  await using served = await serveButtondown();
  served.put(ADA, "unactivated");
  served.put(ADA, "premium");
  const changedAt = Date.parse(served.own.people.get(ADA)!.transitions.at(-1)!.date);
  const result = await served.provider().status({ list: served.own.id, email: ADA });
  assert.deepEqual(result, { kind: "found", status: "active", changedAt });
});

Deno.test("a type that Buttondown's documentation does not list is trouble", async () => {
  await using served = await serveButtondown();
  served.put(ADA, "regular");
  served.own.people.get(ADA)!.type = "dormant";
  const result = await served.provider().status({ list: served.own.id, email: ADA });
  assert.partialDeepStrictEqual(result, { kind: "trouble", code: "unexpected" });
});

Deno.test("those who have not confirmed are listed over all pages, without the others", async () => {
  await using served = await serveButtondown();
  const emails = Array.from({ length: 101 }, (_, index) => `reader${index}@example.com`);
  for (const email of emails) served.put(email, "unactivated");
  served.put(ADA, "regular");
  const provider = served.provider();
  const first = await provider.unconfirmed(served.own.id);
  assert.ok(first.kind === "page");
  const second = await provider.unconfirmed(served.own.id, first.cursor);
  assert.ok(second.kind === "page");
  assert.deepEqual([...first.items, ...second.items].map(({ email }) => email), emails);
  assert.deepEqual([first.total, second.cursor], [101, undefined]);
});
