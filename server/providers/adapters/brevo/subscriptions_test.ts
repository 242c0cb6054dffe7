import assert from "node:assert/strict";
import { OPT_IN_TEMPLATE } from "./testing/account.ts";
import { serveBrevo } from "./testing/serve.ts";

const EMAIL = "ann@example.com";
const person = { tags: [] };

Deno.test("a person who unsubscribed from all emails or left the list gets no confirmation email", async () => {
  for (const everything of [true, false]) {
    await using served = await serveBrevo();
    const { account, list } = served;
    const provider = served.provider();
    const target = { list, email: EMAIL };
    await provider.subscribe(target, person);
    account.confirm(list, EMAIL);
    if (everything) account.unsubscribe(EMAIL);
    else account.leave(list, EMAIL);
    assert.deepEqual(await provider.subscribe(target, person), { kind: "left" });
    assert.equal((await provider.resend(target)).kind, "refused");
    assert.partialDeepStrictEqual(await provider.status(target), { kind: "found", status: "unsubscribed" });
    assert.equal(account.mails.length, 1);
  }
});

Deno.test("the statistics of a contact on the blocklist tell why, and without them it counts as unsubscribed", async () => {
  await using served = await serveBrevo();
  const { account, list } = served;
  const provider = served.provider();
  const table = [
    ["hardBounces", "bounced", "suppressed"],
    ["complaints", "suppressed", "suppressed"],
    ["admin", "suppressed", "suppressed"],
    ["unknown", "unsubscribed", "left"],
  ] as const;
  for (const [why, status, kind] of table) {
    const target = { list, email: `${why.toLowerCase()}@example.com` };
    account.block(target.email, why);
    assert.partialDeepStrictEqual(await provider.status(target), { kind: "found", status }, why);
    assert.equal((await provider.subscribe(target, person)).kind, kind, why);
  }
  assert.deepEqual(account.mails, []);
});

Deno.test("a contact of the account joins the list only by confirming, and keeps its name and tags", async () => {
  await using served = await serveBrevo();
  const { account, list } = served;
  const provider = served.provider();
  const target = { list, email: EMAIL };
  await provider.saveContact(EMAIL, { name: "Ann", tags: ["customer"], properties: {} });
  const accepted = await provider.subscribe(target, { name: "Somebody else", tags: ["news"] });
  assert.deepEqual(accepted, { kind: "accepted", isPending: true });
  assert.deepEqual(await provider.status(target), { kind: "absent" });
  account.confirm(list, EMAIL);
  assert.partialDeepStrictEqual(await provider.status(target), { kind: "found", status: "active" });
  assert.deepEqual(await provider.contact(EMAIL), {
    kind: "found",
    contact: { name: "Ann", tags: ["customer", "news"] },
  });
});

Deno.test("a contact that is blocked between reading and subscribing is not reported as accepted", async () => {
  await using served = await serveBrevo();
  const { account, handle, front, list } = served;
  const provider = served.provider({
    baseUrl: "http://brevo.test/v3",
    fetch: async (url, init) => {
      if (String(url).endsWith("/doubleOptinConfirmation")) account.block(EMAIL, "complaints");
      return await handle(new Request(url, init));
    },
  });
  assert.equal((await provider.subscribe({ list, email: EMAIL }, person)).kind, "suppressed");
  assert.deepEqual([account.mails, front.received], [[], []]);
});

Deno.test("a template that Brevo refuses is trouble, not a rejected address, and the lists show it", async () => {
  await using served = await serveBrevo();
  const { account, list } = served;
  const provider = served.provider();
  const optIn = async () => {
    const found = await provider.lists();
    return found.kind === "lists" && found.lists[0]!.doubleOptIn;
  };
  assert.equal(await optIn(), true);
  const good = account.templates.get(OPT_IN_TEMPLATE)!;
  for (const bad of [{ ...good, isActive: false }, { ...good, tag: "" }, undefined]) {
    if (bad) account.templates.set(OPT_IN_TEMPLATE, bad);
    else account.templates.delete(OPT_IN_TEMPLATE);
    const result = await provider.subscribe({ list, email: EMAIL }, person);
    assert.ok(result.kind === "trouble" && !result.unknown);
    assert.match(result.reason, /tag “optin”/);
    assert.equal(result.code, "account");
    assert.equal(await optIn(), false);
  }
});

Deno.test("without a template and a page after the confirmation, nobody is subscribed", async () => {
  await using served = await serveBrevo();
  const { account, list } = served;
  for (const missing of ["template", "thanksUrl"]) {
    for (const value of ["", "javascript:1"]) {
      const provider = served.provider({ [missing]: () => value });
      const result = await provider.subscribe({ list, email: EMAIL }, person);
      assert.partialDeepStrictEqual(result, { kind: "trouble", code: "not_configured", unknown: false });
    }
  }
  assert.deepEqual(account.unconfirmed, []);
});

Deno.test("reactivating keeps the other lists, and refuses a person whose address bounces or who complained", async () => {
  await using served = await serveBrevo();
  const { account, list } = served;
  const provider = served.provider();
  const other = Number(account.addList("Offers"));
  account.change(account.put(EMAIL), { listIds: [other, Number(list)] });
  account.leave(list, EMAIL);
  assert.deepEqual(await provider.reactivate({ list, email: EMAIL }), { kind: "active" });
  assert.deepEqual(account.find(EMAIL)!.listIds, [other, Number(list)]);
  for (const why of ["hardBounces", "complaints"] as const) {
    account.block(EMAIL, why);
    assert.equal((await provider.reactivate({ list, email: EMAIL })).kind, "refused");
    assert.equal(account.find(EMAIL)!.emailBlacklisted, true);
  }
});

Deno.test("reactivating lifts no block whose reason Brevo does not show, as after 90 days, and says what to do", async () => {
  await using served = await serveBrevo();
  const { account, list } = served;
  const provider = served.provider();
  const target = { list, email: EMAIL };
  account.change(account.put(EMAIL), { listIds: [Number(list)] });
  account.unsubscribe(EMAIL);
  assert.deepEqual(await provider.reactivate(target), { kind: "active" });
  account.unsubscribe(EMAIL);
  account.age(EMAIL, 91);
  assert.equal((await provider.reactivate(target)).kind, "refused");
  for (const why of ["hardBounces", "complaints", "admin"] as const) {
    account.block(EMAIL, why);
    account.age(EMAIL, 91);
    const result = await provider.reactivate(target);
    assert.ok(result.kind === "refused");
    assert.match(result.reason, /Find out why in Brevo, and unblock the contact there/);
    assert.equal(account.find(EMAIL)!.emailBlacklisted, true);
    const status = { kind: "found", status: "unsubscribed", isUnexplained: true };
    assert.partialDeepStrictEqual(await provider.status(target), status);
    const left = { kind: "left", isUnexplained: true };
    assert.partialDeepStrictEqual(await provider.subscribe(target, person), left);
  }
});

Deno.test("an attribute that Brevo refuses, or that can't hold the answer, is left out, and the others are stored", async () => {
  await using served = await serveBrevo();
  const { account, list } = served;
  account.attributes.set("GUESTS", "float");
  account.mostAttributes = account.attributes.size + 1;
  const properties = { color: "red", size: "l", guests: "many" };
  const result = await served.provider().subscribe({ list, email: EMAIL }, { tags: ["tea"], properties });
  assert.equal(result.kind, "accepted");
  account.confirm(list, EMAIL);
  assert.deepEqual(account.find(EMAIL)!.attributes, { COLOR: "red" });
});

Deno.test("a signup's properties become attributes, which are created, and those of a contact stay", async () => {
  await using served = await serveBrevo();
  const { account, list } = served;
  const provider = served.provider();
  const properties = { shirtSize: "l", guests: 2, FIRSTNAME: "Ann" };
  await provider.saveContact(EMAIL, { tags: [], properties: { shirtSize: "s" } });
  for (const email of [EMAIL, "ben@example.com"]) {
    assert.equal((await provider.subscribe({ list, email }, { tags: [], properties })).kind, "accepted");
    account.confirm(list, email);
  }
  const attributes = (email: string) => account.find(email)!.attributes;
  assert.partialDeepStrictEqual(attributes("ben@example.com"), {
    SHIRT_SIZE: "l",
    GUESTS: 2,
    FIRSTNAME: "Ann",
  });
  assert.partialDeepStrictEqual(attributes(EMAIL), { SHIRT_SIZE: "s", GUESTS: 2 });
  assert.equal(account.attributes.get("GUESTS"), "float");
});

const OTHER_LETTERS = { "名前": "Ada", "住所": "London", "Größe": "l", "Grüße": "hi" };

Deno.test("answers whose names have letters that an attribute can't have get attributes of their own", async () => {
  await using served = await serveBrevo();
  const { account, list } = served;
  for (const email of [EMAIL, "ben@example.com"]) {
    await served.provider().subscribe({ list, email }, { tags: [], properties: OTHER_LETTERS });
    account.confirm(list, email);
    assert.deepEqual(Object.values(account.find(email)!.attributes), Object.values(OTHER_LETTERS));
  }
  for (const name of account.attributes.keys()) assert.match(name, /^[A-Z0-9_]{1,50}$/);
});

Deno.test("an attribute that an earlier version created without a hash is kept, and so is a contact's value in it", async () => {
  await using served = await serveBrevo();
  const { account, list } = served;
  account.attributes.set("GR__E", "text");
  const known = account.put("known@example.com");
  known.attributes["GR__E"] = "s";
  for (const email of [EMAIL, known.email]) {
    await served.provider().subscribe({ list, email }, { tags: [], properties: { "Größe": "l" } });
    account.confirm(list, email);
  }
  assert.deepEqual(account.find(EMAIL)!.attributes, { GR__E: "l" });
  assert.deepEqual(account.find(known.email)!.attributes, { GR__E: "s" });
});
