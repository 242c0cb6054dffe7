import assert from "node:assert/strict";
import { afterFirst } from "../../testing/serve_double.ts";
import type { Status } from "./testing/account.ts";
import { serveMailerlite, TOKEN } from "./testing/serve.ts";

/** Guarantees that come from MailerLite's own rules: one status for the whole account, and an upsert that takes one. */

const ADA = "ada@example.com";

Deno.test("a signup for another group changes neither the name nor the status of somebody in the account, and sends no email", async () => {
  for (const status of ["active", "unconfirmed"] as const) {
    await using served = await serveMailerlite();
    const { account, groups: [newsletter, buyers] } = served;
    account.add(ADA, { status, name: "Ada", groups: new Set([newsletter]) });
    account.mails.length = 0;
    const target = { list: buyers, email: ADA };
    const result = await served.provider().subscribe(target, { name: "Mallory", tags: [] });
    const isPending = status === "unconfirmed";
    assert.deepEqual(result, { kind: "accepted", ...(isPending && { isPending }) });
    const person = account.people.get(ADA)!;
    assert.deepEqual([person.name, person.status, [...person.groups]], ["Ada", status, [newsletter, buyers]]);
    assert.deepEqual(account.mails, []);
  }
});

Deno.test("a person without the group is not on the list", async () => {
  await using served = await serveMailerlite();
  const { account, groups: [newsletter, buyers] } = served;
  account.add(ADA, { status: "active", groups: new Set([newsletter]) });
  assert.deepEqual(await served.provider().status({ list: buyers, email: ADA }), { kind: "absent" });
});

Deno.test("somebody who unsubscribed, bounced or reported spam has that status in every group, and is added to none", async () => {
  const cases: [Status, string, string][] = [
    ["unsubscribed", "left", "unsubscribed"],
    ["bounced", "suppressed", "bounced"],
    ["junk", "suppressed", "suppressed"],
  ];
  for (const [status, kind, seen] of cases) {
    await using served = await serveMailerlite();
    const { account, groups: [newsletter, buyers] } = served;
    account.add(ADA, { status, groups: new Set([newsletter]) });
    const target = { list: buyers, email: ADA };
    assert.equal((await served.provider().subscribe(target, { tags: [] })).kind, kind);
    assert.partialDeepStrictEqual(await served.provider().status(target), { kind: "found", status: seen });
    assert.deepEqual([...account.people.get(ADA)!.groups], [newsletter]);
    assert.deepEqual(served.front.received.map(({ method }) => method), ["GET", "GET"]);
  }
});

Deno.test("somebody who confirms between the read and the subscribe stays active, and one who leaves in between does not come back", async () => {
  for (const [status, kind] of [["active", "accepted"], ["unsubscribed", "left"]] as const) {
    await using served = await serveMailerlite();
    const { account, groups: [newsletter] } = served;
    const fetch = afterFirst(() => account.add(ADA, { status, groups: new Set([newsletter]) }));
    const target = { list: newsletter, email: ADA };
    assert.deepEqual(await served.provider({ fetch }).subscribe(target, { tags: [] }), { kind });
    assert.equal(account.people.get(ADA)!.status, status);
  }
});

Deno.test("without double opt-in in the account, a signup is active at once and is not reported as pending", async () => {
  await using served = await serveMailerlite();
  served.account.doubleOptIn = false;
  const target = { list: served.groups[0], email: ADA };
  assert.deepEqual(await served.provider().subscribe(target, { tags: [] }), { kind: "accepted" });
  assert.partialDeepStrictEqual(await served.provider().status(target), { kind: "found", status: "active" });
});

Deno.test("a group that does not exist is trouble, for somebody new and for somebody in the account", async () => {
  await using served = await serveMailerlite();
  const provider = served.provider();
  const target = { list: "99", email: ADA };
  for (let person = 0; person < 2; person++) {
    const result = await provider.subscribe(target, { tags: [] });
    assert.partialDeepStrictEqual(result, { kind: "trouble", code: "not_found", unknown: false });
    if (person === 0) served.account.add(ADA, { status: "active" });
  }
  assert.partialDeepStrictEqual(await provider.unconfirmed(target.list), {
    kind: "trouble",
    code: "not_found",
  });
});

Deno.test("all groups are listed, and so are all people who have not confirmed, over several pages", async () => {
  await using served = await serveMailerlite();
  const { account, groups: [newsletter] } = served;
  for (let group = 0; group < 203; group++) account.groups.set(account.newId(), `Group ${group}`);
  const lists = await served.provider().lists();
  assert.ok(lists.kind === "lists");
  assert.equal(new Set(lists.lists.map(({ id }) => id)).size, 205);

  const emails = Array.from({ length: 103 }, (_, index) => `reader${index}@example.com`);
  for (const email of emails) account.add(email, { groups: new Set([newsletter]) });
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await served.provider().unconfirmed(newsletter, cursor);
    assert.ok(page.kind === "page");
    assert.equal(page.total, 103);
    found.push(...page.items.map(({ email }) => email));
    cursor = page.cursor;
  } while (cursor !== undefined);
  assert.deepEqual(found, emails);
});

Deno.test("nothing is sent without a token, with one that no header can contain, or for a group whose ID changes the path", async () => {
  await using served = await serveMailerlite();
  for (const [apiKey, code] of [["", "not_configured"], [`${TOKEN}…`, "invalid_key"]] as const) {
    const result = await served.provider({ apiKey: () => apiKey }).lists();
    assert.partialDeepStrictEqual(result, { kind: "trouble", code, unknown: false });
  }
  for (const list of ["..", "."]) {
    const result = await served.provider().unconfirmed(list);
    assert.partialDeepStrictEqual(result, { kind: "trouble", code: "not_configured" });
  }
  assert.deepEqual(served.front.received, []);
});

Deno.test("a signup's properties become fields of a new person, which are created once, and nobody else's change", async () => {
  await using served = await serveMailerlite();
  const { account, list, front } = served;
  account.fields.set("guests", "number");
  account.add(ADA, { status: "active", fields: { size: "s" } });
  const provider = served.provider();
  for (const email of ["ben@example.com", "eve@example.com", ADA]) {
    await provider.subscribe({ list, email }, {
      name: "Ben",
      tags: [],
      properties: { Size: "l", guests: 2 },
    });
  }
  for (const email of ["ben@example.com", "eve@example.com"]) {
    assert.deepEqual(account.people.get(email)!.fields, { size: "l", guests: 2 });
  }
  assert.deepEqual(account.people.get(ADA)!.fields, { size: "s" });
  assert.equal(account.fields.get("size"), "text");
  assert.equal(
    front.received.filter(({ method, target }) => method === "POST" && /fields/.test(target)).length,
    1,
  );
});

Deno.test("a field that MailerLite refuses, or that can't hold the answer, is left out, and the others are stored", async () => {
  await using served = await serveMailerlite();
  const { account, list } = served;
  account.fields.set("guests", "number");
  account.mostFields = 2;
  const properties = { color: "red", size: "l", guests: "many" };
  const result = await served.provider().subscribe({ list, email: ADA }, { tags: [], properties });
  assert.equal(result.kind, "accepted");
  assert.deepEqual(account.people.get(ADA)!.fields, { color: "red" });
});

Deno.test("answers whose names have letters that a key can't have get fields of their own, unless an earlier version made one", async () => {
  await using served = await serveMailerlite();
  const { account, list } = served;
  account.fields.set("gr_e", "text");
  const properties = { "名前": "Ada", "住所": "London", "Größe": "l", "Äpfel": "2", "Öpfel": "3" };
  await served.provider().subscribe({ list, email: ADA }, { tags: [], properties });
  const { gr_e: size, ...others } = account.people.get(ADA)!.fields;
  assert.equal(size, "l");
  assert.deepEqual(Object.values(others), ["Ada", "London", "2", "3"]);
  for (const key of account.fields.keys()) assert.match(key, /^[a-z0-9_]{1,100}$/);
});
