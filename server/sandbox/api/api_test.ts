import assert from "node:assert/strict";
import { keys } from "../../platform/kv/keys.ts";
import type { MailRow } from "../account/rows.ts";
import { type Served, serveSandbox } from "../testing/serve.ts";

/** Status and body of one call. */
async function call(served: Served, method: string, path: string, json?: unknown) {
  const response = await served.api(path, { method, ...(json === undefined ? {} : { json }) });
  const body = await response.json();
  assert.equal(body.status, response.status, "the envelope repeats the status");
  assert.equal(response.headers.get("cache-control"), "no-store");
  return { status: response.status, result: body.result, error: body.error };
}

Deno.test("concurrent starts provision the project once", async () => {
  await using served = await serveSandbox();
  const again = await Promise.all(Array.from({ length: 8 }, () => served.sandbox.provision()));
  for (const made of again) assert.deepEqual(made, served.provisioned);
  assert.deepEqual(served.provisioned.lists.map((list) => [list.name, list.doubleOptIn]), [
    ["Newsletter", true],
    ["Single opt-in", false],
  ]);
  assert.equal(served.provisioned.list, served.provisioned.lists[0]?.id);
  assert.match(served.provisioned.project, /^[0-9a-f]{24}$/);
});

Deno.test("without the project's own API key, every API path returns 403 in the envelope", async () => {
  await using served = await serveSandbox();
  const { project, apiKey } = served.provisioned;
  const attempts: [string, string | undefined][] = [
    [project, undefined],
    [project, "Bearer "],
    [project, "Bearer wrong"],
    [project, `Basic ${apiKey}`],
    [project, `Bearer ${apiKey} x`],
    ["other", `Bearer ${apiKey}`],
  ];
  for (const [id, authorization] of attempts) {
    for (const path of ["", "/subscriber-lists", "/contacts/a@b.example", "/nothing"]) {
      const response = await fetch(`${served.sandbox.apiUrl}/v1/projectId/${id}${path}`, {
        ...(authorization === undefined ? {} : { headers: { authorization } }),
      });
      assert.equal(response.status, 403);
      assert.equal((await response.json()).error.name, "FORBIDDEN");
    }
  }
});

Deno.test("subscribe responses have the documented status and shape", async () => {
  await using served = await serveSandbox();
  const path = `/subscriber-lists/${served.provisioned.list}/subscribers`;
  const subscribe = (json: unknown) => call(served, "POST", path, json);
  const created = await subscribe({ email: "Ada@Example.com", name: "Ada", tags: ["news"] });
  assert.equal(created.status, 201);
  assert.equal(created.result.email, "ada@example.com");
  assert.equal(created.result.status, "unverified");
  assert.deepEqual(created.result.customFields, {});
  const twice = await subscribe({ email: "ada@example.com" });
  assert.deepEqual([twice.status, twice.error.message], [400, "Email already exists."]);
  assert.equal((await subscribe({ email: "bounced@example.com" })).status, 405);
  assert.equal((await subscribe({ email: "x@example.com", status: "active" })).result.status, "active");
  assert.equal(
    (await call(served, "POST", "/subscriber-lists/none/subscribers", { email: "a@b.example" })).status,
    404,
  );
});

Deno.test("a hostile body gets 400 or 413, with every problem in one message", async () => {
  await using served = await serveSandbox();
  const path = `/subscriber-lists/${served.provisioned.list}/subscribers`;
  const bodies = [
    "",
    "{",
    "null",
    "[]",
    "7",
    '{"email":7}',
    '{"email":"a b"}',
    '{"email":"a@b.example\\u0000"}',
  ];
  for (const body of bodies) {
    const response = await served.api(path, { method: "POST", body });
    assert.equal(response.status, 400, body);
    assert.equal((await response.json()).error.name, "VALIDATION_ERROR");
  }
  const both = await call(served, "POST", path, { email: "no", name: 7 });
  assert.match(both.error.message, /email: .*; name: /);
  const huge = await call(served, "POST", path, { email: "a@b.example", name: "x".repeat(300_000) });
  assert.equal(huge.status, 413);
  const deep = "/subscriber-lists/%00/subscribers/%E0%A4%A";
  assert.equal((await call(served, "GET", deep)).status, 404);
});

Deno.test("listings return 10 items per page, at most 30, and can be filtered and sorted", async () => {
  await using served = await serveSandbox();
  const list = `/subscriber-lists/${served.provisioned.list}/subscribers`;
  for (let index = 0; index < 35; index++) {
    await call(served, "POST", list, { email: `r${String(index).padStart(2, "0")}@example.com` });
  }
  await call(served, "PATCH", `${list}/r07@example.com`, { status: "active" });
  const get = async (query: string) => (await call(served, "GET", `${list}?${query}`)).result;
  const emails = (page: { items: { email: string }[] }) => page.items.map((item) => item.email.slice(0, 3));

  assert.equal((await get("")).items.length, 10);
  assert.equal((await get("limit=500")).items.length, 30);
  assert.equal((await get("limit=-1&skip=x&sort=__proto__&order=up")).items.length, 10);
  assert.deepEqual(emails(await get("limit=2&sort=email&order=asc")), ["r00", "r01"]);
  assert.equal(emails(await get("limit=1&sort=updatedAt"))[0], "r07");
  const active = await get("filter[status]=active");
  assert.deepEqual([emails(active), active.count, active.next], [["r07"], 1, null]);
  const first = await get("limit=30&sort=email&order=asc");
  assert.equal(first.count, 35);
  const next = new URL(first.next);
  assert.ok(first.next.startsWith(served.sandbox.apiUrl), "next is a full URL");
  assert.deepEqual(emails(await get(next.search.slice(1))), ["r30", "r31", "r32", "r33", "r34"]);
});

Deno.test("a pause requires an end date, and only documented states are accepted", async () => {
  await using served = await serveSandbox();
  const list = `/subscriber-lists/${served.provisioned.lists[1]!.id}/subscribers`;
  await call(served, "POST", list, { email: "a@example.com" });
  const patch = async (json: unknown) => (await call(served, "PATCH", `${list}/a@example.com`, json)).status;
  assert.equal(await patch({ status: "paused" }), 400);
  assert.equal(await patch({ status: "paused", pausedUntil: "2001-01-01T00:00:00Z" }), 400);
  assert.equal(await patch({ status: "unverified" }), 400);
  assert.equal(await patch({ status: "paused", pausedUntil: "2199-01-01T00:00:00Z" }), 200);
  assert.equal((await call(served, "PATCH", `${list}/b@example.com`, { status: "active" })).status, 404);
});

Deno.test("erasing a contact removes it from every list and invalidates the links in its emails", async () => {
  await using served = await serveSandbox();
  for (const { id } of served.provisioned.lists) {
    await call(served, "POST", `/subscriber-lists/${id}/subscribers`, {
      email: "a@example.com",
      tags: ["x"],
    });
  }
  const contact = await call(served, "GET", "/contacts/a@example.com");
  assert.deepEqual(contact.result._lists, ["Newsletter", "Single opt-in"]);
  assert.deepEqual(contact.result.tags, ["x"]);
  const { mails } = await served.json("/sandbox/inbox.json?email=a@example.com");
  assert.equal((await call(served, "DELETE", "/contacts/a@example.com")).status, 200);
  assert.equal((await call(served, "DELETE", "/contacts/a@example.com")).status, 404);
  assert.equal(
    (await call(served, "GET", `/subscriber-lists/${served.provisioned.list}/subscribers/a@example.com`))
      .status,
    404,
  );
  const link = await fetch(mails[0].links.confirm);
  assert.equal(link.status, 404);
  await link.body?.cancel();
});

Deno.test("contacts can be created, read, updated and listed", async () => {
  await using served = await serveSandbox();
  const made = await call(served, "POST", "/contacts", { email: "c@example.com", name: "C" });
  assert.equal(made.status, 201);
  assert.equal((await call(served, "POST", "/contacts", { email: "c@example.com" })).status, 400);
  const changed = await call(served, "PATCH", "/contacts/c@example.com", { tags: ["t"] });
  assert.deepEqual([changed.result.name, changed.result.tags], ["C", ["t"]]);
  assert.equal((await call(served, "GET", "/contacts")).result.count, 1);
  assert.equal((await call(served, "PATCH", "/contacts/no@example.com", {})).status, 404);
});

Deno.test("a triggered email without addresses is rejected, because it would go to the whole list", async () => {
  await using served = await serveSandbox();
  const send = async (json: unknown) => (await call(served, "POST", "/send-triggered", json)).status;
  assert.equal(await send({ triggeredId: "t" }), 400);
  assert.equal(await send({ triggeredId: "t", emails: [] }), 400);
  assert.equal(await send({ triggeredId: "t", emails: ["nonsense"] }), 400);
  assert.equal((await served.json("/sandbox/inbox.json")).mails.length, 0);
  assert.equal(await send({ triggeredId: "t", emails: ["a@example.com", "bounced@example.com"] }), 200);
  assert.equal((await served.json("/sandbox/inbox.json")).mails.length, 1);
});

Deno.test("a triggered email reaches every address of the longest call with the longest data", async () => {
  await using served = await serveSandbox();
  const emails = Array.from(
    { length: 500 },
    (_, n) => `${String(n).padStart(64, "0")}@${"d".repeat(60)}.example`,
  );
  const json = { triggeredId: "t".repeat(100), emails, data: "\u6c49".repeat(9_000) };
  assert.equal((await call(served, "POST", "/send-triggered", json)).status, 200);
  const stored = await Array.fromAsync(served.kv.list<MailRow>({ prefix: keys.sandboxMails() }));
  assert.deepEqual(stored.map(({ value }) => value.to).toSorted(), emails);
});

Deno.test("a transactional email appears in the inbox with its data", async () => {
  await using served = await serveSandbox();
  const json = { email: "a@example.com", transactionalId: "t1", data: { coupon: "X-1" } };
  assert.deepEqual((await call(served, "POST", "/send-transactional", json)).result, { success: true });
  assert.equal(
    (await call(served, "POST", "/send-transactional", { ...json, email: "bounced@a.example" })).status,
    405,
  );
  const { mails: [mail] } = await served.json("/sandbox/inbox.json");
  assert.equal(mail.kind, "transactional");
  assert.match(mail.text, /X-1/);
  assert.deepEqual(mail.links, {});
});

Deno.test("a contact accepts only custom properties that exist in the project, with values of their type", async () => {
  await using served = await serveSandbox();
  const field = { name: "orders", type: "number" };
  assert.equal((await call(served, "POST", "/contacts/fields", field)).status, 201);
  assert.equal((await call(served, "POST", "/contacts/fields", field)).status, 409);
  const contact = { email: "c@example.com", orders: 2 };
  assert.equal((await call(served, "POST", "/contacts", contact)).result.orders, 2);
  const patch = (json: unknown) => call(served, "PATCH", "/contacts/c@example.com", json);
  assert.equal((await patch({ orders: 3 })).result.orders, 3);
  assert.equal((await patch({ orders: "3" })).status, 400);
  assert.equal((await patch({ order: 3 })).status, 400);
  assert.equal((await patch({ name: "C" })).result.orders, 3);
});
