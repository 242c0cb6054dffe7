import assert from "node:assert/strict";
import { listStatusOf, searchFor, subscribersIn } from "./subscriber.ts";

const membership = (subscription_status: string, optin = "double") => ({ id: 1, optin, subscription_status });
const person = (status: string) => ({
  id: 7,
  email: "a@x.example",
  name: "",
  status,
  attribs: null,
  lists: [],
});

Deno.test("the list status follows from the person, the membership and the list's opt-in", () => {
  const rows: [person: string, membership: string, optin: string, expected: string | undefined][] = [
    ["enabled", "unconfirmed", "double", "pending"],
    ["disabled", "unconfirmed", "double", "pending"],
    ["enabled", "unconfirmed", "single", "active"],
    ["disabled", "unconfirmed", "single", "paused"],
    ["enabled", "confirmed", "double", "active"],
    ["enabled", "confirmed", "single", "active"],
    ["disabled", "confirmed", "double", "paused"],
    ["enabled", "unsubscribed", "double", "unsubscribed"],
    ["disabled", "unsubscribed", "double", "unsubscribed"],
    ["blocklisted", "unconfirmed", "double", "suppressed"],
    ["blocklisted", "confirmed", "double", "suppressed"],
    ["blocklisted", "unsubscribed", "double", "suppressed"],
    ["enabled", "sleeping", "double", undefined],
  ];
  for (const [status, of, optin, expected] of rows) {
    assert.equal(listStatusOf(person(status), membership(of, optin)), expected, `${status} ${of} ${optin}`);
  }
});

Deno.test("the search for an address matches that address and no other", () => {
  const addresses = [
    "a@x.example",
    "aa@x.example",
    "a@x.examples",
    "a@xyexample",
    "a.b+c@x.example",
    "aab+c@x.example",
    "o'hara+a/b?c=%d&e#{f}@x.example",
    "[a](b)|c^$*\\@x.example",
    "ü@x.example",
  ];
  for (const email of addresses) {
    const pattern = new RegExp(searchFor(email), "i");
    assert.deepEqual(addresses.filter((other) => pattern.test(other)), [email]);
  }
});

Deno.test("an invalid subscriber does not hide the others, and an answer that is not a page is refused", () => {
  const page = (data: unknown) => subscribersIn({ kind: "ok", status: 200, body: data });
  const valid = { id: 1, email: "a@x.example", status: "enabled", lists: null };
  const read = page({ results: [null, { id: "1" }, valid, { ...valid, lists: [{ id: 2 }] }], total: 9 });
  assert.deepEqual(read?.items.map(({ email, lists }) => [email, lists]), [["a@x.example", []]]);
  assert.deepEqual([read?.count, read?.total], [4, 9]);
  for (const data of [undefined, null, [], {}, { results: [] }, { results: {}, total: 1 }]) {
    assert.equal(page(data), undefined);
  }
  assert.equal(subscribersIn({ kind: "error", status: 500 }), undefined);
});
