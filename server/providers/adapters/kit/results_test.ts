import assert from "node:assert/strict";
import { isMissing, type KitResponse, trouble } from "./http.ts";
import { createdAround, nextCursor, unconfirmedPage } from "./listing.ts";
import { connectionResult, createResult, foundId, joinResult, personResult } from "./results.ts";
import { registerResult } from "./webhook.ts";

const ADA = "ada@example.com";
const subscriber = (more: Record<string, unknown> = {}) => ({
  id: 785,
  email_address: ADA,
  state: "active",
  created_at: "2023-02-17T11:43:55Z",
  ...more,
});
const ok = (body: Record<string, unknown>, status = 200): KitResponse => ({ kind: "ok", status, body });
const person = (more: Record<string, unknown> = {}, status = 200) =>
  ok({ subscriber: subscriber(more) }, status);
const error = (status: number, ...errors: string[]): KitResponse => ({
  kind: "error",
  status,
  ...(errors.length > 0 && { problem: errors }),
});

Deno.test("a person is found by the exact address, and a search that ignores the address finds nobody", () => {
  const found = (email: string) => foundId(ok({ subscribers: [null, 7, subscriber()] }), email);
  assert.deepEqual(found("Ada@Example.com"), { kind: "id", id: 785 });
  assert.deepEqual(found("da@example.com"), { kind: "absent" });
  assert.equal(foundId(ok({}), ADA).kind, "trouble");
});

Deno.test("a person with a missing, wrong or unknown member is trouble, never another status", () => {
  const bad = [
    { state: undefined },
    { state: "hasOwnProperty" },
    { state: "toString" },
    { id: "785/../1" },
    { id: -1 },
    { created_at: "soon" },
    { created_at: undefined },
    { created_at: "+275760-09-13T00:00:00Z" },
    { created_at: "-000001-01-01T00:00:00Z" },
  ];
  for (const more of bad) {
    for (const read of [personResult, createResult, joinResult]) {
      assert.equal(read(person(more)).kind, "trouble", JSON.stringify(more));
    }
  }
  assert.partialDeepStrictEqual(joinResult(person({ state: "new" }, 201)), {
    kind: "trouble",
    unknown: true,
  });
});

Deno.test("a missing person is absent, and a 404 of a proxy is trouble", () => {
  assert.deepEqual(personResult(error(404, "Not Found")), { kind: "absent" });
  assert.equal(personResult(error(404)).kind, "trouble");
  assert.equal(isMissing(error(404)), false);
  assert.partialDeepStrictEqual(joinResult(error(404)), { kind: "trouble", unknown: true });
});

Deno.test("only a new member of the form who is inactive is reported as pending, and a known member exists", () => {
  assert.deepEqual(joinResult(person({ state: "inactive" }, 201)), { kind: "accepted", isPending: true });
  assert.deepEqual(joinResult(person({}, 201)), { kind: "accepted" });
  assert.deepEqual(joinResult(person({ state: "inactive" })), { kind: "exists" });
  assert.deepEqual(joinResult(person({ state: "cancelled" }, 201)), { kind: "left" });
});

Deno.test("a 422 rejects an address only with a text that is known to be about the address", () => {
  assert.equal(createResult(error(422, "Email address is invalid")).kind, "refused");
  const other = createResult(error(422, "Fields are invalid"));
  assert.partialDeepStrictEqual(other, { kind: "trouble", code: "unexpected", unknown: false });
  assert.partialDeepStrictEqual(createResult(error(422)), { kind: "trouble", unknown: true });
});

Deno.test("the account's subscriber limit is a problem of the account, and any other 403 one of the key", () => {
  const full = trouble(error(403, "This request would exceed your subscriber limit"), "writes");
  assert.partialDeepStrictEqual(full, { code: "account", unknown: false });
  assert.partialDeepStrictEqual(trouble(error(403, "No."), "writes"), { code: "forbidden", unknown: false });
});

Deno.test("no reason contains a text of a response", () => {
  const results = [401, 403, 404, 409, 422, 429, 500].flatMap((status) => {
    const response = error(status, `${ADA}: subscriber limit, Email address is invalid`);
    return [
      trouble(response, "writes"),
      personResult(response),
      createResult(response),
      joinResult(response),
      connectionResult(response),
      registerResult(response),
      unconfirmedPage(response),
    ];
  });
  assert.doesNotMatch(JSON.stringify([...results, personResult(person({ state: ADA }))]), /ada/);
});

Deno.test("a page of unconfirmed people leaves out what it cannot read, and an empty page is the last", () => {
  const pagination = { has_next_page: true, end_cursor: "WzY3MV0=" };
  const rows = [subscriber({ state: "inactive" }), subscriber(), { email_address: "bob@example.com" }, null];
  assert.deepEqual(unconfirmedPage(ok({ subscribers: rows, pagination })), {
    kind: "page",
    items: [{ email: ADA, status: "pending" }],
    cursor: "WzY3MV0=",
  });
  assert.deepEqual(unconfirmedPage(ok({ subscribers: [], pagination })), { kind: "page", items: [] });
  assert.equal(unconfirmedPage(ok({})).kind, "trouble");
});

Deno.test("the next page needs a cursor and the word that there is one", () => {
  const cursorOf = (pagination: unknown) => nextCursor({ pagination });
  assert.equal(cursorOf({ has_next_page: true, end_cursor: "x" }), "x");
  for (const last of [{ has_next_page: false, end_cursor: "x" }, { has_next_page: true }, null, "x"]) {
    assert.equal(cursorOf(last), undefined);
  }
});

Deno.test("the filter by day includes the day, even if Kit excludes both limits", () => {
  const expected = { created_after: "2024-02-28", created_before: "2024-03-02" };
  assert.deepEqual(createdAround(Date.UTC(2024, 1, 29, 23, 59, 59)), {
    ...expected,
    created_before: "2024-03-02",
  });
  assert.deepEqual(createdAround(Date.UTC(2024, 1, 29)), expected);
});

Deno.test("a registration without a secret is trouble, because no call could be verified", () => {
  const row = { id: 1, name: "cfbe", url: "https://own.example", events: [], status: "active" };
  assert.partialDeepStrictEqual(registerResult(ok({ webhook_endpoint: row })), {
    kind: "trouble",
    unknown: true,
  });
  assert.equal(registerResult(ok({ webhook_endpoint: { ...row, secret: "whsec_1" } })).kind, "registered");
});
