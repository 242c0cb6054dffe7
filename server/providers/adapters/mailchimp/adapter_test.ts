import assert from "node:assert/strict";
import type { Fetch } from "../../../platform/deps.ts";
import { afterFirst } from "../../testing/serve_double.ts";
import type { Status } from "./testing/account.ts";
import { KEY, serveMailchimp } from "./testing/serve.ts";

/** Guarantees that come from Mailchimp's own rules: statuses that a write would change, and addresses it never accepts again. */

const ADA = "ada@example.com";
const person = { tags: [] };

Deno.test("an audience that does not ask for a confirmation itself gets a pending member with name and tags", async () => {
  await using served = await serveMailchimp();
  const target = { list: served.audiences[0], email: ADA };
  const result = await served.provider().subscribe(target, { name: "Ada Lovelace", tags: ["shop", "news"] });
  assert.deepEqual(result, { kind: "accepted", isPending: true });
  const { status, firstName, tags } = served.account.find(target.list, ADA)!;
  assert.deepEqual([status, firstName, tags], ["pending", "Ada Lovelace", ["shop", "news"]]);
});

Deno.test("somebody who is a member stays unchanged, and nothing is sent but reads", async () => {
  const cases: [Status, string, string][] = [
    ["subscribed", "exists", "active"],
    ["pending", "exists", "pending"],
    ["cleaned", "suppressed", "bounced"],
  ];
  for (const [status, kind, seen] of cases) {
    await using served = await serveMailchimp();
    const target = { list: served.audiences[0], email: ADA };
    const before = { ...served.account.add(target.list, ADA, { status, firstName: "Ada" }) };
    assert.equal((await served.provider().subscribe(target, { name: "Mallory", tags: ["x"] })).kind, kind);
    assert.partialDeepStrictEqual(await served.provider().status(target), { kind: "found", status: seen });
    assert.deepEqual(served.account.find(target.list, ADA), before);
    assert.deepEqual(served.front.received.map(({ method }) => method), ["GET", "GET"]);
  }
});

Deno.test("somebody who unsubscribed gets a confirmation email, unless they complained or Mailchimp accepts only its form", async () => {
  const left = async (arrange: (served: Awaited<ReturnType<typeof serveMailchimp>>) => void) => {
    const served = await serveMailchimp();
    const target = { list: served.audiences[0], email: ADA };
    served.account.add(target.list, ADA, { status: "unsubscribed", firstName: "Ada" });
    arrange(served);
    const { kind } = await served.provider().subscribe(target, { name: "Mallory", tags: ["x"] });
    const { status, firstName } = served.account.find(target.list, ADA)!;
    await served[Symbol.asyncDispose]();
    return [kind, status, firstName, served.mails.length];
  };
  assert.deepEqual(await left(() => {}), ["accepted", "pending", "Ada", 1]);
  const complain = ({ account, audiences }: Awaited<ReturnType<typeof serveMailchimp>>) => {
    account.find(audiences[0], ADA)!.unsubscribeReason = "ABUSE";
  };
  assert.deepEqual(await left(complain), ["suppressed", "unsubscribed", "Ada", 0]);
  const refuse = ({ account }: Awaited<ReturnType<typeof serveMailchimp>>) => account.inCompliance.add(ADA);
  assert.deepEqual(await left(refuse), ["elsewhere", "unsubscribed", "Ada", 0]);
});

Deno.test("a bounced address is reported as bounced", async () => {
  await using served = await serveMailchimp();
  const target = { list: served.audiences[0], email: ADA };
  served.account.add(target.list, ADA, { status: "cleaned" });
  const result = await served.provider().subscribe(target, person);
  assert.partialDeepStrictEqual(result, { kind: "suppressed", bounced: true });
});

Deno.test("somebody who is archived or known only from an order is on no list, and has to confirm to get onto it", async () => {
  for (const status of ["archived", "transactional"] as const) {
    await using served = await serveMailchimp();
    const target = { list: served.audiences[0], email: ADA };
    served.account.add(target.list, ADA, { status, firstName: "Ada" });
    assert.deepEqual(await served.provider().status(target), { kind: "absent" });
    const result = await served.provider().subscribe(target, { name: "Mallory", tags: [] });
    assert.deepEqual(result, { kind: "accepted", isPending: true });
    const { status: after, firstName } = served.account.find(target.list, ADA)!;
    assert.deepEqual([after, firstName, served.account.mails], ["pending", "Ada", [ADA]]);
  }
});

Deno.test("an address that was deleted permanently is sent to Mailchimp's own form", async () => {
  await using served = await serveMailchimp();
  const { account, audiences: [list] } = served;
  const target = { list, email: ADA };
  const provider = served.provider();
  await provider.subscribe(target, person);
  assert.deepEqual(await provider.erase(ADA), { kind: "erased" });
  const url = `https://shop.us6.list-manage.com/subscribe?u=1&id=${list}`;
  assert.deepEqual(await provider.subscribe(target, person), { kind: "elsewhere", url });
  assert.deepEqual(await provider.status(target), { kind: "absent" });
  assert.deepEqual(account.mails, [ADA], "one email, before it was deleted");
});

Deno.test("somebody who becomes a member between the read and the subscribe keeps their status", async () => {
  await using served = await serveMailchimp();
  const target = { list: served.audiences[0], email: ADA };
  const fetch = afterFirst(() => served.account.add(target.list, ADA, { status: "subscribed" }));
  assert.deepEqual(await served.provider({ fetch }).subscribe(target, person), { kind: "exists" });
  assert.equal(served.account.find(target.list, ADA)!.status, "subscribed");
});

Deno.test("erasing deletes a person from every audience, archived or not", async () => {
  await using served = await serveMailchimp();
  const { account, audiences } = served;
  account.add(audiences[0], ADA, { status: "archived" });
  account.add(audiences[1], ADA, { status: "subscribed" });
  assert.deepEqual(await served.provider().erase(ADA.toUpperCase()), { kind: "erased" });
  assert.deepEqual(audiences.map((id) => account.find(id, ADA)), [undefined, undefined]);
});

Deno.test("an erasure that ends half way says that it may have taken effect, and a repeat finishes it", async () => {
  await using served = await serveMailchimp();
  const { account, audiences, front } = served;
  for (const id of audiences) account.add(id, ADA);
  front.fail("redirects", ({ method, target }) => method === "POST" && target.includes(audiences[1]));
  assert.partialDeepStrictEqual(await served.provider().erase(ADA), { kind: "trouble", unknown: true });
  front.recover();
  assert.deepEqual(await served.provider().erase(ADA), { kind: "erased" });
  assert.deepEqual(audiences.map((id) => account.find(id, ADA)), [undefined, undefined]);
});

Deno.test("an audience that does not exist is trouble, and the reason says so", async () => {
  await using served = await serveMailchimp();
  const result = await served.provider().subscribe({ list: "none", email: ADA }, person);
  assert.deepEqual(result, {
    kind: "trouble",
    code: "not_found",
    reason: "The audience does not exist at Mailchimp.",
    unknown: false,
  });
});

Deno.test("nothing is sent without a key, with one that names no data center, or for an audience whose ID changes the path", async () => {
  await using served = await serveMailchimp();
  const keys: [string, string][] = [
    ["", "not_configured"],
    ["0123456789abcdef", "invalid_key"],
    ["0123456789abcdef-us6.evil.example/", "invalid_key"],
    ["0123456789abcdef-us6@evil.example", "invalid_key"],
  ];
  for (const [key, code] of keys) {
    const result = await served.provider({ baseUrl: undefined, apiKey: () => key }).lists();
    assert.partialDeepStrictEqual(result, { kind: "trouble", code, unknown: false });
  }
  const result = await served.provider({ apiKey: () => `${KEY}…` }).lists();
  assert.partialDeepStrictEqual(result, { kind: "trouble", code: "invalid_key" });
  for (const list of ["..", "."]) {
    assert.partialDeepStrictEqual(await served.provider().unconfirmed(list), {
      kind: "trouble",
      code: "not_configured",
    });
  }
  assert.deepEqual(served.front.received, []);
});

Deno.test("without another URL, requests go to the data center that the key ends with", async () => {
  const urls: string[] = [];
  await using served = await serveMailchimp();
  const fetch: Fetch = (input) => {
    urls.push(String(input));
    return Promise.resolve(Response.json({ health_status: "up" }));
  };
  await served.provider({ baseUrl: undefined, fetch }).connection();
  assert.deepEqual(urls, ["https://us6.api.mailchimp.com/3.0/ping"]);
});
