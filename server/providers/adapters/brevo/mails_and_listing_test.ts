import assert from "node:assert/strict";
import { attributeName } from "./attributes.ts";
import { OTHER_TEMPLATE } from "./testing/account.ts";
import { serveBrevo } from "./testing/serve.ts";

const template = String(OTHER_TEMPLATE);

Deno.test("an email to several people does not show them each other's address", async () => {
  await using served = await serveBrevo();
  const bodies: { to?: unknown; messageVersions?: unknown }[] = [];
  const provider = served.provider({
    baseUrl: "http://brevo.test/v3",
    fetch: async (url, init) => {
      const request = new Request(url, init);
      if (request.method === "POST") bodies.push(await request.clone().json());
      return await served.handle(request);
    },
  });
  const emails = ["a@example.com", "b@example.com"] as const;
  assert.deepEqual(await provider.sendTriggered({ template, emails, data: { total: 1 } }), { kind: "sent" });
  assert.deepEqual(served.account.mails, emails);
  assert.deepEqual(bodies, [{
    templateId: OTHER_TEMPLATE,
    messageVersions: emails.map((email) => ({ to: [{ email }] })),
    params: { total: 1 },
  }]);
});

Deno.test("a person who unsubscribed gets emails about their order, but not about their cart", async () => {
  await using served = await serveBrevo();
  const { account } = served;
  const provider = served.provider();
  const email = "ann@example.com";
  account.put(email);
  account.unsubscribe(email);
  const cart = await provider.sendTriggered({ template, emails: [email], data: {} });
  assert.equal(cart.kind, "refused");
  assert.deepEqual(account.mails, []);
  assert.deepEqual(await provider.sendTransactional({ template, email, data: {} }), { kind: "sent" });
  for (const why of ["hardBounces", "complaints"] as const) {
    account.block(email, why);
    assert.equal((await provider.sendTransactional({ template, email, data: {} })).kind, "refused");
  }
});

Deno.test("nobody gets an email about their order whom Brevo blocks without a reason, as after 90 days", async () => {
  await using served = await serveBrevo();
  const { account } = served;
  const provider = served.provider();
  const email = "ann@example.com";
  const send = async () => (await provider.sendTransactional({ template, email, data: {} })).kind;
  for (const why of ["hardBounces", "complaints", "admin"] as const) {
    account.block(email, why);
    account.age(email, 91);
    assert.equal(await send(), "refused", why);
  }
  account.unsubscribe(email);
  account.age(email, 89);
  assert.equal(await send(), "sent");
  account.age(email, 2);
  assert.equal(await send(), "refused");
  assert.deepEqual(account.mails, [email]);
});

Deno.test("a missing template is trouble, because the owner can still create it", async () => {
  await using served = await serveBrevo();
  const provider = served.provider();
  for (const missing of ["99", "my-template", ""]) {
    const sent = await provider.sendTransactional({ template: missing, email: "a@example.com", data: {} });
    assert.ok(sent.kind === "trouble" && !sent.unknown, missing);
  }
});

Deno.test("a listing ends and an odd contact hides no other, whatever Brevo counts", async () => {
  const listed = { id: 5, email: "a@example.com", emailBlacklisted: false, listIds: [1] };
  for (
    const body of [
      { count: 1_000, contacts: [] },
      { count: 1_000, contacts: [listed] },
      { count: 2, contacts: [{ id: "odd" }, listed] },
      { count: 0, contacts: [null, listed] },
    ]
  ) {
    await using served = await serveBrevo();
    const provider = served.provider({ fetch: () => Promise.resolve(Response.json(body)) });
    const page = await provider.changed("1", 0);
    assert.ok(page.kind === "page" && page.cursor === undefined);
    assert.equal(page.items.length, body.contacts.length === 0 ? 0 : 1);
  }
});

Deno.test("the attributes of properties have names that Brevo accepts", () => {
  assert.equal(attributeName("orderCount"), "ORDER_COUNT");
  assert.equal(attributeName("last-order at"), "LAST_ORDER_AT");
  assert.equal(attributeName("x".repeat(60)).length, 50);
});

Deno.test("attributes are created once for each account", async () => {
  await using served = await serveBrevo();
  let key = served.apiKey;
  const provider = served.provider({ apiKey: () => key });
  const save = () =>
    provider.saveContact("a@example.com", { tags: ["a, b"], properties: { orderCount: 2, city: "Ulm" } });
  await save();
  const calls = served.front.received.length;
  await save();
  assert.equal(served.front.received.length, calls + 1);
  key = "another";
  assert.equal((await save()).kind, "trouble");
  assert.match(served.front.received.at(-1)!.target, /attributes$/, "it asks the other account for its own");
  const { attributes } = served.account;
  assert.deepEqual([attributes.get("ORDER_COUNT"), attributes.get("CITY")], ["float", "text"]);
  assert.deepEqual(await served.provider().contact("a@example.com"), {
    kind: "found",
    contact: { name: "", tags: ["a  b"] },
  });
});
