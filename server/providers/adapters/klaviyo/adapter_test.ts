import assert from "node:assert/strict";
import type { Fetch } from "../../../platform/deps.ts";
import { transport } from "../../../platform/http/outbound/transport.ts";
import { KEY, type ServedKlaviyo, serveKlaviyo } from "./testing/serve.ts";

/** Guarantees that come from Klaviyo's own rules: the subscribe job lifts suppressions, runs later, and hides who is pending. */

const ADA = "ada@example.com";

const writes = ({ front }: ServedKlaviyo) =>
  front.received.filter(({ method }) => method !== "GET").map(({ target }) => target);

Deno.test("nobody who left or is suppressed becomes part of a job, which would lift the suppression", async () => {
  const reasons: [reason: string, kind: string, status: string][] = [
    ["UNSUBSCRIBE", "left", "unsubscribed"],
    ["USER_SUPPRESSED", "suppressed", "suppressed"],
    ["SPAM_COMPLAINT", "suppressed", "suppressed"],
    ["HARD_BOUNCE", "suppressed", "bounced"],
    ["INVALID_EMAIL", "suppressed", "bounced"],
  ];
  for (const [reason, kind, status] of reasons) {
    for (const isOnList of [false, true]) {
      await using served = await serveKlaviyo();
      const target = { list: served.lists.double, email: ADA };
      if (isOnList) served.account.confirm(ADA, target.list);
      served.account.suppress(ADA, reason);
      const provider = served.provider();
      assert.equal((await provider.subscribe(target, { name: "Ada", tags: [] })).kind, kind, reason);
      assert.notEqual((await provider.resend(target)).kind, "sent", reason);
      assert.partialDeepStrictEqual(await provider.status(target), { kind: "found", status });
      assert.deepEqual(writes(served), [], reason);
    }
  }
});

Deno.test("somebody who left one list is not added to it again, and can join another", async () => {
  await using served = await serveKlaviyo();
  const { account, lists } = served;
  account.confirm(ADA, lists.single);
  account.suppress(ADA, "UNSUBSCRIBE", lists.double);
  const provider = served.provider();
  assert.deepEqual(await provider.subscribe({ list: lists.double, email: ADA }, { tags: [] }), {
    kind: "left",
  });
  assert.deepEqual(await provider.subscribe({ list: lists.single, email: ADA }, { tags: [] }), {
    kind: "exists",
  });
  const other = account.addList("Events", "double_opt_in");
  assert.deepEqual(await provider.subscribe({ list: other, email: ADA }, { tags: [] }), { kind: "accepted" });
});

Deno.test("a profile that does not show its subscriptions is not subscribed", async () => {
  await using served = await serveKlaviyo();
  served.account.unsubscribe(ADA);
  const fetch: Fetch = async (input, init) => {
    const response = await transport(input, init);
    const { data, ...rest } = await response.json();
    delete data[0].attributes.subscriptions;
    return Response.json({ ...rest, data });
  };
  const target = { list: served.lists.double, email: ADA };
  const result = await served.provider({ fetch }).subscribe(target, { tags: [] });
  assert.partialDeepStrictEqual(result, { kind: "trouble", code: "unexpected", unknown: false });
  assert.deepEqual(writes(served), []);
});

Deno.test("an address is found in any letter case", async () => {
  await using served = await serveKlaviyo();
  served.account.unsubscribe(ADA);
  const target = { list: served.lists.double, email: "Ada@Example.com" };
  assert.deepEqual(await served.provider().subscribe(target, { tags: [] }), { kind: "left" });
});

Deno.test("a consent for another list, or a place on the list without consent, is not active", async () => {
  await using served = await serveKlaviyo();
  const { account, lists } = served;
  account.confirm(ADA, lists.single);
  account.profile("imported@example.com").joined.set(lists.double, "2026-01-01T00:00:00+00:00");
  const provider = served.provider();
  for (const email of [ADA, "imported@example.com"]) {
    assert.deepEqual(await provider.status({ list: lists.double, email }), { kind: "absent" });
  }
  assert.deepEqual(await provider.changed(lists.double, 0), { kind: "page", items: [] });
});

Deno.test("a job that runs later is accepted, and the person is found once it has run", async () => {
  await using served = await serveKlaviyo();
  const { account, lists } = served;
  account.isSlow = true;
  const target = { list: lists.single, email: ADA };
  assert.deepEqual(await served.provider().subscribe(target, { tags: [] }), { kind: "accepted" });
  assert.deepEqual(await served.provider().status(target), { kind: "absent" });
  account.settle();
  assert.partialDeepStrictEqual(await served.provider().status(target), { kind: "found", status: "active" });
});

Deno.test("nothing is resent on a list without double opt-in, because that would subscribe the address", async () => {
  for (const optIn of ["single_opt_in", null] as const) {
    await using served = await serveKlaviyo();
    const target = { list: served.lists.double, email: ADA };
    await served.provider().subscribe(target, { tags: [] });
    served.account.lists.get(target.list)!.optIn = optIn;
    assert.equal((await served.provider().resend(target)).kind, "refused");
    assert.deepEqual(await served.provider().status(target), { kind: "absent" });
  }
});

Deno.test("a signup stores the name and the tags of a new person, and changes nobody else's", async () => {
  await using served = await serveKlaviyo();
  const { account, lists } = served;
  const provider = served.provider();
  await provider.subscribe({ list: lists.double, email: ADA }, {
    name: "Ada King Lovelace",
    tags: ["footer"],
  });
  await provider.subscribe({ list: lists.single, email: ADA }, { name: "Mallory", tags: ["popup"] });
  const { firstName, lastName, properties } = account.profile(ADA);
  assert.deepEqual([firstName, lastName, properties], ["Ada", "King Lovelace", { cfbeTags: ["footer"] }]);
  assert.deepEqual(await provider.contact(ADA), {
    kind: "found",
    contact: { name: "Ada King Lovelace", tags: ["footer"] },
  });
});

Deno.test("an import keeps the time and the IP of the confirmation, and the name and properties of somebody who is known", async () => {
  await using served = await serveKlaviyo();
  const { account, lists } = served;
  account.profile(ADA).firstName = "Ada";
  const proof = { name: "Other", tags: ["old"], confirmedAt: Date.UTC(2026, 0, 2), ip: "192.0.2.7" };
  for (const [email, omitted] of [[ADA, { size: "exists" }], ["bob@example.com", {}]] as const) {
    const result = await served.provider().importConfirmed({ list: lists.double, email }, {
      ...proof,
      properties: { size: "l" },
    });
    assert.deepEqual(result, { kind: "imported", omitted });
    assert.equal(account.profile(email).consentedAt, "2026-01-02T00:00:00.000Z");
    assert.equal(account.profile(email).properties["cfbeSignupIp"], "192.0.2.7");
  }
  assert.deepEqual([account.profile(ADA).firstName, account.profile("bob@example.com").firstName], [
    "Ada",
    "Other",
  ]);
  assert.deepEqual([ADA, "bob@example.com"].map((email) => account.profile(email).properties["size"]), [
    undefined,
    "l",
  ]);
});

Deno.test("saving a contact keeps the site's own properties and the consent", async () => {
  await using served = await serveKlaviyo();
  const { account, lists } = served;
  account.confirm(ADA, lists.double);
  Object.assign(account.profile(ADA).properties, { tags: "the site's own", size: "M" });
  await served.provider().saveContact(ADA, { tags: ["buyer"], properties: { cfbeOrders: 2 } });
  const { properties, consent } = account.profile(ADA);
  const expected = { tags: "the site's own", size: "M", cfbeTags: ["buyer"], cfbeOrders: 2 };
  assert.deepEqual([properties, consent], [expected, "SUBSCRIBED"]);
});

Deno.test("an address that Klaviyo rejects is refused, and a list that does not exist is trouble", async () => {
  await using served = await serveKlaviyo();
  const provider = served.provider();
  const list = served.lists.double;
  for (const name of ["Ada", ""]) {
    const result = await provider.subscribe({ list, email: "no address" }, { name, tags: [] });
    assert.equal(result.kind, "refused");
  }
  assert.equal((await provider.saveContact("no address", { tags: [], properties: {} })).kind, "refused");
  for (const missing of ["Xyz123", "../profiles", ""]) {
    const result = await provider.subscribe({ list: missing, email: ADA }, { tags: [] });
    assert.partialDeepStrictEqual(result, { kind: "trouble", code: "not_found", unknown: false });
    const listed = await provider.changed(missing, 0);
    assert.partialDeepStrictEqual(listed, { kind: "trouble", code: "not_found" });
  }
});

Deno.test("all lists and all members are listed, over several pages and while members leave", async () => {
  await using served = await serveKlaviyo();
  const { account, lists: { double: list } } = served;
  for (let count = 0; count < 23; count++) account.addList(`List ${count}`, null);
  const lists = await served.provider().lists();
  assert.ok(lists.kind === "lists");
  assert.deepEqual(new Set(lists.lists.map(({ id }) => id)), new Set(account.lists.keys()));
  assert.equal(lists.lists.find(({ name }) => name === "List 7")!.doubleOptIn, undefined);

  const emails = Array.from({ length: 230 }, (_, index) => `reader${index}@example.com`);
  for (const email of emails) account.confirm(email, list);
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await served.provider().changed(list, 0, cursor);
    assert.ok(page.kind === "page");
    found.push(...page.items.map(({ email }) => email));
    account.profile(page.items[0]!.email).joined.delete(list);
    cursor = page.cursor;
  } while (cursor !== undefined);
  assert.deepEqual(found.toSorted(), emails.toSorted());
});

Deno.test("nothing is sent without a key, or with one that no header can contain", async () => {
  await using served = await serveKlaviyo();
  for (const [apiKey, code] of [["", "not_configured"], [`${KEY}…`, "invalid_key"]] as const) {
    const result = await served.provider({ apiKey: () => apiKey }).lists();
    assert.partialDeepStrictEqual(result, { kind: "trouble", code, unknown: false });
  }
  assert.deepEqual(served.front.received, []);
});

Deno.test("a signup's properties are stored in a new profile, and not in one that exists", async () => {
  await using served = await serveKlaviyo();
  const { account, lists } = served;
  account.profile("known@example.com").properties["size"] = "s";
  for (const email of [ADA, "known@example.com"]) {
    const person = { tags: [], properties: { size: "l" } };
    await served.provider().subscribe({ list: lists.double, email }, person);
  }
  assert.deepEqual(account.profile(ADA).properties, { size: "l" });
  assert.deepEqual(account.profile("known@example.com").properties, { size: "s" });
});

Deno.test("a first and a last name are stored in Klaviyo's own fields, and count more than the whole name", async () => {
  await using served = await serveKlaviyo();
  const { account, lists } = served;
  const properties = { first_name: "Anna Maria", last_name: "Lopez", size: "l" };
  const person = { name: "Ann", tags: [], properties };
  await served.provider().subscribe({ list: lists.double, email: ADA }, person);
  const profile = account.profile(ADA);
  assert.deepEqual([profile.firstName, profile.lastName, profile.properties], ["Anna Maria", "Lopez", {
    size: "l",
  }]);
});
