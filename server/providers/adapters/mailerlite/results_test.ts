import assert from "node:assert/strict";
import { isMissing, type MailerliteResponse, trouble } from "./http.ts";
import { nextPage, unconfirmedPage } from "./listing.ts";
import {
  connectionResult,
  createResult,
  eraseResult,
  joinResult,
  knownResult,
  statusResult,
  subscriberResult,
  timeOf,
} from "./results.ts";

const GROUP = "75011449370445335";
const person = (more: Record<string, unknown> = {}) => ({
  id: "73871649530709291",
  email: "ada@example.com",
  status: "active",
  updated_at: "2022-12-07 22:07:37",
  groups: [{ id: GROUP }],
  ...more,
});
const ok = (data: unknown, more: Record<string, unknown> = {}): MailerliteResponse => ({
  kind: "ok",
  status: 200,
  body: { data, ...more },
});
const error = (
  status: number,
  message?: string,
  errors: Record<string, string[]> = {},
): MailerliteResponse => ({
  kind: "error",
  status,
  ...(message !== undefined && { problem: { message, errors } }),
});
const invalid = (errors: Record<string, string[]>) =>
  createResult(error(422, "The given data was invalid.", errors), GROUP);

Deno.test("a time is read as UTC, and anything else is ignored", () => {
  assert.equal(timeOf("2022-12-07 22:07:37"), Date.UTC(2022, 11, 7, 22, 7, 37));
  for (const value of ["2022-12-07", "2022-99-07 22:07:37", "", null, undefined]) {
    assert.equal(timeOf(value), undefined);
  }
});

Deno.test("a person who is being forgotten is absent", () => {
  const deleted = ok(person({ deleted_at: "2023-09-01 13:48:17" }));
  assert.deepEqual(subscriberResult(deleted), { kind: "absent" });
});

Deno.test("a missing record is absent, and a missing route or a 404 of a proxy is trouble", () => {
  const results = [
    error(404, "No query results for model [App\\Models\\Subscriber\\Subscriber]."),
    error(404, "The route api/subscribers/x could not be found."),
    error(404),
  ].map(subscriberResult);
  assert.deepEqual(results.map(({ kind }) => kind), ["absent", "trouble", "trouble"]);
  assert.deepEqual([isMissing(error(404)), eraseResult(error(404)).kind], [false, "trouble"]);
});

Deno.test("a subscriber with a missing, wrong or unknown member is trouble, never another status", () => {
  const bad = [
    person({ status: undefined }),
    person({ status: 1 }),
    person({ id: "../groups" }),
    person({ id: undefined }),
    person({ groups: undefined }),
    person({ groups: ["x"] }),
    [],
    null,
  ];
  for (const data of bad) assert.equal(subscriberResult(ok(data)).kind, "trouble", JSON.stringify(data));
  const unknown = subscriberResult(ok(person({ status: "hasOwnProperty" })));
  assert.ok(unknown.kind === "subscriber");
  assert.equal(statusResult(unknown, GROUP).kind, "trouble");
  assert.equal(knownResult(unknown, { list: GROUP })?.kind, "trouble");
});

Deno.test("a 422 rejects an address only with a text that is known to be about the address", () => {
  const left = invalid({ email: ["This subscriber is unsubscribed and cannot be imported"] });
  assert.deepEqual(left, { kind: "left" });
  assert.equal(invalid({ email: ["The email must be a valid email address."] }).kind, "refused");
  assert.partialDeepStrictEqual(invalid({ email: ["This subscriber has bounced"] }), {
    kind: "suppressed",
    bounced: true,
  });
  assert.equal(invalid({ email: ["Marked as spam"] }).kind, "suppressed");
  assert.partialDeepStrictEqual(invalid({ "groups.0": ["The selected groups.0 is invalid."] }), {
    kind: "trouble",
    code: "not_found",
    unknown: false,
  });
  for (const errors of [{}, { email: ["Your plan allows 500 people."] }, { plan: ["Unsubscribed."] }]) {
    assert.partialDeepStrictEqual(invalid(errors), { kind: "trouble", code: "unexpected", unknown: false });
  }
  assert.partialDeepStrictEqual(createResult(error(422), GROUP), { kind: "trouble", unknown: true });
});

Deno.test("only a response that names the group and an unconfirmed status says that a signup is pending", () => {
  const pending = person({ status: "unconfirmed" });
  assert.deepEqual(createResult(ok(pending), GROUP), { kind: "accepted", isPending: true });
  assert.deepEqual(createResult(ok({ ...pending, groups: [] }), GROUP), { kind: "accepted" });
  assert.deepEqual(createResult(ok(person()), GROUP), { kind: "accepted" });
  assert.partialDeepStrictEqual(createResult(ok({}), GROUP), { kind: "trouble", unknown: true });
});

Deno.test("no reason contains a text of a response", () => {
  const text = "ada@example.com";
  const results = [401, 403, 404, 409, 422, 429, 500].flatMap((status) => {
    const response = error(status, text, { email: [text], "groups.0": [text] });
    return [
      trouble(response, "writes"),
      subscriberResult(response),
      createResult(response, GROUP),
      joinResult(response, "active"),
      eraseResult(response),
      connectionResult(response),
    ];
  });
  const unknown = subscriberResult(ok(person({ status: text })));
  assert.ok(unknown.kind === "subscriber");
  assert.doesNotMatch(JSON.stringify([...results, statusResult(unknown, GROUP)]), /ada/);
});

Deno.test("the next page is read from a cursor or a page number, and only from these", () => {
  const link = (next: unknown) => ({ links: { next } });
  const cases: [Record<string, unknown>, string | undefined][] = [
    [{ meta: { next_cursor: "a&b=" } }, "cursor=a%26b%3D"],
    [link("https://connect.mailerlite.com/api/subscribers?cursor=abc"), "cursor=abc"],
    [link("https://connect.mailerlite.com/api/groups?page=2"), "page=2"],
    [link("https://elsewhere.example/?page=2&limit=1000000"), "page=2"],
    [link("https://connect.mailerlite.com/api/groups?page=-1"), undefined],
    [link(null), undefined],
    [{ links: 7, meta: [] }, undefined],
    [{}, undefined],
  ];
  for (const [body, expected] of cases) assert.equal(nextPage(body), expected, JSON.stringify(body));
});

Deno.test("a page of unconfirmed people leaves out what it cannot read, and an empty page is the last", () => {
  const rows = [person({ status: "unconfirmed" }), person(), { email: "bob@example.com" }, null];
  assert.deepEqual(unconfirmedPage(ok(rows, { meta: { next_cursor: "x" } })), {
    kind: "page",
    items: [{ email: "ada@example.com", status: "pending", changedAt: Date.UTC(2022, 11, 7, 22, 7, 37) }],
    cursor: "cursor=x",
  });
  assert.deepEqual(unconfirmedPage(ok([], { meta: { next_cursor: "x" } })), { kind: "page", items: [] });
  assert.equal(unconfirmedPage(ok({})).kind, "trouble");
});
