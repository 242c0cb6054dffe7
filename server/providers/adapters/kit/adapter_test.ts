import assert from "node:assert/strict";
import { afterFirst } from "../../testing/serve_double.ts";
import type { State } from "./testing/account.ts";
import { KEY, serveKit } from "./testing/serve.ts";

/** Guarantees that come from Kit's own rules: one state for the whole account, and listings that lag behind. */

const ADA = "ada@example.com";

Deno.test("a new person is created inactive, because the form would otherwise ask for no confirmation", async () => {
  await using served = await serveKit();
  const target = { list: served.forms[0], email: ADA };
  const result = await served.provider().subscribe(target, { name: "Ada", tags: [] });
  assert.deepEqual(result, { kind: "accepted", isPending: true });
  assert.partialDeepStrictEqual(served.account.people.get(ADA), { state: "inactive", name: "Ada" });
});

Deno.test("a signup for another form changes neither the name nor the state of somebody in the account", async () => {
  for (const state of ["active", "inactive"] as const) {
    await using served = await serveKit();
    const { account, forms } = served;
    const person = account.add(ADA, { state, name: "Ada" });
    const target = { list: forms[0], email: ADA };
    const result = await served.provider().subscribe(target, { name: "Mallory", tags: [] });
    assert.deepEqual(result, { kind: "accepted", ...(state === "inactive" && { isPending: true }) });
    assert.deepEqual([person.name, person.state, [...person.forms.keys()]], ["Ada", state, [
      Number(forms[0]),
    ]]);
  }
});

Deno.test("a person without the form is not on the list", async () => {
  await using served = await serveKit();
  const { account, forms } = served;
  account.join(account.add(ADA), Number(forms[1]));
  assert.deepEqual(await served.provider().status({ list: forms[0], email: ADA }), { kind: "absent" });
});

Deno.test("somebody who unsubscribed, bounced or reported spam has that status on every form, and is added to none", async () => {
  const cases: [State, string, string][] = [
    ["cancelled", "left", "unsubscribed"],
    ["bounced", "suppressed", "bounced"],
    ["complained", "suppressed", "suppressed"],
  ];
  for (const [state, kind, status] of cases) {
    await using served = await serveKit();
    const person = served.account.add(ADA, { state });
    const target = { list: served.forms[0], email: ADA };
    assert.equal((await served.provider().subscribe(target, { tags: [] })).kind, kind);
    assert.deepEqual(await served.provider().status(target), { kind: "found", status });
    assert.deepEqual([person.forms.size, served.account.mails], [0, []]);
    assert.ok(served.front.received.every(({ method }) => method === "GET"));
  }
});

Deno.test("while Kit's listings lag behind, somebody who just left is not added, and one who just confirmed is active", async () => {
  await using served = await serveKit();
  const { account, double, forms } = served;
  const target = { list: forms[0], email: ADA };
  const provider = served.provider();
  await provider.subscribe(target, { tags: [] });
  double.lag(true);
  account.put(ADA, "active");
  assert.deepEqual(await provider.status(target), { kind: "found", status: "active" });
  account.put(ADA, "cancelled");
  assert.deepEqual(await provider.status(target), { kind: "found", status: "unsubscribed" });
  assert.deepEqual(await provider.subscribe({ ...target, list: forms[1] }, { tags: [] }), { kind: "left" });
  assert.deepEqual([...account.people.get(ADA)!.forms.keys()], [Number(forms[0])]);
});

Deno.test("while Kit's listings do not show a person yet, a repeated signup sends no second email, and one who left stays away", async () => {
  await using served = await serveKit();
  const { account, double, forms } = served;
  const target = { list: forms[0], email: ADA };
  const provider = served.provider();
  double.lag(true);
  const [first, second] = [
    await provider.subscribe(target, { tags: [] }),
    await provider.subscribe(target, { tags: [] }),
  ];
  assert.deepEqual([first.kind, second.kind, account.mails], ["accepted", "exists", [ADA]]);
  account.put(ADA, "cancelled");
  assert.deepEqual(await provider.subscribe({ ...target, list: forms[1] }, { tags: [] }), { kind: "left" });
  assert.equal(account.people.get(ADA)!.forms.size, 1);
});

Deno.test("a retry after a lost creation adds the person to the form, with one email", async () => {
  await using served = await serveKit();
  const target = { list: served.forms[0], email: ADA };
  const provider = served.provider();
  served.front.fail("resets after storing", ({ method }) => method === "POST");
  const lost = await provider.subscribe(target, { tags: [] });
  assert.partialDeepStrictEqual(lost, { kind: "trouble", unknown: true });
  served.front.recover();
  assert.deepEqual(await provider.status(target), { kind: "absent" });
  assert.equal((await provider.subscribe(target, { tags: [] })).kind, "accepted");
  assert.deepEqual(served.account.mails, [ADA]);
});

Deno.test("a person who is deleted while their status is read is absent", async () => {
  await using served = await serveKit();
  served.account.add(ADA);
  const fetch = afterFirst(() => served.account.people.delete(ADA));
  const target = { list: served.forms[0], email: ADA };
  assert.deepEqual(await served.provider({ fetch }).status(target), { kind: "absent" });
});

Deno.test("a form that does not exist is trouble, and nothing is sent for one that cannot exist", async () => {
  await using served = await serveKit();
  const provider = served.provider();
  const missing = { kind: "trouble", code: "not_found", unknown: false };
  for (const list of ["..", "0", "1/2", "", "news"]) {
    const target = { list, email: ADA };
    assert.partialDeepStrictEqual(await provider.subscribe(target, { tags: [] }), missing);
    assert.partialDeepStrictEqual(await provider.status(target), missing);
    assert.partialDeepStrictEqual(await provider.unconfirmed(list), missing);
  }
  assert.deepEqual(served.front.received, []);
  const target = { list: "99", email: ADA };
  assert.partialDeepStrictEqual(await provider.subscribe(target, { tags: [] }), missing);
  assert.partialDeepStrictEqual(await provider.status(target), missing);
  assert.partialDeepStrictEqual(await provider.unconfirmed("99"), missing);
});

Deno.test("all forms are listed, and so are all people who have not confirmed, over several pages", async () => {
  await using served = await serveKit();
  const { account, forms: [newsletter] } = served;
  for (let form = 0; form < 503; form++) {
    account.forms.set(account.newId(), { name: `Form ${form}`, doubleOptIn: true });
  }
  const lists = await served.provider().lists();
  assert.ok(lists.kind === "lists");
  assert.equal(new Set(lists.lists.map(({ id }) => id)).size, 505);

  const emails = Array.from({ length: 503 }, (_, index) => `reader${index}@example.com`);
  for (const email of emails) account.join(account.add(email, { state: "inactive" }), Number(newsletter));
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await served.provider().unconfirmed(newsletter, cursor);
    assert.ok(page.kind === "page");
    found.push(...page.items.map(({ email }) => email));
    cursor = page.cursor;
  } while (cursor !== undefined);
  assert.deepEqual(found, emails);
  const status = await served.provider().status({ list: newsletter, email: emails.at(-1)! });
  assert.deepEqual(status, { kind: "found", status: "pending" }, "on the form's second page");
});

Deno.test("a person's form is found whatever the time of day at which they joined the account", async () => {
  await using served = await serveKit();
  const { account, forms: [newsletter] } = served;
  for (const createdAt of ["2024-02-29T00:00:00Z", "2024-12-31T23:59:59Z", "2023-03-01T12:00:00Z"]) {
    const email = `at${createdAt.slice(0, 4)}${createdAt.slice(5, 7)}@example.com`;
    account.join(account.add(email, { createdAt }), Number(newsletter));
    const status = await served.provider().status({ list: newsletter, email });
    assert.deepEqual(status, { kind: "found", status: "active" }, createdAt);
  }
});

Deno.test("nothing is sent without a key, or with one that no header can contain", async () => {
  await using served = await serveKit();
  for (const [apiKey, code] of [["", "not_configured"], [`${KEY}…`, "invalid_key"]] as const) {
    const result = await served.provider({ apiKey: () => apiKey }).lists();
    assert.partialDeepStrictEqual(result, { kind: "trouble", code, unknown: false });
  }
  assert.deepEqual(served.front.received, []);
});
